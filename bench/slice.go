package bench

import (
	"runtime"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/parallel"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// slices scores every slice of a scoring, several at a time, in a fixed order.
func (s *Scorer) slices(p Scoring) []document.Slice {
	keys := slices.Clone(s.totals.names)
	slices.SortFunc(keys, compareSlices)
	out := make([]document.Slice, len(keys))
	threads := runtime.GOMAXPROCS(0)
	memory := make([]gathering, threads)
	parallel.Do(threads, len(keys), func(worker, i int) { out[i] = s.slice(p, keys[i], &memory[worker]) })
	return out
}

// compareSlices puts the whole first, then dimensions and groups by name.
func compareSlices(a, b sliceKey) int {
	rank := func(k sliceKey) string {
		if k.dimension == "overall" {
			return ""
		}
		return k.dimension + "\x00" + k.group
	}
	if ra, rb := rank(a), rank(b); ra < rb {
		return -1
	} else if ra > rb {
		return 1
	}
	return 0
}

func (s *Scorer) slice(p Scoring, key sliceKey, g *gathering) document.Slice {
	m := s.info.Metric
	c := s.totals.clustersOf(p, s.totals.slices[key], g)
	sum := metric.Counts(c.Total())
	out := document.Slice{Dimension: key.dimension, Group: key.group,
		Counts: make(map[string]float64), Scores: make(map[string]omniscope.Score)}
	for i, name := range m.Fields {
		out.Counts[name] = sum[i]
	}
	intervals, clusters := intervalsOf(m.Scores, c, stats.Options{Seed: s.options.Seed})
	for i, score := range m.Scores {
		one := oneScore(score, sum, intervals[i], clusters[i])
		if one.Value == nil {
			one.Why = s.told.Why[p][score.Name]
		}
		out.Scores[score.Name] = one
	}
	return out
}

// intervalsOf returns each score's interval and the number of clusters that it
// is of: those that have something for it to count. A score of few clusters
// must not be resampled among many that say nothing of it.
func intervalsOf(scores []metric.Score, c stats.Clusters, o stats.Options) ([]stats.Interval, []int) {
	intervals, clusters := make([]stats.Interval, len(scores)), make([]int, len(scores))
	var shared []int // scores that every cluster counts for, which share their resamples
	var statistics []stats.Statistic
	var shares []bool
	for i, score := range scores {
		own := clustersWithData(score, c)
		clusters[i] = own.Len()
		statistic := func(sum []float64) (float64, bool) { return score.Value(sum) }
		if own.Len() == c.Len() {
			shared, statistics, shares = append(shared, i), append(statistics, statistic), append(shares, score.Share)
		} else {
			intervals[i] = stats.Scores(own, []stats.Statistic{statistic}, []bool{score.Share}, o)[0]
		}
	}
	for k, interval := range stats.Scores(c, statistics, shares, o) {
		intervals[shared[k]] = interval
	}
	return intervals, clusters
}

// clustersWithData returns the clusters that contribute to a score (c itself if all do).
func clustersWithData(score metric.Score, c stats.Clusters) stats.Clusters {
	contributes := func(at int) bool {
		row := c.Rows[at : at+c.Width]
		return score.N(row)+score.Unscored(row) > 0
	}
	n := 0
	for at := 0; at < len(c.Rows); at += c.Width {
		if contributes(at) {
			n++
		}
	}
	if n == c.Len() {
		return c
	}
	own := stats.Clusters{Width: c.Width, Rows: make([]float64, 0, n*c.Width)}
	for at := 0; at < len(c.Rows); at += c.Width {
		if contributes(at) {
			own.Rows = append(own.Rows, c.Rows[at:at+c.Width]...)
		}
	}
	return own
}

func oneScore(def metric.Score, sum metric.Counts, interval stats.Interval, clusters int) omniscope.Score {
	out := omniscope.Score{Name: def.Name, N: def.N(sum), Unscored: def.Unscored(sum), Clusters: clusters}
	if v, ok := def.Value(sum); ok && finite(v) {
		out.Value = &v
	}
	if low, high, ok := def.Bounds(sum); ok && finite(low) && finite(high) {
		out.Bounds = &omniscope.Bounds{Low: low, High: high}
	}
	if out.Value != nil {
		setInterval(&out, interval, def.Share)
	}
	return out
}

func setInterval(out *omniscope.Score, interval stats.Interval, share bool) {
	if share && !interval.Known && out.Unscored == 0 && out.Clusters > stats.FewClusters && (*out.Value == 0 || *out.Value == 1) {
		// All clusters agree, so that resampling them says nothing. Each counts
		// as one observation, which is the widest reading of so few facts.
		interval = stats.Wilson(*out.Value*float64(out.Clusters), float64(out.Clusters), stats.DefaultLevel)
		interval.Method += " where all clusters agree"
	}
	if !interval.Known {
		out.NoInterval = strings.TrimPrefix(interval.Method, "not available: ")
		return
	}
	out.Interval = &omniscope.Interval{Low: interval.Low, High: interval.High, Level: interval.Level, Method: interval.Method}
}
