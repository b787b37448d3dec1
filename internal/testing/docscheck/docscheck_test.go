package docscheck

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/built"
)

const moduleRoot = "../../.."

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

// buildAndRun builds the program once for all of these tests.
func buildAndRun(m *testing.M) int {
	if os.Getenv(built.Env) != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "omniscope-docscheck-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "omniscope")
	if err := built.Build(program); err != nil {
		fmt.Fprintln(os.Stderr, "go build ./cmd/omniscope:", err)
		return 1
	}
	os.Setenv(built.Env, program)
	return m.Run()
}

// run runs the program in an empty folder, without settings from outside.
func run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(built.Program(t), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "OMNISCOPE_") })
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("omniscope %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCommandReference(t *testing.T) {
	want, got := run(t, "docs"), page(t, "docs/commands.md")
	if got == want {
		return
	}
	wanted, have := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(wanted), len(have)) {
		if i >= len(wanted) || i >= len(have) || wanted[i] != have[i] {
			t.Fatalf("docs/commands.md is not what `omniscope docs` prints, from line %d on: run `make docs`", i+1)
		}
	}
}

// The README shows the start of what the demo prints for one system.
func TestReadmeTable(t *testing.T) {
	readme := page(t, "README.md")
	_, after, found := strings.Cut(readme, "<!-- printed by make demo -->\n```\n")
	shown, _, closed := strings.Cut(after, "\n```")
	if !found || !closed {
		t.Fatal("README.md has no block after <!-- printed by make demo -->")
	}
	demo, err := filepath.Abs(filepath.Join(moduleRoot, "bench/demo"))
	if err != nil {
		t.Fatal(err)
	}
	printed := run(t, "eval", "omni-cloze", "--judge", "offline", "--profile", "strict",
		"--data", filepath.Join(demo, "cloze/clips.jsonl"), "--predictions", filepath.Join(demo, "captions/terse.jsonl"))
	for line := range strings.Lines(shown + "\n") {
		line = strings.TrimRight(line, "\n")
		if _, rest, ok := strings.Cut(printed, line+"\n"); ok {
			printed = rest
		} else if strings.TrimSpace(line) != "..." {
			t.Fatalf("README.md shows a line that the demo does not print there: put in what it prints now\n%s\nwhat is left of the real table:\n%s", line, printed)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)

func TestLinks(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/design/*.md", "bench/demo/*.md"} {
		found, err := filepath.Glob(filepath.Join(moduleRoot, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if !ondisk.Exists(filepath.Join(filepath.Dir(p), m[1])) {
				t.Errorf("%s links to %s, which is not there", filepath.Base(p), m[1])
			}
		}
	}
}
