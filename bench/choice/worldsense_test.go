package choice_test

import (
	"testing"

	"omniscope/bench/choice"
	"omniscope/internal/testing/choicetest"
)

const worldSenseRows = `{"v": {"duration": "<1min", "domain": "Music", "sub_category": "Live", "audio_class": ["Speech", "Music"], "video_caption": "task",
  "task0": {"task_domain": "Recognition", "task_type": "Counting", "question": "?", "candidates": ["A. one", "B. two"], "answer": "B"},
  "task1": {"task_domain": "Reasoning", "task_type": "Emotion", "question": "?", "candidates": ["A. one", "B. two", "C. three"], "answer": "A"}}}`

// TestAbstentionsAreReadAsA shows the published reader's trap, and that each class of sound
// has the question.
func TestAbstentionsAreReadAsA(t *testing.T) {
	answers := `{"id": "v/task0", "answer": "The best option is B"}` + "\n" + `{"id": "v/task1", "answer": "N/A"}`
	choicetest.Check(t, choice.WorldSense(), worldSenseRows, answers, "2 0 0 0 0", "1 0 1 0 0", "task_domain=Reasoning", "audio=Speech", "audio=Music", "task_type=Counting")
}
