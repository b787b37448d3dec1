package stats

import "math"

// FewClusters is the number of clusters up to which scores have their intervals from a standard error and
// Student's t. The percentiles of resamples cover too little there: 80 to 90 % with 7 clusters.
// docs/design/intervals.md has the simulations behind all numbers of this file.
const FewClusters = 50

// Minimum for an interval.
const (
	fewestClusters = 6
	fewestErrors   = 4 // right answers or wrong answers (the smaller number) in the effective number of trials
)

const reasonFew = "too few clips"

// Scores returns one interval per statistic: up to 50 clusters by a cluster-robust standard error and Student's
// t, and by [Clustered] above. Statistics that are shares, from 0 to 1, have the interval of E. B. Wilson for
//
//	n = p(1-p)/se²
//
// trials, the effective number, with t for z. All others have value ± t·se. se is that of the delete-one
// jackknife over clusters, t has k-1 degrees of freedom. Sources: L. Kish, Survey Sampling (1965), 8.2 (design
// effect); E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998), 193-201 (t and effective trials); B. Efron and
// C. Stein, Annals of Statistics 9 (1981), 586-596 (jackknife).
//
// An interval is not available for the reasons of [Bootstrap], and where the clusters show too little: fewer than
// 6 of them, or a share has fewer than 4 effective trials on its rarer side. shares is nil or as long as
// stats.
func Scores(c Clusters, stats []Statistic, shares []bool, opts Options) []Interval {
	opts = opts.withDefaults()
	if c.Len() > FewClusters || c.problem(opts.Level) != "" {
		return Clustered(c, stats, opts)
	}
	intervals := make([]Interval, len(stats))
	for s, stat := range stats {
		intervals[s] = few(c, stat, shares != nil && shares[s], opts.Level)
	}
	return intervals
}

// few is the interval of a statistic of few clusters.
func few(c Clusters, stat Statistic, share bool, level float64) Interval {
	value, ok := stat.at(c.Total())
	if !ok {
		return unavailable(level, reasonUndefined)
	}
	se, varies, ok := jackknife(c, stat, value)
	switch k := c.Len(); {
	case ok && !varies:
		return unavailable(level, reasonNoVariation)
	case k < fewestClusters:
		return unavailable(level, reasonFew)
	case !ok:
		return unavailable(level, "statistic undefined without one of the clusters")
	case share && value >= 0 && value <= 1:
		trials := value * (1 - value) / (se * se)
		if trials*min(value, 1-value) < fewestErrors {
			return unavailable(level, reasonFew)
		}
		low, high := scoreEnds(value*trials, trials, tCritical(level, k-1))
		return known(low, high, level, "Wilson with design effect, Student t")
	default:
		q := tCritical(level, k-1)
		return known(value-q*se, value+q*se, level, "cluster jackknife, Student t")
	}
}

// jackknife returns the standard error of a statistic by leaving out each cluster in turn, and whether any of them
// changes its value:
//
//	se² = (k-1)/k · Σᵢ (θ₍ᵢ₎ - θ)²
//
// ok is false where the statistic is undefined without some cluster.
func jackknife(c Clusters, stat Statistic, value float64) (se float64, varies, ok bool) {
	k, total := c.Len(), c.Total()
	without := make([]float64, c.Width)
	squares := 0.0
	for start := 0; start < len(c.Rows); start += c.Width {
		for j := range without {
			without[j] = total[j] - c.Rows[start+j]
		}
		v, ok := stat.at(without)
		if !ok {
			return 0, false, false
		}
		d := v - value
		if math.Abs(d) > 1e-12*max(math.Abs(v), math.Abs(value)) { // less is rounding
			varies = true
			squares += d * d
		}
	}
	return math.Sqrt(squares * float64(k-1) / float64(k)), varies, true
}

// differing counts the clusters in which two sides have another value of a statistic.
func differing(a, b Clusters, stat Statistic) (n int) {
	for start := 0; start < len(a.Rows); start += a.Width {
		x, okX := stat.at(a.Rows[start : start+a.Width])
		y, okY := stat.at(b.Rows[start : start+a.Width])
		if okX != okY || okX && x != y {
			n++
		}
	}
	return n
}

// Correlated returns the interval of a correlation of means that clusters add up to, by [Clustered]. Up to 50 clusters
// it is not available: chance in the means draws the correlation towards 0, and no method that was tried makes up for it.
func Correlated(c Clusters, stat Statistic, opts Options) Interval {
	opts = opts.withDefaults()
	if why := c.problem(opts.Level); why == "" && c.Len() <= FewClusters {
		return unavailable(opts.Level, reasonFew)
	}
	return Clustered(c, []Statistic{stat}, opts)[0]
}
