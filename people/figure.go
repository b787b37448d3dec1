package people

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"omniscope/metric/stats"
)

// Fewest is how many things a figure of agreement needs: below it a figure says nothing.
const Fewest = 10

// A Figure is sums of things that people judged, with a row for each clip, since intervals resample clips.
type Figure struct {
	N    int // things that were judged
	Rows stats.Clusters
	at   map[string]int // where a clip's row begins
}

// NewFigure is a figure of so many sums.
func NewFigure(width int) *Figure {
	return &Figure{Rows: stats.Clusters{Width: width}, at: make(map[string]int)}
}

// Add adds the sums of n things to the row of a clip.
func (f *Figure) Add(clip string, n int, sums ...float64) {
	f.N += n
	at, there := f.at[clip]
	if !there {
		at = len(f.Rows.Rows)
		f.at[clip], f.Rows.Rows = at, append(f.Rows.Rows, make([]float64, f.Rows.Width)...)
	}
	for i, x := range sums {
		f.Rows.Rows[at+i] += x
	}
}

// Pair adds one thing that two people put into two of k categories to a figure of k x k sums, as stats.Kappa
// wants them; -1 = one of them did not, and nothing is added.
func (f *Figure) Pair(clip string, k, a, b int) {
	if a >= 0 && b >= 0 {
		sums := make([]float64, f.Rows.Width)
		sums[a*k+b] = 1
		f.Add(clip, 1, sums...)
	}
}

// Row is a figure as a table has it: what, value, 95 % interval, of how many.
func (f *Figure) Row(what string, stat stats.Statistic, of string, seed uint64) []string {
	of = fmt.Sprintf("%d %s", f.N, of)
	if f.N < Fewest {
		return []string{what, "not known", "", of + fmt.Sprintf("; at least %d are needed", Fewest)}
	}
	value, interval := f.Value(stat, seed)
	return []string{what, value, interval, of}
}

// Value prints a statistic of the rows and its 95 % interval.
func (f *Figure) Value(stat stats.Statistic, seed uint64) (value, interval string) {
	number, known := stat(f.Rows.Total())
	value, interval = Printed("%.3f", number, known, stats.Clustered(f.Rows, []stats.Statistic{stat}, stats.Options{Seed: seed})[0])
	return cmp.Or(value, "not known"), interval
}

// Printed is a value and its interval as tables have them; "" = not known.
func Printed(format string, value float64, known bool, i stats.Interval) (text, interval string) {
	if known {
		text = fmt.Sprintf(format, value)
	}
	if known && i.Known {
		interval = fmt.Sprintf(format+" to "+format, i.Low, i.High)
	}
	return text, interval
}

// PrintedAll prints statistics of the same rows and their intervals, by one resampling.
func PrintedAll(rows stats.Clusters, list []stats.Statistic) (out [][2]string) {
	total := rows.Total()
	for i, interval := range stats.Clustered(rows, list, stats.Options{}) {
		value, known := list[i](total)
		text, between := Printed("%.3f", value, known, interval)
		out = append(out, [2]string{cmp.Or(text, "not defined"), between})
	}
	return out
}

// Share is a part of all, of their sums.
func Share(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }

// SamePairs counts the pairs of people who chose the same, and all.
func SamePairs(chosen []int) (same, all float64) {
	for i, c := range chosen {
		for _, other := range chosen[:i] {
			all++
			if c == other {
				same++
			}
		}
	}
	return same, all
}

// MiddleTime is the median of times, of an even number the upper one, to the second.
func MiddleTime(times []time.Duration) string {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2].Round(time.Second).String()
}
