package capricorn

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
)

// scored runs a benchmark as a whole.
func scored(t *testing.T, b Benchmark, in bench.Inputs) *document.Results {
	t.Helper()
	r, err := bench.Score(t.Context(), b, opened(t, b, in), in.Scoring, benchtest.Workers(3))
	fixture.OK(t, err)
	return r
}

func effectsByName(r *document.Results) map[string]string {
	out := make(map[string]string)
	for _, d := range r.Differences {
		out[d.What] = effectsOf(d)
	}
	return out
}

// A mention without a description changes nothing here, and is not to be given
// what a repeat in another video does. What this run did not ask is not known.
func TestEffectOfEachMend(t *testing.T) {
	annotations := jsonl(
		aRow("A", 100, lists{evts: {"<s> runs right", "<s> runs right", "<s> sits right", "<s> eats"}}), // Ref 3/6, and 1/3 without the repeat
		aRow("B", 100, lists{evts: {"<t> runs right", "<t> sits right"}, ints: {"<t> meets <u> right"}}),
	)
	captions := jsonl(aCaption("A", "x"), aCaption("B", "y"))
	says := map[string][]any{"B/subject|<t> meets <u> right": {judged("correctly mentioned", "<t>", "the t", "<u>", "-")}}
	const nothing = "acc +0.00, cov +0.00, ref +0.00"
	for p, want := range map[bench.Scoring]map[string]string{
		bench.Strict:   {whatRepeated: "acc +0.00, cov +0.00, ref -8.33", whatNull: nothing},
		bench.Official: {whatRepeated: "acc +0.00, cov +0.00, ref unknown", whatNull: nothing, whatUnasked: "acc +0.00, cov +0.00, ref +25.00"},
	} {
		got := effectsByName(scored(t, Benchmark{}, inputs(t, p, &fake{says: says}, annotations, captions)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", p, diff)
		}
	}
}

// Both faults at one subject: nobody is asked about either list alone.
func TestEffectsOfTwoFaultsAtOneSubject(t *testing.T) {
	events := lists{evts: {"<s> runs right", "<s> runs right", "<s> sits right", "<s> eats right"}, ints: {"<s> meets <u> right"}}
	says := map[string][]any{"A/subject|<s> meets <u> right": {judged("correctly mentioned", "<s>", "-", "<u>", "a girl")}}
	in := inputs(t, bench.Strict, &fake{says: says}, jsonl(aRow("A", 100, events)), jsonl(aCaption("A", "x")))
	want := map[string]string{whatRepeated: "acc +0.00, cov +0.00, ref unknown", whatNull: "acc +0.00, cov +0.00, ref unknown"}
	if diff := cmp.Diff(want, effectsByName(scored(t, Benchmark{}, in))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the other scoring has is not computed from questions that it would not
// have asked, and the results say how to have it asked.
func TestOtherScoringColumn(t *testing.T) {
	nameless := lists{evts: {"somebody runs right", "<a> sits right"}, bg: {"rain"}}
	repeated := lists{evts: {"<a> runs right", "<a> runs right", "<a> sits right"}}
	for _, c := range []struct {
		name             string
		b                Benchmark
		scoring          bench.Scoring
		events           lists
		caption          any
		official, strict string
		difference       string // in the words of the other scoring
		warning          string
	}{
		{"official asks in vain about who is nobody", Benchmark{}, bench.Official, nameless, "x",
			"acc 50, cov 50, ref –", "acc 50 (1 unscored, 33.3–66.7), cov 50 (1 unscored, 33.3–66.7), ref –",
			"left unjudged, with bounds: run with --scoring strict to ask about them so", "what scoring strict has here lacks what it asks otherwise: 1 keypoint and the descriptions of 0 subjects; run with --scoring strict"},
		{"strict asks so that there is an answer", Benchmark{}, bench.Strict, nameless, "x",
			"acc 50, cov 50, ref –", "acc 66.7, cov 66.7, ref –", "judged and then lost", ""},
		{"strict does not ask again", Benchmark{}, bench.Strict, repeated, "x",
			"acc 100, cov 100, ref 100", "acc 100, cov 100, ref 100",
			"each adds to its subject's keypoints, and is asked about again, which this run did not: run with --scoring official",
			"what scoring official has here, and 1_judge_accuracy_coverage.jsonl to 2_referential_consistency_metrics.json, is the published scorer's only where that asks the same: 1 repeated keypoint not asked about again; run with --scoring official"},
		{"official does not ask about the shorter list", Benchmark{}, bench.Official, repeated, "x",
			"acc 100, cov 100, ref 100", "acc 100, cov 100, ref – (1 unscored, 0–100)", "left unscored: run with --scoring strict",
			"what scoring strict has here lacks what it asks otherwise: 0 keypoints and the descriptions of 1 subject; run with --scoring strict"},
		{"official asks about an empty caption", Benchmark{}, bench.Official, repeated, "",
			"acc 100, cov 100, ref 100", "acc 0, cov 0, ref 0", "mention nothing, without asking", ""},
		{"and of null about the word that it is to Python", Benchmark{}, bench.Official, repeated, nil,
			"acc 100, cov 100, ref 100", "acc – (2 unscored, 0–100), cov – (2 unscored, 0–100), ref – (1 unscored, 0–100)", "left unjudged, with bounds", ""},
		{"strict does not", Benchmark{}, bench.Strict, repeated, nil,
			"acc –, cov –, ref –", "acc – (2 unscored, 0–100), cov – (2 unscored, 0–100), ref – (1 unscored, 0–100)", "asks about the word None: run with --scoring official",
			"1 caption not asked about; run with --scoring official"},
		{"all keypoints at once is no published way", Benchmark{Batched: true}, bench.Strict, lists{bg: {"rain right"}}, "x",
			"acc 100, cov 100, ref –", "acc 100, cov 100, ref –", "", "all keypoints of a video asked about in one call; run with --scoring official"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, c.scoring, &fake{}, jsonl(aRow("v", 60, c.events)), jsonl(aCaption("v", c.caption)))
			r := evaluated(t, opened(t, c.b, in), 0)
			for p, want := range map[bench.Scoring]string{bench.Official: c.official, bench.Strict: c.strict} {
				if got := summary(overall(r, p)); got != want {
					t.Errorf("%v: %s\nwant %s", p, got, want)
				}
			}
			results := scored(t, c.b, in)
			var said []string
			for _, d := range results.Differences {
				said = append(said, d.Official, d.Strict)
			}
			if c.difference != "" && !slices.Contains(said, c.difference) {
				t.Errorf("differences %q lack %s", said, c.difference)
			}
			warned := slices.ContainsFunc(results.Warnings, func(w string) bool {
				return strings.HasSuffix(w, "run with --scoring official") || strings.HasSuffix(w, "run with --scoring strict")
			})
			if warned != (c.warning != "") || !strings.Contains(strings.Join(results.Warnings, "\n"), c.warning) {
				t.Errorf("warnings %q, want %q", results.Warnings, c.warning)
			}
		})
	}
}

// The published code compares a background event with those that it kept: one
// of somebody is not among them.
func TestEventEqualToOneWithoutSubject(t *testing.T) {
	row := jsonl(aRow("v", 60, lists{evts: {"rain falls right", "<s> runs"}, bg: {"rain falls right"}}))
	says := map[string][]any{"v/subject|rain falls right": slices.Repeat([]any{judged("not mentioned")}, 5), "v/other|rain falls right": {judged("correctly mentioned")}}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		f := &fake{says: says}
		in := inputs(t, p, f, row, jsonl(aCaption("v", "x")))
		r := evaluated(t, opened(t, Benchmark{}, in), 0)
		for _, shown := range []bench.Scoring{bench.Official, bench.Strict} {
			if got := summary(overall(r, shown)); got != "acc 50, cov 50, ref –" {
				t.Errorf("a run of %v: %v has %s", p, shown, got)
			}
		}
		if got := differences(r.Differences); strings.Contains(got, whatCrash) {
			t.Errorf("a run of %v: %s", p, got)
		}
		want := map[bench.Scoring]int{bench.Official: 7, bench.Strict: 2}[p]
		if calls := strings.Count(f.calls()+"\n", "\n"); calls != want {
			t.Errorf("a run of %v: %d calls, want %d", p, calls, want)
		}
	}
}

// A reply may repeat descriptions, within the tolerance. Strict does not count
// what is not there.
func TestGroupsOfMoreThanThereIs(t *testing.T) {
	var events []string
	for i := range 30 {
		events = append(events, "<s> acts "+strings.Repeat("so ", i)+"right")
	}
	says := map[string][]any{"v/cluster|<s>": {`{"x": ` + jsonText(slices.Repeat([]string{"the s"}, 20)) + `, "y": ` + jsonText(slices.Repeat([]string{"the s"}, 13)) + `}`}}
	whole := map[string][]any{"v/cluster|<s>": {`{"x": ` + jsonText(slices.Repeat([]string{"the s"}, 33)) + `}`}}
	for _, c := range []struct {
		says             map[string][]any
		official, strict string
		effect           string
	}{
		{whole, "acc 100, cov 100, ref 121", "acc 100, cov 100, ref 100", "acc +0.00, cov +0.00, ref -21.38"},
		{says, "acc 100, cov 100, ref 61.6", "acc 100, cov 100, ref 54", "acc +0.00, cov +0.00, ref -7.59"}, // 20 + 10
	} {
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			in := inputs(t, p, &fake{says: c.says}, jsonl(aRow("v", 60, lists{evts: events})), jsonl(aCaption("v", "x")))
			r := evaluated(t, opened(t, Benchmark{}, in), 0)
			if got := summary(overall(r, bench.Official)); got != c.official {
				t.Errorf("official has %s, want %s", got, c.official)
			}
			if got := summary(overall(r, bench.Strict)); got != c.strict {
				t.Errorf("strict has %s, want %s", got, c.strict)
			}
			if got := differences(r.Differences); got != "3 "+whatSurplus {
				t.Errorf("differences %s", got)
			}
			if got := effectsByName(scored(t, Benchmark{}, in))[whatSurplus]; got != c.effect {
				t.Errorf("effect %s, want %s", got, c.effect)
			}
		}
	}
}

// A video is not judged whose descriptions could not be grouped at all, and the
// run warns where many could not be.
func TestFailedGroupings(t *testing.T) {
	events := lists{evts: {"<a> runs right", "<a> sits right", "<b> runs right", "<b> sits right"}}
	no := slices.Repeat([]any{"no"}, 5)
	for _, c := range []struct {
		name    string
		says    map[string][]any
		outcome omniscope.Outcome
		warning string
	}{
		{"one of two", map[string][]any{"v/cluster|<a>": no}, omniscope.OK, "the descriptions of 1 of 2 subjects could not be grouped: Ref is that of the others"},
		{"both", map[string][]any{"v/cluster|<a>": no, "v/cluster|<b>": no}, omniscope.Unparsed, "the descriptions of 2 of 2 subjects"},
		{"both, one without an answer", map[string][]any{"v/cluster|<a>": no, "v/cluster|<b>": {nil, nil, nil, nil, nil}}, omniscope.Failed, "the descriptions of 2 of 2 subjects"},
		{"neither", nil, omniscope.OK, ""},
	} {
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			in := inputs(t, p, &fake{says: c.says}, jsonl(aRow("v", 60, events)), jsonl(aCaption("v", "x")))
			r := scored(t, Benchmark{}, in)
			if r.Outcomes[c.outcome.String()] != 1 {
				t.Errorf("%s, %v: %v, want %v", c.name, p, r.Outcomes, c.outcome)
			}
			if text := strings.Join(r.Warnings, "\n"); !strings.Contains(text, c.warning) || c.warning == "" && text != "" {
				t.Errorf("%s, %v: warnings %q, want %q", c.name, p, text, c.warning)
			}
		}
	}
}

// What a failed subject could be at best may be less than the others are: the
// bounds hold the value all the same.
func TestBoundsHoldTheValue(t *testing.T) {
	events := lists{evts: {"<a> runs right", "<a> sits right", "<a> sleeps", "<b> runs right", "<b> sits right"}}
	in := inputs(t, bench.Strict, &fake{says: map[string][]any{"v/cluster|<a>": slices.Repeat([]any{"no"}, 5)}}, jsonl(aRow("v", 60, events)), jsonl(aCaption("v", "x")))
	for _, p := range scored(t, Benchmark{}, in).Scorings {
		s := p.Slices[0].Scores["ref"]
		if s.Bounds == nil || *s.Value < s.Bounds.Low || *s.Value > s.Bounds.High {
			t.Errorf("%s: %v within %+v", p.Name, *s.Value, s.Bounds)
		}
	}
}

// Several captions of a video are a difference from the published script, in
// either scoring.
func TestSeveralCaptionsDifference(t *testing.T) {
	row, said := jsonl(aRow("v", 60, lists{bg: {"rain right"}})), aCaption("v", "It rains.")
	for captions, want := range map[string]string{
		jsonl(said): "", jsonl(said, said): "1 " + whatTwice, jsonl(aCaption("v", "It snows."), said): "1 " + whatClash,
	} {
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			r := evaluated(t, opened(t, Benchmark{}, inputs(t, p, &fake{}, row, captions)), 0)
			if got := differences(r.Differences); got != want {
				t.Errorf("%v: %s, want %s", p, got, want)
			}
		}
	}
}

// The metric files have the published form to the letter, numbers apart.
func TestMetricFilesForm(t *testing.T) {
	annotations := jsonl(aRow("1", 100, lists{evts: {"<a> runs right", "<a> sits"}, bg: {"rain right", "fog"}}), aRow("2", 700, lists{bg: {"rain right"}}))
	files := scoreToFiles(t, Benchmark{}, inputs(t, bench.Official, &fake{}, annotations, jsonl(aCaption("1", "x"), aCaption("2", "y"))))
	const acc = `{
  "accuracy": 0.75,
  "coverage": 0.75,
  "count": 2,
  "duration_bins": {
    "(0,120]": {
      "count": 1,
      "accuracy": 0.5,
      "coverage": 0.5
    }
  },
  "per_video": [
    {
      "video_id": "1",
      "duration": 100,
      "accuracy": 0.5,
      "coverage": 0.5
    },
    {
      "video_id": "2",
      "duration": 700,
      "accuracy": 1,
      "coverage": 1
    }
  ]
}
`
	const ref = `{
  "referential_consistency": 0,
  "count": 1,
  "duration_bins": {
    "(0,120]": {
      "count": 1,
      "referential_consistency": 0
    }
  },
  "per_video": [
    {
      "video_id": "1",
      "duration": 100,
      "referential_consistency": 0,
      "subject_referential_consistency": {
        "<a>": 0
      }
    }
  ]
}
`
	for name, want := range map[string]string{accFile: acc, refFile: ref} {
		if diff := cmp.Diff(want, files[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
