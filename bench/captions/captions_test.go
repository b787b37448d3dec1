package captions

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// TestSuite runs the suite of benchmarks.
func TestSuite(t *testing.T) {
	for name, c := range map[string]struct {
		benchmark      bench.Benchmark
		data, captions string
		judge          captionstest.Judge
		whole          []string
	}{
		"vdc":         {VDC(), vdcData, vdcCaptions, vdcReplies, nil},
		"dream":       {Dream(), dreamData, dreamCaptions, dreamReplies, []string{"source"}},
		"m3":          {M3Bench(), m3Data, m3Captions, m3Replies, nil},
		"m3 searched": {benchtest.With(t, M3Bench(), "memory-limit", "30", "top-k", "1"), m3Data, m3Captions, m3Replies, nil},
		"m3 bare":     {M3Bench(), m3Data, "", m3Replies, nil},
		"salmonn": {SALMONN(), salmonnData, salmonnCaptions, func(step string, attempt int, _ string) string {
			if attempt == 1 && step == "video/0.mp4/round2" {
				return "I cannot count."
			}
			return tallied(1, 0, len(step)%3)
		}, nil},
		"ugc": {UGC(), ugcData, ugcCaptions, func(_ string, attempt int, _ string) string {
			if attempt == 1 {
				return "Very good."
			}
			return rated(3, 4, 5)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			captions := bench.NoPredictions
			if c.captions != "" {
				captions = captionstest.File(t, "captions.jsonl", c.captions)
			}
			captionstest.Suite(t, c.benchmark, captionstest.File(t, "data.json", c.data), captions, c.judge, c.whole...)
		})
	}
}

// TestExam examines judges: one that compares, and others that do not.
func TestExam(t *testing.T) {
	always := captionstest.Always
	t.Run("vdc", func(t *testing.T) {
		const y, n = "{'pred': 'yes', 'score': 5}", "{'pred': 'no', 'score': 0}"
		captionstest.Exam(t, VDC(), vdcData, vdcCaptions, map[string]captionstest.Examined{
			"one that compares": {Judge: func(_ string, _ int, text string) string {
				for _, e := range vdcExam {
					if e.yes && strings.Contains(text, "Predicted Answer: "+e.response+"\n") {
						return y
					}
				}
				return n
			}, Right: 10},
			"always yes":               {Judge: always(y), Right: 5},
			"always no":                {Judge: always(n), Right: 5},
			"one that contradicts all": {Judge: always("{'pred': 'yes', 'score': 0}")},
			"prose":                    {Judge: always("Both mean the same.")},
		})
	})
	t.Run("m3", func(t *testing.T) {
		captionstest.Exam(t, M3Bench(), m3Data, m3Captions, map[string]captionstest.Examined{
			"one that compares": {Judge: func(step string, _ int, _ string) string {
				if m3Exam[captionstest.Item(step)].verdict == omniscope.Correct {
					return "Yes."
				}
				return "**No**"
			}, Right: 10},
			"always yes": {Judge: always("Yes"), Right: 5},
			"always no":  {Judge: always("No"), Right: 5},
			"both":       {Judge: always("Yes and no")},
			"prose":      {Judge: always("The answers agree.")},
		})
	})
	t.Run("dream", func(t *testing.T) {
		relate := func(relation func(e related, i int) string) captionstest.Judge {
			return func(step string, _ int, _ string) string {
				n := captionstest.Item(step)
				if n >= len(relationExam) {
					return fixture.JSON(map[string]any{"events": []string{"A dog jumps", "A man throws a ball", "A baker opens the oven", "A customer drops a coin", "A bell rings"}})
				}
				var list []map[string]string
				for i, event := range relationExam[n].events {
					list = append(list, map[string]string{"event": event, "relationship": relation(relationExam[n], i), "reason": "It says so."})
				}
				return fixture.JSON(map[string]any{"events": list})
			}
		}
		constant := func(name string) captionstest.Judge { return relate(func(related, int) string { return name }) }
		captionstest.Exam(t, Dream(), dreamData, dreamCaptions, map[string]captionstest.Examined{
			"one that compares": {Judge: relate(func(e related, i int) string {
				if e.entailed[i] {
					return "entailment"
				}
				return "neutral"
			}), Right: 10},
			"always entailment":    {Judge: constant("entailment"), Right: 2},
			"always neutral":       {Judge: constant("neutral"), Right: 2},
			"always contradiction": {Judge: constant("contradiction"), Right: 2},
			"in turn":              {Judge: relate(func(_ related, i int) string { return relations[i%3] }), Right: 2 + 2},
			"no events":            {Judge: always(`{"events": []}`)},
			"the format itself":    {Judge: always(`{"events": [{"event": "copy an event here", "relationship": "put class name here", "reason": "give your reason here"}]}`)},
		})
	})
	t.Run("salmonn", func(t *testing.T) {
		compares := func(incorrect bool) captionstest.Judge {
			return func(step string, _ int, _ string) string {
				e, made := salmonnExam[captionstest.Item(step)], 0
				if e.made {
					made = 1
				}
				if incorrect && e.lost == 1 {
					return withLists(0, 1, 0, 0, 0, 0)
				}
				return withLists(e.lost, 0, made, 0, 0, 0)
			}
		}
		captionstest.Exam(t, SALMONN(), salmonnData, salmonnCaptions, map[string]captionstest.Examined{
			"a changed event is missed":    {Judge: compares(false), Right: 10},
			"a changed event is incorrect": {Judge: compares(true), Right: 10},
			"nothing is ever lost":         {Judge: always(withLists(0, 0, 0, 0, 0, 0)), Right: 3},
			"all is always missed":         {Judge: always(withLists(4, 0, 0, 0, 0, 0)), Right: 2},
			"always one of each":           {Judge: always(withLists(1, 1, 1, 0, 0, 0))},
			"the format itself":            {Judge: always(`{"Missed": x, "Incorrect": x, "Hallucination": x, "Missed Event": [...], "Incorrect Event": [...], "Hallucination Event": [...] }`)},
		})
	})
	t.Run("ugc", func(t *testing.T) {
		judges := map[string]captionstest.Examined{
			"one that compares, mildly": {Judge: func(step string, _ int, _ string) string {
				high := ugcExam[captionstest.Item(step)].high
				return rated(high[0], high[1], high[2])
			}, Right: 10},
			"one that compares, severely": {Judge: func(step string, _ int, _ string) string {
				low := ugcExam[captionstest.Item(step)].low
				return rated(low[0], low[1], low[2])
			}, Right: 10},
			"the format itself": {Judge: always("{'visual': int, 'audio': int, 'details': int}")},
		}
		for n, right := range []int{1: 4, 2: 4, 3: 0, 4: 4, 5: 4, 6: 0} {
			judges[fmt.Sprint("always ", n)] = captionstest.Examined{Judge: always(rated(n, n, n)), Right: right}
		}
		captionstest.Exam(t, UGC(), ugcData, ugcCaptions, judges)
	})
}

func TestBadInput(t *testing.T) {
	row := dreamRow(1, "youtube", "x")
	for name, c := range map[string]struct {
		benchmark            bench.Benchmark
		data, captions, says string
	}{
		"dream: another source":          {Dream(), dreamRow(1, "films", "x"), dreamCaptions, `the source "films" is not one of`},
		"dream: two of one number":       {Dream(), row + "\n" + row, dreamCaptions, ":2: clip 1 is there already, on line 1"},
		"dream: no reference":            {Dream(), strings.Replace(row, `"reference"`, `"ref"`, 1), dreamCaptions, "no reference"},
		"dream: captions of others":      {Dream(), row, `{"idx": 7, "caption": "x"}`, "none of the 1 captions"},
		"dream: no JSON":                 {Dream(), row + "\n{", dreamCaptions, "line 2: not JSON"},
		"m3: a list":                     {M3Bench(), "[]", m3Captions, "no object of rows by name"},
		"m3: no questions":               {M3Bench(), `{"v1": {"qa_list": []}}`, m3Captions, "video v1 has no qa_list"},
		"m3: no answer":                  {M3Bench(), `{"v1": {"qa_list": [{"question": "x"}]}}`, m3Captions, "question 1 of video v1 has no question or no answer"},
		"m3: the robot's questions":      {M3Bench(), `{"v1": {"qa_list": [{"question": "x", "answer": "y", "before_clip": 3}]}}`, m3Captions, "only web.json is scored"},
		"m3: captions of others":         {M3Bench(), m3Data, `{"video_id": "x", "caption": "y"}`, "none of the 1 captions"},
		"m3: captions of numbers":        {M3Bench(), m3Data, `{"video_id": "v1", "caption": ["a", 2]}`, `the field "caption" is not a text`},
		"salmonn: two of one name":       {SALMONN(), `[{"video": "a.mp4", "events": ["x"]},` + "\n" + `{"video": "a.mp4", "events": ["y"]}]`, salmonnCaptions, ":2: clip a.mp4 is there already, on line 1"},
		"salmonn: no events":             {SALMONN(), `[{"video": "a.mp4", "events": []}]`, salmonnCaptions, "the row has no events"},
		"salmonn: an event as a list":    {SALMONN(), `[{"video": "a.mp4", "events": [["x"]]}]`, salmonnCaptions, "an event is not text"},
		"salmonn: no name":               {SALMONN(), `[{"events": ["x"]}]`, salmonnCaptions, "the clip has no id, which is a text or a number"},
		"salmonn: no clips":              {SALMONN(), `[]`, salmonnCaptions, "has no clips"},
		"salmonn: captions of others":    {SALMONN(), salmonnData, `{"id": "77.mp4", "pred": "x"}`, "none of the 1 captions"},
		"salmonn: two captions":          {SALMONN(), salmonnData, salmonnCaptions + "\n" + `{"id": "video/2.mp4", "pred": "x"}`, `:4: video/2.mp4 and 2.mp4, on line 3, are both called "2" here`},
		"salmonn: no captions":           {SALMONN(), salmonnData, `{"id": "0.mp4", "text": "x"}`, "name the field with --caption-field"},
		"ugc: a list":                    {UGC(), `[{"video_id": "x", "answer": "y"}]`, ugcCaptions, `has no list "samples"`},
		"ugc: two of one name":           {UGC(), strings.Replace(ugcData, "PI-3", "PI-1", 1), ugcCaptions, "data.json:6: clip PI-1 is there already, on line 4"},
		"ugc: no reference":              {UGC(), strings.Replace(ugcData, `"answer": "A cat."`, `"text": ""`, 1), ugcCaptions, "data.json:5: the row has no answer"},
		"ugc: captions of others":        {UGC(), ugcData, `{"video_id": "x", "caption": "y"}`, "none of the 1 captions"},
		"ugc: captions of no clip":       {UGC(), ugcData, `{"caption": "y"}`, "the row has no id"},
		"vdc: a list":                    {VDC(), `[1]`, vdcCaptions, "not an object of questions"},
		"vdc: no questions":              {VDC(), `{"v1": []}`, vdcCaptions, "video v1 has no list of questions"},
		"vdc: a question without answer": {VDC(), `{"v1": [{"question": "x"}]}`, vdcCaptions, "question 1 of video v1 has no question or no answer"},
		"vdc: no JSON":                   {VDC(), vdcData + "\n{", vdcCaptions, "line 4: not JSON"},
		"vdc: captions of others":        {VDC(), vdcData, `{"video_id": "x", "caption": "y"}`, "none of the 1 captions"},
	} {
		t.Run(name, func(t *testing.T) {
			captionstest.Refused(t, c.benchmark, inputs(t, c.data, c.captions, nil, bench.Strict, 1), c.says)
		})
	}
	in := inputs(t, salmonnData, salmonnCaptions, nil, bench.Strict, 1)
	in.Judge = nil
	captionstest.Refused(t, SALMONN(), in, "name one with --judge")
}

// inputs are files of data and captions with a judge that asks so many times.
func inputs(t *testing.T, data, captions string, j captionstest.Judge, scoring bench.Scoring, attempts int) bench.Inputs {
	t.Helper()
	return captionstest.Inputs(captionstest.File(t, "data.json", data), captionstest.File(t, "captions.jsonl", captions), j, scoring, attempts)
}

// A scored is what a clip should come to: printed counts by scoring, and the first difference between them.
type scored struct {
	official, strict string
	outcome          omniscope.Outcome
	differs          string
}

// check compares the counts of a clip, overall or in the first group of a dimension, as a function prints them.
func (want scored) check(t *testing.T, r *bench.Result, dimension string, print func(metric.Counts) string) {
	t.Helper()
	got := scored{outcome: r.Outcome, differs: captionstest.Differs(r)}
	for p, to := range map[bench.Scoring]*string{bench.Official: &got.official, bench.Strict: &got.strict} {
		for _, tally := range r.Tallies[p] {
			if tally.Dimension == dimension {
				*to = print(tally.Counts)
				break
			}
		}
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
