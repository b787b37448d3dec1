package stats

import "math"

// ICCRow returns the row of one target for ICC and ICCMean: what each of k raters gave it. Rows of
// targets add up, so Bootstrap resamples targets, or clusters of them. All targets must be
// rated by the same raters, in the same order.
func ICCRow(ratings []float64) []float64 {
	k := len(ratings)
	row := make([]float64, k+3)
	sum, squares := 0.0, 0.0
	for j, x := range ratings {
		row[j] = x
		sum += x
		squares += x * x
	}
	row[k], row[k+1], row[k+2] = squares, sum*sum, 1
	return row
}

// ICC returns the intraclass correlation ICC(2,1) of k raters as a statistic of summed ICCRow:
//
//	ICC(2,1) = (BMS - EMS) / (BMS + (k-1)·EMS + k·(JMS - EMS)/n)
//
// where BMS, JMS and EMS are the mean squares between n targets, between raters, and of what is
// left. It says how far a single rater's values can be relied on, where raters are a sample of
// those who might have rated and their means count. Source: P. E. Shrout and J. L. Fleiss,
// "Intraclass correlations: uses in assessing rater reliability", Psychological Bulletin 86
// (1979). It is undefined with fewer than two targets or raters, and where all values are the same.
func ICC(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		between, raters, rest, n, ok := meanSquares(k, sum)
		return (between - rest) / (between + float64(k-1)*rest + float64(k)*(raters-rest)/n), ok
	}
}

// ICCMean is ICC(2,k), of the same source: how far the mean of the k raters can be relied on.
//
//	ICC(2,k) = (BMS - EMS) / (BMS + (JMS - EMS)/n)
func ICCMean(k int) Statistic {
	return func(sum []float64) (float64, bool) {
		between, raters, rest, n, ok := meanSquares(k, sum)
		return (between - rest) / (between + (raters-rest)/n), ok
	}
}

// meanSquares are those of a two-way analysis of variance without repeated values.
func meanSquares(k int, sum []float64) (between, raters, rest, n float64, ok bool) {
	if k < 2 || len(sum) != k+3 || sum[k+2] < 2 {
		return math.NaN(), math.NaN(), math.NaN(), math.NaN(), false
	}
	n = sum[k+2]
	all, ofRaters := 0.0, 0.0
	for _, x := range sum[:k] {
		all += x
		ofRaters += x * x
	}
	mean := all * all / (n * float64(k))
	squares := sum[k] - mean
	targetSquares, raterSquares := sum[k+1]/float64(k)-mean, ofRaters/n-mean
	between, raters = targetSquares/(n-1), raterSquares/float64(k-1)
	rest = max(0, squares-targetSquares-raterSquares) / ((n - 1) * float64(k-1))
	return between, raters, rest, n, squares > 1e-12*sum[k]
}
