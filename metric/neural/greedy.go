package neural

import (
	"math"

	"omniscope/metric/neural/gemm"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/vec"
)

// vectors are the unit vectors of a text's tokens.
type vectors struct {
	rows   []float32 // [len(counts)][width]
	counts []bool    // whether a token counts: those that begin and end a text do not
}

// A matcher compares texts for one goroutine, and keeps its memory.
type matcher struct {
	gemm   *gemm.Kernel
	vec    *vec.Kernel
	width  int
	packed gemm.Packed
	cosine []float32
	column []float32
}

func newMatcher(set isa.Set, width int) *matcher {
	return &matcher{gemm: gemm.New(set), vec: vec.New(set), width: width}
}

// match finds for each token the nearest of the other text, special tokens
// included, and averages over the tokens that count (Zhang et al. 2020, section
// 3; weights as in bert_score 0.3.13 without idf).
//
// A text of exactly two tokens, which is an empty one, scores 0. Where no other token
// counts, as in a text of nothing but special tokens, there is no
// average: it is NaN, as published.
func (m *matcher) match(hypothesis, reference vectors) Match {
	h, r := len(hypothesis.counts), len(reference.counts)
	found := Match{HypothesisTokens: h, ReferenceTokens: r}
	if h == 2 || r == 2 {
		return found
	}
	m.gemm.PackInto(&m.packed, reference.rows, r, m.width, m.width, false)
	m.cosine = sized(m.cosine, h*r)
	m.gemm.Mul(m.cosine, r, hypothesis.rows, m.width, h, &m.packed, nil)

	rows := make([]float32, h)
	m.column = sized(m.column, r)
	copy(m.column, m.cosine[:r])
	for i := range h {
		row := m.cosine[i*r:][:r]
		rows[i] = m.vec.Max(row)
		m.vec.MaxInto(m.column, row)
	}
	found.P, found.PZero = average(rows, hypothesis.counts)
	found.R, found.RZero = average(m.column, reference.counts)
	return found
}

// average is the mean of the values that count, and the mean with those below
// zero raised to it. The weight 1/n and each product are float32, as published;
// their sum is rounded once, where torch's depends on the processor.
func average(values []float32, counts []bool) (mean, raised float32) {
	n := 0
	for _, c := range counts {
		if c {
			n++
		}
	}
	if n == 0 {
		nan := float32(math.NaN())
		return nan, nan
	}
	weight := 1 / float32(n)
	var sum, sumRaised float64
	for i, v := range values {
		if counts[i] {
			sum += float64(float32(v * weight))
			sumRaised += float64(float32(max(v, 0) * weight))
		}
	}
	return float32(sum), float32(sumRaised)
}

// sized returns s with n values, which are anything.
func sized(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
