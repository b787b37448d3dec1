package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"omniscope/internal/golden"
	"omniscope/score"
)

// tiny is a file or folder of small networks with scores that torch computed.
func tiny(t *testing.T, path string) string {
	t.Helper()
	return golden.Path(t, "metrics", "tiny_models", path)
}

// goldenScores reads the published programs' scores of a file's lines.
func goldenScores(t *testing.T, name string) (rows []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(tiny(t, name))
	if err != nil {
		t.Fatal(err)
	}
	in := json.NewDecoder(bytes.NewReader(text))
	for in.More() {
		var row map[string]any
		if err := in.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// segmentScores runs score and returns one score of each segment.
func segmentScores(t *testing.T, name string, args ...string) (scores []float64) {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := execute(t.Context(), append(append([]string{"score"}, args...), "--no-cache", "--per-segment", "--format", "jsonl"), &out, &errOut); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &errOut)
	}
	in := json.NewDecoder(&out)
	for in.More() {
		var d score.SegmentDocument
		if err := in.Decode(&d); err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Scores {
			scores = append(scores, *s[name])
		}
	}
	return scores
}

func compareScores(t *testing.T, got []float64, rows []map[string]any, name string, tolerance float64) {
	t.Helper()
	if len(got) != len(rows) {
		t.Fatalf("%d scores of %d lines", len(got), len(rows))
	}
	worst := 0.0
	for i, row := range rows {
		want := row[name].(float64)
		worst = max(worst, math.Abs(got[i]-want))
		if !(math.Abs(got[i]-want) <= tolerance) {
			t.Errorf("line %d: %v, want %v", i+1, got[i], want)
		}
	}
	t.Logf("%d scores, off by at most %.2g", len(rows), worst)
}

func TestBERTScoreGolden(t *testing.T) {
	for lang, model := range map[string]string{"en": "tiny_roberta", "de": "tiny_mbert", "it": "tiny_mbert", "zh": "tiny_zhbert"} {
		t.Run(lang, func(t *testing.T) {
			name := fmt.Sprintf("bertscore_%s.jsonl", lang)
			rows := goldenScores(t, name)
			args := []string{"bertscore", "--data", tiny(t, name), "--hyp-field", "cand", "--lang", lang, "--model", tiny(t, model)}
			compareScores(t, segmentScores(t, "f", args...), rows, "F_resc", 5e-5)
			compareScores(t, segmentScores(t, "f", append(args, "--no-rescale")...), rows, "F", 1e-5)
			compareScores(t, segmentScores(t, "p", append(args, "--no-rescale")...), rows, "P", 1e-5)
		})
	}
}

func TestCOMETGolden(t *testing.T) {
	rows := goldenScores(t, "tiny_comet/comet.jsonl")
	got := segmentScores(t, "comet", "comet", "--data", tiny(t, "tiny_comet/comet.jsonl"), "--model", tiny(t, "tiny_comet"))
	compareScores(t, got, rows, "score", 5e-6)
}
