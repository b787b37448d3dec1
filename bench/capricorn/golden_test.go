package capricorn

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/model/judge"
	"omniscope/model/scripted"
	"omniscope/run/local"
)

// vectors are invented annotations, captions and replies, and what the
// published code made of them.
type vectors struct {
	Annotations  []json.RawMessage
	Predictions  []json.RawMessage
	JudgeReplies map[string]map[string][]*string `json:"judge_replies"`
	Stage1       []json.RawMessage
	Stage2       []json.RawMessage
	Accuracy     json.RawMessage `json:"accuracy_coverage"`
	Consistency  json.RawMessage `json:"referential_consistency"`
}

func readVectors(t *testing.T, path string) *vectors {
	t.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	var v vectors
	fixture.OK(t, json.Unmarshal(text, &v))
	return &v
}

func (v *vectors) inputs(t *testing.T, scoring bench.Scoring) bench.Inputs {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, rows []json.RawMessage) string {
		path := filepath.Join(dir, name)
		text := append(bytes.Join(asBytes(rows), []byte("\n")), '\n')
		fixture.OK(t, os.WriteFile(path, text, 0o644))
		return path
	}
	return bench.Inputs{Data: write("annotations.jsonl", v.Annotations), Predictions: write("captions.jsonl", v.Predictions), Scoring: scoring,
		Judge: &judge.Judge{Name: "scripted", Model: scripted.New(v.script()), Attempts: 5}}
}

func asBytes(rows []json.RawMessage) [][]byte {
	out := make([][]byte, len(rows))
	for i, r := range rows {
		var b bytes.Buffer
		json.Compact(&b, r) // it was read as JSON
		out[i] = b.Bytes()
	}
	return out
}

// script is the replies by step key.
func (v *vectors) script() map[string][]scripted.Reply {
	script := make(map[string][]scripted.Reply)
	for video, calls := range v.JudgeReplies {
		for call, replies := range calls {
			for _, r := range replies {
				reply := scripted.Reply{Error: omniscope.Transient}
				if r != nil {
					reply = scripted.Reply{Text: *r}
				}
				script[video+"/"+call] = append(script[video+"/"+call], reply)
			}
		}
	}
	return script
}

func TestPublishedFiles(t *testing.T) {
	compareFiles(t, golden.Path(t, "capricorn", "official_vectors.json"))
}

func TestFilesOfFiveVideos(t *testing.T) { compareFiles(t, "testdata/vectors.json") }

func compareFiles(t *testing.T, path string) {
	t.Helper()
	v := readVectors(t, path)
	files := scoreToFiles(t, Benchmark{}, v.inputs(t, bench.Official))
	for name, want := range map[string][]json.RawMessage{stage1File: v.Stage1, stage2File: v.Stage2} {
		lines := strings.Split(strings.TrimSuffix(files[name], "\n"), "\n")
		if len(lines) != len(want) {
			t.Errorf("%s has %d rows, want %d", name, len(lines), len(want))
			continue
		}
		for i, line := range lines {
			if !near(decode(t, line), decode(t, string(want[i]))) {
				t.Errorf("%s, row %d:\n got %s\nwant %s", name, i+1, line, want[i])
			}
		}
	}
	for name, want := range map[string]json.RawMessage{accFile: v.Accuracy, refFile: v.Consistency} {
		if !near(decode(t, files[name]), decode(t, string(want))) {
			t.Errorf("%s:\n got %s\nwant %s", name, files[name], want)
		}
	}
}

// scoreToFiles scores and returns the benchmark's own files by name.
func scoreToFiles(t *testing.T, b Benchmark, in bench.Inputs) map[string]string {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	var records []*bench.Records
	for _, name := range b.Info().Records {
		r, err := bench.NewRecords(filepath.Join(t.TempDir(), name))
		fixture.OK(t, err)
		defer r.Close()
		records = append(records, r)
	}
	if _, err := bench.Score(t.Context(), b, ev, in.Scoring, bench.Options{Engine: &local.Engine{Workers: 8}, Records: records}); err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for i, name := range b.Info().Records {
		var out strings.Builder
		if _, err := records[i].WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		files[name] = out.String()
	}
	for _, p := range ev.(bench.Explainer).Explain().Pages {
		var out strings.Builder
		fixture.OK(t, p.Write(&out))
		files[p.Name] = out.String()
	}
	return files
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	fixture.OK(t, json.Unmarshal([]byte(text), &v))
	return v
}

// near compares JSON values, numbers to 1e-12.
func near(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= 1e-12
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !near(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !near(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
