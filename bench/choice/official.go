package choice

import (
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/model/judge/letters"
)

// byWords is the verdict of MMAU and MMAR: an answer is right by its words.
func byWords(answer string, q *question) omniscope.Verdict {
	return verdict(letters.SameWords(answer, q.Options[q.Gold], q.Options))
}

// byLetter makes the verdict of a scorer that reads letters. none is its verdict on an
// answer in which it finds no letter.
func byLetter(read letters.Reader, none omniscope.Verdict) func(string, *question) omniscope.Verdict {
	return func(answer string, q *question) omniscope.Verdict {
		letter := read(answer, q.Options)
		if letter == "" {
			return none
		}
		return verdict(letter == letters.Letter(q.Gold))
	}
}

// byStart is Daily-Omni's verdict: an answer is right that begins with the right letter.
func byStart(answer string, q *question) omniscope.Verdict {
	return verdict(letters.StartsWith(answer, letters.Letter(q.Gold)))
}

func verdict(right bool) omniscope.Verdict {
	if right {
		return omniscope.Correct
	}
	return omniscope.Wrong
}

// asText says an option in its words.
func asText(q *question, i int) string { return q.Options[i] }

// asLetter says an option by its letter.
func asLetter(_ *question, i int) string { return letters.Letter(i) }

// asTag says an option by its letter in <answer>.
func asTag(_ *question, i int) string { return "<answer>" + letters.Letter(i) + "</answer>" }

// indexOf is the first option with this text, from 0; -1 = none.
func indexOf(text string, options []string) int { return slices.Index(options, text) }

// firstOf is a text, or the first of a list of texts.
func firstOf(v gjson.Result) string {
	if v.IsArray() {
		return v.Get("0").String()
	}
	return v.String()
}

// mustFind is a published reader that is known to be there.
func mustFind(name string) letters.Reader {
	p, ok := letters.Find(name)
	if !ok {
		panic("there is no reader " + name)
	}
	return p.Read
}
