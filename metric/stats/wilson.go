package stats

import "math"

// Wilson returns the Wilson score interval for a proportion: successes out of n
// independent trials. Both may be fractional, for weighted counts or an
// effective sample size. The ends lie in [0, 1].
//
// With p = successes/n and z the two-sided normal critical value, the ends are
// the roots t of n(p-t)² = z²t(1-t), that is
//
//	(p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
//
// Source: E. B. Wilson, "Probable inference, the law of succession, and
// statistical inference", JASA 22 (1927), 209-212.
//
// The interval is not available without trials, for successes outside [0, n],
// for numbers that are not finite, or for a level outside (0, 1).
func Wilson(successes, n, level float64) Interval {
	switch {
	case !validLevel(level):
		return unavailable(level, reasonLevel)
	case !finite(n) || n <= 0:
		return unavailable(level, "trials not a positive number")
	case !(successes >= 0 && successes <= n):
		return unavailable(level, "successes outside 0..n")
	}
	low, high := scoreEnds(successes, n, normalCritical(level))
	return known(low, high, level, "Wilson score")
}

// scoreEnds returns the ends of the score interval of successes in n trials with the critical value z.
func scoreEnds(successes, n, z float64) (low, high float64) {
	// The larger root comes from the formula and the smaller one from the
	// product of the roots: subtracting would lose the digits of a small
	// proportion and leave a stray non-zero low end at zero successes.
	upper := successes + z*z/2 + z*math.Sqrt(successes*((n-successes)/n)+z*z/4)
	low = successes * (successes / n) / upper
	high = upper / (n + z*z)
	if successes == n {
		high = 1 // exact; rounding could leave it a hair off
	}
	return low, high
}
