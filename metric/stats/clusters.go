package stats

// Clusters holds additive counts for k clusters, the independent sampling units:
// a row-major matrix with one row of Width fields per cluster. Every field must
// add up over clusters (correct, wrong, total); scores are computed from sums,
// never averaged over rows.
type Clusters struct {
	Width int       // fields per cluster, at least 1
	Rows  []float64 // k*Width values; cluster i is Rows[i*Width:(i+1)*Width]
}

// Len returns k, the number of clusters, or 0 when the matrix has no valid shape.
func (c Clusters) Len() int {
	if c.Width < 1 || len(c.Rows)%c.Width != 0 {
		return 0
	}
	return len(c.Rows) / c.Width
}

// Total returns the sum of each field over all clusters: Width values, all zero
// without clusters, or nil when Width is below 1.
func (c Clusters) Total() []float64 {
	if c.Width < 1 {
		return nil
	}
	total := make([]float64, c.Width)
	for i := range c.Len() {
		for j, x := range c.Rows[i*c.Width : (i+1)*c.Width] {
			total[j] += x
		}
	}
	return total
}

// Statistic computes a score from the field sums of a set of clusters, given in
// the order of the fields. It must be a smooth function of the sums, such as a
// ratio. It reports ok = false where the score is undefined, such as a ratio
// over a zero total; a value that is not finite counts as undefined as well.
// It must not alter sum nor keep it after returning.
type Statistic func(sum []float64) (value float64, ok bool)

// at evaluates the statistic, folding values that are not finite into ok.
func (f Statistic) at(sum []float64) (value float64, ok bool) {
	value, ok = f(sum)
	return value, ok && finite(value)
}

// Options sets how [Bootstrap] and [Clustered] work. The zero value is ready to
// use; a field at or below zero means its default.
type Options struct {
	Resamples            int     // bootstrap resamples, default 2000
	Seed                 uint64  // seed of the draws; 0 is a seed like any other
	Level                float64 // confidence level in (0, 1), default DefaultLevel
	MaxBootstrapClusters int     // Clustered linearises above this many, default 20,000
}

func (o Options) withDefaults() Options {
	if o.Resamples <= 0 {
		o.Resamples = 2000
	}
	if o.Level <= 0 {
		o.Level = DefaultLevel
	}
	if o.MaxBootstrapClusters <= 0 {
		o.MaxBootstrapClusters = 20_000
	}
	return o
}

// Clustered returns one interval per statistic, by [Bootstrap] up to
// opts.MaxBootstrapClusters clusters and by linearised above. The two agree
// closely for smooth statistics of that many clusters, and the second needs one
// pass over the data where the first needs thousands.
func Clustered(c Clusters, stats []Statistic, opts Options) []Interval {
	opts = opts.withDefaults()
	if c.Len() <= opts.MaxBootstrapClusters {
		return Bootstrap(c, stats, opts)
	}
	intervals := make([]Interval, len(stats))
	for s, stat := range stats {
		intervals[s] = linearised(c, stat, opts.Level)
	}
	return intervals
}

// Reasons given by more than one method.
const (
	reasonLevel       = "level not between 0 and 1"
	reasonUndefined   = "statistic undefined for these totals"
	reasonNoVariation = "no variation between clusters"
)

// problem says why no statistic can have an interval from these clusters, or
// returns "" when nothing stands in the way.
func (c Clusters) problem(level float64) string {
	switch {
	case !validLevel(level):
		return reasonLevel
	case c.Width < 1 || len(c.Rows)%c.Width != 0:
		return "rows do not divide into clusters"
	case c.Len() < 2:
		// One cluster shows nothing of how clusters differ.
		return "fewer than 2 clusters"
	}
	return ""
}
