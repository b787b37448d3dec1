package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// The published files come out of the command as well, with a script for a
// judge. The vectors are invented annotations, captions and replies, and what
// the published code made of them.
func TestPublishedFilesOfCommand(t *testing.T) {
	text := fixture.Read(t, golden.Path(t, "capricorn", "official_vectors.json"))
	var published struct {
		Annotations, Predictions []json.RawMessage
		JudgeReplies             map[string]map[string]json.RawMessage `json:"judge_replies"`
		Stage1, Stage2           []any
		Accuracy                 any `json:"accuracy_coverage"`
		Consistency              any `json:"referential_consistency"`
	}
	fixture.OK(t, json.Unmarshal([]byte(text), &published))
	dir := t.TempDir()
	write := func(name string, values ...any) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		for _, v := range values {
			fixture.OK(t, enc.Encode(v))
		}
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600))
	}
	script := make(map[string]json.RawMessage)
	for video, calls := range published.JudgeReplies {
		for call, replies := range calls {
			script[video+"/"+call] = replies
		}
	}
	write("annotations.jsonl", anyOf(published.Annotations)...)
	write("captions.jsonl", anyOf(published.Predictions)...)
	write("replies.json", script)

	command(context.Background(), "eval", "capricorn", "--data", filepath.Join(dir, "annotations.jsonl"),
		"--predictions", filepath.Join(dir, "captions.jsonl"), "--judge", "scripted/"+filepath.Join(dir, "replies.json"), "--scoring", "official",
		"--work-dir", filepath.Join(dir, "work"), "--out", filepath.Join(dir, "out"), "--quiet").must(t, exitDone)
	for name, want := range map[string][]any{
		"1_judge_accuracy_coverage.jsonl": published.Stage1, "2_judge_referential_consistency.jsonl": published.Stage2,
		"1_accuracy_coverage_metrics.json": {published.Accuracy}, "2_referential_consistency_metrics.json": {published.Consistency},
	} {
		if diff := cmp.Diff(want, valuesIn(t, filepath.Join(dir, "out", name)), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-published +ours):\n%s", name, diff)
		}
	}
}

func anyOf(rows []json.RawMessage) []any {
	out := make([]any, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}

// valuesIn are the JSON values of a file.
func valuesIn(t *testing.T, path string) (values []any) {
	t.Helper()
	f, err := os.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	d := json.NewDecoder(f)
	for d.More() {
		var v any
		fixture.OK(t, d.Decode(&v))
		values = append(values, v)
	}
	return values
}
