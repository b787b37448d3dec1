package stats

// Components returns the variance of values between groups and within groups. groups[i] are the values of group i, the same
// number k of each, at least 2:
//
//	within = MSW,  between = (MSB - MSW) / k
//
// with the mean squares MSB and MSW of a one-way analysis of variance with random groups. An estimate of between below 0
// is 0. Source: S. R. Searle, G. Casella and C. E. McCulloch, Variance Components (1992), chapter 3 (ANOVA estimators,
// balanced data). between / (between + within) is the intraclass correlation ICC(1,1) of P. E. Shrout and J. L. Fleiss,
// Psychological Bulletin 86 (1979). ok is false with fewer than 2 groups or values of a group.
func Components(groups [][]float64) (between, within float64, ok bool) {
	n := len(groups)
	if n < 2 || len(groups[0]) < 2 {
		return 0, 0, false
	}
	k := len(groups[0])
	means := make([]float64, n)
	for i, group := range groups {
		if len(group) != k {
			return 0, 0, false
		}
		mean, sd := MeanDeviation(group)
		means[i] = mean
		within += sd * sd / float64(n)
	}
	_, sd := MeanDeviation(means)
	return max(0, sd*sd-within/float64(k)), within, true
}
