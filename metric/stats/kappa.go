package stats

import "math"

// Agreement returns the share of items on which two raters agree, as a statistic
// of a confusion table: the k·k fields of a row, field i·k+j counting the items
// that the first rater put into category i and the second into j. Tables of
// clusters add up, so that [Bootstrap] puts intervals on it, and on the kappas
// below.
func Agreement(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		same, all := 0.0, 0.0
		for i, n := range sum[:k*k] {
			all += n
			if i%(k+1) == 0 {
				same += n
			}
		}
		return same / all, all > 0
	}
}

// Kappa returns Cohen's kappa over k categories as a statistic of a confusion
// table, laid out as for [Agreement]:
//
//	κ = (pₒ - pₑ) / (1 - pₑ)
//
// where pₒ is the share of items on which the raters agree and pₑ the share on
// which they would if each gave the same categories as often, but by chance.
// 1 is agreement throughout, 0 what chance gives. It is undefined for an empty
// table, and where both raters put everything into one category: chance could
// do no worse. Source: J. Cohen, "A coefficient of agreement for nominal
// scales", Educational and Psychological Measurement 20 (1960).
func Kappa(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		var all, same, chance float64
		for i := range k {
			var first, second float64
			for j := range k {
				first += sum[i*k+j]
				second += sum[j*k+i]
			}
			all += first
			same += sum[i*k+i]
			chance += first * second
		}
		// In counts rather than shares, so that whole numbers stay exact.
		slack := all*all - chance
		return (all*same - chance) / slack, all > 0 && slack > 0
	}
}

// KappaOfOne is [Kappa] of one category against all others together.
func KappaOfOne(k, category int) Statistic {
	two := Kappa(2)
	return func(sum []float64) (float64, bool) {
		var folded [4]float64
		for i := range k {
			for j := range k {
				at := 0
				if i != category {
					at += 2
				}
				if j != category {
					at++
				}
				folded[at] += sum[i*k+j]
			}
		}
		return two(folded[:])
	}
}

// CohenKappa returns [Kappa] of a square confusion table, a row for each
// category of the first rater. ok is false where kappa is undefined or the table
// is not square; kappa is NaN then.
func CohenKappa(confusion [][]int) (kappa float64, ok bool) {
	k := len(confusion)
	sum := make([]float64, 0, k*k)
	for _, row := range confusion {
		if len(row) != k {
			return math.NaN(), false
		}
		for _, n := range row {
			sum = append(sum, float64(n))
		}
	}
	if kappa, ok = Kappa(k).at(sum); !ok {
		return math.NaN(), false
	}
	return kappa, true
}
