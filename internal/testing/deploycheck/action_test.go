package deploycheck

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// An action is a composite action of GitHub, as far as ours uses it.
// Source: https://docs.github.com/actions, "Metadata syntax for GitHub Actions".
type action struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID    string
	Shell string
	Env   map[string]string
	Run   string
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	readYAML(t, "action.yml", &a)
	return a
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	fixture.OK(t, err)
	if err := yaml.UnmarshalWithOptions(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

var expression = regexp.MustCompile(`\$\{\{\s*([a-z0-9._-]+)\s*\}\}`)

// An actionRun is a job of a runner that has one step: the action.
type actionRun struct {
	t      *testing.T
	dir    string // of the workspace
	temp   string // of the runner
	inputs map[string]string
	path   []string // what steps added to PATH
}

func newActionRun(t *testing.T, inputs map[string]string) *actionRun {
	need.Program(t, "bash")
	return &actionRun{t: t, dir: t.TempDir(), temp: t.TempDir(), inputs: inputs}
}

// file is where a step finds the file of a variable such as GITHUB_OUTPUT.
func (r *actionRun) file(variable string) string { return filepath.Join(r.temp, variable) }

func (r *actionRun) read(variable string) string {
	text, _ := os.ReadFile(r.file(variable)) // not there: nothing was written
	return string(text)
}

// value replaces the expressions of a setting.
func (r *actionRun) value(a action, text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		if name == "github.action_path" {
			return root
		}
		input, ok := strings.CutPrefix(name, "inputs.")
		if _, declared := a.Inputs[input]; !ok || !declared {
			r.t.Fatalf("action.yml: no such expression: %s", found)
		}
		if v, given := r.inputs[input]; given {
			return v
		}
		return a.Inputs[input].Default
	})
}

// run does the steps as a runner does, until one fails, and returns the exit code and what was printed.
func (r *actionRun) run() (code int, said string) {
	r.t.Helper()
	a := readAction(r.t)
	for name, input := range a.Inputs {
		if _, given := r.inputs[name]; input.Required && !given {
			r.t.Fatalf("the input %s is required", name)
		}
	}
	for i, step := range a.Runs.Steps {
		script := filepath.Join(r.temp, fmt.Sprint("step", i, ".sh"))
		if err := os.WriteFile(script, []byte(step.Run), 0o644); err != nil {
			r.t.Fatal(err)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script) // what a runner does for `shell: bash`
		cmd.Dir = r.dir
		cmd.Env = append(cleanEnviron(), "RUNNER_TEMP="+r.temp, "PATH="+strings.Join(append(slices.Clone(r.path), os.Getenv("PATH")), ":"))
		for _, name := range []string{"GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV"} {
			cmd.Env = append(cmd.Env, name+"="+r.file(name))
		}
		for name, text := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+r.value(a, text))
		}
		text, err := cmd.CombinedOutput()
		said += string(text)
		if err != nil {
			return cmd.ProcessState.ExitCode(), said
		}
		r.path = strings.Fields(r.read("GITHUB_PATH"))
	}
	return 0, said
}

// based copies the demo's data and captions to names of choice, and makes a base of the captions "careful".
func based(t *testing.T, dir, data, good, bad, base string) {
	t.Helper()
	for name, from := range map[string]string{data: "cloze/clips.jsonl", good: "captions/careful.jsonl", bad: "captions/terse.jsonl"} {
		text, err := os.ReadFile(filepath.Join(root, "bench/demo", from))
		fixture.OK(t, err)
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	cmd := exec.Command(filepath.Join(root, "deploy/check.sh"), "--benchmark", "omni-cloze", "--data", data, "--predictions", good, "--base", base, "--update")
	cmd.Dir, cmd.Env = dir, append(cleanEnviron(), "OMNISCOPE_PROGRAM="+built.Program(t))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

func TestActionFailsOnADrop(t *testing.T) {
	for predictions, want := range map[string]int{"good.jsonl": 0, "bad.jsonl": 5} {
		r := newActionRun(t, map[string]string{"program": built.Program(t), "benchmark": "omni-cloze", "data": "clips.jsonl", "predictions": predictions,
			"base": "base", "scores": "accuracy,score", "level": "0.01", "max-failures": "0.2"})
		based(t, r.dir, "clips.jsonl", "good.jsonl", "bad.jsonl", "base")
		code, said := r.run()
		if code != want {
			t.Fatalf("%s: exit code %d, want %d: %s", predictions, code, want, said)
		}
		if summary := r.read("GITHUB_STEP_SUMMARY"); !strings.Contains(summary, "## Is ") || !strings.Contains(summary, "| accuracy") {
			t.Errorf("summary: %s", summary)
		}
		output := r.read("GITHUB_OUTPUT")
		if !strings.Contains(output, fmt.Sprintf("worse=%t\nrun=", want == 5)) {
			t.Errorf("output: %s", output)
		}
		if _, err := os.Stat(filepath.Join(strings.TrimSpace(output[strings.Index(output, "run=")+4:]), "results.json")); err != nil {
			t.Error(err)
		}
	}
}

// hostile are values that a shell would act on.
var hostile = []string{`a b`, `"`, `'; touch pwned; '`, `$(touch pwned)`, "`touch pwned`", "x\ntouch pwned\ny", `-x`, `a;touch pwned`, `*`, `${IFS}touch${IFS}pwned`}

// worst is all of them in one, and a value that is a flag of every program.
var worst = []string{"a b\"'$(touch pwned)`touch pwned`;touch pwned\ntouch pwned\n*", "--help"}

// arrives is how the value of an input reaches the program, as one whole argument.
var arrives = map[string]string{"data": "--data=%s", "predictions": "--predictions=%s", "base": "%s", "scores": "--fail-if-worse=%s", "level": "--level=%s",
	"margin": "--margin=%s", "max-failures": "--max-failures=%s", "judge": "--judge=%s"}

// TestHostileInputsArriveWhole gives each input such values, and looks at what reaches the program.
func TestHostileInputsArriveWhole(t *testing.T) {
	program := recording(t)
	for input := range readAction(t).Inputs {
		for _, value := range worst {
			inputs := map[string]string{"program": program, "benchmark": "omni-cloze", "data": "clips.jsonl", "predictions": "good.jsonl", "base": "base"}
			if input == "archive" {
				delete(inputs, "program")
			}
			inputs[input] = value
			r := newActionRun(t, inputs)
			base := filepath.Join(r.dir, inputs["base"])
			fixture.OK(t, os.MkdirAll(base, 0o755))
			fixture.OK(t, os.WriteFile(filepath.Join(base, "results.json"), nil, 0o644))
			code, said := r.run()
			r.nothingRun(input, value)
			got := strings.Split(r.read("arguments"), "\x00")
			if form, ok := arrives[input]; ok && (code != 0 || !slices.Contains(got, fmt.Sprintf(form, value))) {
				t.Errorf("%s is %q: exit code %d, the program got %q: %s", input, value, code, got, said)
			} else if !ok && input != "arguments" && (code == 0 || len(got) > 1) {
				t.Errorf("%s is %q, and the program got %q", input, value, got)
			}
		}
	}
}

// TestLongActionWithEachHostileInput does it with the program, and with files of such names.
func TestLongActionWithEachHostileInput(t *testing.T) {
	for input := range readAction(t).Inputs {
		for _, value := range slices.Concat(hostile, worst) {
			hostileInput(t, input, value)
		}
	}
}

// nothingRun fails where a shell ran a part of a value.
func (r *actionRun) nothingRun(input, value string) {
	r.t.Helper()
	for _, dir := range []string{r.dir, r.temp} {
		if found, _ := filepath.Glob(filepath.Join(dir, "pwned*")); len(found) > 0 {
			r.t.Errorf("%s is %q, and a shell ran it", input, value)
		}
	}
}

// hostileInput gives one input of the action such a value: nothing of it may be run. Names of files that are there must work.
func hostileInput(t *testing.T, input, value string) {
	t.Helper()
	inputs := map[string]string{"program": built.Program(t), "benchmark": "omni-cloze", "data": "clips.jsonl", "predictions": "good.jsonl", "base": "base"}
	if input == "archive" {
		delete(inputs, "program")
	}
	inputs[input] = value
	r := newActionRun(t, inputs)
	isFile := input == "data" || input == "predictions" || input == "base"
	if isFile {
		inputs[input] = value + ".jsonl"
		based(t, r.dir, inputs["data"], inputs["predictions"], "bad.jsonl", inputs["base"])
	}
	code, said := r.run()
	switch {
	case isFile && code != 0:
		t.Errorf("%s is %q: exit code %d: %s", input, inputs[input], code, said)
	case !isFile && input != "arguments" && code == 0:
		t.Errorf("%s is %q, and all is well: %s", input, value, said)
	}
	r.nothingRun(input, value)
}

// TestActionTakesInputsByEnvironment: no expression stands in a script, where it would be read as shell, and every input is used.
func TestActionTakesInputsByEnvironment(t *testing.T) {
	a := readAction(t)
	used := make(map[string]bool)
	for _, step := range a.Runs.Steps {
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			t.Errorf("step %s: shell %s, script\n%s", step.ID, step.Shell, step.Run)
		}
		for _, text := range step.Env {
			for _, m := range expression.FindAllStringSubmatch(text, -1) {
				used[m[1]] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Inputs)) {
		if !used["inputs."+name] {
			t.Errorf("the input %s is not used", name)
		}
	}
	if a.Runs.Using != "composite" {
		t.Errorf("using %s", a.Runs.Using)
	}
}

func TestActionInstallsArchive(t *testing.T) {
	archive, sum := archived(t)
	inputs := map[string]string{"archive": archive, "sha256": sum, "benchmark": "omni-cloze", "predictions": "good.jsonl", "base": "base"}
	r := newActionRun(t, inputs)
	fixture.OK(t, os.MkdirAll(filepath.Join(r.dir, "base"), 0o755))
	fixture.OK(t, os.WriteFile(filepath.Join(r.dir, "base/results.json"), nil, 0o644))
	inputs["arguments"] = "--limit\n5\n\n--system=a b\n"
	if code, said := r.run(); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	if got := r.read("arguments"); !strings.Contains(got, "\x00--limit\x005\x00--system=a b\x00compare\x00") {
		t.Errorf("the program got %q", got)
	}
	inputs["sha256"] = strings.Repeat("0", 64)
	r = newActionRun(t, inputs)
	if code, said := r.run(); code != 1 || !strings.Contains(said, "do not run it") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if ondisk.Exists(filepath.Join(r.temp, "omniscope/bin/omniscope")) {
		t.Error("a program of another digest was installed")
	}
	delete(inputs, "sha256")
	if code, said := newActionRun(t, inputs).run(); code != 2 || !strings.Contains(said, "not installed unchecked") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
