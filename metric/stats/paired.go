package stats

import (
	"slices"
	"strings"
)

// PairedBootstrap returns one interval per statistic for its difference, the
// value of b less that of a, where both have a row for each of the same clusters
// in the same order: two systems that answered the same questions, say.
//
// Each resample draws the same clusters for both sides, so that what makes a
// cluster hard for both cancels; intervals of the two scores by themselves may
// overlap widely where their difference is clear. Source: Davison and Hinkley,
// Bootstrap Methods and their Application (1997), 3.8 with cluster i's counts of
// both sides as one observation; P. Koehn, "Statistical significance tests for
// machine translation evaluation", EMNLP 2004, for the use on scores of systems.
//
// In all else it is as [Bootstrap]: the same draws for the same seed and number of
// clusters, the same reasons for an interval to be not available. There is one
// exception: of sides that are equal, row by row, the interval is [0, 0]. That
// they do not differ is known and not estimated.
func PairedBootstrap(a, b Clusters, stats []Statistic, opts Options) []Interval {
	return paired(a, b, stats, opts.withDefaults(), Bootstrap)
}

// Paired is [PairedBootstrap] for more than 50 clusters, linearised above
// opts.MaxBootstrapClusters, and by the standard error and Student's t for fewer, as
// [Scores] is for one side. There it is not available where the sides differ in fewer
// than 6 clusters.
func Paired(a, b Clusters, stats []Statistic, opts Options) []Interval {
	opts = opts.withDefaults()
	intervals := paired(a, b, stats, opts, func(c Clusters, stats []Statistic, opts Options) []Interval { return Scores(c, stats, nil, opts) })
	for s, iv := range intervals {
		if iv.Known && iv.Low < iv.High && a.Len() <= FewClusters && differing(a, b, stats[s]) < fewestClusters {
			intervals[s] = unavailable(opts.Level, reasonFew)
		}
	}
	return intervals
}

func paired(a, b Clusters, stats []Statistic, opts Options, method func(Clusters, []Statistic, Options) []Interval) []Interval {
	joined, same, ok := join(a, b)
	if !ok {
		intervals := make([]Interval, len(stats))
		for s := range intervals {
			intervals[s] = unavailable(opts.Level, "sides do not have the same clusters")
		}
		return intervals
	}
	differences := make([]Statistic, len(stats))
	for s, stat := range stats {
		differences[s] = difference(stat, a.Width)
	}
	intervals := method(joined, differences, opts)
	for s := range intervals {
		switch {
		case intervals[s].Known:
			intervals[s].Method = "paired " + intervals[s].Method
		case same && strings.HasSuffix(intervals[s].Method, reasonNoVariation):
			intervals[s] = known(0, 0, opts.Level, "sides equal in every cluster")
		}
	}
	return intervals
}

// join puts the rows of both sides beside each other, and says whether they are
// the same. It fails if the sides differ in shape.
func join(a, b Clusters) (joined Clusters, same, ok bool) {
	if a.Width != b.Width || len(a.Rows) != len(b.Rows) || a.Width < 1 || len(a.Rows)%a.Width != 0 {
		return Clusters{}, false, false
	}
	joined = Clusters{Width: 2 * a.Width, Rows: make([]float64, 0, 2*len(a.Rows))}
	same = true
	for at := 0; at < len(a.Rows); at += a.Width {
		rowA, rowB := a.Rows[at:at+a.Width], b.Rows[at:at+a.Width]
		same = same && slices.Equal(rowA, rowB)
		joined.Rows = append(append(joined.Rows, rowA...), rowB...)
	}
	return joined, same, true
}

// difference is a statistic's second side less its first, defined where both
// are.
func difference(stat Statistic, width int) Statistic {
	return func(sum []float64) (float64, bool) {
		a, okA := stat.at(sum[:width])
		b, okB := stat.at(sum[width:])
		return b - a, okA && okB
	}
}
