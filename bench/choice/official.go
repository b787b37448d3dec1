package choice

import (
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model/judge/letters"
)

// ByWords is the verdict of MMAU and MMAR: an answer is right by its words.
func ByWords(answer string, q *Question) omniscope.Verdict {
	return verdict(letters.SameWords(answer, q.Options[q.Gold], q.Options))
}

// ByLetter makes the verdict of a scorer that reads letters. none is its verdict on an
// answer in which it finds no letter.
func ByLetter(read letters.Reader, none omniscope.Verdict) func(string, *Question) omniscope.Verdict {
	return func(answer string, q *Question) omniscope.Verdict {
		letter := read(answer, q.Options)
		if letter == "" {
			return none
		}
		return verdict(letter == letters.Letter(q.Gold))
	}
}

// ByStart is Daily-Omni's verdict: an answer is right that begins with the right letter.
func ByStart(answer string, q *Question) omniscope.Verdict {
	return verdict(letters.StartsWith(answer, letters.Letter(q.Gold)))
}

func verdict(right bool) omniscope.Verdict {
	if right {
		return omniscope.Correct
	}
	return omniscope.Wrong
}

// AsText says an option in its words.
func AsText(q *Question, i int) string { return q.Options[i] }

// AsLetter says an option by its letter.
func AsLetter(_ *Question, i int) string { return letters.Letter(i) }

// AsTag says an option by its letter in <answer>.
func AsTag(_ *Question, i int) string { return "<answer>" + letters.Letter(i) + "</answer>" }

// IndexOf is the first option with this text, from 0; -1 = none.
func IndexOf(text string, options []string) int { return slices.Index(options, text) }

// First is a text, or the first of a list of texts.
func First(v gjson.Result) string {
	if v.IsArray() {
		return v.Get("0").String()
	}
	return v.String()
}

// MustFind is a published reader that is known to be there.
func MustFind(name string) letters.Reader {
	p, ok := letters.Find(name)
	if !ok {
		panic("there is no reader " + name)
	}
	return p.Read
}
