package signal

import (
	"math"
	"slices"
)

// decibels turns a power into dB, not below silent.
func decibels(power float64) float64 {
	if power <= 1e-12 {
		return silent
	}
	return 10 * math.Log10(power)
}

// smoothLevels takes mean powers of width hops, every step hops; what is left
// at the end gets none.
func smoothLevels(levels []float32, width, step int) []float64 {
	var out []float64
	for i := 0; i+width <= len(levels); i += step {
		out = append(out, meanLevel(levels[i:i+width]))
	}
	return out
}

// meanLevel is the level of the mean power.
func meanLevel(levels []float32) float64 {
	if len(levels) == 0 {
		return silent
	}
	sum := 0.0
	for _, l := range levels {
		if l > silent {
			sum += math.Pow(10, float64(l)/10)
		}
	}
	return decibels(sum / float64(len(levels)))
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(1, len(x)))
}

// median is 0 if there are no values.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return quantile(slices.Sorted(slices.Values(x)), 0.5)
}

// deviation is the standard deviation.
func deviation(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(max(1, len(x))))
}

// quantile of sorted values, interpolated.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// ramp rises from 0 at low to 1 at high; it falls if high is below low.
func ramp(x, low, high float64) float64 { return min(1, max(0, (x-low)/(high-low))) }

// closeGaps fills gaps of at most most places between true ones.
func closeGaps(flags []bool, most int) {
	last := -1
	for i, on := range flags {
		if !on {
			continue
		}
		if last >= 0 && i-last-1 <= most {
			for j := last + 1; j < i; j++ {
				flags[j] = true
			}
		}
		last = i
	}
}

// runs returns the stretches of true ones that are at least least long, as
// first place and end.
func runs(flags []bool, least int) (out [][2]int) {
	start := -1
	for i := 0; i <= len(flags); i++ {
		on := i < len(flags) && flags[i]
		switch {
		case on && start < 0:
			start = i
		case !on && start >= 0:
			if i-start >= least {
				out = append(out, [2]int{start, i})
			}
			start = -1
		}
	}
	return out
}
