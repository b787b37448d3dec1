package ngram

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/metric/textnorm"
)

// A Smoothing says what BLEU makes of an order of n-grams without a match, by
// sacrebleu's name for it. The zero value is SmoothExp. Source: B. Chen and
// C. Cherry, "A systematic comparison of smoothing techniques for sentence-level
// BLEU", WMT 2014.
type Smoothing string

// The smoothings.
const (
	SmoothExp   Smoothing = "exp"   // 1/2, 1/4, 1/8 ... of a match, as mteval-v13a does
	SmoothFloor Smoothing = "floor" // a fixed part of a match, 0.1
	SmoothAddK  Smoothing = "add-k" // k matches and n-grams more in every order above 1, 1
	SmoothNone  Smoothing = "none"
)

// BLEUOrder is the longest n-gram of BLEU where nothing else is said.
const BLEUOrder = 4

// BLEUOptions are the settings of BLEU. The zero value is sacrebleu's default.
type BLEUOptions struct {
	Tokenizer   Tokenizer
	Lowercase   bool
	Smoothing   Smoothing
	SmoothValue float64 // of SmoothFloor and SmoothAddK; 0 = 0.1 and 1
	MaxOrder    int     // longest n-gram; 0 = BLEUOrder

	// EffectiveOrder leaves out orders that the hypotheses are too short for.
	// It is meant for single segments, and needed there.
	EffectiveOrder bool
}

// BLEU computes BLEU. It is safe for concurrent use.
type BLEU struct{ o BLEUOptions }

// NewBLEU fails if an option is none that sacrebleu has.
func NewBLEU(o BLEUOptions) (*BLEU, error) {
	t, err := ParseTokenizer(string(o.Tokenizer))
	if err != nil {
		return nil, err
	}
	o.Tokenizer = t
	switch o.Smoothing {
	case "":
		o.Smoothing = SmoothExp
	case SmoothExp, SmoothFloor, SmoothAddK, SmoothNone:
	default:
		return nil, omniscope.Invalidf("no smoothing %q: there are exp, floor, add-k and none%s", o.Smoothing, spelling.Hint(string(o.Smoothing), []string{"exp", "floor", "add-k", "none"}))
	}
	switch {
	case o.SmoothValue != 0 && o.Smoothing != SmoothFloor && o.Smoothing != SmoothAddK:
		return nil, omniscope.Invalidf("smoothing %s takes no value; floor and add-k do", o.Smoothing)
	case !(o.SmoothValue >= 0) || math.IsInf(o.SmoothValue, 0):
		return nil, omniscope.Invalidf("the value of a smoothing is a number above 0")
	case o.SmoothValue == 0 && o.Smoothing == SmoothFloor:
		o.SmoothValue = 0.1
	case o.SmoothValue == 0 && o.Smoothing == SmoothAddK:
		o.SmoothValue = 1
	}
	switch {
	case o.MaxOrder < 0:
		return nil, omniscope.Invalidf("the longest n-gram of BLEU must have at least 1 word")
	case o.MaxOrder == 0:
		o.MaxOrder = BLEUOrder
	}
	return &BLEU{o}, nil
}

// Sentences is b with EffectiveOrder, for single segments.
func (b *BLEU) Sentences() *BLEU {
	o := b.o
	o.EffectiveOrder = true
	return &BLEU{o}
}

// Fields are the names of a segment's counts: the length of the hypothesis and of
// the closest reference, in words, then the matches of each order, then the
// n-grams of the hypothesis of each order.
func (b *BLEU) Fields() []string {
	fields := []string{"hyp_len", "ref_len"}
	for _, name := range []string{"matches", "total"} {
		for n := range b.o.MaxOrder {
			fields = append(fields, fmt.Sprintf("%s_%d", name, n+1))
		}
	}
	return fields
}

// Counts are those of one segment, by Fields. They add up. An n-gram matches as
// often as it is in the reference that has most of it. The closest reference is
// the one whose length is nearest to the hypothesis's, of two the shorter. An
// empty reference counts as one; no reference counts as an empty one.
func (b *BLEU) Counts(hyp string, refs ...string) []float64 {
	g := newGrams()
	words := b.Words(hyp)
	orders := g.of(words, b.o.MaxOrder)
	var best bag
	closest := 0
	for i, ref := range refs {
		r := b.Words(ref)
		best = best.atLeast(g.bagOf(g.of(r, b.o.MaxOrder)))
		d, known := distance(len(words), len(r)), distance(len(words), closest)
		if i == 0 || d < known || d == known && len(r) < closest {
			closest = len(r)
		}
	}
	counts := make([]float64, 2+2*b.o.MaxOrder)
	counts[0], counts[1] = float64(len(words)), float64(closest)
	for n, ids := range orders {
		counts[2+n] = float64(best.take(ids))
		counts[2+b.o.MaxOrder+n] = float64(len(ids))
	}
	return counts
}

func distance(a, b int) int { return max(a-b, b-a) }

// Words cuts a line as it is scored.
func (b *BLEU) Words(line string) []string {
	if b.o.Lowercase {
		line = textnorm.Lower(line)
	}
	return b.o.Tokenizer.Words(strings.TrimRightFunc(line, textnorm.IsSpace))
}

// A bleuScore is a score with what it is made of.
type bleuScore struct {
	Value          float64   // from 0 to 100
	Precisions     []float64 // from 0 to 100, by order, smoothed
	BrevityPenalty float64   // from 0 to 1
	HypLen, RefLen int       // words
}

// Score is the BLEU of summed counts.
func (b *BLEU) Score(sum []float64) bleuScore {
	order := b.o.MaxOrder
	s := bleuScore{Precisions: make([]float64, order), BrevityPenalty: 1, HypLen: int(sum[0]), RefLen: int(sum[1])}
	matches, totals := sum[2:2+order], sum[2+order:]
	if hyp, ref := sum[0], sum[1]; hyp < ref {
		s.BrevityPenalty = 0
		if hyp > 0 {
			s.BrevityPenalty = math.Exp(1 - ref/hyp)
		}
	}
	if !slices.ContainsFunc(matches, func(m float64) bool { return m != 0 }) {
		return s
	}
	effective, halves := order, 1.0
	for n := range order {
		match, total := matches[n], totals[n]
		if b.o.Smoothing == SmoothAddK && n > 0 {
			match, total = match+b.o.SmoothValue, total+b.o.SmoothValue
		}
		if total == 0 {
			break
		}
		if b.o.EffectiveOrder {
			effective = n + 1
		}
		switch {
		case match != 0:
			s.Precisions[n] = 100 * match / total
		case b.o.Smoothing == SmoothExp:
			halves *= 2
			s.Precisions[n] = 100 / (halves * total)
		case b.o.Smoothing == SmoothFloor:
			s.Precisions[n] = 100 * b.o.SmoothValue / total
		}
	}
	logs := 0.0
	for _, p := range s.Precisions[:effective] {
		if p == 0 {
			return s // sacrebleu takes -9999999999 for the logarithm, and exp makes 0 of it
		}
		logs += math.Log(p)
	}
	s.Value = s.BrevityPenalty * math.Exp(logs/float64(effective))
	return s
}

// String is sacrebleu's account of a score, without the score itself: precisions
// and lengths.
func (s bleuScore) String() string {
	precisions := make([]string, len(s.Precisions))
	for n, p := range s.Precisions {
		precisions[n] = fmt.Sprintf("%.1f", p)
	}
	ratio := 0.0
	if s.RefLen != 0 {
		ratio = float64(s.HypLen) / float64(s.RefLen)
	}
	return fmt.Sprintf("%s (BP = %.3f ratio = %.3f hyp_len = %d ref_len = %d)",
		strings.Join(precisions, "/"), s.BrevityPenalty, ratio, s.HypLen, s.RefLen)
}

// Signature says, in sacrebleu's form, what must be equal for two scores to be
// comparable. refs is the number of references of each segment, or Varying.
func (b *BLEU) Signature(refs int) string {
	smooth := string(b.o.Smoothing)
	if b.o.SmoothValue != 0 {
		smooth += fmt.Sprintf("[%.2f]", b.o.SmoothValue)
	}
	return signature(refs, letterCase(b.o.Lowercase), yesNo("eff", b.o.EffectiveOrder), "tok:"+string(b.o.Tokenizer), "smooth:"+smooth)
}
