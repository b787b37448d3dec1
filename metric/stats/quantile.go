package stats

import "math"

// normalCritical returns the z with P(|Z| <= z) = level for a standard normal Z,
// 1.959964 at level 0.95. Since P(|Z| <= z) = erf(z/√2), it is √2·erf⁻¹(level).
func normalCritical(level float64) float64 {
	return math.Sqrt2 * math.Erfinv(level)
}

// tCritical returns the t with P(|T| <= t) = level for Student's T with df >= 1
// degrees of freedom, found by bisection on the angle atan(t/√df), which keeps
// the search in a bounded range however long the tail.
func tCritical(level float64, df int) float64 {
	low, high := 0.0, math.Pi/2
	for range 64 { // more halvings than a float64 has bits
		mid := (low + high) / 2
		if tWithin(mid, df) < level {
			low = mid
		} else {
			high = mid
		}
	}
	return math.Sqrt(float64(df)) * math.Tan((low+high)/2)
}

// tWithin returns P(|T| <= √df·tan(angle)) for whole degrees of freedom, by the
// finite series in Abramowitz and Stegun, Handbook of Mathematical Functions,
// 26.7.3 (odd df) and 26.7.4 (even df).
func tWithin(angle float64, df int) float64 {
	sin, cos := math.Sincos(angle)
	if df == 1 {
		return 2 * angle / math.Pi
	}
	term, first := 1.0, 2 // even: 1 + 1/2 cos² + (1·3)/(2·4) cos⁴ + ...
	if df%2 == 1 {
		term, first = cos, 3 // odd: cos + 2/3 cos³ + (2·4)/(3·5) cos⁵ + ...
	}
	sum := term
	for d := first; d <= df-2; d += 2 {
		term *= cos * cos * float64(d-1) / float64(d)
		sum += term
	}
	if df%2 == 1 {
		return 2 / math.Pi * (angle + sin*sum)
	}
	return sin * sum
}

// percentile returns the p-quantile of values in ascending order, at position
// (n+1)p with linear interpolation: the rule for bootstrap percentiles in
// Davison and Hinkley, Bootstrap Methods and their Application (1997), 5.2.
// Positions beyond the ends give the extreme value.
func percentile(sorted []float64, p float64) float64 {
	n := len(sorted)
	position := float64(n+1) * p
	below := int(position) // counted from 1
	if below < 1 {
		return sorted[0]
	}
	if below >= n {
		return sorted[n-1]
	}
	a, b := sorted[below-1], sorted[below]
	return a + (position-float64(below))*(b-a)
}
