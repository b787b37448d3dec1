package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Bootstrap returns one percentile cluster-bootstrap interval per statistic.
//
// Each resample draws k of the k clusters with replacement and sums their
// fields; every statistic is then applied to the same sums, so many scores cost
// one pass and their Monte Carlo errors are shared. The ends are the (1-level)/2
// and (1+level)/2 quantiles of the resampled values. Source: Davison and Hinkley,
// Bootstrap Methods and their Application (1997), 3.8 (resampling whole
// clusters) and 5.3.1 (percentile limits).
//
// The result depends only on the arguments: same seed and same order of
// clusters, same intervals. Everything runs on the calling goroutine; concurrent
// calls are safe if the statistics are.
//
// A resample in which a statistic is undefined is skipped for that statistic.
// An interval is not available with fewer than 2 clusters, when the statistic is
// undefined at the total or in more than half of the resamples, when too few
// resamples are left to reach the quantiles (39 are needed at level 0.95), or
// when the clusters show no variation in the statistic: a resample can then
// only repeat the estimate, which says nothing about its uncertainty.
//
// Memory is a copy of the clusters and Resamples values per statistic; time
// grows with Resamples·k·Width.
func Bootstrap(c Clusters, stats []Statistic, opts Options) []Interval {
	opts = opts.withDefaults()
	intervals := make([]Interval, len(stats))
	if why := c.problem(opts.Level); why != "" {
		for s := range intervals {
			intervals[s] = unavailable(opts.Level, why)
		}
		return intervals
	}
	total := c.Total()
	values := resample(c, stats, opts)
	for s, stat := range stats {
		if _, ok := stat.at(total); !ok {
			intervals[s] = unavailable(opts.Level, reasonUndefined)
			continue
		}
		intervals[s] = percentileInterval(values[s], opts)
	}
	return intervals
}

// resample returns, for each statistic, its values over the resamples in which
// it is defined, in the order drawn.
func resample(c Clusters, stats []Statistic, opts Options) [][]float64 {
	values := make([][]float64, len(stats))
	for s := range values {
		values[s] = make([]float64, 0, opts.Resamples)
	}
	sum := make([]float64, c.Width)
	// Both halves of the state vary with the seed, or neighbouring seeds would
	// share the low half of every later state.
	src := rand.NewPCG(opts.Seed, opts.Seed^0x9e3779b97f4a7c15)
	draw := c.drawing(src)
	for range opts.Resamples {
		draw(sum)
		for s, stat := range stats {
			if v, ok := stat.at(sum); ok {
				values[s] = append(values[s], v)
			}
		}
	}
	return values
}

// drawing returns a function that draws a resample and sets sum to the sums of its fields.
func (c Clusters) drawing(src *rand.PCG) (draw func(sum []float64)) {
	columns := c.columns()
	if p, ok := pack(columns, c.Len()); ok {
		return func(sum []float64) { p.draw(src, sum) }
	}
	times := make([]float64, c.Len())
	return func(sum []float64) {
		drawTimes(src, times)
		for j, column := range columns {
			sum[j] = dot(times, column)
		}
	}
}

// percentileInterval turns resampled values, which it sorts, into an interval.
func percentileInterval(values []float64, opts Options) Interval {
	if 2*len(values) < opts.Resamples {
		return unavailable(opts.Level, "statistic undefined in more than half of the resamples")
	}
	tail := (1 - opts.Level) / 2
	if float64(len(values)+1)*tail < 1 {
		return unavailable(opts.Level, "too few resamples for this level")
	}
	slices.Sort(values)
	low, high := percentile(values, tail), percentile(values, 1-tail)
	// Sums of fractional fields differ in the last bits from one draw to
	// another even where the statistic is constant.
	if high-low <= 1e-12*max(math.Abs(low), math.Abs(high)) {
		return unavailable(opts.Level, reasonNoVariation)
	}
	return known(low, high, opts.Level, "cluster bootstrap percentile")
}

// columns returns the matrix by field, so that a weighted sum over clusters
// reads memory in order.
func (c Clusters) columns() [][]float64 {
	k := c.Len()
	columns := make([][]float64, c.Width)
	for j := range columns {
		columns[j] = make([]float64, k)
		for i := range k {
			columns[j][i] = c.Rows[i*c.Width+j]
		}
	}
	return columns
}

// drawTimes draws len(times) clusters with replacement and sets times[i] to how
// often cluster i came up. The counts are float64 because they serve as weights.
//
// A 64-bit draw x becomes the index ⌊x·n/2⁶⁴⌋, and draws whose low product half
// falls below 2⁶⁴ mod n are rejected so that all indices are equally likely.
// Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS
// 29 (2019).
func drawTimes(src *rand.PCG, times []float64) {
	clear(times)
	n := uint64(len(times))
	reject := -n % n // 2⁶⁴ mod n in unsigned arithmetic
	for range times {
		index, low := bits.Mul64(src.Uint64(), n)
		for low < reject {
			index, low = bits.Mul64(src.Uint64(), n)
		}
		times[index]++
	}
}

// dot returns Σ a[i]·b[i]; b is at least as long as a. Four partial sums let the
// additions overlap. The conversions forbid fused multiply-add, which would make
// the last bits depend on the processor.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += float64(x * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
