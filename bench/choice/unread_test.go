package choice_test

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
)

// TestWarnsWhereHardlyAnyAnswerCanBeRead: one warning with an example, from five answers on, if nine of ten name no option. Answers
// that abstain are read.
func TestWarnsWhereHardlyAnyAnswerCanBeRead(t *testing.T) {
	for _, c := range []struct {
		name             string
		unread, declined int
		read             int
		warns            bool
	}{
		{"all", 10, 0, 0, true},
		{"nine of ten", 9, 0, 1, true},
		{"eight of ten", 8, 0, 2, false},
		{"five answers", 5, 0, 0, true},
		{"four answers", 4, 0, 0, false},
		{"abstentions", 0, 10, 0, false},
		{"eight and two abstentions", 8, 2, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows, said []string
			for i := range c.unread + c.declined + c.read {
				text := "B"
				switch {
				case i < c.unread:
					text = fmt.Sprintf("%%%%%d%%%%", i)
				case i < c.unread+c.declined:
					text = "N/A"
				}
				rows = append(rows, question(fmt.Sprint("q", i), ""))
				said = append(said, fmt.Sprintf(`{"id": "q%d", "model_output": %q}`, i, text))
			}
			in := bench.Inputs{Predictions: fixture.File(t, "answers.jsonl", strings.Join(said, "\n")), Data: fixture.File(t, "data.json", "["+strings.Join(rows, ",\n")+"]"), Scoring: bench.Official}
			r := captionstest.Score(t, choice.MMAU(), in)
			text := strings.Join(r.Warnings, "\n")
			if n := strings.Count(text, "name no option that can be read"); n > 1 || (n == 1) != c.warns {
				t.Errorf("it warns: %q", r.Warnings)
			}
			if c.warns && !strings.Contains(text, `such as "%%0%%", which names no option`) {
				t.Errorf("the warning has no example: %q", r.Warnings)
			}
		})
	}
}

// TestWarnsOfLettersThatAScorerOfWordsCountsAsWrong: files with letters are scored as the published scorer does, and a warning gives
// the reason of a low score.
func TestWarnsOfLettersThatAScorerOfWordsCountsAsWrong(t *testing.T) {
	for _, c := range []struct{ name, right, wrong, want string }{
		{"letters", "B", "A", "official counts 3 of 4 answers as wrong only because they are letters of options"},
		{"letters in words", "The answer is (B).", "(A)", "official counts 3 of 4 answers as wrong only"},
		{"words", "a train", "rain", ""},
		{"letters with words", "B. a train", "C. rain", ""},
		{"wrong letters", "A", "A", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows, said []string
			for i, reply := range []string{c.right, c.right, c.right, c.wrong} {
				rows = append(rows, question(fmt.Sprint("q", i), ""))
				said = append(said, fmt.Sprintf(`{"id": "q%d", "model_output": %q}`, i, reply))
			}
			r := captionstest.Score(t, choice.MMAU(), bench.Inputs{Predictions: fixture.File(t, "answers.jsonl", strings.Join(said, "\n")), Data: fixture.File(t, "data.json", "["+strings.Join(rows, ",\n")+"]"), Scoring: bench.Official})
			text := strings.Join(r.Warnings, "\n")
			if c.want == "" && strings.Contains(text, "letters of options") || !strings.Contains(text, c.want) {
				t.Errorf("it warns: %q", text)
			}
		})
	}
}
