package stats

import (
	"math"
	"slices"
)

// A Correlation is how far two lists of numbers go together.
//
// When Known is false there is none, and R is NaN: the lists are shorter than 2
// or not of one length, hold a number that is not finite, or one of them is
// constant.
type Correlation struct {
	Known bool
	R     float64 // from -1 to 1
	N     int     // pairs
}

// Pearson returns the product-moment correlation of x and y,
//
//	r = Σ (xᵢ - x̄)(yᵢ - ȳ) / √(Σ (xᵢ - x̄)² · Σ (yᵢ - ȳ)²)
//
// the share of a straight line in how they go together. Source: K. Pearson,
// "Regression, heredity and panmixia", Phil. Trans. R. Soc. A 187 (1896).
//
// With two pairs it is 1 or -1 whatever they are, and with few it says little.
func Pearson(x, y []float64) Correlation {
	none := Correlation{R: math.NaN(), N: min(len(x), len(y))}
	if len(x) != len(y) || len(x) < 2 || !usable(x) || !usable(y) {
		return none
	}
	x, y = deviations(x), deviations(y)
	xx, yy := dot(x, x), dot(y, y)
	if xx == 0 || yy == 0 {
		return none
	}
	// Rounding may take the quotient past 1.
	r := math.Max(-1, math.Min(1, dot(x, y)/math.Sqrt(xx*yy)))
	if !finite(r) {
		return none
	}
	return Correlation{Known: true, R: r, N: len(x)}
}

// Spearman returns the rank correlation of x and y: Pearson of their ranks,
// equal values sharing the mean of theirs. It asks only whether both put things
// into the same order. Source: C. Spearman, "The proof and measurement of
// association between two things", Am. J. Psychol. 15 (1904); ties as in
// M. G. Kendall, Rank Correlation Methods (1948), chapter 3.
func Spearman(x, y []float64) Correlation {
	if !usable(x) || !usable(y) {
		return Correlation{R: math.NaN(), N: min(len(x), len(y))}
	}
	return Pearson(ranks(x), ranks(y))
}

// usable reports whether all values are finite and not all are the same. The
// comparison is exact: a mean that rounds must not make a constant vary.
func usable(values []float64) bool {
	varies := false
	for _, v := range values {
		if !finite(v) {
			return false
		}
		varies = varies || v != values[0]
	}
	return varies
}

// deviations returns the values less their mean, divided by the largest: the
// squares of very large and very small numbers would leave what a float64 holds. The first
// value is subtracted before anything is divided, so that values that are far from 0 and near
// each other, such as times, lose no digits.
func deviations(values []float64) []float64 {
	less, largest := differences(values, 1)
	if math.IsInf(largest, 1) {
		less, largest = differences(values, 0.5)
	}
	out := make([]float64, len(values))
	mean := 0.0
	for i, d := range less {
		out[i] = d / largest
		mean += out[i] / float64(len(values))
	}
	spread := 0.0
	for i := range out {
		out[i] -= mean
		spread = math.Max(spread, math.Abs(out[i]))
	}
	for i := range out {
		out[i] /= spread
	}
	return out
}

// differences are the values less the first, each times a scale, and the largest of them.
func differences(values []float64, scale float64) (less []float64, largest float64) {
	less = make([]float64, len(values))
	for i, v := range values {
		less[i] = v*scale - values[0]*scale
		largest = math.Max(largest, math.Abs(less[i]))
	}
	return less, largest
}

// ranks returns the rank of each value from 1, the mean rank for equal values.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(values))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && values[order[end]] == values[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			out[i] = float64(start+end+1) / 2 // the mean of start+1 to end
		}
		start = end
	}
	return out
}
