package compare

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// alikeClips are lines of a run with so many clips of equal verdicts.
func alikeClips(n int, verdicts string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("u%02d c%02d %s", i, i, verdicts))
	}
	return lines
}

func bestOf(t *testing.T, runs ...made) *Best {
	t.Helper()
	t.Chdir(t.TempDir())
	var dirs []string
	for i, m := range runs {
		dirs = append(dirs, m.dir(t, "", string(rune('a'+i))))
	}
	opened, err := Open(t.Context(), dirs)
	fixture.OK(t, err)
	b, err := BestRuns(t.Context(), opened, &metric.Cloze, Options{Scoring: bench.Strict})
	fixture.OK(t, err)
	return b
}

func run(system string, lines []string) made {
	return made{system: system, judge: "j", signature: plain, lines: lines}
}

func TestBestRuns(t *testing.T) {
	for name, c := range map[string]struct {
		runs []made
		want map[string]int
	}{
		"one is better in all":      {[]made{run("x", alikeClips(16, "ccn")), run("y", alikeClips(16, "cnw"))}, map[string]int{"accuracy": 0, "hallucination": 0, "score": 0}},
		"equal runs are none":       {[]made{run("x", alikeClips(16, "ccn")), run("y", alikeClips(16, "ccn"))}, map[string]int{}},
		"two equal ones at the top": {[]made{run("x", alikeClips(16, "ccn")), run("y", alikeClips(16, "ccn")), run("z", alikeClips(16, "cww"))}, map[string]int{"not_given": 2}},
		"few clips show nothing":    {[]made{run("x", alikeClips(4, "ccn")), run("y", alikeClips(4, "cnw"))}, map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := bestOf(t, c.runs...)
			if b.Not != "" || !maps.Equal(b.Run, c.want) {
				t.Errorf("%+v, want %v", b, c.want)
			}
		})
	}
}

// TestBestOfPartsOfABenchmark compares no runs on parts that differ, such as prompts of MCIF; a part
// that one of them does not name is not known.
func TestBestOfPartsOfABenchmark(t *testing.T) {
	of := func(m made, prompts string) made {
		m.change = func(r *document.Results) {
			if prompts != "" {
				r.Data.Part = map[string]string{"prompts": prompts}
			}
		}
		return m
	}
	x, y := run("x", alikeClips(16, "ccn")), run("y", alikeClips(16, "cnw"))
	if b := bestOf(t, of(x, "fix"), of(y, "mix")); b.Not != "the runs differ in prompts: fix (x), mix (y)" {
		t.Errorf("%+v", b)
	}
	for _, other := range []string{"fix", ""} {
		if b := bestOf(t, of(x, "fix"), of(y, other)); b.Not != "" || len(b.Run) == 0 {
			t.Errorf("%q: %+v", other, b)
		}
	}
}

func TestBestOfRunsThatDoNotCompare(t *testing.T) {
	other := run("y", alikeClips(16, "cnw"))
	other.judge = "another"
	if b := bestOf(t, run("x", alikeClips(16, "ccn")), other); len(b.Run) > 0 || !strings.Contains(b.Not, "differ in judge") {
		t.Errorf("%+v", b)
	}
	other = run("y", alikeClips(16, "cnw"))
	other.signature = "reader2|data:ffffff|seed:0|omniscope:1.0"
	if b := bestOf(t, run("x", alikeClips(16, "ccn")), other); len(b.Run) > 0 || !strings.Contains(b.Not, "differ in data") {
		t.Errorf("%+v", b)
	}
	other = run("y", alikeClips(16, "cnw"))
	other.signature = strings.Replace(plain, "seed:0", "seed:1", 1)
	if b := bestOf(t, run("x", alikeClips(16, "ccn")), other); b.Run["accuracy"] != 0 || len(b.Run) == 0 {
		t.Errorf("%+v", b)
	}
	if b := bestOf(t, run("x", alikeClips(16, "ccn"))); b.Not != "there is one run" {
		t.Errorf("%+v", b)
	}
}
