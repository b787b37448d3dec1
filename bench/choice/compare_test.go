package choice_test

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/bench/document"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
)

// inputs writes a benchmark's file and one of answers.
func inputs(t *testing.T, data, answers string, asked map[omniscope.SampleID]bench.Asked) bench.Inputs {
	t.Helper()
	return bench.Inputs{Data: fixture.File(t, "data.json", data), Predictions: fixture.File(t, "answers.json", answers), Scoring: bench.Strict, Asked: asked}
}

// opened opens a benchmark's file and one of answers.
func opened(t *testing.T, b bench.Benchmark, data, answers string, asked map[omniscope.SampleID]bench.Asked) (bench.Evaluation, error) {
	t.Helper()
	return b.Open(t.Context(), inputs(t, data, answers, asked))
}

// counted scores answers strictly and returns the numbers of right, wrong and unjudged answers.
func counted(t *testing.T, b bench.Benchmark, data, answers string, asked map[omniscope.SampleID]bench.Asked) (right, wrong, unjudged float64, warnings string) {
	t.Helper()
	r := captionstest.Score(t, b, inputs(t, data, answers, asked))
	whole := overall(r, bench.Strict)
	return whole["correct"], whole["wrong"], whole["unjudged"], strings.Join(r.Warnings, "\n")
}

func overall(r *document.Results, p bench.Scoring) map[string]float64 {
	for _, s := range r.Scorings[p].Slices {
		if s.Dimension == "overall" {
			return s.Counts
		}
	}
	return nil
}

const twoOfMMAU = `{"id": "p", "audio_id": "a/p.wav", "question": "What is heard?", "choices": ["a kettle", "a drill", "a flute"], "answer": "a drill"}
{"id": "q", "audio_id": "a/q.wav", "question": "What is played?", "choices": ["a kettle", "a drill", "a flute"], "answer": "a flute"}`

// TestOwnFormIsCompared: MMAU's own form repeats the question. A row that contradicts the file counts as missing. If a
// row has the options in another order, its letter is read in that order.
func TestOwnFormIsCompared(t *testing.T) {
	right, wrong, unjudged, warnings := counted(t, choice.MMAU(), twoOfMMAU,
		`{"id": "p", "question": "What is heard?", "choices": ["a flute", "a kettle", "a drill"], "answer": "a drill", "model_output": "C"}
{"id": "q", "question": "What is played?", "choices": ["a kettle", "a drill", "a harp"], "answer": "a harp", "model_output": "C"}`, nil)
	if right != 1 || wrong != 0 || unjudged != 1 || !strings.Contains(warnings, "1 rows of answers have other options") || !strings.Contains(warnings, "another order") {
		t.Errorf("%v right, %v wrong, %v unjudged, warnings %q", right, wrong, unjudged, warnings)
	}
	_, err := opened(t, choice.MMAU(), twoOfMMAU, `{"id": "p", "question": "What is seen?", "model_output": "B"}`, nil)
	if err == nil || omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "another question") {
		t.Errorf("rows of other questions alone: %v", err)
	}
	_, err = opened(t, choice.MMAU(), twoOfMMAU, `{"id": "p", "audio_id": "b/q.wav", "model_output": "B"}`, nil)
	if err == nil || !strings.Contains(err.Error(), "another recording") {
		t.Errorf("a row that repeats nothing but another recording: %v", err)
	}
	any := benchtest.With(t, choice.MMAU(), bench.AnyQuestions, "true")
	if right, wrong, _, _ := counted(t, any, twoOfMMAU, `{"id": "p", "question": "What is seen?", "model_output": "B"}`, nil); right != 1 || wrong != 0 {
		t.Errorf("with --any-questions: %v right, %v wrong", right, wrong)
	}
}

// TestPromptsAreCompared: rows of ids and answers say nothing of their questions, and the run that made them does.
func TestPromptsAreCompared(t *testing.T) {
	asked := map[omniscope.SampleID]bench.Asked{
		"p": bench.AskedByPrompt("What is heard?\nA. a drill\nB. a kettle\nC. a flute\nReply with the letter."),
		"q": bench.AskedByPrompt("What is sung?\nA. a kettle\nB. a drill\nC. a flute\nReply with the letter."),
	}
	right, wrong, unjudged, _ := counted(t, choice.MMAU(), twoOfMMAU, `{"id": "p", "model_output": "A"}`+"\n"+`{"id": "q", "model_output": "C"}`, asked)
	if right != 1 || wrong != 0 || unjudged != 1 {
		t.Errorf("%v right, %v wrong, %v unjudged, want 1, 0, 1", right, wrong, unjudged)
	}
}

const threeOfDailyOmni = `[{"Question": "Q1?", "Choice": ["A. a", "B. b"], "Answer": "A", "video_id": "v"},
{"Question": "Q2?", "Choice": ["A. a", "B. b"], "Answer": "B", "video_id": "v"},
{"Question": "Q3?", "Choice": ["A. a", "B. b"], "Answer": "B", "video_id": "w"}]`

// TestIDsOfASubset: ids of Daily-Omni are valid for any part of its file; row numbers are rejected for another file.
func TestIDsOfASubset(t *testing.T) {
	part := "[" + threeOfDailyOmni[strings.Index(threeOfDailyOmni, "\n")+1:]
	var ids []string
	for s, err := range choice.DailyOmni().(bench.Dataset).Samples(t.Context(), fixture.File(t, "part.json", part)) {
		fixture.OK(t, err)
		ids = append(ids, string(s.ID))
	}
	answers := `{"id": "` + ids[0] + `", "answer": "B"}` + "\n" + `{"id": "` + ids[1] + `", "answer": "B"}`
	for name, data := range map[string]string{"part": part, "entire file": threeOfDailyOmni} {
		if right, wrong, _, _ := counted(t, choice.DailyOmni(), data, answers, nil); right != 2 || wrong != 0 {
			t.Errorf("%s: %v right, %v wrong", name, right, wrong)
		}
	}
	byRow := `{"id": "v/1", "answer": "B"}` + "\n" + `{"id": "w/2", "answer": "B"}`
	if right, wrong, _, warnings := counted(t, choice.DailyOmni(), part, byRow, nil); right != 2 || wrong != 0 || strings.Contains(warnings, "count the rows") {
		t.Errorf("ids that count the rows of the file: %v right, %v wrong, warnings %q", right, wrong, warnings)
	}
	if _, _, _, warnings := counted(t, choice.DailyOmni(), threeOfDailyOmni, `{"id": "v/1", "answer": "B"}`, nil); !strings.Contains(warnings, "count the rows") {
		t.Errorf("ids that count rows, of fewer answers than questions: warnings %q", warnings)
	}
	if _, err := opened(t, choice.DailyOmni(), threeOfDailyOmni, byRow, nil); err == nil || !strings.Contains(err.Error(), "w/2") {
		t.Errorf("ids that count the rows of a part: %v", err)
	}
}

// TestResultFilesOfTheBenchmarks: what the benchmarks' own programs read and write is read as answers.
func TestResultFilesOfTheBenchmarks(t *testing.T) {
	const ofVideoMME = `{"video_id": "1", "videoID": "x", "question_id": "1-1", "question": "How many?", "options": ["A. One.", "B. Two."], "answer": "B"}
{"video_id": "1", "videoID": "x", "question_id": "1-2", "question": "How long?", "options": ["A. One.", "B. Two."], "answer": "A"}`
	const template = `[{"video_id": "1", "duration": "short", "questions": [
 {"question_id": "1-1", "question": "How many?", "options": ["A. One.", "B. Two."], "answer": "B", "response": "B. Two."},
 {"question_id": "1-2", "question": "How long?", "options": ["A. One.", "B. Two."], "answer": "A", "response": ""},
]}]`
	if right, wrong, unjudged, _ := counted(t, choice.VideoMME(), ofVideoMME, template, nil); right != 1 || wrong != 0 || unjudged != 1 {
		t.Errorf("Video-MME: %v right, %v wrong, %v unjudged", right, wrong, unjudged)
	}
	lines := `{"video_id": "1", "questions": [{"question_id": "1-1", "response": "B"}]}` + "\n" + `{"video_id": "2", "questions": [{"question_id": "1-2", "response": "B"}]}`
	if right, wrong, unjudged, _ := counted(t, choice.VideoMME(), ofVideoMME, lines, nil); right != 1 || wrong != 1 || unjudged != 0 {
		t.Errorf("Video-MME as JSON Lines: %v right, %v wrong, %v unjudged", right, wrong, unjudged)
	}
	if _, err := opened(t, choice.VideoMME(), ofVideoMME, strings.ReplaceAll(template, "B. Two.\"}", "\"}"), nil); err == nil || !strings.Contains(err.Error(), "without an answer to any question") {
		t.Errorf("the template as it is released: %v", err)
	}
	const ofVideoHolmes = `[{"video ID": "v", "Question ID": 0, "Question": "Who?", "Options": {"A": "he", "B": "she"}, "Answer": "A"},
{"video ID": "v", "Question ID": 1, "Question": "Why?", "Options": {"A": "so", "B": "no"}, "Answer": "B"},
{"video ID": "w", "Question ID": 0, "Question": "When?", "Options": {"A": "now", "B": "then"}, "Answer": "B"}]`
	const results = `[{"video ID": "v", "Question ID": 0, "Question": "Who?", "Options": {"A": "he", "B": "she"}, "GT": "A", "Predicr Answer": "A", "Correct": true},
{"video ID": "v", "Question ID": 1, "Question": "Why?", "Options": {"A": "so", "B": "no"}, "GT": "B", "Predicr Answer": "A", "Correct": false},
{"video ID": "w", "Question ID": 0, "Question": "When?", "Options": {"A": "now", "B": "then"}, "GT": "B", "Predicr Answer": "WRONG", "Correct": false}]`
	if right, wrong, unjudged, _ := counted(t, choice.VideoHolmes(), ofVideoHolmes, results, nil); right != 1 || wrong != 1 || unjudged != 1 {
		t.Errorf("Video-Holmes: %v right, %v wrong, %v unjudged", right, wrong, unjudged)
	}
}

// TestAnotherBenchmarksFile: MMAR rejects MMAU's file, although most fields are the same.
func TestAnotherBenchmarksFile(t *testing.T) {
	_, err := opened(t, choice.MMAR(), twoOfMMAU, `{"id": "p", "answer_prediction": "B"}`, nil)
	if err == nil || !strings.Contains(err.Error(), "audio_path") {
		t.Errorf("the error is %v", err)
	}
}
