package ort

import (
	"os/exec"
	"strings"
	"testing"
)

// The usual program is one static file, and loads no library.
func TestTheUsualBuildHasNoLoader(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	for tags, want := range map[string]bool{"": false, "ort": true} {
		command := exec.Command("go", "list", "-deps", "-tags", tags, "omniscope/cmd/omniscope")
		command.Env = append(command.Environ(), "CGO_ENABLED=0")
		list, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(list), "github.com/ebitengine/purego\n"); has != want {
			t.Errorf("tags %q: purego is linked: %v, want %v", tags, has, want)
		}
	}
}
