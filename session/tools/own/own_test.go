package own

import (
	"reflect"
	"testing"

	"omniscope"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]userTool{
		"exec:python3 'my birds.py' -v":   {Command: []string{"python3", "my birds.py", "-v"}},
		"mcp:npx server":                  {MCP: true, Command: []string{"npx", "server"}},
		"mcp[look, count]:./server":       {MCP: true, Names: []string{"look", "count"}, Command: []string{"./server"}},
		"mcp:http://localhost:8000/mcp":   {MCP: true, Address: "http://localhost:8000/mcp"},
		"mcp[a]:https://host.example/mcp": {MCP: true, Names: []string{"a"}, Address: "https://host.example/mcp"},
	} {
		if got, err := Read(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "birds.py", "exec:", "exec: ", "mcp:", "mcp[]:server", "mcp[a:server", "mcpx:server", "mcp", "execute:x", "exec:'open", "mcp:http://", "mcp:http://me:word@host/", "mcp:https://host/?key=1"} {
		if got, err := Read(text); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%q is taken for %+v, %v", text, got, err)
		}
	}
}
