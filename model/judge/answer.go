package judge

import (
	"errors"
	"strings"
	"unicode"

	"omniscope/model"
	"omniscope/model/marks"
	"omniscope/model/symptoms"
)

// CheckAnswer returns an error for a reply in free words that is not an answer: it has no word except for a train of thought
// and special tokens, ends within its thought, or refuses the task. A model that cannot find the answer does answer.
func CheckAnswer(reply string) error {
	text, ok := marks.AfterThought(marks.FirstTurn(reply))
	switch {
	case !ok:
		return errors.New("it ends before its answer")
	case !strings.ContainsFunc(marks.WithoutTokens(text), isWord):
		return errors.New("it is empty")
	case symptoms.RefusesToAnswer(text):
		return errors.New("it refuses to answer")
	}
	return nil
}

// isWord reports whether a character can be an answer: a letter, a digit or a symbol.
func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.S) }

// First returns the first reply that came, which published scorers count; nil = no reply came.
func (a *Answer[T]) First() *model.Response {
	for _, attempt := range a.Attempts {
		if attempt.Response != nil {
			return attempt.Response
		}
	}
	return nil
}
