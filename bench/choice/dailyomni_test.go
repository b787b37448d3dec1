package choice_test

import (
	"testing"

	"omniscope/bench/choice"
	"omniscope/internal/testing/choicetest"
)

// The same question is asked twice about one video, as in the released file.
const dailyOmniRows = `[{"Question": "?", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "D", "video_id": "v", "Type": "Inference", "video_category": "Music", "video_duration": "30s"},
{"Question": "?", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "D", "video_id": "v", "Type": "Inference", "video_category": "Music", "video_duration": "30s"},
{"Question": "!", "Choice": ["A. one", "B. two", "C. three", "D. four"], "Answer": "A", "video_id": "w", "Type": "Reasoning", "video_category": "Music", "video_duration": "60s"}]`

// TestAnswersThatBeginWithALetter shows the published prefix test, and that what is not
// answered is left out.
func TestAnswersThatBeginWithALetter(t *testing.T) {
	answers := `{"id": "v/1", "answer": "Dancing"}` + "\n" + `{"id": "v/2", "answer": "The answer is D."}`
	choicetest.Check(t, choice.DailyOmni(), dailyOmniRows, answers, "1 1 0 0 1", "1 0 0 1 1", "type=Inference", "duration=60s", "category=Music")
}
