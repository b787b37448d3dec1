package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/ref"
	"omniscope/session/config"
)

const project = `# a comment
models:
  qwen:  {model: vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct, base-url: http://node7:8000/v1, fps: 2}
  judge: openai/gpt-4o-2024-11-20,max-tokens=1024
systems:
  det: {detective: judge, observers: [qwen, "vllm/m,fps=1"], max-inquiries: 5}
defaults: {judge: judge, max-cost: 20, work-dir: runs}
settings: {cache-size: 20GB, endpoint-wait: 2m}
`

func TestReadProject(t *testing.T) {
	path := filepath.Join(t.TempDir(), config.Name)
	fixture.OK(t, os.WriteFile(path, []byte(project), 0o600))
	f, err := config.Read(t.Context(), path)
	fixture.OK(t, err)
	for name, want := range map[string]string{
		"qwen":  "vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct,base-url=http://node7:8000/v1,fps=2",
		"judge": "openai/gpt-4o-2024-11-20,max-tokens=1024",
	} {
		if m, ok := f.Model(name); !ok || m.Ref.String() != want {
			t.Errorf("%s: %s, want %s", name, m.Ref, want)
		}
	}
	want := config.System{Name: "det", Detective: "judge", Observers: []string{"qwen", "vllm/m,fps=1"}, Inquiries: 5, Line: 6}
	if s, ok := f.System("det"); !ok || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
	if f.Defaults.Text("max-cost") != "20" || f.Settings.Text("endpoint-wait") != "2m" {
		t.Errorf("%+v, %+v", f.Defaults, f.Settings)
	}
	r, at, err := f.Resolve(t.Context(), ref.Ref{Model: "qwen", Settings: []ref.Setting{{Key: "fps", Value: "4"}}})
	if err != nil || at != path || r.String() != "vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct,base-url=http://node7:8000/v1,fps=4" {
		t.Errorf("%s, %s, %v", r, at, err)
	}
}

func TestReadProjectRefuses(t *testing.T) {
	for text, why := range map[string]string{
		"model:\n  a: {model: vllm/m}":                               `line 1: there is no field "model"; did you mean models?`,
		"models:\n  a: {modl: vllm/m}":                               "line 2: models: a: model is missing",
		"models:\n  a: {model: vllm/m, fsp: 2}":                      "did you mean fps",
		"models:\n  a: {model: vllm/m, fps: many}":                   "fps is a number",
		"models:\n  a: {model: b}":                                   "line 2: models: a: model is PROVIDER/NAME, not b",
		"models:\n  a: vlm/m":                                        "line 2: models: a: ",
		"models:\n  a/b: {model: vllm/m}":                            "a name has no slash",
		"models:\n  offline: {model: vllm/m}":                        "offline is a name of omniscope's own",
		"models:\n  latest: {model: vllm/m}":                         "latest is a name of omniscope's own",
		"models:\n  vllm: {model: vllm/m}":                           "vllm is the name of a provider",
		"models:\n  a: {model: vllm/m, key-env: sk-1234abc}":         "key-env is the name of an environment variable",
		"models:\n  a: [vllm/m]":                                     "line 2: a: write {model: PROVIDER/NAME}",
		"models: vllm/m":                                             "write NAME: {model: PROVIDER/NAME}",
		"systems:\n  s: {observers: [a]}":                            "line 2: systems: s: detective is missing",
		"systems:\n  s: {detective: a, observers: b}":                "observers is a list, such as [b]",
		"systems:\n  s: {detective: a, observer: b}":                 "did you mean observers",
		"systems:\n  s: {detective: a, max-inquiries: 0}":            "max-inquiries is a number from 1",
		"models: {a: {model: vllm/m}}\nsystems: {a: {detective: a}}": "a model has this name, too",
		"defaults: {limit: 1}\nsettings: {cache-size: }":             "cache-size: it has no value",
		"models: {a: &x {model: vllm/m}}":                            "anchors",
		"defaults: 7":                                                "",
	} {
		path := filepath.Join(t.TempDir(), config.Name)
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := config.Read(t.Context(), path)
		if omniscope.KindOf(err) != omniscope.Usage || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
}

func TestNearestProject(t *testing.T) {
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	fixture.OK(t, os.MkdirAll(below, 0o755))
	t.Chdir(below)
	fixture.OK(t, os.WriteFile(filepath.Join(top, config.Name), []byte(project), 0o600))
	if f, err := config.Nearest(t.Context()); err != nil || f == nil || !f.Above {
		t.Errorf("%+v, %v", f, err)
	}
	fixture.OK(t, os.WriteFile(config.Name, nil, 0o600))
	if f, err := config.Nearest(t.Context()); err != nil || f == nil || f.Above || len(f.Models) > 0 {
		t.Errorf("an empty one in the working folder: %+v, %v", f, err)
	}
}

func TestResolveModelFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "judge.yaml")
	var none *config.File
	for text, want := range map[string]string{
		"model: openai/gpt-4.1\ntemperature: 0.5\n": "openai/gpt-4.1,temperature=0.5",
		"model: judge\n":                   "!model is PROVIDER/NAME, not judge",
		"model: openai/m\ntemprature: 1\n": "!did you mean temperature",
		"model: file:other.yaml\n":         "!model is PROVIDER/NAME",
	} {
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
		r, at, err := none.Resolve(t.Context(), ref.Ref{File: path})
		if words, refused := strings.CutPrefix(want, "!"); refused {
			if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), words) {
				t.Errorf("%q: %v, want %q", text, err, words)
			}
		} else if err != nil || r.String() != want || at != path {
			t.Errorf("%q: %s, %s, %v", text, r, at, err)
		}
	}
	if _, _, err := none.Resolve(t.Context(), ref.Ref{File: filepath.Join(dir, "none.yaml")}); err == nil {
		t.Error("a file that is not there")
	}
}

// TestSampleIsRead reads the sample as it is, and with all that is commented out.
func TestSampleIsRead(t *testing.T) {
	for _, text := range []string{config.Sample, strings.ReplaceAll(strings.ReplaceAll(config.Sample, "\n#", "\n"), "\n A flag", "\n# A flag")} {
		var lines []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, " ") || strings.HasPrefix(line, "  ") {
				lines = append(lines, line)
			}
		}
		path := filepath.Join(t.TempDir(), config.Name)
		fixture.OK(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
		f, err := config.Read(t.Context(), path)
		fixture.OK(t, err)
		if text != config.Sample && (len(f.Models) != 2 || len(f.Systems) != 1 || len(f.Defaults) != 3 || len(f.Settings) != 2) {
			t.Errorf("%+v", f)
		}
	}
}
