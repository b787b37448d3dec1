package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/results/score"
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
	fixture.OK(t, err)
	in := json.NewDecoder(bytes.NewReader(text))
	for in.More() {
		var row map[string]any
		fixture.OK(t, in.Decode(&row))
		rows = append(rows, row)
	}
	return rows
}

// segmentScores runs score and returns one score of each segment.
func segmentScores(t *testing.T, name string, args ...string) (scores []float64) {
	t.Helper()
	v := command(t.Context(), append(append([]string{"score"}, args...), "--no-cache", "--per-segment", "--format", "jsonl")...).must(t, exitDone)
	in := json.NewDecoder(strings.NewReader(v.out))
	for in.More() {
		var d score.SegmentDocument
		fixture.OK(t, in.Decode(&d))
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

// TestScoreInParts scores segments in two parts and joins their journals: the scores are
// those of one process, and nothing is computed again.
func TestScoreInParts(t *testing.T) {
	q, models, _ := networkRun(t)
	var hyps, refs strings.Builder
	for i := range 7 {
		fmt.Fprintf(&hyps, "Eins und %d.\n", i)
		fmt.Fprintf(&refs, "Eins und eins, %d.\n", i)
	}
	args := []string{"score", "bertscore", "--lang", "de", "--hyp", q.write("hyps.txt", hyps.String()), "--ref", q.write("refs.txt", refs.String()),
		"--models-dir", models, "--quiet", "--per-segment", "--format", "jsonl"}
	score := func(more ...string) string {
		t.Helper()
		v := q.command(append(args[:len(args):len(args)], more...)...).must(t, exitDone)
		return v.out
	}
	want := score("--cache-dir", q.path("cache"))
	for _, part := range []string{"0", "1"} {
		if said := score("--cache-dir", q.path("cache"+part), "--work-dir", q.path("part"+part), "--shard", part+"/2"); !strings.Contains(said, "segments in part "+part+"/2 are scored") {
			t.Errorf("part %s said %s", part, said)
		}
	}
	q.command("journal", "merge", q.path("part0"), q.path("part1"), "--work-dir", q.path("work"), "--quiet").must(t, exitDone)
	before := q.remembered("metric")
	if got := score("--cache-dir", q.path("anew"), "--work-dir", q.path("work")); got != want {
		t.Errorf("the scores are\n%s\nwant\n%s", got, want)
	}
	if n := q.remembered("metric"); n != before || n != 7 {
		t.Errorf("%d scores are remembered, and %d before the last command, want 7", n, before)
	}
	q.command(append(args, "--shard", "0/2")...).ends(t, exitUsage).says(t, "--work-dir or --journal")
}
