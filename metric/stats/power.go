package stats

import "math"

// ClusteredError returns the standard error of a mean over items in clusters: field
// values of each row holds the sum over the cluster's items, field counts their number.
//
//	se = √( Σ_c (S_c - n_c·m)² ) / Σ_c n_c
//
// where S_c is the sum over cluster c, n_c its number of items and m the mean of all
// items. With one item in each cluster it is the usual one, by the central limit
// theorem, with n in place of n-1. Source: E. Miller, "Adding Error Bars to Evals"
// (arXiv 2411.00640), section 2.2.
//
// ok is false with fewer than 2 clusters, without items, and where a number is not
// finite.
func ClusteredError(c Clusters, values, counts int) (se float64, ok bool) {
	if c.Len() < 2 || min(values, counts) < 0 || max(values, counts) >= c.Width {
		return math.NaN(), false
	}
	total := c.Total()
	mean := total[values] / total[counts]
	squares := 0.0
	for start := 0; start < len(c.Rows); start += c.Width {
		d := c.Rows[start+values] - mean*c.Rows[start+counts]
		squares += d * d
	}
	se = math.Sqrt(squares) / total[counts]
	if !finite(se) {
		return math.NaN(), false
	}
	return se, true
}

// clusterError returns the standard error by which linearised makes its interval; ok
// is false where that has none.
func clusterError(c Clusters, stat Statistic) (se float64, ok bool) {
	iv := linearised(c, stat, DefaultLevel)
	if !iv.Known {
		return math.NaN(), false
	}
	q := normalCritical(DefaultLevel)
	if k := c.Len(); k < smallClusters {
		q = tCritical(DefaultLevel, k-1)
	}
	return (iv.High - iv.Low) / 2 / q, true
}

// PairedError returns the standard error of the difference of a statistic between two
// sides of the same clusters, b less a, as Paired takes them.
func PairedError(a, b Clusters, stat Statistic) (se float64, ok bool) {
	joined, same, ok := join(a, b)
	if !ok || same {
		return math.NaN(), false
	}
	return clusterError(joined, difference(stat, a.Width))
}

// DetectableEffect returns the smallest true difference that a two-sided test at the
// given level of confidence (0.95, say) finds with the given power (0.8, say), if
// differences have the standard error se:
//
//	(z_{level} + z_{power})·se
//
// with z_{level} the two-sided and z_{power} the one-sided normal critical value.
// Source: E. Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), section 5.
// It is NaN for a level or power outside (0, 1).
func DetectableEffect(se, level, power float64) float64 {
	if !validLevel(level) || !validLevel(power) {
		return math.NaN()
	}
	return (normalCritical(level) + math.Sqrt2*math.Erfinv(2*power-1)) * se
}

// ClustersToShow returns how many clusters it takes in all to show a difference with
// the given power, if clusters, from which k are known, to be like these: the standard
// error falls with the square root of their number. ok is false where no number shows
// it: for a difference of 0, and where DetectableEffect is not a number.
func ClustersToShow(difference, se float64, k int, level, power float64) (clusters int, ok bool) {
	need := DetectableEffect(se, level, power) / math.Abs(difference)
	n := math.Ceil(float64(k) * need * need)
	if !finite(n) || n > math.MaxInt32 || k < 1 {
		return 0, false
	}
	return max(int(n), 2), true
}
