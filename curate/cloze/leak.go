package cloze

import (
	"slices"
	"strings"

	"omniscope/internal/sentences"
)

// checkLeaks finds answers that can be read elsewhere in the passage: the same
// words, one after the other, in the singular or plural. An answer of words that
// stand everywhere, such as "red" or "two", leaks only beside the word that its
// blank stands beside: "a [BLANK_1] coat ... the red coat".
func checkLeaks(d *Draft, _ Rules) (out []Finding) {
	pieces := visiblePieces(d.Passage)
	words := contents(pieces)
	at := places(d.Passage)
	for _, b := range d.Blanks {
		want := content(b.Answer)
		if len(want) == 0 {
			continue
		}
		i := slices.IndexFunc(at, func(p place) bool { return p.number == b.Number })
		if i < 0 {
			continue
		}
		beside := ""
		if !slices.ContainsFunc(want, func(w string) bool { return !weak(w) }) {
			if beside = neighbour(d.Passage, at[i]); beside == "" {
				continue
			}
		}
		if i := slices.IndexFunc(words, func(have []string) bool { return hasWords(have, want, beside) }); i >= 0 {
			out = append(out, Finding{Blank: b.Number, Text: b.Answer, Says: "the answer can be read elsewhere in the passage: " + excerpt(pieces[i])})
		}
	}
	return out
}

// visiblePieces are the stretches of the passage between marks and ends of
// sentences: words of two pieces do not stand beside each other.
func visiblePieces(passage string) (out []string) {
	for _, s := range sentences.Cut(passage) {
		out = append(out, marks.Split(s.Text, -1)...)
	}
	return out
}

// neighbour is the word that a blank belongs to: the next one that says something,
// or else the one before, within the clause.
func neighbour(passage string, p place) string {
	after := passage[p.end:]
	if i := strings.IndexAny(after, clauseEnds); i >= 0 {
		after = after[:i]
	}
	if words := content(after); len(words) > 0 {
		return words[0]
	}
	before := passage[:p.start]
	if i := strings.LastIndexAny(before, clauseEnds); i >= 0 {
		before = before[i+1:]
	}
	if words := content(before); len(words) > 0 {
		return words[len(words)-1]
	}
	return ""
}

const clauseEnds = ".,;:!?()[]\"“”"

// hasWords reports whether the words want follow each other in have, beside a word
// if one is given.
func hasWords(have, want []string, beside string) bool {
	for i := 0; i+len(want) <= len(have); i++ {
		if !slices.Equal(have[i:i+len(want)], want) {
			continue
		}
		end := i + len(want)
		if beside == "" || i > 0 && have[i-1] == beside || end < len(have) && have[end] == beside {
			return true
		}
	}
	return false
}

// checkLeakOptions finds answers that every option of another blank contains:
// whichever is right there, the passage then says the answer.
func checkLeakOptions(d *Draft, _ Rules) (out []Finding) {
	options := make([][][]string, len(d.Blanks))
	for i := range d.Blanks {
		options[i] = contents(d.Blanks[i].options())
	}
	for i, b := range d.Blanks {
		want := options[i][0]
		if len(want) == 0 || !slices.ContainsFunc(want, func(w string) bool { return !weak(w) }) {
			continue
		}
		for k, other := range options {
			if k == i || len(other) < 2 {
				continue
			}
			if !slices.ContainsFunc(other, func(have []string) bool { return !hasWords(have, want, "") }) {
				out = append(out, Finding{Blank: b.Number, Text: b.Answer, Says: "all options of " + mark(d.Blanks[k].Number) + " contain the answer"})
				break
			}
		}
	}
	return out
}

func contents(texts []string) [][]string {
	out := make([][]string, len(texts))
	for i, text := range texts {
		out[i] = content(text)
	}
	return out
}

// excerpt shortens a text to what fits a line.
func excerpt(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
