package stats

import "math"

// Rest estimates the sum of the values that were not drawn, from a sample that was drawn
// at random, without putting back, out of all of them:
//
//	(N-n)·m ± t·s·sqrt(N(N-n)/n)
//
// with the sample's size n, mean m and standard deviation s, and Student's t with n-1 degrees of
// freedom; the root is the standard error of a sum that was not seen (W. G. Cochran, Sampling
// Techniques, 3rd ed. 1977, section 2.5, less the part that was seen).
//
// Costs are skewed: few clips take most. Where all values are positive, the ends of Cox's
// interval of a lognormal mean (X.-H. Zhou and S. Gao, Statistics in Medicine 16, 1997) are
// taken where they lie farther out. The low end is not below zero if no value is.
//
// A kind of value that none of the sample is of is in no interval: of 20 values, one that every
// tenth value is of is missing once in eight times.
//
// The interval is not available with fewer than two values, or where nothing is left.
func Rest(sample []float64, all int, level float64) (sum float64, in Interval) {
	n, total := float64(len(sample)), float64(all)
	rest := total - n
	if rest <= 0 {
		return 0, unavailable(level, "nothing is left")
	}
	mean, sd := MeanDeviation(sample)
	sum = rest * mean
	switch {
	case !validLevel(level):
		return sum, unavailable(level, reasonLevel)
	case len(sample) < 2:
		return sum, unavailable(level, "fewer than two values")
	}
	t := tCritical(level, len(sample)-1)
	half := t * sd * math.Sqrt(total*rest/n)
	low, high := sum-half, sum+half
	if from, to, ok := coxMean(sample, t); ok {
		unseen := math.Sqrt(rest / total)
		low, high = min(low, rest*(mean-(mean-from)*unseen)), max(high, rest*(mean+(to-mean)*unseen))
	}
	if positive(sample) {
		low = max(0, low)
		if high > mostOfRest*sum {
			return sum, unavailable(level, "so few values that differ so much bound nothing")
		}
	}
	return sum, known(low, high, level, "unseen rest of a sum")
}

// mostOfRest is how many times its estimate a sum may be at the upper end of its interval. Of two or three values that differ by
// a factor of ten, Cox's interval reaches any number.
const mostOfRest = 10

// coxMean is Cox's interval of the mean of lognormal values; false where one is not positive.
func coxMean(values []float64, t float64) (low, high float64, ok bool) {
	logs := make([]float64, len(values))
	for i, v := range values {
		if v <= 0 {
			return 0, 0, false
		}
		logs[i] = math.Log(v)
	}
	mean, sd := MeanDeviation(logs)
	n, variance := float64(len(logs)), sd*sd
	half := t * math.Sqrt(variance/n+variance*variance/(2*(n-1)))
	return math.Exp(mean + variance/2 - half), math.Exp(mean + variance/2 + half), true
}

func positive(values []float64) bool {
	for _, v := range values {
		if v < 0 {
			return false
		}
	}
	return true
}

// MeanDeviation returns the mean and the standard deviation (with n-1) of a sample; the deviation of fewer than 2 values is 0.
func MeanDeviation(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(sd / (n - 1))
}
