package stats

import "math"

// GwetRow returns the row of one item for Gwet: counts[j] raters put it into category j. Rows of
// items add up. An item of one rater counts for how often categories are used, and not for
// agreement.
func GwetRow(counts []int) []float64 {
	k := len(counts)
	row := make([]float64, k+3)
	raters, same := 0, 0
	for _, n := range counts {
		raters += n
		same += n * (n - 1)
	}
	if raters == 0 {
		return row
	}
	for j, n := range counts {
		row[j] = float64(n) / float64(raters)
	}
	row[k] = 1
	if raters > 1 {
		row[k+1], row[k+2] = float64(same)/float64(raters*(raters-1)), 1
	}
	return row
}

// Gwet returns Gwet's AC1 over k categories as a statistic of summed GwetRow:
//
//	AC1 = (pₐ - pₑ) / (1 - pₑ),  pₑ = Σ πⱼ(1 - πⱼ) / (k - 1)
//
// where pₐ is the mean over items of the share of pairs of raters that agree, and πⱼ the mean over
// items of the share of raters that chose category j. Where nearly all items are of one category
// it stays near pₐ, while kappa falls. Source: K. L. Gwet, "Computing inter-rater reliability and
// its variance in the presence of high agreement", British Journal of Mathematical and Statistical
// Psychology 61 (2008). Items may have different numbers of raters. It is undefined without an
// item of two raters, and for fewer than two categories.
func Gwet(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		if k < 2 || len(sum) != k+3 || sum[k] <= 0 || sum[k+2] <= 0 {
			return math.NaN(), false
		}
		chance := 0.0
		for _, share := range sum[:k] {
			share /= sum[k]
			chance += share * (1 - share)
		}
		chance /= float64(k - 1)
		return (sum[k+1]/sum[k+2] - chance) / (1 - chance), true
	}
}
