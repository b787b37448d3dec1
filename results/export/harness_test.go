package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/harness/inspect"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/results"
)

// harnessRun is a run of the cloze metric with a unit whose judging failed, and no score
// in strict scoring for one of its scores.
func harnessRun(t *testing.T, system string) *results.Run {
	t.Helper()
	dir := t.TempDir()
	lines := `{"unit":"a","cluster":"c","outcome":"ok","official":{"correct":3,"not_given":1},"strict":{"correct":3,"not_given":1}}
{"unit":"b","cluster":"d","outcome":"failed","official":{"not_given":4,"forced_not_given":4,"unjudged":4},"strict":{"unjudged":4}}
`
	fixture.OK(t, os.WriteFile(filepath.Join(dir, bench.CountsFile), []byte(lines), 0o644))
	half, low := 0.375, 0.75
	slices := func(v *float64) []document.Slice {
		return []document.Slice{{Dimension: "overall", Scores: map[string]omniscope.Score{
			"accuracy": {Name: "accuracy", Value: v, Interval: &omniscope.Interval{Low: 0.1, High: 0.9}, N: 8}, "score": {Name: "score", Unscored: 4, Why: "nothing was judged"}}}}
	}
	return &results.Run{Dir: dir, Results: &document.Results{System: system, Samples: 2, Benchmark: document.BenchmarkInfo{Name: "omni-cloze"}, Signature: "omni-cloze|judge:x|data:0a1b",
		Run:      document.RunInfo{ID: "A", Files: []string{bench.CountsFile}, Finished: time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)},
		Outcomes: map[string]int{"ok": 1, "failed": 1},
		Scorings: []document.ScoringInfo{{Name: "official", Slices: slices(&half)}, {Name: "strict", Slices: slices(&low)}}}}
}

func TestHarness(t *testing.T) {
	info := bench.Info{Name: "omni-cloze", Metric: &metric.Cloze}
	for form, names := range map[string][]string{
		"lm-eval":   {"a__b/results_2026-01-02T03-04-05.000678.json", "a__b/samples_omni-cloze_2026-01-02T03-04-05.000678.jsonl"},
		"lmms-eval": {"a__b/2026-01-02T03-04-05.000678_results.json", "a__b/2026-01-02T03-04-05.000678_samples_omni-cloze.jsonl"},
	} {
		files, err := Harness(t.Context(), form, harnessRun(t, "a/b"), info)
		if err != nil || len(files) != 2 || files[0].Name != names[0] || files[1].Name != names[1] {
			t.Fatalf("%+v, %v", files, err)
		}
		var document, samples bytes.Buffer
		fixture.OK(t, files[0].Write(&document))
		fixture.OK(t, files[1].Write(&samples))
		checkDocument(t, document.Bytes())
		checkSamples(t, samples.String())
	}
}

// A log of Inspect that is exported can be read again by its importer.
func TestInspectLogIsReadAgain(t *testing.T) {
	files, err := Harness(t.Context(), "inspect", harnessRun(t, "a/b"), bench.Info{Name: "omni-cloze", Metric: &metric.Cloze})
	if err != nil || len(files) != 1 || !strings.HasPrefix(files[0].Name, "a__b/2026-01-02T03-04-05+00-00_omni-cloze_") {
		t.Fatalf("%+v, %v", files, err)
	}
	var text bytes.Buffer
	fixture.OK(t, files[0].Write(&text))
	log, err := inspect.Harness.Read(t.Context(), []string{fixture.File(t, "log.json", text.String())})
	fixture.OK(t, err)
	if log.Model != "a/b" || len(log.Tasks) != 1 || log.Tasks[0] != "omni-cloze" || log.Status != "" {
		t.Errorf("model %q, tasks %q, status %q", log.Model, log.Tasks, log.Status)
	}
	var official []float64
	for _, h := range log.Headline {
		if h.Scorer == "official" && h.Metric == "accuracy" {
			official = append(official, h.Value)
		}
	}
	if len(official) != 1 || official[0] != 0.375 {
		t.Errorf("headline %+v", log.Headline)
	}
	samples := gjson.Get(text.String(), "samples")
	if n := len(samples.Array()); n != 2 || samples.Get("0.scores.strict.value.accuracy").Num != 0.75 || samples.Get("1.scores.strict").Exists() || samples.Get("1.metadata.outcome").Str != "failed" {
		t.Errorf("samples %s", samples.Raw)
	}
}

func checkDocument(t *testing.T, text []byte) {
	t.Helper()
	var d struct {
		Results map[string]map[string]any
		Configs map[string]struct {
			Metadata struct {
				None map[string]string `json:"no_score"`
			}
		}
		Better  map[string]map[string]bool `json:"higher_is_better"`
		Samples map[string]map[string]int  `json:"n-samples"`
	}
	fixture.OK(t, json.Unmarshal(text, &d))
	r := d.Results["omni-cloze"]
	if r["accuracy,official"] != 0.375 || r["accuracy,strict"] != 0.75 || r["accuracy_stderr,strict"] != "N/A" {
		t.Errorf("%v", r)
	}
	if _, there := r["score,strict"]; there || d.Configs["omni-cloze"].Metadata.None["score,strict"] != "nothing was judged" {
		t.Errorf("a score that does not exist: %v, %v", r, d.Configs)
	}
	if n := d.Samples["omni-cloze"]; n["original"] != 2 || n["effective"] != 1 || !d.Better["omni-cloze"]["accuracy"] {
		t.Errorf("%v, %v", n, d.Better)
	}
}

// checkSamples sees that the failed unit has no metric in strict scoring.
func checkSamples(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []struct {
		filter, outcome string
		accuracy        any
	}{{"official", "ok", 0.75}, {"strict", "ok", 0.75}, {"official", "failed", 0.0}, {"strict", "failed", nil}} {
		var s map[string]any
		fixture.OK(t, json.Unmarshal([]byte(lines[i]), &s))
		if s["filter"] != want.filter || s["outcome"] != want.outcome || s["accuracy"] != want.accuracy {
			t.Errorf("line %d: %v", i+1, s)
		}
	}
}

func TestSystemsThatLeadElsewhere(t *testing.T) {
	for system, want := range map[string]string{"..": "_..", "../x": "..__x", "": "_", `C:\x`: "C__x"} {
		if got := sanitize(system); got != want {
			t.Errorf("%q: %q, want %q", system, got, want)
		}
	}
}
