package capricorn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
)

// unique is how many keypoints a row has, each text once.
func unique(events lists) int {
	seen := make(map[string]bool)
	for _, list := range events {
		for _, text := range list {
			seen[text] = true
		}
	}
	return len(seen)
}

func keypoints(c metric.Counts) int {
	return int(c[metric.KeyCorrect] + c[metric.KeyPartial] + c[metric.KeyNotMentioned] + c[metric.KeyUnjudged])
}

// Each case is scored in both scorings: by a run of its own, which asks what
// the scoring asks.
func TestVideoOutcomes(t *testing.T) {
	const dropped = "acc –, cov –, ref –"
	five := []any{nil, nil, nil, nil, nil}
	no := slices.Repeat([]any{"no"}, 5)
	for _, c := range []struct {
		name             string
		duration         any
		events           lists
		caption          any // "-" = there is none
		says             map[string][]any
		official, strict string
		differences      string // of the run in strict scoring
		outcome          string // "" = ok
	}{
		{
			name:     "nothing to mend",
			events:   lists{evts: {"<a> runs right", "<a> sits wrong"}, ints: {"<a> meets <b> right"}, bg: {"rain"}},
			official: "acc 50, cov 75, ref 100", strict: "acc 50, cov 75, ref 100",
		},
		{
			name:     "1: a subject's event stands there twice",
			events:   lists{evts: {"<a> runs right", "<a> sits"}, ints: {"<a> runs right"}},
			official: "acc 50, cov 50, ref 33.3", strict: "acc 50, cov 50, ref 0",
			differences: "1 subject events whose text is there already",
		},
		{
			name:   "1: and the judge says otherwise the second time",
			events: lists{evts: {"<a> runs right", "<a> sits right"}, ints: {"<a> runs right"}},
			says: map[string][]any{"v/subject|<a> runs right": {judged("correctly mentioned", "a", "the a"), judged("not mentioned", "a", "-")},
				"v/cluster|<a>": {`{"x": ["the a", "the a", "the a"]}`, `{"x": ["the a", "the a"]}`}},
			official: "acc 100, cov 100, ref 33.3", strict: "acc 100, cov 100, ref 100",
			differences: "1 subject events whose text is there already",
		},
		{
			name:     "2: an event of subjects names none",
			events:   lists{evts: {"somebody runs right", "<a> sits"}, bg: {"rain"}},
			official: "acc 0, cov 0, ref –", strict: "acc 33.3, cov 33.3, ref –",
			differences: "1 subject events that name no subject",
		},
		{
			name:     "3: a subject is missing where nothing is mentioned",
			events:   lists{evts: {"<a> runs right", "<a> sits right"}, ints: {"<a> meets <b>"}},
			says:     map[string][]any{"v/subject|<a> meets <b>": {judged("not mentioned", "<b>", "-")}},
			official: dropped, strict: "acc 66.7, cov 66.7, ref 33.3",
			differences: "3 videos on which the published scorer raises an error: the judge left a subject out of an event that is not mentioned",
		},
		{
			name:     "3: other subjects are named where nothing is mentioned",
			events:   lists{evts: {"<a> runs"}},
			says:     map[string][]any{"v/subject|<a> runs": {judged("not mentioned", "<c>", "-")}},
			official: dropped, strict: "acc 0, cov 0, ref –",
			differences: "1 videos on which the published scorer raises an error: the judge left a subject out of an event that is not mentioned",
		},
		{
			name:   "4: a mention has no description",
			events: lists{evts: {"<a> meets <b> right", "<a> runs right", "<a> sits right"}},
			says: map[string][]any{"v/subject|<a> meets <b> right": {judged("correctly mentioned", "a", "-", "b", "a girl")},
				"v/cluster|<a>": {`{"x": [null, "the a"], "y": ["the a"]}`, `{"x": ["the a", "the a"]}`}},
			official: "acc 100, cov 100, ref 33.3", strict: "acc 100, cov 100, ref 33.3",
			differences: "1 mentions without a description",
		},
		{
			name:   "4: grouping it changes the score",
			events: lists{evts: {"<a> meets <b> right", "<a> runs right", "<a> sits right"}},
			says: map[string][]any{"v/subject|<a> meets <b> right": {judged("correctly mentioned", "a", "-", "b", "a girl")},
				"v/cluster|<a>": {`{"x": [null, "the a", "the a"]}`, `{"x": ["the a", "the a"]}`}},
			official: "acc 100, cov 100, ref 100", strict: "acc 100, cov 100, ref 33.3",
			differences: "1 mentions without a description",
		},
		{
			name:     "5: a subject's descriptions cannot be grouped",
			events:   lists{evts: {"<a> runs right", "<a> sits right", "<a> sleeps", "<b> runs right", "<b> sits right"}},
			says:     map[string][]any{"v/cluster|<a>": no},
			official: "acc 80, cov 80, ref 100 (1 unscored, 50–100)", strict: "acc 80, cov 80, ref 100 (1 unscored, 50–100)",
			differences: "1 subjects whose descriptions could not be grouped",
		},
		{
			name: "5: there is no caption", caption: "-",
			events:   lists{evts: {"<a> runs right", "<a> sits right"}},
			official: dropped, strict: "acc – (2 unscored, 0–100), cov – (2 unscored, 0–100), ref – (1 unscored, 0–100)",
			differences: "2 videos without a caption", outcome: "missing",
		},
		{
			name: "5: the caption is null", caption: nil,
			events:   lists{bg: {"rain right"}},
			official: "acc 100, cov 100, ref –", strict: "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			differences: "1 captions that are null", outcome: "missing",
		},
		{
			name: "6: no time at all", duration: 0,
			events:   lists{bg: {"rain right"}},
			official: "acc 100, cov 100, ref –", strict: "acc 100, cov 100, ref –", differences: "1 videos outside the published durations",
		},
		{
			name: "6: too long", duration: 601.5,
			events:   lists{bg: {"rain right"}},
			official: "acc 100, cov 100, ref –", strict: "acc 100, cov 100, ref –", differences: "1 videos outside the published durations",
		},
		{
			name: "no duration", duration: "-",
			events:   lists{bg: {"rain right"}},
			official: dropped, strict: "acc 100, cov 100, ref –",
			differences: "1 videos on which the published scorer raises an error: the duration is missing; 1 videos outside the published durations",
		},
		{
			name:     "7: an event repeats an earlier one",
			events:   lists{evts: {"<a> runs right"}, bg: {"rain right"}, minor: {"rain right", "fog"}},
			official: dropped, strict: "acc 66.7, cov 66.7, ref –",
			differences: "4 videos on which the published scorer raises an error: an event that is not of subjects repeats the text of an earlier one",
		},
		{
			name:     "7: one of a subject",
			events:   lists{evts: {"<a> runs right"}, trans: {"<a> runs right"}},
			official: dropped, strict: "acc 100, cov 100, ref –",
			differences: "2 videos on which the published scorer raises an error: an event that is not of subjects repeats the text of an earlier one",
		},
		{
			name:     "a keypoint cannot be judged",
			events:   lists{evts: {"<a> runs right", "<a> sits right", "<a> sleeps"}, bg: {"rain right"}},
			says:     map[string][]any{"v/subject|<a> sleeps": no},
			official: "acc 75, cov 75, ref 33.3", strict: "acc 100 (1 unscored, 75–100), cov 100 (1 unscored, 75–100), ref 100",
			differences: "1 keypoints without a usable judgement",
		},
		{
			name:     "nor is a subject with one judged keypoint scored",
			events:   lists{evts: {"<a> runs right", "<a> sleeps"}, bg: {"rain right", "fog", "snow right"}},
			says:     map[string][]any{"v/subject|<a> sleeps": five},
			official: "acc 60, cov 60, ref 0", strict: "acc 75 (1 unscored, 60–80), cov 75 (1 unscored, 60–80), ref – (1 unscored, 0–100)",
			differences: "1 keypoints without a usable judgement",
		},
		{
			name:     "no keypoint can be judged: unreadable",
			events:   lists{bg: {"rain right"}},
			says:     map[string][]any{"v/other|rain right": no},
			official: "acc 0, cov 0, ref –", strict: "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			differences: "1 keypoints without a usable judgement", outcome: "unparsed",
		},
		{
			name:     "no keypoint can be judged: the calls fail",
			events:   lists{bg: {"rain right"}},
			says:     map[string][]any{"v/other|rain right": five},
			official: "acc 0, cov 0, ref –", strict: "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			differences: "1 keypoints without a usable judgement", outcome: "failed",
		},
		{
			name:     "a person has not answered yet about one keypoint",
			events:   lists{evts: {"<a> runs right", "<a> sits right", "<a> sleeps"}, bg: {"rain right"}},
			says:     map[string][]any{"v/subject|<a> sleeps": {unanswered}},
			official: dropped, strict: "acc 100 (1 unscored, 75–100), cov 100 (1 unscored, 75–100), ref 100",
			differences: "1 videos with answers that people still owe", outcome: "pending",
		},
		{
			name:     "nor about how descriptions are grouped",
			events:   lists{evts: {"<a> runs right", "<a> sits right"}, bg: {"rain right"}},
			says:     map[string][]any{"v/cluster|<a>": {unanswered}},
			official: dropped, strict: "acc 100, cov 100, ref – (1 unscored, 0–100)",
			differences: "1 videos with answers that people still owe", outcome: "pending",
		},
		{
			name:     "a reply that is cut off is not read",
			events:   lists{bg: {"rain right"}},
			says:     map[string][]any{"v/other|rain right": slices.Repeat([]any{&model.Response{Text: judged("correctly mentioned"), Finish: model.Length}}, 5)},
			official: "acc 0, cov 0, ref –", strict: "acc – (1 unscored, 0–100), cov – (1 unscored, 0–100), ref –",
			differences: "1 keypoints without a usable judgement", outcome: "truncated",
		},
		{
			name:     "the fifth reply is good",
			events:   lists{bg: {"rain right"}},
			says:     map[string][]any{"v/other|rain right": {"no", nil, "no", nil, judged("correctly mentioned")}},
			official: "acc 100, cov 100, ref –", strict: "acc 100, cov 100, ref –",
		},
		{
			name: "an empty caption", caption: "",
			events:   lists{evts: {"<a> runs right", "<a> sits right"}},
			official: "acc 100, cov 100, ref 100", strict: "acc 0, cov 0, ref 0",
			differences: "2 empty captions", outcome: "abstained",
		},
		{
			name: "a caption of blanks is a caption", caption: " ",
			events:   lists{bg: {"rain right"}},
			official: "acc 100, cov 100, ref –", strict: "acc 100, cov 100, ref –",
		},
		{
			name:     "no events",
			official: dropped, strict: dropped, differences: "1 videos without a keypoint that the published scorer keeps",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := aRow("v", map[any]any{nil: 60, "-": nil}[c.duration], c.events)
			if _, given := c.duration.(string); c.duration != nil && !given {
				row["duration"] = c.duration
			}
			captions := jsonl(aCaption("v", c.caption))
			if c.caption == nil && c.outcome != "missing" {
				captions = jsonl(aCaption("v", "It rains."))
			}
			if c.caption == "-" {
				captions = ""
			}
			for p, want := range map[bench.Scoring]string{bench.Official: c.official, bench.Strict: c.strict} {
				r := evaluated(t, opened(t, Benchmark{}, inputs(t, p, &fake{says: c.says}, jsonl(row), captions)), 0)
				if got := summary(overall(r, p)); got != want {
					t.Errorf("%v: %s\nwant %s", p, got, want)
				}
				if n := keypoints(overall(r, bench.Strict)); n != unique(c.events) {
					t.Errorf("%v: strict counts %d keypoints of %d", p, n, unique(c.events))
				}
				if got := differences(r.Differences); p == bench.Strict && (got != c.differences || r.Outcome.String() != orOK(c.outcome)) {
					t.Errorf("%v, differences %s\nwant %s, %s", r.Outcome, got, c.outcome, c.differences)
				}
				checkWarnings(t, r)
			}
		})
	}
}

var unanswered = &omniscope.Error{Kind: omniscope.Unanswered, Err: errors.New("nobody has judged it yet")}

func orOK(outcome string) string {
	if outcome == "" {
		return omniscope.OK.String()
	}
	return outcome
}

// checkWarnings checks that the user is told of which video something was lost.
func checkWarnings(t *testing.T, r *bench.Result) {
	t.Helper()
	dropped := keypoints(overall(r, bench.Official)) == 0 && strings.Contains(differences(r.Differences), whatCrash)
	if lost := r.Outcome != omniscope.OK || dropped; lost && r.Outcome != omniscope.Abstained && r.Outcome != omniscope.Pending && len(r.Warnings) == 0 {
		t.Errorf("%v, and no warning", r.Outcome)
	}
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, "video v: ") {
			t.Errorf("warning %q", w)
		}
	}
}

func TestDurations(t *testing.T) {
	for _, c := range []struct {
		duration         any
		official, strict string
	}{
		{0, "", "unknown"}, {0.5, "(0,120]", "(0,120]"}, {120, "(0,120]", "(0,120]"}, {120.01, "(120,300]", "(120,300]"},
		{300, "(120,300]", "(120,300]"}, {480, "(300,480]", "(300,480]"}, {601, "(480,601]", "(480,601]"},
		{601.5, "", "over 601"}, {1e9, "", "over 601"}, {-1, "", "unknown"}, {nil, "", "unknown"},
	} {
		for p, want := range map[bench.Scoring]string{bench.Official: c.official, bench.Strict: c.strict} {
			in := inputs(t, p, &fake{}, jsonl(aRow("v", c.duration, lists{bg: {"rain right"}})), jsonl(aCaption("v", "It rains.")))
			if got := groupsOf(evaluated(t, opened(t, Benchmark{}, in), 0), p, "duration"); got != want {
				t.Errorf("%v in profile %v is in %q, want %q", c.duration, p, got, want)
			}
		}
	}
}

// What each scoring asks, and asks again.
func TestCalls(t *testing.T) {
	row := aRow("v", 60, lists{evts: {"<a> runs right", "somebody sits right", "<a> runs right"}, ints: {"<a> meets <b> right"}, bg: {"rain"}})
	without := map[string][]any{"v/subject|<a> meets <b> right": {judged("correctly mentioned", "a", "-", "b", "the b")}}
	for _, c := range []struct {
		name    string
		b       Benchmark
		scoring bench.Scoring
		says    map[string][]any
		want    []string
	}{
		{"official asks about each event, and again about one that is repeated", Benchmark{}, bench.Official, nil, []string{
			"v/cluster|<a>", "v/other|rain", "v/subject|<a> meets <b> right", "v/subject|<a> runs right", "v/subject|<a> runs right",
			"v/subject|somebody sits right", "v/subject|somebody sits right", "v/subject|somebody sits right", "v/subject|somebody sits right", "v/subject|somebody sits right"}},
		{"strict asks about each text once, and of what names nobody without subjects", Benchmark{}, bench.Strict, nil, []string{
			"v/cluster|<a>", "v/cluster|<a>", "v/other|rain", "v/other|somebody sits right", "v/subject|<a> meets <b> right", "v/subject|<a> runs right"}},
		{"strict asks about what is left of a list once two are left", Benchmark{}, bench.Strict, without, []string{
			"v/cluster|<a>", "v/other|rain", "v/other|somebody sits right", "v/subject|<a> meets <b> right", "v/subject|<a> runs right"}},
		{"strict's own list takes up the attempts where official's left them", Benchmark{}, bench.Strict,
			map[string][]any{"v/cluster|<a>": {`{"x": ["the a", "the a", "the a"]}`, `{"x": ["the a", "the a"]}`}}, []string{
				"v/cluster|<a>", "v/cluster|<a>", "v/other|rain", "v/other|somebody sits right", "v/subject|<a> meets <b> right", "v/subject|<a> runs right"}},
		{"batched asks once about all", Benchmark{Batched: true}, bench.Strict, nil, []string{"v/batch", "v/cluster|<a>", "v/cluster|<a>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{says: c.says}
			evaluated(t, opened(t, c.b, inputs(t, c.scoring, f, jsonl(row), jsonl(aCaption("v", "It rains.")))), 0)
			if got := f.calls(); got != strings.Join(c.want, "\n") {
				t.Errorf("asked\n%s\nwant\n%s", got, strings.Join(c.want, "\n"))
			}
		})
	}
}

// One call about all keypoints is asked again for what is missing, and keeps
// what could be read.
func TestIncompleteBatch(t *testing.T) {
	row := jsonl(aRow("v", 60, lists{bg: {"rain", "fog", "snow"}}))
	part := `{"1": ` + judged("correctly mentioned") + `, "3": ` + judged("not mentioned") + `}`
	f := &fake{says: map[string][]any{"v/batch": {part, part, part, part, part}}}
	r := evaluated(t, opened(t, Benchmark{Batched: true}, inputs(t, bench.Strict, f, row, jsonl(aCaption("v", "It rains.")))), 0)
	if got, want := summary(overall(r, bench.Strict)), "acc 50 (1 unscored, 33.3–66.7), cov 50 (1 unscored, 33.3–66.7), ref –"; got != want || r.Outcome != omniscope.OK {
		t.Errorf("%v: %s, want %s", r.Outcome, got, want)
	}
	lines := recordsOf[keypointRecord](t, r.Records[0])
	if len(lines) != 3 || lines[1].Outcome != omniscope.Unparsed || lines[1].Attempts != 5 || lines[0].Verdict != omniscope.Correct {
		t.Errorf("%+v", lines)
	}
}

// The results name each difference, with how many videos and items it is about
// and what mending it alone does to the scores.
func TestDifferences(t *testing.T) {
	annotations := jsonl(
		aRow("1", 60, lists{bg: {"rain right", "fog right"}}),                                                          // of which one cannot be judged
		aRow("2", 60, lists{evts: {"somebody runs"}, bg: {"rain right"}}),                                              // of which one is lost
		aRow("3", 60, lists{bg: {"rain right", "fog right"}}),                                                          // without a caption
		aRow("4", 60, lists{bg: {"rain", "rain"}}),                                                                     // on which the published scorer stumbles
		aRow("5", 700, lists{evts: {"<a> runs right", "<a> runs right", "<a> sits"}, bg: {"a right", "b", "c right"}}), // 3 of 5, Ref 1/3 or 0
	)
	captions := jsonl(aCaption("1", "1"), aCaption("2", "2"), aCaption("4", "4"), aCaption("5", "5"))
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		f := &fake{says: map[string][]any{"1/other|fog right": slices.Repeat([]any{"no"}, 5), "2/subject|somebody runs": {judged("not mentioned", "x", "-")}}}
		ev := opened(t, Benchmark{}, inputs(t, p, f, annotations, captions))
		r, err := bench.Score(t.Context(), Benchmark{}, ev, p, benchtest.Workers(3))
		fixture.OK(t, err)
		nameless := "1 video, 1 item: acc -16.67, cov -16.67, ref +0.00"
		if p == bench.Official { // which asks about it in a form that no reply can say yes to
			nameless = "1 video, 1 item: acc unknown, cov unknown, ref +0.00"
		}
		// Official: 50 %, 100 % and 60 %, a mean of 70 %.
		want := map[string]string{
			"keypoints without a usable judgement":                                              "1 video, 1 item: acc +16.67, cov +16.67, ref +0.00",
			"subject events that name no subject":                                               nameless,
			"subject events whose text is there already":                                        "1 video, 1 item: acc +0.00, cov +0.00, ref -33.33",
			"videos without a caption":                                                          "1 video, 2 items: acc +0.00, cov +0.00, ref +0.00",
			"videos outside the published durations":                                            "1 video, 1 item: acc +0.00, cov +0.00, ref +0.00",
			whatCrash + ": an event that is not of subjects repeats the text of an earlier one": "1 video, 2 items: acc -17.50, cov -17.50, ref +0.00",
		}
		got := make(map[string]string)
		for _, d := range r.Differences {
			got[d.What] = fmt.Sprintf("%s, %s: %s", quantity.Of(d.Samples, "video", "videos"), quantity.Of(d.Items, "item", "items"), effectsOf(d))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", p, diff)
		}
	}
}

// effectsOf writes what mending a difference alone does to each score, in
// percent.
func effectsOf(d document.Difference) string {
	var out []string
	for _, s := range metric.Keypoints.Scores {
		text := s.Name + " unknown"
		if v, ok := d.Effects[s.Name]; ok {
			text = fmt.Sprintf("%s %+.2f", s.Name, 100*v)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
