package suite

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/bench/predict"
	"omniscope/internal/plot"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
)

func readText(t *testing.T, text string) (*Suite, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "many.yaml")
	fixture.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return Read(t.Context(), file)
}

const small = `models:
  - model: openai/a
    model-extra: {top_k: 1}
  - model: vllm/x/a
    sample: [one, two]
benchmarks:
  - benchmark: omni-cloze
    data: rows.jsonl
  - benchmark: capricorn
profiles: [qwen3-omni, my/own.yaml]
sweep:
  frames: [8, 16]
all:
  judge: openai/j
`

func TestEveryModelOnEveryBenchmarkInEveryProfileAtEveryPoint(t *testing.T) {
	s, err := readText(t, small)
	fixture.OK(t, err)
	runs, err := s.Runs(func(benchmark, flag string) bool { return benchmark == "omni-cloze" })
	fixture.OK(t, err)
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
		_, judged := r.Settings.Get("judge")
		if judged != (r.Benchmark == "omni-cloze") {
			t.Errorf("%s: judge given: %v", r.Name, judged)
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != 16 {
		t.Errorf("runs %q", names)
	}
	last := runs[15]
	for name, want := range map[string]string{"model": "vllm/x/a", "sample": "one,two", "max-frames": "16", "model-profile": "my/own.yaml", "system": "vllm/x/a own frames=16"} {
		if got := last.Settings.Text(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := runs[0].Settings.Text("model-extra"); got != `{"top_k":1}` {
		t.Errorf("a mapping is %s", got)
	}
	if s.Name != "many" {
		t.Errorf("the suite is called %q", s.Name)
	}
}

func TestModelsOfOneNameHaveFoldersOfTheirOwn(t *testing.T) {
	s, err := readText(t, "models:\n  - model: openai/a\n  - model: openai/a\n    model-temperature: 1\n  - model: openai/a\n    system: warm\nbenchmarks:\n  - benchmark: omni-cloze\n")
	fixture.OK(t, err)
	runs, _ := s.Runs(func(string, string) bool { return true })
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	if slices.Sort(names); len(slices.Compact(names)) != 3 {
		t.Errorf("folders %q", names)
	}
	for i, want := range []string{"openai/a", "openai/a model-temperature=1", "warm"} {
		if runs[i].Model != want {
			t.Errorf("model %d is called %q, want %q", i, runs[i].Model, want)
		}
	}
}

func TestMistakesInSuitesNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"benchmarks:\n  - benchmark: omni-cloze\n":                                     "it names no model",
		"models:\n  - model: a/b\n":                                                    "it names no benchmark",
		"modles:\n  - model: a/b\n":                                                    "line 1: there is no field \"modles\"; did you mean models?",
		"models:\n  - modality: audio\nbenchmarks:\n  - benchmark: x\n":                "line 2: the entry has no field model",
		"models:\n  - model: a/b\n    model: c/d\nbenchmarks:\n  - benchmark: x\n":     "model",
		"models:\n  - a/b\nbenchmarks:\n  - benchmark: x\n":                            "line 2: write NAME: VALUE",
		"models:\n  - model: a/b\n    prompt:\nbenchmarks:\n  - benchmark: x\n":        "line 3: prompt: it has no value",
		"models:\n  - model: &a a/b\n  - model: *a\nbenchmarks:\n  - benchmark: x\n":   "anchors",
		"models:\n  - model: a/b\nbenchmarks:\n  - benchmark: x\nall: [max-cost, 3]\n": "write NAME: VALUE",
	} {
		_, err := readText(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func TestRangesOfASweep(t *testing.T) {
	for text, want := range map[string]string{
		"inquiries=1..4":  "1 2 3 4",
		"frames=8,16":     "8 16",
		"x=1..3,10":       "1 2 3 10",
		"frames=8,8":      "there twice",
		"frames=4..1":     "the first the smaller",
		"frames=1..90000": "at most 1000",
		"frames=a..b":     "whole numbers",
	} {
		axis, err := ParseAxis(text)
		fixture.OK(t, err)
		values, err := spread(axis)
		got := strings.Join(values, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", text, got, want)
		}
	}
	for _, text := range []string{"frames", "=1", "frames="} {
		if _, err := ParseAxis(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestTablesAndCurvesOfASweep(t *testing.T) {
	accuracy := metric.Score{Name: "accuracy", Title: "accuracy", Percent: true}
	metrics := map[string]*metric.Metric{"b": {Scores: []metric.Score{accuracy, {Name: "other", Title: "other"}}}}
	outcome := func(frames string, value float64) Outcome {
		return Outcome{Run: Run{Name: "b/m/" + frames, Benchmark: "b", Model: "m", Point: Settings{{Name: "max-frames", Values: []string{frames}}}}, State: done,
			Sent:    sent{Samples: 3, Answered: 2, Frames: 7.5},
			Results: []*document.Results{{Samples: 2, Headline: document.Headline{Scoring: "strict", Scores: map[string]omniscope.Score{"accuracy": {Value: &value, N: 2, Interval: &omniscope.Interval{Low: value - 0.1, High: value + 0.1}}}}}}}
	}
	outcomes := []Outcome{outcome("16", 0.5), outcome("8", 0.25), {Run: Run{Name: "b/m/32", Benchmark: "b", Model: "m"}, State: failed, Why: "no room"}}
	tables := tables(outcomes, metrics)
	if len(tables) != 2 || len(tables[0].Rows) != 3 || len(tables[1].Rows) != 2 {
		t.Fatalf("tables %+v", tables)
	}
	if row := strings.Join(tables[0].Rows[2], " "); !strings.Contains(row, "failed") || !strings.Contains(row, "no room") {
		t.Errorf("the run that failed: %s", row)
	}
	if got := strings.Join(tables[1].Columns, "|"); got != "model|frames|samples|accuracy" {
		t.Errorf("columns %s", got)
	}
	if got := strings.Join(tables[1].Rows[0], "|"); got != "m|16|2|50.0 [40.0, 60.0]" {
		t.Errorf("row %s", got)
	}
	charts := curves(outcomes, metrics)
	if len(charts) != 1 || len(charts[0].Lines) != 1 || charts[0].Lines[0].Points[0].X != 8 || charts[0].Lines[0].Points[1].Y != 50 {
		t.Errorf("charts %+v", charts)
	}
	if one := curves(outcomes[:1], metrics); one != nil {
		t.Errorf("a curve of one point: %+v", one)
	}
	var page strings.Builder
	if err := plot.CurvesPage(&page, "a <b>", charts); err != nil || !strings.Contains(page.String(), "<svg") || strings.Contains(page.String(), "a <b>") {
		t.Errorf("%v: %s", err, page.String())
	}
}

func TestWhatWasSentIsAddedUp(t *testing.T) {
	s := SentOf([]*predict.Prediction{
		{Outcome: omniscope.OK, Words: 10, Sent: predict.Sent{Frames: &predict.SentFrames{Count: 4, Width: 10, Height: 20}}},
		{Outcome: omniscope.Refused, Sent: predict.Sent{Frames: &predict.SentFrames{Count: 8, Width: 10, Height: 10}, Sound: &predict.SentSound{Seconds: 3}}},
		{Outcome: omniscope.Missing},
	})
	if s.Samples != 3 || s.Answered != 1 || s.Frames != 6 || s.Pixels != 150 || s.Seconds != 3 || s.Words != 10 {
		t.Errorf("%+v", s)
	}
}

// TestBlindTwinsAndLostTriesCost has the tokens and the cost of a run include calls that are no answers.
func TestBlindTwinsAndLostTriesCost(t *testing.T) {
	usd := func(v float64) *float64 { return &v }
	lost := document.LostInfo{Tries: 1, TokensIn: 5, TokensOut: 2, CostUSD: usd(0.05)}
	for name, c := range map[string]struct {
		took    document.UsageInfo
		in, out int
		usd     float64
		priced  bool
	}{
		"all of its own":     {document.UsageInfo{Calls: 3, TokensIn: 25, TokensOut: 4, CostUSD: usd(0.4), Lost: lost}, 25, 4, 0.4, true},
		"no price":           {document.UsageInfo{Calls: 3, TokensIn: 25, TokensOut: 4}, 25, 4, 0.25, false},
		"answers remembered": {document.UsageInfo{Calls: 1, Remembered: 1, Lost: lost}, 15, 3, 0.3, true},
	} {
		s := SentOf([]*predict.Prediction{{Outcome: omniscope.OK, Usage: &model.Usage{TokensIn: 10, TokensOut: 1, CostUSD: 0.25}}})
		s.Took(&c.took)
		if s.TokensIn != c.in || s.TokensOut != c.out || math.Abs(s.CostUSD-c.usd) > 1e-12 || s.Unpriced == c.priced {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestCostOfARun adds the answers' cost and that of each judge, and is empty where one of them is not known.
func TestCostOfARun(t *testing.T) {
	judged := func(calls int, usd ...float64) *document.Results {
		r := &document.Results{Usage: document.UsageInfo{Calls: calls}}
		if len(usd) > 0 {
			r.Usage.CostUSD = &usd[0]
		}
		return r
	}
	answers := func(usd float64) []*predict.Prediction {
		return []*predict.Prediction{{Outcome: omniscope.OK, Usage: &model.Usage{TokensIn: 10, TokensOut: 1, CostUSD: usd}}, {Outcome: omniscope.Missing}}
	}
	for _, c := range []struct {
		name    string
		sent    []*predict.Prediction
		results []*document.Results
		want    string
	}{
		{"answers and two judges", answers(0.25), []*document.Results{judged(3, 0.5), judged(3, 0.25)}, "$1.00"},
		{"no judge", answers(0.25), []*document.Results{judged(0)}, "$0.2500"},
		{"a judge without a price", answers(0.25), []*document.Results{judged(3)}, ""},
		{"answers without a price", answers(0), []*document.Results{judged(3, 0.5)}, ""},
		{"nothing", nil, nil, ""},
	} {
		table := runTable([]Outcome{{Sent: SentOf(c.sent), Results: c.results}})
		got := ""
		if at := slices.Index(table.Columns, "cost"); at >= 0 {
			got = table.Rows[0][at]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
