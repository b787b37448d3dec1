package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// demoRuns scores systems of the demo with the offline reader and returns the folders of the runs.
func demoRuns(t *testing.T, systems ...string) (dirs []string) {
	t.Helper()
	dir := t.TempDir()
	for _, system := range systems {
		out := filepath.Join(dir, system)
		must(t, 0, "eval", "omni-cloze", "-d", "../../bench/demo/cloze/clips.jsonl", "-p", "../../bench/demo/captions/"+system+".jsonl",
			"--judge", "offline", "--work-dir", filepath.Join(dir, "work"), "--out", out, "--quiet", "--max-failures", "1")
		dirs = append(dirs, out)
	}
	return dirs
}

// TestFailIfWorse compares captions of the demo that say much with ones that say little.
func TestFailIfWorse(t *testing.T) {
	dirs := demoRuns(t, "careful", "terse")
	careful, terse := dirs[0], dirs[1]
	out, errOut := must(t, 5, "compare", careful, terse, "--fail-if-worse=accuracy", "--max-failures", "0.5")
	if !strings.Contains(errOut, "omniscope: accuracy is worse: careful ") || !strings.Contains(out, "Is terse worse than careful?") {
		t.Errorf("printed %s, complained %s", out, errOut)
	}
	must(t, 5, "compare", careful, terse, "--fail-if-worse", "accuracy") // after a space, too
	must(t, 5, "compare", careful, terse, "--fail-if-worse")
	must(t, 0, "compare", terse, careful, "--fail-if-worse=accuracy")
	must(t, 0, "compare", careful, terse, "--fail-if-worse=accuracy", "--margin", "99", "--max-failures", "1")
	must(t, 0, "compare", careful, terse) // not asked

	// One caption is missing: what it hides may be told from a drop.
	if _, errOut := must(t, 3, "compare", careful, terse, "--fail-if-worse=hallucination", "--max-failures", "0.01", "--scoring", "strict"); !strings.Contains(errOut, "a drop could hide there") {
		t.Error(errOut)
	}
	tables := filepath.Join(t.TempDir(), "tables")
	must(t, 5, "compare", careful, terse, "--fail-if-worse", "--out", tables) // the tables are kept of a drop, too
	if found, _ := filepath.Glob(filepath.Join(tables, "tables.*")); len(found) != 2 {
		t.Errorf("files: %q", found)
	}
}

func TestFailIfWorseUsage(t *testing.T) {
	dirs := offlineRuns(t, "one", "two", "three")
	for words, args := range map[string][]string{
		"takes two folders":         append([]string{"--fail-if-worse"}, dirs...),
		"give that as well":         append([]string{"--level", "0.1"}, dirs...),
		"--level is a chance":       {"--fail-if-worse", "--level", "0.7", dirs[0], dirs[1]},
		`is accuracy, not_given`:    {"--fail-if-worse=accurasy", dirs[0], dirs[1]},
		"--margin is a number":      {"--fail-if-worse", "--margin", "-3", dirs[0], dirs[1]},
		"--max-failures is a share": {"--fail-if-worse", "--max-failures", "5", dirs[0], dirs[1]},
		"names no score":            {"--fail-if-worse=", dirs[0], dirs[1]},
		"scores behind =, got 3":    {dirs[0], "mispelt", "--fail-if-worse", "accuracy"},
		"give one of them":          {"--fail-if-worse", "--table", "x.csv", dirs[0]},
	} {
		if _, errOut := must(t, 2, append([]string{"compare"}, args...)...); !strings.Contains(errOut, words) {
			t.Errorf("want %q, got %s", words, errOut)
		}
	}
	t.Setenv("OMNISCOPE_MAX_FAILURES", "0.3") // of other commands: no reason to refuse a comparison
	must(t, 0, "compare", dirs[0], dirs[1])
	// Three clips are too few for any drop to be found, which is said by name.
	out, _ := must(t, 0, "compare", dirs[0], dirs[1], "--fail-if-worse=accuracy")
	if !strings.Contains(out, "a drop of accuracy could not have been found, however large: 3 clusters") {
		t.Error(out)
	}
}
