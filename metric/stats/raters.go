package stats

import "math"

// FleissRow returns the row of one item for Fleiss: counts[j] raters put it into
// category j. Rows of items add up; so Bootstrap resamples items, or clusters of them.
func FleissRow(counts []int) []float64 {
	row := make([]float64, len(counts)+2)
	raters, same := 0, 0
	for j, n := range counts {
		row[j] = float64(n)
		raters += n
		same += n * (n - 1)
	}
	if raters < 2 {
		clear(row)
		return row // nobody to agree with
	}
	for j := range counts {
		row[j] /= float64(raters)
	}
	row[len(counts)] = float64(same) / float64(raters*(raters-1))
	row[len(counts)+1] = 1
	return row
}

// Fleiss returns Fleiss' kappa over k categories as a statistic of summed FleissRow:
//
//	κ = (P̄ - P̄ₑ) / (1 - P̄ₑ)
//
// where P̄ is the mean over items of the share of pairs of raters that agree, and P̄ₑ
// the sum of squares of the categories' shares. Source: J. L. Fleiss, "Measuring nominal
// scale agreement among many raters", Psychological Bulletin 76 (1971). It takes the
// same number of raters for each item, though not the same ones; of items with other
// numbers each counts the same. Items of fewer than two raters do not count. It is
// undefined without items, and where all are in one category.
func Fleiss(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		if len(sum) != k+2 || sum[k+1] <= 0 {
			return math.NaN(), false
		}
		items, chance := sum[k+1], 0.0
		for _, share := range sum[:k] {
			chance += share / items * share / items
		}
		if 1-chance <= 1e-12 {
			return math.NaN(), false
		}
		return (sum[k]/items - chance) / (1 - chance), true
	}
}

// A Scale says what the values that raters give mean to each other.
type Scale int

// Scales of measurement.
const (
	Nominal      Scale = iota // values are alike or not
	Ordinal                   // values have an order
	IntervalData              // differences of values mean the same everywhere
)

// AlphaRow returns the row of one unit for Alpha: ratings[i] is the index, from 0
// to k-1, of the value that a rater gave; a rater who gave none is left out. It holds the
// unit's coincidences, k·k fields. A unit with fewer than two ratings has none.
func AlphaRow(k int, ratings []int) []float64 {
	row := make([]float64, k*k)
	if len(ratings) < 2 {
		return row
	}
	weight := 1 / float64(len(ratings)-1)
	for i, a := range ratings {
		for j, b := range ratings {
			if i != j {
				row[a*k+b] += weight
			}
		}
	}
	return row
}

// Alpha returns Krippendorff's alpha as a statistic of summed AlphaRow:
//
//	α = 1 - Dₒ/Dₑ
//
// where Dₒ is the mean difference within units and Dₑ that between all values that
// can be paired. The difference of two values is 0 or 1 (Nominal), the square of how many
// values lie between them, themselves by half (Ordinal), or the square of their
// difference (IntervalData). values are the k values in ascending order; only
// IntervalData uses them as numbers. Source: K. Krippendorff, "Computing Krippendorff's
// Alpha-Reliability" (2011), sections C to E. It is undefined without pairs, and where
// all values are the same.
func Alpha(values []float64, scale Scale) Statistic {
	k := len(values)
	return func(sum []float64) (float64, bool) {
		if len(sum) != k*k {
			return math.NaN(), false
		}
		totals, n := make([]float64, k), 0.0
		for c := range k {
			for _, coincidences := range sum[c*k : (c+1)*k] {
				totals[c] += coincidences
			}
			n += totals[c]
		}
		observed, expected := 0.0, 0.0
		for c := range k {
			for d := range c {
				difference := scale.difference(values, totals, d, c)
				observed += sum[c*k+d] * difference
				expected += totals[c] * totals[d] * difference
			}
		}
		if expected <= 0 || n <= 1 {
			return math.NaN(), false
		}
		return 1 - (n-1)*observed/expected, true
	}
}

// difference is the squared difference of values c < d.
func (s Scale) difference(values, totals []float64, c, d int) float64 {
	switch s {
	case Ordinal:
		between := (totals[c] + totals[d]) / 2
		for _, n := range totals[c+1 : d] {
			between += n
		}
		return between * between
	case IntervalData:
		return (values[c] - values[d]) * (values[c] - values[d])
	}
	return 1
}
