package lexical

// Blank is one gap of a passage and the concrete options offered for it, A
// first. "Not given" is not among them. Options after the fourth are ignored.
type Blank struct {
	Number  int // n of the placeholder [BLANK_n]
	Options []string
}

// choice is what the reader decided for one blank.
type choice struct {
	Number int
	Letter string  // "A" to "D", or "E" for not given
	Weight float64 // context support of the best mention, 0 to 1; the best rejected one for E
	Quote  string  // the stretch of the caption the choice rests on, empty for E
}

// notGiven is the letter for a blank the caption does not fill.
const notGiven = "E"

// The limits below were set on invented clips, see wordingCases and
// contextCases in the tests.
const (
	// minSupport is the least support that makes a mention an answer.
	minSupport = 0.36
	// minDistinctive replaces it for words that can hardly mean anything
	// else in the clip, see isDistinctive.
	minDistinctive = 0.2
	// minShareOfBest is the least share a mention must have of the support
	// found at the place of the caption that fits the blank best. A lower
	// share means that the caption treats the blank's subject elsewhere.
	minShareOfBest = 0.5
	// maxElsewhere is the most of the context that the caption may have in
	// other sentences for minDistinctive to apply: less support will do
	// where it tells the context in other words, not where it tells it of
	// something else.
	maxElsewhere = 0.3
	// minLead is the least lead over the best mention of another option.
	minLead = 0.03
	// otherBlankLead is the lead at which a mention belongs to another
	// blank that offers the same words.
	otherBlankLead = 0.05

	// countingShare is what a number that counts things keeps of its
	// support where the blank names something: "nine cars" for "platform
	// [BLANK_1]".
	countingShare = 0.5

	maxOptions = 4
)

// Read decides for every blank which option the caption states. Choices come
// in the order of blanks. A blank without placeholder in the passage or
// without options is not given. Read keeps no state: it is safe for
// concurrent use and equal arguments give equal choices.
func Read(passage string, blanks []Blank, caption string) []choice {
	r := newReader(passage, blanks, caption)
	choices := make([]choice, len(blanks))
	for i, b := range blanks {
		choices[i] = r.decide(i)
		choices[i].Number = b.Number
	}
	return choices
}

// reader holds what the blanks of one call share.
type reader struct {
	lex              *lexicon
	passage, caption *text
	weights          weights
	slots            []slot
	offering         map[string][]int // option words to the slots that offer them
}

// slot is a blank with its options read and its surroundings weighed.
type slot struct {
	options  []option
	level    level
	contexts []context // one for each placeholder of the blank
	found    []scored  // mentions of the options in the caption
	top      float64   // the most support one of them has
}

func newReader(passage string, blanks []Blank, caption string) *reader {
	lex := newLexicon()
	r := &reader{
		lex:      lex,
		passage:  newText(lex, passage),
		caption:  newText(lex, caption),
		slots:    make([]slot, len(blanks)),
		offering: make(map[string][]int),
	}
	r.weights = newWeights(lex, r.passage, r.caption)
	for i, b := range blanks {
		s := &r.slots[i]
		s.options, s.level = readOptions(lex, b.Options)
		for _, at := range r.passage.blanks[b.Number] {
			s.contexts = append(s.contexts, newContext(r.passage, r.weights, at, at+1))
		}
		for _, o := range s.options {
			if len(o.terms) > 0 {
				r.offering[o.key] = append(r.offering[o.key], i)
			}
		}
		r.findAll(s)
	}
	return r
}

// decide picks the option of the best supported mention of slot i.
func (r *reader) decide(i int) choice {
	s := &r.slots[i]
	none := choice{Letter: notGiven}
	var best, second scored
	for _, c := range s.found {
		switch {
		case c.score() < r.threshold(i, c) || r.belongsElsewhere(i, c):
			none.Weight = max(none.Weight, c.support)
		case c.score() > best.score():
			if best.option != c.option {
				second = best
			}
			best = c
		case c.option != best.option && c.score() > second.score():
			second = c
		}
	}
	if best.support == 0 {
		return none
	}
	if best.score() < second.score()+minLead || best.support < minShareOfBest*r.bestPlace(s) {
		none.Weight = max(none.Weight, best.support)
		return none
	}
	return choice{
		Letter: string(rune('A' + best.option)),
		Weight: best.support,
		Quote:  r.caption.quote(best.first, best.last),
	}
}
