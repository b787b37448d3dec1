package choice_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge/letters"
)

const worldSenseRows = `{"v": {"duration": "<1min", "domain": "Music", "sub_category": "Live", "audio_class": ["Speech", "Music"], "video_caption": "task",
  "task0": {"task_domain": "Recognition", "task_type": "Counting", "question": "?", "candidates": ["A. one", "B. two"], "answer": "B"},
  "task1": {"task_domain": "Reasoning", "task_type": "Emotion", "question": "?", "candidates": ["A. one", "B. two", "C. three"], "answer": "A"}}}`

// The same question is asked twice about one video, as in the released file.
const dailyOmniRows = `[{"Question": "?", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "D", "video_id": "v", "Type": "Inference", "video_category": "Music", "video_duration": "30s"},
{"Question": "?", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "D", "video_id": "v", "Type": "Inference", "video_category": "Music", "video_duration": "30s"},
{"Question": "!", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "A", "video_id": "w", "Type": "Reasoning", "video_category": "Music", "video_duration": "60s"}]`

// Question numbers start at 1 in each film.
const videoHolmesRows = `[{"video ID": "f", "Question ID": 1, "Question Type": "SR", "Question": "?", "Options": {"A": "a", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "C", "Explanation": ""},
{"video ID": "g", "Question ID": 1, "Question Type": "MHR", "Question": "?", "Options": {"A": "one", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "F", "Explanation": ""},
{"video ID": "g", "Question ID": 2, "Question Type": "MHR", "Question": "?", "Options": {"A": "one", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "E", "Explanation": ""}]`

const mmarRows = `{"id": "v_0_5", "audio_path": "./audio/v_0_5.wav", "question": "?", "choices": ["near to far", "far to near"], "answer": "far to near", "modality": "sound", "category": "Signal Layer", "sub-category": "x", "language": "zh"}
{"id": "w_0_5", "audio_path": "./audio/w_0_5.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat", "modality": "mix-sound-speech", "category": "Semantic Layer", "sub-category": "y", "language": null}
`

const videoMMETable = `{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "videoID": "abc", "question_id": "001-1", "task_type": "Counting", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "C"}
{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "videoID": "abc", "question_id": "001-2", "task_type": "OCR", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "B"}
`

const videoMMETemplate = `[{"video_id": "001", "duration": "short", "domain": "Knowledge", "sub_category": "Biology", "questions": [
  {"question_id": "001-1", "task_type": "Counting", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "C", "response": ""},
  {"question_id": "001-2", "task_type": "OCR", "question": "?", "options": ["A. one", "B. two", "C. three", "D. four"], "answer": "B", "response": "",},
]},]`

// TestPublishedReaders checks the peculiarities of each published reader and the groups of each benchmark.
func TestPublishedReaders(t *testing.T) {
	videoMME := `{"question_id": "001-1", "response": "the answer is c"}` + "\n" + `{"question_id": "001-2", "response": "Best answer: C"}`
	for name, c := range map[string]struct {
		benchmark        bench.Benchmark
		data, answers    string
		official, strict string // correct, wrong, abstained, unread, unjudged
		groups           []string
	}{
		"worldsense: an abstention is an A": {choice.WorldSense(), worldSenseRows, `{"id": "v/task0", "answer": "The best option is B"}` + "\n" + `{"id": "v/task1", "answer": "N/A"}`,
			"2 0 0 0 0", "1 0 1 0 0", []string{"task_domain=Reasoning", "audio=Speech", "audio=Music", "task_type=Counting"}},
		"daily-omni: how an answer begins; a missing answer is left out": {choice.DailyOmni(), dailyOmniRows, `{"id": "v/1", "answer": "Dancing"}` + "\n" + `{"id": "v/2", "answer": "The answer is D."}`,
			"1 1 0 0 1", "1 0 0 1 1", []string{"type=Inference", "duration=60s", "category=Music"}},
		"video-holmes: the A of Answer; a missing answer is wrong": {choice.VideoHolmes(), videoHolmesRows, `{"id": "f/1", "answer": "Answer: C"}` + "\n" + `{"id": "g/1", "answer": "<think>A?</think><answer>F</answer>"}`,
			"1 2 0 0 0", "2 0 0 0 1", []string{"type=SR", "type=MHR"}},
		"mmar: words in any order": {choice.MMAR(), mmarRows, `{"id": "v_0_5", "answer_prediction": "near to far"}` + "\n" + `{"id": "w_0_5", "answer_prediction": "B. a cat"}`,
			"2 0 0 0 0", "1 1 0 0 0", []string{"modality=mix-sound-speech", "language=zh", "category=Signal Layer"}},
		"video-mme: the B of Best; an answer without a capital is left out": {choice.VideoMME(), videoMMETable, videoMME, "1 0 0 0 1", "1 1 0 0 0", []string{"duration=short", "task_type=OCR", "domain=Knowledge"}},
		"video-mme: the template of its results":                            {choice.VideoMME(), videoMMETemplate, videoMME, "1 0 0 0 1", "1 1 0 0 0", []string{"duration=short", "task_type=OCR", "domain=Knowledge"}},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.benchmark, c.data, c.answers, c.official, c.strict, c.groups...) })
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
	fixture.OK(t, err)
	w := parquet.NewGenericWriter[row](f)
	options := []string{"A. one", "B. two", "C. three", "D. four"}
	_, err1 := w.Write([]row{{"001", "short", "001-1", "Counting", "?", options, "C"}, {"001", "short", "001-2", "OCR", "?", options, "B"}})
	err2 := os.WriteFile(in.Predictions, []byte(`{"question_id": "001-1", "response": "C. three"}`+"\n"+`{"question_id": "001-2", "response": "D"}`), 0o600)
	fixture.OK(t, errors.Join(err1, err2, w.Close(), f.Close()))
	r := captionstest.Score(t, choice.VideoMME(), in)
	if v := r.Headline.Scores["accuracy"]; v.N != 2 || *v.Value != 0.5 {
		t.Errorf("accuracy %v of %d", *v.Value, v.N)
	}
}

// check runs the suite that every benchmark passes, with answers and as a cascade, and scores answers to
// the questions in data. official and strict are the total counts: correct, wrong, abstained, unread,
// unjudged. groups must be among the slices, each as DIMENSION=GROUP.
func check(t *testing.T, b bench.Benchmark, data, answers, official, strict string, groups ...string) {
	t.Helper()
	in := bench.Inputs{Data: fixture.File(t, "data.json", data), Predictions: fixture.File(t, "answers.jsonl", answers), Scoring: bench.Strict}
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run("answers "+scoring.String(), func(t *testing.T) {
			direct := in
			direct.Scoring = scoring
			benchtest.Run(t, b, direct, benchtest.Workers)
		})
	}
	t.Run("cascade", func(t *testing.T) {
		captionstest.Suite(t, b, in.Data, bench.NoPredictions, func(string, int, string) string { return "B" })
	})
	t.Run("perfect model", func(t *testing.T) { perfect(t, b, in) })
	r := captionstest.Score(t, b, in)
	for p, want := range map[bench.Scoring]string{bench.Official: official, bench.Strict: strict} {
		var there []string
		got := "none"
		for _, s := range r.Scorings[p].Slices {
			there = append(there, s.Dimension+"="+s.Group)
			if s.Dimension == "overall" {
				got = fmt.Sprint(s.Counts["correct"], s.Counts["wrong"], s.Counts["abstained"], s.Counts["unread"], s.Counts["unjudged"])
			}
		}
		if got != want {
			t.Errorf("%v: counts %s, want %s", p, got, want)
		}
		for _, g := range groups {
			if !strings.Contains("\n"+strings.Join(there, "\n")+"\n", "\n"+g+"\n") {
				t.Errorf("%v: slice %s is missing from %s", p, g, there)
			}
		}
	}
}

// perfect has a model answer each question rightly in the form that its prompt asks for: all answers are right in both scorings.
func perfect(t *testing.T, b bench.Benchmark, in bench.Inputs) {
	asked, err := b.(bench.Asker).Asked(t.Context(), in.Data)
	fixture.OK(t, err)
	writer := b.(bench.AnswerWriter)
	for _, words := range []bool{false, true} {
		answers := &bench.Answers{}
		for s, err := range writer.Samples(t.Context(), in.Data) {
			fixture.OK(t, err)
			q := asked[s.ID]
			wantsWords := strings.Contains(s.Prompt, "the words of the right option")
			if wantsWords != (s.Options != nil) || !wantsWords && !strings.Contains(s.Prompt, "the letter of the right option") {
				t.Fatalf("%s is asked %q", s.ID, s.Prompt)
			}
			reply := q.Key
			if words && wantsWords {
				reply = q.Options[letters.Index(q.Key, len(q.Options))]
			}
			text, _ := bench.InWords(reply, s.Options)
			answers.List = append(answers.List, bench.Answer{Sample: s.ID, Text: text})
		}
		var file strings.Builder
		if _, err := writer.WriteAnswers(&file, answers); err != nil {
			t.Fatal(err)
		}
		own := in
		own.Predictions = captionstest.File(t, "perfect.jsonl", file.String())
		r := captionstest.Score(t, b, own)
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			if accuracy := captionstest.Whole(r, p)["accuracy"].Value; accuracy == nil || *accuracy != 1 {
				t.Errorf("in words %v, %v: accuracy %v, want 1", words, p, accuracy)
			}
		}
	}
}
