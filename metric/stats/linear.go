package stats

import "math"

// smallClusters is the number of clusters below which linearised uses Student's
// t in place of the normal distribution.
const smallClusters = 30

// linearised returns the delta-method interval of a statistic of summed counts
// that treats clusters as the independent units: value ± q·se with
//
//	se² = k/(k-1) · Σᵢ (g·(xᵢ - x̄))²
//
// where xᵢ is the row of cluster i, x̄ the mean row and g the gradient of the
// statistic at the total, found numerically. q is the normal critical value, or
// that of Student's t with k-1 degrees of freedom when k < 30. The ends are not
// clipped to the range of the statistic. Source: K. Wolter, Introduction to
// Variance Estimation (2nd ed. 2007), chapter 6 (Taylor series methods), for
// first-stage units drawn with replacement and a single stratum.
//
// The interval is not available with fewer than 2 clusters, for a level outside
// (0, 1), when the statistic is undefined at the total or has no derivative
// there, or when the clusters show no variation in the statistic.
func linearised(c Clusters, stat Statistic, level float64) Interval {
	if why := c.problem(level); why != "" {
		return unavailable(level, why)
	}
	total := c.Total()
	value, ok := stat.at(total)
	if !ok {
		return unavailable(level, reasonUndefined)
	}
	gradient, ok := gradientAt(stat, total, c.magnitudes(), value)
	if !ok {
		return unavailable(level, "statistic has no derivative at these totals")
	}
	se, largest := standardError(c, total, gradient)
	// A ratio that is the same in every cluster cancels term by term, up to the
	// error of the numeric gradient; what is left is not a standard error.
	if se <= 1e-7*largest {
		return unavailable(level, reasonNoVariation)
	}
	if k := c.Len(); k < smallClusters {
		q := tCritical(level, k-1)
		return known(value-q*se, value+q*se, level, "linearised, Student t")
	}
	q := normalCritical(level)
	return known(value-q*se, value+q*se, level, "linearised, normal")
}

// magnitudes returns the sum of absolute values of each field: its natural
// scale, also where negative values make the total small.
func (c Clusters) magnitudes() []float64 {
	scale := make([]float64, c.Width)
	for i, x := range c.Rows {
		scale[i%c.Width] += math.Abs(x)
	}
	return scale
}

// gradientAt returns the derivative of stat by each field at the point where it
// has the given value, by central differences with a step of about ε^⅓ of the
// field's scale, which balances truncation against rounding. At the edge of the
// domain of stat it uses the side that is defined. It reports false if neither
// side is. A field that is zero throughout gets 0, as it cannot contribute, and
// so does one that is not finite: the statistic has a value, so it ignores it.
func gradientAt(stat Statistic, point, scale []float64, value float64) ([]float64, bool) {
	const relativeStep = 1.0 / (1 << 17) // a power of two near ε^⅓
	gradient := make([]float64, len(point))
	moved := make([]float64, len(point))
	copy(moved, point)
	for j, x := range point {
		step := relativeStep * scale[j]
		if step == 0 || !finite(step) {
			continue
		}
		right, left := x+step, x-step
		moved[j] = right
		above, okAbove := stat.at(moved)
		moved[j] = left
		below, okBelow := stat.at(moved)
		moved[j] = x
		if !okAbove {
			right, above = x, value
		}
		if !okBelow {
			left, below = x, value
		}
		// Dividing by the distance as stored cancels the rounding of x±step.
		gradient[j] = (above - below) / (right - left)
		if !okAbove && !okBelow || !finite(gradient[j]) {
			return nil, false
		}
	}
	return gradient, true
}

// standardError returns the cluster-robust standard error of the statistic with
// this gradient, and the value it would have if no terms cancelled between
// fields, as the scale against which to judge whether it is zero.
func standardError(c Clusters, total, gradient []float64) (se, largest float64) {
	k := float64(c.Len())
	var squares, largestSquares float64
	for start := 0; start < len(c.Rows); start += c.Width {
		var residual, bound float64
		for j, x := range c.Rows[start : start+c.Width] {
			if gradient[j] == 0 {
				continue // an unused field may hold NaN, and 0·NaN is NaN
			}
			term := gradient[j] * (x - total[j]/k)
			residual += term
			bound += math.Abs(term)
		}
		squares += residual * residual
		largestSquares += bound * bound
	}
	correction := k / (k - 1)
	return math.Sqrt(correction * squares), math.Sqrt(correction * largestSquares)
}
