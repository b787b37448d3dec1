package choice_test

import (
	"testing"

	"omniscope/bench/choice"
	"omniscope/internal/testing/choicetest"
)

// Numbers of questions begin anew with each film.
const videoHolmesRows = `[{"video ID": "f", "Question ID": 1, "Question Type": "SR", "Question": "?", "Options": {"A": "a", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "C", "Explanation": ""},
{"video ID": "g", "Question ID": 1, "Question Type": "MHR", "Question": "?", "Options": {"A": "one", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "F", "Explanation": ""},
{"video ID": "g", "Question ID": 2, "Question Type": "MHR", "Question": "?", "Options": {"A": "one", "B": "two", "C": "three", "D": "four", "E": "five", "F": "six"}, "Answer": "E", "Explanation": ""}]`

// TestAnswersWithoutTag shows that the published reader finds the A of "Answer", and that
// what is not answered is wrong.
func TestAnswersWithoutTag(t *testing.T) {
	answers := `{"id": "f/1", "answer": "Answer: C"}` + "\n" + `{"id": "g/1", "answer": "<think>A?</think><answer>F</answer>"}`
	choicetest.Check(t, choice.VideoHolmes(), videoHolmesRows, answers, "1 2 0 0 0", "2 0 0 0 1", "type=SR", "type=MHR")
}
