package stats

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
// It is otherwise as [Bootstrap]: the same draws for the same seed and number of
// clusters, the same reasons for an interval to be not available. There is one
// exception. Where the sides have exactly equal values in every resample, the
// interval is [0, 0]: these clusters show no difference at all between them.
func PairedBootstrap(a, b Clusters, stats []Statistic, opts Options) []Interval {
	opts = opts.withDefaults()
	intervals := make([]Interval, len(stats))
	joined, ok := join(a, b)
	why := joined.problem(opts.Level)
	if !ok {
		why = "sides do not have the same clusters"
	}
	if why != "" {
		for s := range intervals {
			intervals[s] = unavailable(opts.Level, why)
		}
		return intervals
	}
	differences := make([]Statistic, len(stats))
	for s, stat := range stats {
		differences[s] = difference(stat, a.Width)
	}
	total := joined.Total()
	values := resample(joined, differences, opts)
	for s, stat := range differences {
		switch _, ok := stat.at(total); {
		case !ok:
			intervals[s] = unavailable(opts.Level, reasonUndefined)
		case 2*len(values[s]) >= opts.Resamples && allZero(values[s]):
			intervals[s] = known(0, 0, opts.Level, "paired cluster bootstrap, no difference in any resample")
		default:
			intervals[s] = percentileInterval(values[s], opts)
			if intervals[s].Known {
				intervals[s].Method = "paired cluster bootstrap percentile"
			}
		}
	}
	return intervals
}

// join puts the rows of both sides beside each other.
func join(a, b Clusters) (Clusters, bool) {
	if a.Width != b.Width || len(a.Rows) != len(b.Rows) || a.Width < 1 || len(a.Rows)%a.Width != 0 {
		return Clusters{}, false
	}
	joined := Clusters{Width: 2 * a.Width, Rows: make([]float64, 0, 2*len(a.Rows))}
	for at := 0; at < len(a.Rows); at += a.Width {
		joined.Rows = append(joined.Rows, a.Rows[at:at+a.Width]...)
		joined.Rows = append(joined.Rows, b.Rows[at:at+a.Width]...)
	}
	return joined, true
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

func allZero(values []float64) bool {
	for _, v := range values {
		if v != 0 {
			return false
		}
	}
	return true
}
