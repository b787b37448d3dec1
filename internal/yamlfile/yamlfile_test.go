package yamlfile

import (
	"strings"
	"testing"
)

// The parser's own errors show the lines around the fault, and with them whatever those lines hold.
func TestErrorsShowNoPartOfTheFile(t *testing.T) {
	var v map[string]any
	err := Decode([]byte("key: sk-secret\nmodels: [a\n"), &v)
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("%v", err)
	}
}
