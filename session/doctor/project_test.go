package doctor

import (
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestProjectInDoctor(t *testing.T) {
	t.Chdir(t.TempDir())
	fixture.OK(t, os.WriteFile("omniscope.yaml", []byte("models:\n  near: {model: vllm/m, base-url: \"http://127.0.0.1:9/v1\"}\n  far: openai/gpt\nsystems:\n  det: {detective: far}\ndefaults: {judge: far}\n"), 0o600))
	e := Examine(t.Context(), "work")
	if p := e.Project; p == nil || !slices.Equal(p.Models, []string{"near = vllm/m", "far = openai/gpt"}) || !slices.Equal(p.Systems, []string{"det"}) || !slices.Equal(p.Defaults, []string{"judge far"}) {
		t.Errorf("%+v", e.Project)
	}
	if v := e.running(t.Context(), true); !strings.Contains(v.Why, "near (omniscope.yaml)") {
		t.Errorf("%+v", v)
	}
	fixture.OK(t, os.WriteFile("omniscope.yaml", []byte("modles: {}"), 0o600))
	if p := Examine(t.Context(), "work").Project; p == nil || !strings.Contains(p.Problem, "did you mean models") {
		t.Errorf("%+v", p)
	}
}
