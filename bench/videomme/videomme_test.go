package videomme_test

import (
	"testing"

	"omniscope/bench/choice/choicetest"
	"omniscope/bench/videomme"
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
		choicetest.Check(t, videomme.New(), data, answers, "1 0 0 0 1", "1 1 0 0 0", "duration=short", "task_type=OCR", "domain=Knowledge")
	}
}
