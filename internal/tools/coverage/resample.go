package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"omniscope/metric/stats"
)

// resamples is how many a run has.
const resamples = 399

// sample is a statistic of clusters and of their resamples.
type sample struct {
	value, se float64   // of all clusters, and its standard error
	without   []float64 // without each cluster
	values    []float64 // of the resamples, sorted
	ts        []float64 // of the resamples: their distance from value in standard errors, sorted
}

func resample(r *rand.Rand, c stats.Clusters, of stats.Statistic) *sample {
	s := &sample{}
	s.value, _ = of(c.Total())
	s.without = leaveOneOut(c, of)
	s.se = jackknife(s.without, s.value)
	drawn := stats.Clusters{Width: c.Width, Rows: make([]float64, len(c.Rows))}
	for range resamples {
		for i := range c.Len() {
			k := r.IntN(c.Len())
			copy(drawn.Rows[i*c.Width:], c.Rows[k*c.Width:(k+1)*c.Width])
		}
		v, _ := of(drawn.Total())
		s.values = append(s.values, v)
		if se := jackknife(leaveOneOut(drawn, of), v); se > 1e-9 {
			s.ts = append(s.ts, (v-s.value)/se)
		}
	}
	slices.Sort(s.values)
	slices.Sort(s.ts)
	return s
}

func leaveOneOut(c stats.Clusters, of stats.Statistic) (values []float64) {
	total := c.Total()
	rest := make([]float64, c.Width)
	for i := 0; i < len(c.Rows); i += c.Width {
		for j := range rest {
			rest[j] = total[j] - c.Rows[i+j]
		}
		v, _ := of(rest)
		values = append(values, v)
	}
	return values
}

func jackknife(without []float64, value float64) float64 {
	squares, k := 0.0, float64(len(without))
	for _, v := range without {
		squares += (v - value) * (v - value)
	}
	return math.Sqrt(squares * (k - 1) / k)
}

func interval(low, high float64) stats.Interval {
	return stats.Interval{Known: true, Low: low, High: high}
}

func (s *sample) percentiles() stats.Interval {
	if s.se < 1e-12 {
		return stats.Interval{}
	}
	return interval(quantile(s.values, 0.025), quantile(s.values, 0.975))
}

// bca are the bias-corrected and accelerated percentiles of B. Efron, JASA 82 (1987), 171-185.
func (s *sample) bca() stats.Interval {
	below := 0.0
	for _, v := range s.values {
		if v < s.value-1e-12 {
			below++
		} else if v < s.value+1e-12 {
			below += 0.5
		}
	}
	if s.se < 1e-12 || below == 0 || below == resamples {
		return stats.Interval{}
	}
	mean, squares, cubes := 0.0, 0.0, 0.0
	for _, v := range s.without {
		mean += v / float64(len(s.without))
	}
	for _, v := range s.without {
		squares, cubes = squares+math.Pow(mean-v, 2), cubes+math.Pow(mean-v, 3)
	}
	bias, acceleration := normalQuantile(below/resamples), cubes/(6*math.Pow(squares, 1.5))
	at := func(p float64) float64 {
		z := bias + normalQuantile(p)
		return quantile(s.values, 0.5*math.Erfc(-(bias+z/(1-acceleration*z))/math.Sqrt2))
	}
	return interval(at(0.025), at(0.975))
}

// studentised is the bootstrap-t of B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982), chapter 10.
func (s *sample) studentised() stats.Interval {
	if s.se < 1e-12 || len(s.ts) < resamples/2 {
		return stats.Interval{}
	}
	return interval(s.value-quantile(s.ts, 0.975)*s.se, s.value-quantile(s.ts, 0.025)*s.se)
}

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// quantile is that of sorted values.
func quantile(sorted []float64, p float64) float64 {
	at := float64(len(sorted)+1)*p - 1
	below := min(max(int(at), 0), len(sorted)-1)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (min(max(at, 0), float64(len(sorted)-1))-float64(below))*(sorted[above]-sorted[below])
}
