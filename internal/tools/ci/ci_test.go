package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

// small is a module: a command on a bench, which is on a media package; a suite that only
// tests import.
var small = graph{
	".":                          {},
	"./cmd/tool":                 {imports: []string{"./bench", "."}, long: true},
	"./bench":                    {imports: []string{"./media", "./internal/testing/suite"}, racy: true},
	"./media":                    {imports: []string{"."}, long: true, racy: true},
	"./media/wav":                {},
	"./internal/testing/suite":   {long: true},
	"./internal/testing/layers":  {},
	"./internal/testing/unasked": {long: true},
}

func names(jobs []job) string {
	var list []string
	for _, j := range jobs {
		list = append(list, strings.TrimSpace(j.kind+" "+j.pkg))
	}
	return strings.Join(list, ", ")
}

func TestTouched(t *testing.T) {
	const all = "cross, long ./cmd/tool, long ./internal/testing/suite, long ./internal/testing/unasked, long ./media, race ./bench, race ./media"
	for _, c := range []struct{ files, want string }{
		{"media/media.go", "cross, long ./media, race ./bench, race ./media"},
		{"media/testdata/deep/a.wav", "long ./media, race ./bench, race ./media"},
		{"media/wav/header.go", "cross"},
		{"bench/bench.go", "cross, long ./cmd/tool, race ./bench"},
		{"internal/testing/suite/suite.go", "cross, long ./internal/testing/suite, race ./bench"},
		{"root.go", "cross, long ./cmd/tool, long ./media, race ./media"},
		{"README.md docs/pictures/a.png", ""},
		{"scripts/demo.sh", "long ./cmd/tool"},
		{"go.mod", all},
		{"Makefile README.md", all},
		{"gone/gone.go", all},
		{"", ""},
	} {
		g := small
		if c.files == "scripts/demo.sh" { // the table of readers names the real command
			g = graph{"./cmd/omniscope": {long: true}}
			c.want = "long ./cmd/omniscope"
		}
		jobs := g.jobs(g.touched(change{files: strings.Fields(c.files)}), nil)
		slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.String(), b.String()) })
		if got := names(jobs); got != c.want {
			t.Errorf("%s: %q, want %q", c.files, got, c.want)
		}
	}
	if jobs := small.jobs(small.touched(change{everything: true}), nil); len(jobs) != 7 {
		t.Errorf("everything: %s", names(jobs))
	}
}

func TestCheapestFirst(t *testing.T) {
	known, err := parseCosts(costsHead + "long\t./media\t70\nrace\t./media\t5\nrace\t./bench\t300\ncross\t\t100\n")
	fixture.OK(t, err)
	jobs := small.jobs(small.touched(change{files: []string{"media/media.go", "cmd/tool/main.go"}}), known)
	if got, want := names(jobs), "race ./media, long ./cmd/tool, long ./media, cross, race ./bench"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInvalidCosts(t *testing.T) {
	for _, text := range []string{"long ./media 70\n", "long\t./media\n", "long\t./media\tsoon\n", "long\t./media\t-1\n"} {
		if _, err := parseCosts(text); err == nil || !strings.Contains(err.Error(), "costs.tsv: ") {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if _, err := parseCosts(costsFile); err != nil {
		t.Error(err)
	}
}

// A clock passes as jobs run: each takes what it costs, or what late says, on two processors.
type clock struct {
	now  time.Time
	late map[string]time.Duration
	runs []string
}

func (c *clock) run(batch []job) error {
	var took time.Duration
	for _, j := range batch {
		took += j.cost + c.late[j.pkg]
	}
	if len(batch) > 1 {
		took /= 2
	}
	c.now = c.now.Add(took)
	c.runs = append(c.runs, names(batch))
	if strings.Contains(names(batch), "bad") {
		return errors.New("bad fails")
	}
	return nil
}

func TestUntilTheTimeIsUp(t *testing.T) {
	jobs := func(minutes ...int) (list []job) {
		for i, m := range minutes {
			list = append(list, job{long, fmt.Sprint("p", i), time.Duration(m) * time.Minute})
		}
		return list
	}
	for _, c := range []struct {
		name    string
		minutes []int
		late    map[string]time.Duration
		runs    string
		left    string
	}{
		{"all fit", []int{1, 1, 2}, nil, "long p0, long p1, long p2", ""},
		{"two batches", []int{3, 4, 4}, nil, "long p0, long p1; long p2", ""},
		{"one longer than a batch", []int{1, 9}, nil, "long p0; long p1", ""},
		{"the last does not fit", []int{1, 2, 18, 30}, nil, "long p0, long p1; long p2", "long p3"},
		{"the first takes longer than known", []int{1, 9, 9}, map[string]time.Duration{"p0": 12 * time.Minute}, "long p0", "long p1, long p2"},
		{"nothing fits", []int{21, 22}, nil, "", "long p0, long p1"},
		{"no jobs", nil, nil, "", ""},
	} {
		k := &clock{now: time.Unix(0, 0), late: c.late}
		left, err := work(jobs(c.minutes...), k.now.Add(20*time.Minute), 2, func() time.Time { return k.now }, k.run)
		if got := strings.Join(k.runs, "; "); got != c.runs || names(left) != c.left || err != nil {
			t.Errorf("%s: ran %q and left %q, %v, want %q and %q", c.name, got, names(left), err, c.runs, c.left)
		}
	}
}

func TestFailureEndsNothing(t *testing.T) {
	k := &clock{now: time.Unix(0, 0)}
	jobs := []job{{long, "bad", 5 * time.Minute}, {long, "good", 6 * time.Minute}}
	left, err := work(jobs, k.now.Add(time.Hour), 1, func() time.Time { return k.now }, k.run)
	if err == nil || len(left) != 0 || len(k.runs) != 2 {
		t.Errorf("ran %q and left %q, %v", k.runs, names(left), err)
	}
}
