// Package metric says how judged questions become numbers. A metric reduces
// each scoring unit to counts that add up; every score is a function of summed
// counts, so that a subset, a shard, the whole corpus and a bootstrap resample
// all take the same path.
//
// It does no I/O and asks no model. Intervals are in package stats.
package metric

// Counts are a unit's numbers, in the order of the metric's Fields. Counts of
// the same metric may be added.
type Counts []float64

// Add adds other to c.
func (c Counts) Add(other Counts) {
	for i, v := range other {
		c[i] += v
	}
}

// A Metric is a set of counts and the scores made from them: of a benchmark's units,
// or of the segments that `omniscope score` reads.
type Metric struct {
	Name   string
	Fields []string // names of the counts
	Scores []Score
}

// A Score is a function of summed counts. ok is false when there is no score,
// such as a ratio over nothing.
type Score struct {
	Name     string
	Title    string
	Percent  bool // shown times 100
	Lower    bool // a lower value is better
	Share    bool // a share of the items, from 0 to 1 unless a published scorer counts some twice
	Value    func(Counts) (value float64, ok bool)
	Bounds   func(Counts) (low, high float64, ok bool) // value if all unscored were wrong, and right
	N        func(Counts) int                          // items scored
	Unscored func(Counts) int                          // items that should have been scored and were not

	Digits  int                                   // shown behind the point of a score that is no percentage
	Segment func(Counts) (value float64, ok bool) // of one segment's counts, as BLEU has another form for sentences; nil = Value
}
