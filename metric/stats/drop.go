package stats

import (
	"math"
)

// A Drop is a score that must not get worse, and by how much it may.
type Drop struct {
	Value   Statistic
	Lower   bool      // a lower value is better
	Margin  float64   // the drop that is allowed, at least 0, in units of the value
	Weights []float64 // of each cluster: in which shares an allowed drop would be spread over the clusters; nil = equal shares
}

// DropTest tests whether side b is worse than side a by more than the margin: one-sided,
// so that only a drop has a small P.
//
// It is [PermutationTest] with two changes. Only arrangements in which b is as far below
// a as in the one found, or farther, count. And the margin is given back to b before the sides are
// exchanged, to each cluster in its share; an exchange turns it round as it
// does the rest of the difference. With a margin of 0, P is exact if the two sides could be exchanged,
// whatever the clusters' sizes. Source: R. A. Fisher, The Design of
// Experiments (1935), section 21; for the shift, E. L. Lehmann and J. P. Romano, Testing
// Statistical Hypotheses (3rd ed. 2005), section 15.2.
//
// Sides that are equal in every row have P = 1. It is not available where PermutationTest is
// not, and for a negative margin or weights that do not fit the clusters.
func DropTest(a, b Clusters, d Drop, opts Options) Test {
	opts = opts.withDefaults()
	joined, _, ok := join(a, b)
	switch {
	case !ok:
		return unavailableTest("sides do not have the same clusters")
	case a.Len() < 2:
		return unavailableTest("fewer than 2 clusters")
	case !(d.Margin >= 0) || math.IsInf(d.Margin, 1):
		return unavailableTest("margin not a number of at least 0")
	}
	if why := joined.problem(opts.Level); why != "" {
		return unavailableTest(why)
	}
	shares, ok := d.shares(a.Len())
	if !ok {
		return unavailableTest("weights do not fit the clusters")
	}
	// The share of the margin is a further count, of side b at first.
	p := newPermuter(withColumn(a, nil), withColumn(b, shares))
	return p.test(a.Len(), opts, func() (float64, bool) { return d.gain(p, a.Width) })
}

// shares are the weights divided by their sum.
func (d Drop) shares(clusters int) ([]float64, bool) {
	shares, sum := make([]float64, clusters), 0.0
	for i := range shares {
		shares[i] = 1
		if d.Weights != nil {
			if len(d.Weights) != clusters || !(d.Weights[i] >= 0) {
				return nil, false
			}
			shares[i] = d.Weights[i]
		}
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares, sum > 0 && finite(sum)
}

// gain is by how much b is better than a, with the margin given back.
func (d Drop) gain(p *permuter, width int) (float64, bool) {
	x, okA := d.Value.at(p.sumA[:width])
	y, okB := d.Value.at(p.sumB[:width])
	if d.Lower {
		x, y = -x, -y
	}
	return y - x + d.Margin*(p.sumB[width]-p.sumA[width]), okA && okB
}

// test counts the arrangements of k clusters whose gain is as low as the one found, or lower.
func (p *permuter) test(k int, opts Options, gain func() (float64, bool)) Test {
	observed, defined := gain()
	if !defined {
		return unavailableTest(reasonUndefined)
	}
	lower, done := 0, 0
	rounds, exact := p.each(k, opts, func() {
		if g, ok := gain(); ok {
			done++
			// Sums in another order differ in their last bits.
			if g <= observed+1e-12*math.Abs(observed)+1e-15 {
				lower++
			}
		}
	})
	switch {
	case 2*done < rounds:
		return unavailableTest("statistic undefined in more than half of the swaps")
	case exact:
		return Test{true, float64(lower) / float64(done), "one-sided paired permutation, exact"}
	}
	return Test{true, float64(lower+1) / float64(done+1), "one-sided paired permutation"}
}

// withColumn returns the clusters with one more field, zero where values is nil.
func withColumn(c Clusters, values []float64) Clusters {
	wide := Clusters{Width: c.Width + 1, Rows: make([]float64, 0, len(c.Rows)+c.Len())}
	for i := range c.Len() {
		v := 0.0
		if values != nil {
			v = values[i]
		}
		wide.Rows = append(append(wide.Rows, c.Rows[i*c.Width:(i+1)*c.Width]...), v)
	}
	return wide
}

// LeastP is the smallest P that DropTest can give with so many clusters: that of data in which
// every other arrangement is better for b. It is 1 for fewer than 2 clusters.
func LeastP(clusters int, opts Options) float64 {
	switch opts = opts.withDefaults(); {
	case clusters < 2:
		return 1
	case clusters <= exactClusters:
		return math.Ldexp(1, -clusters)
	}
	return 1 / float64(opts.Resamples+1)
}

// ClustersForP is the smallest number of clusters for which DropTest can give a P of at most p; 0 where
// no number of them can.
func ClustersForP(p float64, opts Options) int {
	for k := 2; k <= exactClusters+1; k++ {
		if LeastP(k, opts) <= p {
			return k
		}
	}
	return 0
}
