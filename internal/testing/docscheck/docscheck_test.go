package docscheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
)

const moduleRoot = "../../.."

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

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
	fixture.OK(t, err)
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

// TestBehavioursTable compares the table of docs/endpoints.md with what the tests of the
// commands expect.
func TestBehavioursTable(t *testing.T) {
	var shown []string
	for line := range strings.Lines(page(t, "docs/endpoints.md")) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[2] == "" {
			t.Errorf("%s has no description", cells[1])
		}
		shown = append(shown, strings.Join([]string{cells[1], cells[3], cells[4], cells[5]}, " | "))
	}
	want := strings.Split(strings.TrimSpace(page(t, "cmd/omniscope/testdata/behaviours.txt")), "\n")
	if len(want) < 75 {
		t.Errorf("%d behaviours, want at least 75", len(want))
	}
	for i := range max(len(want), len(shown)) {
		switch {
		case i >= len(shown):
			t.Fatalf("docs/endpoints.md lacks %s", want[i])
		case i >= len(want):
			t.Fatalf("docs/endpoints.md has %s, which is not tested", shown[i])
		case shown[i] != want[i]:
			t.Fatalf("docs/endpoints.md has %s, the tests %s", shown[i], want[i])
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
	fixture.OK(t, err)
	printed := run(t, "eval", "omni-cloze", "--judge", "offline",
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
		fixture.OK(t, err)
		pages = append(pages, found...)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		fixture.OK(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if !ondisk.Exists(filepath.Join(filepath.Dir(p), m[1])) {
				t.Errorf("%s links to %s, which is not there", filepath.Base(p), m[1])
			}
		}
	}
}
