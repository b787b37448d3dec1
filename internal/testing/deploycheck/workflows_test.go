package deploycheck

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"omniscope/internal/testing/fixture"
)

// A workflow is one of GitHub Actions, as far as ours use them.
// Source: https://docs.github.com/actions, "Workflow syntax for GitHub Actions".
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]job
}

type job struct {
	RunsOn    string `yaml:"runs-on"`
	Timeout   int    `yaml:"timeout-minutes"`
	Container string
	Strategy  struct {
		Matrix struct{ System []string }
	}
	Steps []struct {
		Uses string
		Run  string
		With map[string]string
	}
}

var (
	hosted       = regexp.MustCompile(`^(ubuntu|macos|windows)-[0-9]+(\.[0-9]+)?(-arm)?$`)
	pinnedAction = regexp.MustCompile(`^actions/[a-z-]+@(v[0-9]+|[0-9a-f]{40})$`)
	target       = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: no file, %v", pattern, err)
	}
	return found
}

func TestWorkflows(t *testing.T) {
	devcontainer, err := os.ReadFile(filepath.Join(root, ".devcontainer/Dockerfile"))
	fixture.OK(t, err)
	_, base, _ := strings.Cut(string(devcontainer), "\nFROM ")
	base, _, _ = strings.Cut(base, "\n")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	fixture.OK(t, err)
	targets := make(map[string]bool)
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	lanes := make(map[string]bool)
	for _, file := range glob(t, ".github/workflows/*.yml") {
		file = filepath.Base(file)
		var w workflow
		readYAML(t, filepath.Join(".github/workflows", file), &w)
		if !maps.Equal(w.Permissions, map[string]string{"contents": "read"}) {
			t.Errorf("%s: permissions %v, want contents: read alone", file, w.Permissions)
		}
		for name, j := range w.Jobs {
			for _, wrong := range j.check(base, targets, lanes) {
				t.Errorf("%s: job %s: %s", file, name, wrong)
			}
		}
	}
	if want := []string{"check", "quick", "test"}; !slices.Equal(slices.Sorted(maps.Keys(lanes)), want) {
		t.Errorf("the workflows make %q, want %q", slices.Sorted(maps.Keys(lanes)), want)
	}
}

// check returns the faults of a job and adds what it makes to lanes.
func (j *job) check(base string, targets, lanes map[string]bool) (wrong []string) {
	fault := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	systems := j.Strategy.Matrix.System
	if j.RunsOn != "${{ matrix.system }}" {
		systems = []string{j.RunsOn}
	}
	for _, s := range systems {
		if !hosted.MatchString(s) {
			fault("%q is not a system with a version", s)
		}
	}
	if len(systems) == 0 || j.Timeout == 0 {
		fault("it has no system or no timeout-minutes")
	}
	image, _, _ := strings.Cut(j.Container, " ")
	if image != "" && image != base {
		fault("its container is %s, and that of .devcontainer/Dockerfile is %s", image, base)
	}
	haveGo := image != ""
	for _, s := range j.Steps {
		switch verb, args, _ := strings.Cut(s.Run, " "); {
		case s.Uses != "":
			if !pinnedAction.MatchString(s.Uses) {
				fault("%s: name a major version or a commit of an action of the host", s.Uses)
			}
			if strings.HasPrefix(s.Uses, "actions/setup-go@") {
				haveGo = s.With["go-version-file"] == "go.mod"
			}
		case verb == "make" && targets[args]:
			lanes[args] = true
			if !haveGo {
				fault("make %s has no Go of the version in go.mod", args)
			}
		case strings.HasPrefix(verb, "scripts/"):
			if info, err := os.Stat(filepath.Join(root, verb)); err != nil || info.Mode()&0o111 == 0 {
				fault("%s is not a program, %v", verb, err)
			}
		default:
			fault("%q is not a target of the Makefile or a script", s.Run)
		}
	}
	return wrong
}

func TestFaultyJobs(t *testing.T) {
	const good = "{runs-on: ubuntu-24.04, timeout-minutes: 5, steps: [{uses: actions/setup-go@v5, with: {go-version-file: go.mod}}, {run: make test}]}"
	for old, changed := range map[string]string{
		"ubuntu-24.04":            "ubuntu-latest",
		"timeout-minutes: 5, ":    "",
		"actions/setup-go@v5":     "actions/setup-go@main",
		"uses: actions/":          "uses: someone/",
		"go-version-file: go.mod": "go-version: stable",
		"make test":               "make tests",
		"run: make":               "run: scripts/none.sh",
		"ubuntu-24.04,":           "ubuntu-24.04, container: golang:latest,",
		"":                        "",
	} {
		var j job
		fixture.OK(t, yaml.Unmarshal([]byte(strings.Replace(good, old, changed, 1)), &j))
		wrong := j.check("golang:1.26", map[string]bool{"test": true}, make(map[string]bool))
		if faulty := old != ""; faulty != (len(wrong) > 0) {
			t.Errorf("%q changed to %q: faults %q", old, changed, wrong)
		}
	}
}

// An issueForm is a form for a new issue.
// Source: https://docs.github.com/communities, "Syntax for GitHub's form schema".
type issueForm struct {
	Name        string
	Description string
	Labels      []string
	Body        []struct {
		Type       string
		ID         string
		Attributes struct {
			Label       string
			Description string
			Placeholder string
			Render      string
			Options     []string
		}
		Validations struct{ Required bool }
	}
}

func TestIssueForms(t *testing.T) {
	forms := 0
	for _, file := range glob(t, ".github/ISSUE_TEMPLATE/*.yml") {
		text, err := os.ReadFile(file)
		fixture.OK(t, err)
		if filepath.Base(file) == "config.yml" {
			var config struct {
				Blank bool `yaml:"blank_issues_enabled"`
			}
			if err := yaml.UnmarshalWithOptions(text, &config, yaml.Strict()); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		forms++
		var form issueForm
		if err := yaml.UnmarshalWithOptions(text, &form, yaml.Strict()); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if form.Name == "" || form.Description == "" || len(form.Labels) == 0 || len(form.Body) == 0 {
			t.Errorf("%s has no name, description, labels or body", file)
		}
		ids := make(map[string]bool)
		for _, e := range form.Body {
			a := e.Attributes
			if !slices.Contains([]string{"input", "textarea", "dropdown"}, e.Type) || e.ID == "" || ids[e.ID] || a.Label == "" {
				t.Errorf("%s: %s %q has another type, no label, or an id that is empty or taken", file, e.Type, e.ID)
			}
			if ids[e.ID] = true; (e.Type == "dropdown") != (len(a.Options) > 0) || a.Render != "" && e.Type != "textarea" {
				t.Errorf("%s: %s %q must have options if and only if it is a dropdown, and render only in a textarea", file, e.Type, e.ID)
			}
		}
	}
	if forms < 3 {
		t.Errorf("%d forms, want at least three: bugs, scores, requests", forms)
	}
}

func TestLinterConfig(t *testing.T) {
	var config struct {
		Version string
		Linters struct {
			Default string
			Enable  []string
		}
		Formatters struct{ Enable []string }
	}
	readYAML(t, ".golangci.yml", &config)
	if config.Version != "2" || config.Linters.Default != "none" || !slices.Equal(config.Linters.Enable, []string{"errcheck", "govet", "staticcheck", "unused"}) || !slices.Equal(config.Formatters.Enable, []string{"gofmt"}) {
		t.Errorf("%+v", config)
	}
}
