package lexical

import "strings"

// option is one answer on offer, read into words.
type option struct {
	terms  []*form
	weight []float64 // share of each term in what tells this option from the others
	key    string    // equal for options of the same words

	fixed      []mention // where the passage says the same words itself
	fixedFound bool
}

// readOptions reads the options of a blank and finds the loosest level that
// keeps them apart: where both "bathroom" and "restroom" are on offer,
// synonyms must not count.
func readOptions(lex *lexicon, texts []string) ([]option, level) {
	options := make([]option, min(len(texts), maxOptions))
	for i := range options {
		options[i] = readOption(lex, texts[i])
	}
	l := senseLevel
	for l > exactLevel && !areDistinct(options, l) {
		l--
	}
	for i := range options {
		options[i].weight = termWeights(options, i, l)
	}
	return options, l
}

func readOption(lex *lexicon, text string) option {
	o := option{terms: readTerms(lex, text)}
	var key strings.Builder
	for _, f := range o.terms {
		key.WriteString(f.text)
		key.WriteByte(' ')
	}
	o.key = key.String()
	return o
}

// readTerms reads a text into words, without an article at its beginning.
func readTerms(lex *lexicon, text string) []*form {
	lex.words = split(lex.words[:0], text)
	words := joinNumbers(lex.words)
	if len(words) > 1 && (words[0].text == "a" || words[0].text == "an" || words[0].text == "the") {
		words = words[1:]
	}
	terms := make([]*form, 0, len(words))
	for _, w := range words {
		if w.kind != blankWord {
			terms = append(terms, lex.form(w.text))
		}
	}
	return terms
}

func areDistinct(options []option, l level) bool {
	for i := range options {
		for j := range i {
			if sameTerms(options[i].terms, options[j].terms, l) {
				return false
			}
		}
	}
	return true
}

func sameTerms(a, b []*form, l level) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if a[i].ids[l] != b[i].ids[l] {
			return false
		}
	}
	return true
}

// Shares of a term in its option before they are made to sum to 1.
const (
	uniqueTerm   = 1.0
	sharedTerm   = 0.3 // another option of the blank has the term too
	functionTerm = 0.1
)

func termWeights(options []option, i int, l level) []float64 {
	o := &options[i]
	weight := make([]float64, len(o.terms))
	sum := 0.0
	for k, f := range o.terms {
		switch {
		case f.isFunction:
			weight[k] = functionTerm
		case isShared(options, i, f, l):
			weight[k] = sharedTerm
		default:
			weight[k] = uniqueTerm
		}
		sum += weight[k]
	}
	for k := range weight {
		weight[k] /= sum
	}
	return weight
}

func isShared(options []option, i int, f *form, l level) bool {
	for j := range options {
		if j == i {
			continue
		}
		for _, g := range options[j].terms {
			if g.ids[l] == f.ids[l] {
				return true
			}
		}
	}
	return false
}

// isOrdered reports whether the order of the terms matters: always for
// numbers, and where another option has the same terms in another order.
func isOrdered(options []option, i int, l level) bool {
	for _, f := range options[i].terms {
		if f.isNumber {
			return true
		}
	}
	for j := range options {
		if j != i && containsAll(options[j].terms, options[i].terms, l) {
			return true
		}
	}
	return false
}

func containsAll(all, part []*form, l level) bool {
	for _, f := range part {
		found := false
		for _, g := range all {
			found = found || g.ids[l] == f.ids[l]
		}
		if !found {
			return false
		}
	}
	return true
}

// minLongNumber is the length in bytes from which a number, such as 146 or
// 4.2, is unlikely to turn up twice in one clip with two meanings.
const minLongNumber = 3

// isDistinctive reports whether the option has a word that says more than a
// color, a side, a size or a small number does.
func (o *option) isDistinctive() bool {
	for _, f := range o.terms {
		if f.isNumber {
			if len(f.text) >= minLongNumber {
				return true
			}
		} else if !f.isFunction && !genericWords[f.text] {
			return true
		}
	}
	return false
}
