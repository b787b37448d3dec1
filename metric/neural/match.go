package neural

import "math"

// batchSize is how many pairs bert_score compares at a time.
const batchSize = 64

// A Match is what greedy matching found for a pair of texts: all that either
// scoring needs. The P and R are means of cosines; fields that end in Zero have
// cosines below zero raised to it. P or R is NaN where no token counts: a text
// of nothing but the names of special tokens.
type Match struct {
	HypothesisTokens, ReferenceTokens int // special tokens included
	P, PZero, R, RZero                float32
}

// prf are precision, recall and their harmonic mean.
type prf struct{ P, R, F float32 }

// A PairScore is BERTScore of a pair: as it is, at most 1, and rescaled so that
// texts that have nothing to do with each other come to about 0. Rescaled, an
// empty text is far below 0.
type PairScore struct{ Raw, Rescaled prf }

// Official scores pairs as bert_score 0.3.13 does: in batches of 64 in the
// order given, in which a side that is shorter than the longest of its batch
// has zero columns beside it, so that its cosines below zero do not count.
func (b *BERTScore) Official(matches []Match) []PairScore {
	scores := make([]PairScore, len(matches))
	for start := 0; start < len(matches); start += batchSize {
		batch := matches[start:min(start+batchSize, len(matches))]
		longestH, longestR := 0, 0
		for _, m := range batch {
			longestH, longestR = max(longestH, m.HypothesisTokens), max(longestR, m.ReferenceTokens)
		}
		for i, m := range batch {
			scores[start+i] = b.Padded(m, m.HypothesisTokens < longestH, m.ReferenceTokens < longestR)
		}
	}
	return scores
}

// Padded scores a pair in a batch of bert_score 0.3.13 in which its hypothesis,
// or its reference, is shorter than the longest.
func (b *BERTScore) Padded(m Match, hypothesis, reference bool) PairScore {
	p, r := m.P, m.R
	if reference {
		p = m.PZero
	}
	if hypothesis {
		r = m.RZero
	}
	return b.lang.score(p, r)
}

// Strict scores each pair by itself.
func (b *BERTScore) Strict(matches []Match) []PairScore {
	scores := make([]PairScore, len(matches))
	for i, m := range matches {
		scores[i] = b.lang.score(m.P, m.R)
	}
	return scores
}

func (l language) score(p, r float32) PairScore {
	raw := prf{p, r, harmonic(p, r)}
	return PairScore{raw, prf{rescale(p, l.baseline.P), rescale(r, l.baseline.R), rescale(raw.F, l.baseline.F)}}
}

// harmonic is 2pr/(p+r) in float32, and 0 where that is no number.
func harmonic(p, r float32) float32 {
	f := float32(float32(2*p)*r) / float32(p+r)
	if f != f {
		return 0
	}
	return f
}

// rescale is (x-b)/(1-b) in float32 (bert_score 0.3.13, score.py). A NaN stays
// one.
func rescale(x, b float32) float32 { return float32(x-b) / float32(1-b) }

// Mean32 is the mean of float32 numbers as one, which is what bert_score's
// callers report: torch adds them in float32, in an order that depends on the
// processor; here the sum is float64, and the mean is rounded once. Of no
// numbers it is NaN.
func Mean32(values []float32) float32 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	if len(values) == 0 {
		return float32(math.NaN())
	}
	return float32(sum / float64(len(values)))
}
