package capricorn

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

// threeVideos are one consistent, one not at all, one in between, one without a
// caption.
func threeVideos(t *testing.T) bench.Inputs {
	events := lists{evts: {"<sbj_1> a right", "<sbj_1> b right", "<sbj_1> c not"}}
	rows := jsonl(aRow("in-between", 9, events), aRow("never", 9, lists{evts: {"<sbj_1> a not", "<sbj_1> b not"}}), aRow("always", 9, lists{evts: {"<sbj_1> a right", "<sbj_1> b right"}}), aRow("missing", 9, events))
	return inputs(t, bench.Strict, &fake{}, rows, jsonl(aCaption("always", "the sbj_1"), aCaption("in-between", "the sbj_1"), aCaption("never", "x")))
}

func TestWorstVideosAndSubjects(t *testing.T) {
	e := opened(t, Benchmark{}, threeVideos(t))
	for i := range e.plan.Units {
		evaluated(t, e, i)
	}
	x := e.Explain()
	if len(x.Pages) != 2 || len(x.Tables) != 2 {
		t.Fatalf("%d pages and %d tables, want 2 of each", len(x.Pages), len(x.Tables))
	}
	for i, want := range []string{
		"never 0.0 % 0.0 %; in-between 33.3 % 66.7 %; always 100.0 % 100.0 %",
		"never <sbj_1> 2 0 0 0.0 %; in-between <sbj_1> 3 2 1 33.3 %; always <sbj_1> 2 2 1 100.0 %",
	} {
		var rows []string
		for _, r := range x.Tables[i].Rows {
			rows = append(rows, strings.Join(r, " "))
		}
		if got := strings.Join(rows, "; "); got != want {
			t.Errorf("table %s is %q, want %q", x.Tables[i].Name, got, want)
		}
	}
}

func TestNoTablesWithoutAJudgedVideo(t *testing.T) {
	in := inputs(t, bench.Strict, &fake{}, jsonl(aRow("v", 9, lists{evts: {"<sbj_1> a right"}})), "")
	in.CaptionField = "caption"
	e := opened(t, Benchmark{}, in)
	evaluated(t, e, 0)
	if x := e.Explain(); len(x.Tables) != 0 {
		t.Errorf("%+v", x.Tables)
	}
}

func TestFewWorstSubjects(t *testing.T) {
	var c worst
	for i := range 50 {
		events := lists{evts: {"<sbj_1> a not", "<sbj_1> b not", "<sbj_2> c not", "<sbj_2> d not", "<sbj_2> e not"}}
		v, err := parseVideo([]byte(jsonText(aRow(fmt.Sprint(i), 9, events))))
		fixture.OK(t, err)
		u := newUnit(v, bench.Strict, false)
		for k := range u.judged {
			u.judged[k].verdict = omniscope.NotGiven
		}
		u.official = map[string]*grouping{"<sbj_1>": {}, "<sbj_2>": {}}
		u.strict = u.official
		c.add((i+25)%50, u)
	}
	if len(c.subjects) != tableRows || len(c.videos) != tableRows {
		t.Fatalf("%d subjects and %d videos are kept", len(c.subjects), len(c.videos))
	}
	for i, s := range c.subjects {
		if s.seq != i || s.name != "<sbj_2>" {
			t.Errorf("row %d is subject %s of video %d, want that of the most keypoints", i, s.name, s.seq)
		}
	}
}
