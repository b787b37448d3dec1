package ngram

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/metric/textnorm"
)

// ChrFOptions are the settings of chrF. The zero value is sacrebleu's default;
// WordOrder 2 makes chrF++ of it.
type ChrFOptions struct {
	CharOrder int // longest n-gram of characters; 0 = 6
	WordOrder int // longest n-gram of words; 0 = none
	Beta      int // how many times as much recall counts as precision; 0 = 2
	Lowercase bool
	Spaces    bool // white space counts as characters do

	// EpsSmoothing takes 1e-16 for the precision or recall of an order without
	// n-grams and averages F over all orders, as chrF++.py, NLTK and Moses do.
	// Without it such orders are left out of the averages.
	EpsSmoothing bool
}

// ChrF computes chrF and chrF++. It is safe for concurrent use.
type ChrF struct{ o ChrFOptions }

// NewChrF fails if an option makes no sense.
func NewChrF(o ChrFOptions) (*ChrF, error) {
	if o.CharOrder < 0 || o.WordOrder < 0 || o.Beta < 0 {
		return nil, omniscope.Invalidf("the orders and beta of chrF must not be negative")
	}
	if o.CharOrder == 0 {
		o.CharOrder = 6
	}
	if o.Beta == 0 {
		o.Beta = 2
	}
	return &ChrF{o}, nil
}

// Name is sacrebleu's name for the score: chrF2, chrF2++.
func (c *ChrF) Name() string {
	return fmt.Sprintf("chrF%d%s", c.o.Beta, strings.Repeat("+", c.o.WordOrder))
}

func (c *ChrF) orders() int { return c.o.CharOrder + c.o.WordOrder }

// Fields are the names of a segment's counts: for each order of characters, then
// of words, the n-grams of the hypothesis, of the reference, and in both.
func (c *ChrF) Fields() []string {
	var fields []string
	for i := range c.orders() {
		what, n := "char", i+1
		if i >= c.o.CharOrder {
			what, n = "word", i+1-c.o.CharOrder
		}
		for _, name := range []string{"hyp", "ref", "matches"} {
			fields = append(fields, fmt.Sprintf("%s_%s_%d", what, name, n))
		}
	}
	return fields
}

// Counts are those of one segment, by Fields. They add up. Of several references
// it is the one with the best score, of equals the first. An empty reference
// counts as one; no reference counts as an empty one.
func (c *ChrF) Counts(hyp string, refs ...string) []float64 {
	chars, words := newGrams(), newGrams()
	hypChars, hypWords := chars.of(c.chars(hyp), c.o.CharOrder), words.of(c.words(hyp), c.o.WordOrder)
	if len(refs) == 0 {
		refs = []string{""}
	}
	var best []float64
	highest := -1.0
	for _, ref := range refs {
		counts := make([]float64, 0, 3*c.orders())
		counts = chars.compare(counts, hypChars, c.chars(ref), c.o.CharOrder)
		counts = words.compare(counts, hypWords, c.words(ref), c.o.WordOrder)
		if score := c.Score(counts); score > highest {
			best, highest = counts, score
		}
	}
	return best
}

// compare appends the counts of each order. N-grams of an order that the reference
// has none of do not count for the hypothesis.
func (g *grams) compare(counts []float64, hyp [][]int32, ref []string, most int) []float64 {
	orders := g.of(ref, most)
	there := g.bagOf(orders)
	for n, ids := range orders {
		if len(ids) == 0 {
			counts = append(counts, 0, 0, 0)
			continue
		}
		counts = append(counts, float64(len(hyp[n])), float64(len(ids)), float64(there.take(hyp[n])))
	}
	return counts
}

func (c *ChrF) chars(line string) []string {
	if c.o.Lowercase {
		line = textnorm.Lower(line)
	}
	chars := make([]string, 0, len(line))
	for _, r := range line {
		if c.o.Spaces || !textnorm.IsSpace(r) {
			chars = append(chars, string(r))
		}
	}
	return chars
}

func (c *ChrF) words(line string) []string {
	if c.o.WordOrder == 0 {
		return nil
	}
	if c.o.Lowercase {
		line = textnorm.Lower(line)
	}
	return punctuated(line)
}

// punctuated returns the words of a line, with an ASCII punctuation mark at the
// end of a word, else at its start, as a word of its own. Only one is taken off:
// "(hi)" becomes "(hi" and ")".
func punctuated(line string) []string {
	var words []string
	for _, w := range textnorm.Fields(line) {
		first, last := w[0], w[len(w)-1]
		switch {
		case len(w) == 1:
			words = append(words, w)
		case isPunctuation(last):
			words = append(words, w[:len(w)-1], w[len(w)-1:])
		case isPunctuation(first):
			words = append(words, w[:1], w[1:])
		default:
			words = append(words, w)
		}
	}
	return words
}

func isPunctuation(c byte) bool {
	return c > ' ' && c <= '~' && (isSymbol(c) || isStop(c) || c == '\'' || c == '-')
}

// Score is the chrF of summed counts, from 0 to 100. The conversions forbid fused
// multiply-add, which would make the last bits depend on the processor.
func (c *ChrF) Score(sum []float64) float64 {
	const eps = 1e-16
	beta2 := float64(c.o.Beta * c.o.Beta)
	var smoothed, precision, recall float64
	orders := 0
	for at := 0; at < 3*c.orders(); at += 3 {
		hyp, ref, match := sum[at], sum[at+1], sum[at+2]
		p, r := eps, eps
		if hyp > 0 {
			p = match / hyp
		}
		if ref > 0 {
			r = match / ref
		}
		if d := float64(beta2*p) + r; d > 0 {
			smoothed += float64((1 + beta2) * p * r / d)
		} else {
			smoothed += eps
		}
		if hyp > 0 && ref > 0 {
			precision, recall = precision+p, recall+r
			orders++
		}
	}
	switch {
	case c.o.EpsSmoothing:
		return 100 * smoothed / float64(c.orders())
	case precision+recall == 0:
		return 0
	}
	precision, recall = precision/float64(orders), recall/float64(orders)
	return 100 * ((1 + beta2) * precision * recall / (float64(beta2*precision) + recall))
}

// Signature says, in sacrebleu's form, what must be equal for two scores to be
// comparable. refs is the number of references of each segment, or Varying.
func (c *ChrF) Signature(refs int) string {
	return signature(refs, letterCase(c.o.Lowercase), yesNo("eff", !c.o.EpsSmoothing),
		fmt.Sprintf("nc:%d|nw:%d", c.o.CharOrder, c.o.WordOrder), yesNo("space", c.o.Spaces))
}
