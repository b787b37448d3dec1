package stats

import (
	"cmp"
	"math"
	"slices"
)

// Kendall returns tau-b: the share of pairs of things that both lists put into the same
// order, less that of pairs that they do not, corrected for ties:
//
//	τ_b = (C - D) / √((n₀ - n₁)(n₀ - n₂))
//
// with n₀ = n(n-1)/2 and n₁ and n₂ the pairs tied in x and in y. Time grows with n·log n.
// Sources: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33
// (1945); W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped
// data", JASA 61 (1966).
func Kendall(x, y []float64) Correlation {
	none := Correlation{R: math.NaN(), N: min(len(x), len(y))}
	if len(x) != len(y) || len(x) < 2 || !usable(x) || !usable(y) {
		return none
	}
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b]))
	})
	var tiedX, tiedBoth int
	byY := make([]float64, n)
	runX, runBoth := 1, 1
	for i, at := range order {
		byY[i] = y[at]
		if i == 0 {
			continue
		}
		before := order[i-1]
		sameX := x[at] == x[before]
		tiedX, runX = countRun(tiedX, runX, sameX)
		tiedBoth, runBoth = countRun(tiedBoth, runBoth, sameX && y[at] == y[before])
	}
	swaps := mergeSort(byY, make([]float64, n))
	tiedY, runY := 0, 1
	for i := 1; i < n; i++ {
		tiedY, runY = countRun(tiedY, runY, byY[i] == byY[i-1])
	}
	pairs := n * (n - 1) / 2
	excess := float64(pairs - tiedX - tiedY + tiedBoth - 2*swaps)
	r := excess / math.Sqrt(float64(pairs-tiedX)) / math.Sqrt(float64(pairs-tiedY))
	return Correlation{Known: true, R: max(-1, min(1, r)), N: n}
}

// countRun adds the pairs that one more equal value makes with the run-1 before it.
func countRun(pairs, run int, same bool) (int, int) {
	if !same {
		return pairs, 1
	}
	return pairs + run, run + 1
}

// mergeSort sorts values and returns how many pairs stood in the wrong order.
func mergeSort(values, spare []float64) (swaps int) {
	n := len(values)
	if n < 2 {
		return 0
	}
	left, right := values[:n/2], values[n/2:]
	swaps = mergeSort(left, spare) + mergeSort(right, spare)
	merged := spare[:0]
	for len(left) > 0 && len(right) > 0 {
		if right[0] < left[0] {
			swaps += len(left)
			merged, right = append(merged, right[0]), right[1:]
		} else {
			merged, left = append(merged, left[0]), left[1:]
		}
	}
	merged = append(append(merged, left...), right...)
	copy(values, merged)
	return swaps
}

// Interval returns the confidence interval of a product-moment correlation by Fisher's
// transformation: atanh r is about normal with variance 1/(n-3). It takes pairs for
// independent and both lists for normal. Source: R. A. Fisher, "On the probable error of
// a coefficient of correlation deduced from a small sample", Metron 1 (1921). It is not
// available with fewer than 4 pairs, and where r is 1 or -1.
func (c Correlation) Interval(level float64) Interval {
	switch {
	case !validLevel(level):
		return unavailable(level, reasonLevel)
	case !c.Known:
		return unavailable(level, "no correlation")
	case c.N < 4:
		return unavailable(level, "fewer than 4 pairs")
	case math.Abs(c.R) >= 1-1e-15:
		return unavailable(level, "all pairs are on one line")
	}
	middle, half := math.Atanh(c.R), normalCritical(level)/math.Sqrt(float64(c.N-3))
	return known(math.Tanh(middle-half), math.Tanh(middle+half), level, "Fisher z")
}
