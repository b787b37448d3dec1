package choice_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/choicetest"
	"omniscope/run/local"
)

const table = `{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "videoID": "abc", "question_id": "001-1", "task_type": "Counting", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "C"}
{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "videoID": "abc", "question_id": "001-2", "task_type": "OCR", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "B"}
`

const template = `[{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "questions": [
  {"question_id": "001-1", "task_type": "Counting", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "C", "response": ""},
  {"question_id": "001-2", "task_type": "OCR", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "B", "response": "",},
]},]`

// TestAnswersWithoutCapital shows that the published scorer leaves out what has no capital,
// and takes the B of "Best".
func TestAnswersWithoutCapital(t *testing.T) {
	answers := `{"question_id": "001-1", "response": "the answer is c"}` + "\n" + `{"question_id": "001-2", "response": "Best answer: C"}`
	for _, data := range []string{table, template} {
		choicetest.Check(t, choice.VideoMME(), data, answers, "1 0 0 0 1", "1 1 0 0 0", "duration=short", "task_type=OCR", "domain=Knowledge")
	}
}

// TestTableInParquet scores answers to the table in the form that the hub has it in.
func TestTableInParquet(t *testing.T) {
	type row struct {
		VideoID  string   `parquet:"video_id"`
		Duration string   `parquet:"duration"`
		ID       string   `parquet:"question_id"`
		TaskType string   `parquet:"task_type"`
		Question string   `parquet:"question"`
		Options  []string `parquet:"options,list"`
		Answer   string   `parquet:"answer"`
	}
	dir := t.TempDir()
	in := bench.Inputs{Data: filepath.Join(dir, "test.parquet"), Predictions: filepath.Join(dir, "answers.jsonl"), Scoring: bench.Official}
	f, err := os.Create(in.Data)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](f)
	options := []string{"A. one", "B. two", "C. three", "D. four"}
	_, err1 := w.Write([]row{{"001", "short", "001-1", "Counting", "?", options, "C"}, {"001", "short", "001-2", "OCR", "?", options, "B"}})
	err2 := os.WriteFile(in.Predictions, []byte(`{"question_id": "001-1", "response": "C. three"}`+"\n"+`{"question_id": "001-2", "response": "D"}`), 0o600)
	if err := errors.Join(err1, err2, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	ev, err := choice.VideoMME().Open(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	defer ev.Close()
	r, err := bench.Score(t.Context(), choice.VideoMME(), ev, in.Scoring, bench.Options{Engine: &local.Engine{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Headline.Scores["accuracy"]; v.N != 2 || *v.Value != 0.5 {
		t.Errorf("accuracy %v of %d", *v.Value, v.N)
	}
}
