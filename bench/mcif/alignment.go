package mcif

import (
	"fmt"
	"unicode/utf8"

	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// What a case shows of one talk at most: a system that repeats itself without
// end writes many megabytes, which no browser opens.
const (
	shownWords = 20_000
	shownChars = 200_000
)

// shownSteps are the steps of an alignment that a case shows.
type shownSteps struct {
	steps  []step
	hidden int // words of the alignment that are not shown
}

func (u *unit) shownSteps() (out shownSteps) {
	left := shownWords
	for _, s := range steps(textnorm.Words(u.words.reference), textnorm.Words(u.words.hypothesis)) { // none where they cannot be read
		n := s.words()
		if n > left {
			s.reference, s.hypothesis = s.reference[:min(left, len(s.reference))], s.hypothesis[:min(left, len(s.hypothesis))]
			out.hidden += n - left
			n = left
		}
		if left -= n; n > 0 {
			out.steps = append(out.steps, s)
		}
	}
	return out
}

// describe counts the differences of a transcript from its reference.
func describe(d metric.Edits) string {
	rate, _ := d.Rate()
	return fmt.Sprintf("WER %s of %d words: %d substituted, %d deleted, %d inserted", quantity.Percent(rate), d.Words(), d.Substitutions, d.Deletions, d.Insertions)
}

// A shownLine is a line of a translation with its source and its reference.
type shownLine struct {
	source, reference, system string
	hidden                    int // characters of the system's that are not shown
}

// shownLines are the lines of a translation; nil where they cannot be paired.
func (u *unit) shownLines() []shownLine {
	lines, sources, cut := u.lines(), u.sources(), u.cut.strict
	if cut.err != nil || len(lines) != len(sources) {
		return nil
	}
	out, left := make([]shownLine, len(lines)), shownChars
	for i := range lines {
		system, hidden := shorten(cut.lines[i], left)
		left -= utf8.RuneCountInString(system)
		out[i] = shownLine{source: sources[i], reference: lines[i], system: system, hidden: hidden}
	}
	return out
}

// shorten cuts a text to so many characters and says how many it cut off.
func shorten(text string, most int) (short string, more int) {
	if len(text) <= most {
		return text, 0
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}

// A step is a run of words that were treated alike: E, S, D or I.
type step struct {
	kind                  byte
	reference, hypothesis []string
}

// words is how many words of the alignment the step takes.
func (s step) words() int { return max(len(s.reference), len(s.hypothesis)) }

// steps joins neighbouring operations of one kind.
func steps(reference, hypothesis []string) []step {
	var out []step
	operations := metric.Operations(reference, hypothesis)
	for begin := 0; begin < len(operations); {
		s, end := step{kind: operations[begin]}, begin
		for end < len(operations) && operations[end] == s.kind {
			end++
		}
		n := end - begin
		if s.kind != 'I' {
			s.reference, reference = reference[:n], reference[n:]
		}
		if s.kind != 'D' {
			s.hypothesis, hypothesis = hypothesis[:n], hypothesis[n:]
		}
		out, begin = append(out, s), end
	}
	return out
}
