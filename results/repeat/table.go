package repeat

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// A table has the units of all repetitions in one scoring.
type table struct {
	units    [][]compare.Unit // by unit, in the order of clusters and names, and repetition
	complete []bool           // by unit: judged in all repetitions
}

// read reads the units of the runs, which must be the same ones.
func read(ctx context.Context, runs []*compare.Run, m *metric.Metric, p bench.Scoring) (*table, error) {
	var all [][]compare.Unit
	for r, run := range runs {
		units, err := run.Units(ctx, m, p)
		if err != nil {
			return nil, err
		}
		if r == 0 {
			all = make([][]compare.Unit, len(units))
		}
		if len(units) != len(all) {
			return nil, omniscope.Invalidf("%s has %d samples, %s has %d: repetitions have the same samples", runs[0].Dir, len(all), run.Dir, len(units))
		}
		for i, u := range units { // by name
			switch {
			case r > 0 && u.Name != all[i][0].Name:
				return nil, omniscope.Invalidf("sample %q is in one of %s and %s only: repetitions have the same samples", min(u.Name, all[i][0].Name), runs[0].Dir, run.Dir)
			case r > 0 && u.Cluster != all[i][0].Cluster:
				return nil, omniscope.Invalidf("sample %q is of cluster %q in %s and of %q in %s: these are not runs of the same benchmark data", u.Name, all[i][0].Cluster, runs[0].Dir, u.Cluster, run.Dir)
			}
			all[i] = append(all[i], u)
		}
	}
	return newTable(all), nil
}

// newTable sorts the units: draws of resamples depend on names alone.
func newTable(units [][]compare.Unit) *table {
	slices.SortFunc(units, func(a, b []compare.Unit) int {
		return cmp.Or(strings.Compare(a[0].Cluster, b[0].Cluster), strings.Compare(a[0].Name, b[0].Name))
	})
	t := &table{units: units, complete: make([]bool, len(units))}
	for i, u := range units {
		t.complete[i] = !slices.ContainsFunc(u, func(u compare.Unit) bool { return !u.Judged() })
	}
	return t
}

func (t *table) repetitions() int { return len(t.units[0]) }

// constant reports whether there are complete units, and no one differs between repetitions.
func (t *table) constant() bool {
	for i, u := range t.units {
		for _, other := range u[1:] {
			if t.complete[i] && (!slices.Equal(u[0].Counts, other.Counts) || !slices.Equal(u[0].Verdicts, other.Verdicts)) {
				return false
			}
		}
	}
	return slices.Contains(t.complete, true)
}

// scored marks the units that all repetitions scored: complete ones that the score counts in each repetition.
func (t *table) scored(d metric.Score) string {
	marks := make([]byte, len(t.units))
	for i, u := range t.units {
		marks[i] = '-'
		if t.complete[i] && !slices.ContainsFunc(u, func(u compare.Unit) bool { return d.N(u.Counts) == 0 && d.Unscored(u.Counts) > 0 }) {
			marks[i] = '+'
		}
	}
	return string(marks)
}

// sides are the counts of the marked units by cluster, one side for each repetition.
func (t *table) sides(marked string, width int) []stats.Clusters {
	sides := make([]stats.Clusters, t.repetitions())
	for r := range sides {
		sides[r].Width = width
	}
	last := -1
	for i, u := range t.units {
		if marked[i] == '-' {
			continue
		}
		for r := range sides {
			if last < 0 || t.units[last][0].Cluster != u[0].Cluster {
				sides[r].Rows = append(sides[r].Rows, make([]float64, width)...)
			}
			metric.Counts(sides[r].Rows[len(sides[r].Rows)-width:]).Add(u[r].Counts)
		}
		last = i
	}
	return sides
}

// A sampling is what scores are resampled over: scores of one sampling share their resamples.
type sampling struct{ units, clusters string }

// spreads summarises each score of the metric.
func (t *table) spreads(m *metric.Metric, seed uint64) []spread {
	if len(t.units) == 0 {
		return nil
	}
	groups := make(map[sampling][]int)
	for i, d := range m.Scores {
		units := t.scored(d)
		s := sampling{units, compare.Holding(d, t.sides(units, len(m.Fields))...)}
		groups[s] = append(groups[s], i)
	}
	out := make([]spread, len(m.Scores))
	for _, s := range slices.SortedFunc(maps.Keys(groups), func(a, b sampling) int {
		return cmp.Or(strings.Compare(a.units, b.units), strings.Compare(a.clusters, b.clusters))
	}) {
		sides := t.sides(s.units, len(m.Fields))
		for r, side := range sides {
			sides[r] = compare.Chosen(side, s.clusters)
		}
		means := meanScores(m, groups[s], sides, seed)
		for k, i := range groups[s] {
			out[i] = t.spread(m.Scores[i], s.units, sides)
			if out[i].Mean = means[k]; out[i].Mean.Value == nil {
				out[i].Mean.Why = "a repetition has no score over the samples that all repetitions scored"
			}
		}
	}
	return out
}

// meanScores are the means of scores over repetitions, with intervals that draw all repetitions of a cluster together.
func meanScores(m *metric.Metric, scores []int, sides []stats.Clusters, seed uint64) []omniscope.Score {
	joined, width := join(sides), len(m.Fields)
	statistics, shares := make([]stats.Statistic, len(scores)), make([]bool, len(scores))
	for k, i := range scores {
		statistics[k], shares[k] = meanOf(m.Scores[i], width, len(sides)), m.Scores[i].Share
	}
	total := joined.Total()
	intervals := stats.Scores(joined, statistics, shares, stats.Options{Seed: seed})
	out := make([]omniscope.Score, len(scores))
	for k, i := range scores {
		value, ok := statistics[k](total)
		out[k] = scoreOf(m.Scores[i].Name, value, ok, intervals[k])
		out[k].Clusters = joined.Len()
		for r := range sides {
			counts := metric.Counts(total[r*width : (r+1)*width])
			out[k].N += m.Scores[i].N(counts)
			out[k].Unscored += m.Scores[i].Unscored(counts)
		}
	}
	return out
}

// join puts the rows of all sides into one row for each cluster.
func join(sides []stats.Clusters) stats.Clusters {
	width := sides[0].Width
	joined := stats.Clusters{Width: width * len(sides)}
	for k := range sides[0].Len() {
		for _, side := range sides {
			joined.Rows = append(joined.Rows, side.Rows[k*width:(k+1)*width]...)
		}
	}
	return joined
}

// meanOf is the mean of a score's values in the repetitions, defined where all are.
func meanOf(d metric.Score, width, repetitions int) stats.Statistic {
	return func(sum []float64) (float64, bool) {
		mean := 0.0
		for r := range repetitions {
			v, ok := d.Value(sum[r*width : (r+1)*width])
			if !ok {
				return 0, false
			}
			mean += v / float64(repetitions)
		}
		return mean, true
	}
}

// scoreOf is a value with its interval, as in a results document.
func scoreOf(name string, value float64, ok bool, iv stats.Interval) omniscope.Score {
	s := omniscope.Score{Name: name}
	if !ok {
		return s
	}
	s.Value = &value
	if iv.Known {
		s.Interval = &omniscope.Interval{Low: iv.Low, High: iv.High, Level: iv.Level, Method: iv.Method}
	} else {
		s.NoInterval = strings.TrimPrefix(iv.Method, "not available: ")
	}
	return s
}
