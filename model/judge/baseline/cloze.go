package baseline

import (
	"slices"
	"strings"

	"omniscope/model/judge/wording"
)

// Blank is one gap of a passage and the concrete options offered for it, A
// first. "Not given" is not among them. Options after the fourth are ignored.
type Blank struct {
	Number  int // n of the placeholder [BLANK_n]
	Options []string
}

// choice is the answer to one blank.
type choice struct {
	Letter string // "A" to "D", or "E" for not given
	Quote  string // the words of the caption around the option; empty for E
}

// The limits were set on the invented clips of wordingCases and contextCases in the tests.
const (
	// minSupport is the least support of an answer.
	minSupport = 0.3
	// minLead is the least lead over another option, and the lead at which a mention belongs to another place of the passage.
	minLead = 0.03

	maxOptions  = 4
	maxMentions = 200 // of an option in the caption
	maxFixed    = 20  // of an option in the passage
	quoteReach  = 6   // words of a quote before and after the option
)

// Read selects for every blank the option that the caption states: the words around it agree best with the words
// around the gap. Choices come in the order of blanks. The choice is "not given" for a blank without a placeholder in
// the passage or without options. Equal arguments give equal choices.
func Read(passage string, blanks []Blank, caption string) []choice {
	r := &reader{passage: readText(passage), caption: readText(caption), places: make(map[string][]*place)}
	gaps := make([]*gap, len(blanks))
	for i, b := range blanks {
		gaps[i] = r.readGap(b)
	}
	choices := make([]choice, len(blanks))
	for i, g := range gaps {
		choices[i] = r.fill(g)
	}
	return choices
}

type reader struct {
	passage, caption *text
	places           map[string][]*place // of the passage where the words of an option are or may be
}

// A gap is a blank of the passage. It has no options if the passage lacks the placeholder.
type gap struct {
	*place
	options [][]string // stems
}

func (r *reader) readGap(b Blank) *gap {
	g := &gap{}
	at := slices.IndexFunc(r.passage.words, func(w wording.Word) bool { return w.Text == "" && w.Gap == b.Number })
	if at < 0 {
		return g
	}
	g.place = r.passage.placeOf(at, at+1)
	for _, o := range b.Options[:min(len(b.Options), maxOptions)] {
		stems := stemsOf(o)
		g.options = append(g.options, stems)
		key := strings.Join(stems, " ")
		if _, known := r.places[key]; !known {
			for _, first := range r.passage.runs(stems, maxFixed) {
				r.places[key] = append(r.places[key], r.passage.placeOf(first, first+len(stems)))
			}
		}
		r.places[key] = append(r.places[key], g.place)
	}
	return g
}

// stemsOf returns the stems of an option without articles at its beginning.
func stemsOf(option string) (stems []string) {
	for _, w := range wording.Words(option) {
		if isArticle := w.Text == "a" || w.Text == "an" || w.Text == "the"; w.Text != "" && (len(stems) > 0 || !isArticle) {
			stems = append(stems, w.Stem)
		}
	}
	return stems
}

// fill answers the option with the most support. In doubt it is "not given".
func (r *reader) fill(g *gap) choice {
	best, second := mention{}, mention{}
	for k := range g.options {
		switch m := r.bestMention(g, k); {
		case m.support > best.support:
			best, second = m, best
		case m.support > second.support:
			second = m
		}
	}
	if best.support < minSupport || best.support < second.support+minLead {
		return choice{Letter: "E"}
	}
	return choice{Letter: string(rune('A' + best.option)), Quote: r.caption.around(best.first, best.last)}
}

// A mention is a place of the caption with the words of an option.
type mention struct {
	option, first, last int
	support             float64
}

// bestMention returns the mention of option k with the most support. Mentions that another place of the passage
// explains better do not count.
func (r *reader) bestMention(g *gap, k int) (best mention) {
	stems := g.options[k]
	for _, first := range r.caption.runs(stems, maxMentions) {
		m := mention{option: k, first: first, last: first + len(stems)}
		m.support = r.caption.support(g.place, m.first, m.last)
		if m.support <= best.support || m.support < minSupport || r.caption.isPartOfOption(first, stems, g.options) {
			continue
		}
		explains := func(p *place) bool { return p != g.place && r.caption.support(p, m.first, m.last) > m.support+minLead }
		if !slices.ContainsFunc(r.places[strings.Join(stems, " ")], explains) {
			best = m
		}
	}
	return best
}

// isPartOfOption reports whether the stems at first are part of a longer option, as "fade" is of "fade-out".
func (t *text) isPartOfOption(first int, stems []string, options [][]string) bool {
	return slices.ContainsFunc(options, func(longer []string) bool {
		for before := 0; before+len(stems) <= len(longer) && len(longer) > len(stems); before++ {
			if slices.Equal(longer[before:before+len(stems)], stems) && t.matches(first-before, longer) {
				return true
			}
		}
		return false
	})
}

// around returns the words first to last (exclusive) with some words of the same sentence before and after them.
func (t *text) around(first, last int) string {
	from, to := first, last
	for from > 0 && first-from < quoteReach && t.words[from-1].Sentence == t.words[first].Sentence {
		from--
	}
	for to < len(t.words) && to-last < quoteReach && t.words[to].Sentence == t.words[last-1].Sentence {
		to++
	}
	return t.quote(from, to)
}
