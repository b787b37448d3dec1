package compare

import (
	"context"
	"maps"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// A pair is a run compared with another, the base.
type pair struct {
	base, run *Run
	shared    []string // units that both have, by cluster and then by name

	onlyBase, onlyRun int // units
	clusters          int // of the shared units
	judgedInOne       int // shared units that could be judged in one run only
}

// pairs are the runs to compare with each other: each with each where they are
// few. Of many, the judges of one system with each other, and the systems of one
// judge with the first of them; and where runs have neither in common, each with
// the first.
func (s *session) pairs(ctx context.Context) ([]*pair, error) {
	var pairs []*pair
	for i, base := range s.runs {
		for k := i + 1; k < len(s.runs); k++ {
			if !s.compares(i, k) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p, err := newPair(base, s.runs[k])
			if err != nil {
				return nil, err
			}
			pairs = append(pairs, p)
		}
	}
	return pairs, nil
}

// compares reports whether run k is compared with run i, which stands before it.
func (s *session) compares(i, k int) bool {
	if len(s.runs) <= mostForAllPairs {
		return true
	}
	base, run := s.runs[i].Results, s.runs[k].Results
	if base.System == run.System {
		return true
	}
	sameJudge := func(r *Run) bool { return r.Results.Judge.Name == run.Judge.Name }
	if first := slices.IndexFunc(s.runs, sameJudge); first < k {
		return i == first
	}
	return i == 0
}

func newPair(base, run *Run) (*pair, error) {
	p := &pair{base: base, run: run}
	seen := make(map[string]bool)
	for name, a := range base.units {
		b, ok := run.units[name]
		if !ok {
			p.onlyBase++
			continue
		}
		if a.Cluster != b.Cluster {
			return nil, omniscope.Invalidf("unit %q is of cluster %q in %s and of %q in %s: these are not runs of the same benchmark data", name, a.Cluster, base.Dir, b.Cluster, run.Dir)
		}
		if a.Judged() != b.Judged() {
			p.judgedInOne++
		}
		seen[a.Cluster] = true
		p.shared = append(p.shared, name)
	}
	p.onlyRun = len(run.units) - len(p.shared)
	p.clusters = len(seen)
	p.sort()
	return p, nil
}

// warnNothingShared warns of pairs of runs without a common unit.
func warnNothingShared(pairs []*pair) (warnings []string) {
	for _, p := range pairs {
		if len(p.shared) == 0 {
			warnings = append(warnings, p.base.label+" and "+p.run.label+" have no unit in common: there is nothing to compare")
		}
	}
	return warnings
}

// sort makes the draws of resamples depend on names alone: not on the order in
// which the files list the units, and not on which run is the base.
func (p *pair) sort() {
	slices.SortFunc(p.shared, func(a, b string) int {
		ca, cb := p.base.units[a].Cluster, p.base.units[b].Cluster
		switch {
		case ca < cb || ca == cb && a < b:
			return -1
		case ca > cb || a > b:
			return 1
		}
		return 0
	})
}

// byCluster calls add for each shared unit and returns the rows of width fields
// that it filled, one for each cluster.
func (p *pair) byCluster(width int, add func(name string, row []float64)) stats.Clusters {
	c := stats.Clusters{Width: width, Rows: make([]float64, 0, width*p.clusters)}
	last := ""
	for i, name := range p.shared {
		if cluster := p.base.units[name].Cluster; i == 0 || cluster != last {
			last = cluster
			c.Rows = append(c.Rows, make([]float64, width)...)
		}
		add(name, c.Rows[len(c.Rows)-width:])
	}
	return c
}

// counts are the shared units' counts in one run, by cluster.
func (p *pair) counts(r *Run, width int) stats.Clusters {
	return p.byCluster(width, func(name string, row []float64) { metric.Counts(row).Add(r.units[name].Counts) })
}

// totalOf are the counts of all units that both have, in one of the two.
func (p *pair) totalOf(r *Run) metric.Counts {
	var total metric.Counts
	for _, name := range p.shared {
		u := r.units[name]
		if total == nil {
			total = make(metric.Counts, len(u.Counts))
		}
		total.Add(u.Counts)
	}
	return total
}

// differences compares scores.
func (s *session) differences(ctx context.Context, pairs []*pair) ([]omniscope.Table, []tested, error) {
	shared := omniscope.Table{Name: "shared", Title: "Shared units", Numbers: []int{2, 3, 4, 5, 6},
		Columns: []string{"base", "run", "units", "clusters", "only in base", "only in run", "judged in one only"},
		Note:    "differences and agreement are of the units that both runs have; one that could be judged in one run only counts there only"}
	var tests []tested
	t := omniscope.Table{Name: "differences", Title: "Differences", Numbers: []int{3, 4, 5},
		Columns: []string{"base", "run", "score", "base has", "run has", "difference", "95 % interval"}}
	var made methods
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		shared.Rows = append(shared.Rows, []string{p.base.label, p.run.label, quantity.Grouped(len(p.shared)), quantity.Grouped(p.clusters),
			quantity.Grouped(p.onlyBase), quantity.Grouped(p.onlyRun), quantity.Grouped(p.judgedInOne)})
		rows, found := s.differenceRows(p, &made)
		t.Rows = append(t.Rows, rows...)
		tests = append(tests, found...)
	}
	t.Note = made.note("run less base, in percentage points where scores are percentages")
	return []omniscope.Table{shared, t, testsTable(tests)}, tests, nil
}

func (s *session) differenceRows(p *pair, made *methods) (rows [][]string, tested []tested) {
	a, b := p.counts(p.base, s.fields), p.counts(p.run, s.fields)
	intervals, tests := paired(s.scores, a, b, s.options.Seed)
	totalA, totalB := metric.Counts(a.Total()), metric.Counts(b.Total())
	for i, d := range s.scores {
		factor, digits := scale(d, true)
		show := func(v float64) string { return signed(v*factor, digits) }
		va, okA := d.Value(totalA)
		vb, okB := d.Value(totalB)
		row := []string{p.base.label, p.run.label, Heading(d), shown(va, okA, d), shown(vb, okB, d), notAvailable, notAvailable}
		if okA && okB {
			row[5], row[6] = show(vb-va), within(intervals[i], show)
			made.add(intervals[i])
			tests[i].pair, tests[i].score, tests[i].difference = p, d, vb-va
			tests[i].interval, tests[i].base, tests[i].run = intervals[i], va, vb
			tested = append(tested, tests[i])
		}
		rows = append(rows, row)
	}
	return rows, tested
}

func shown(v float64, ok bool, d metric.Score) string {
	if !ok {
		return noScore
	}
	return Number(d, v, true)
}

// paired returns the intervals and the tests of the differences of scores. A score is
// resampled among the clusters that hold something of it in either run: it must
// not be resampled among many that say nothing of it. Scores of the same
// clusters share their resamples.
func paired(scores []metric.Score, a, b stats.Clusters, seed uint64) ([]stats.Interval, []tested) {
	intervals, tests := make([]stats.Interval, len(scores)), make([]tested, len(scores))
	groups := make(map[string][]int)
	for i, d := range scores {
		having := Holding(d, a, b)
		groups[having] = append(groups[having], i)
	}
	for _, having := range slices.Sorted(maps.Keys(groups)) {
		var statistics []stats.Statistic
		for _, i := range groups[having] {
			statistics = append(statistics, func(sum []float64) (float64, bool) { return scores[i].Value(sum) })
		}
		ca, cb := Chosen(a, having), Chosen(b, having)
		for k, iv := range stats.Paired(ca, cb, statistics, stats.Options{Seed: seed}) {
			intervals[groups[having][k]] = iv
		}
		for k, test := range stats.PermutationTest(ca, cb, statistics, stats.Options{Seed: seed, Resamples: swaps}) {
			t := &tests[groups[having][k]]
			t.Test, t.clusters, t.constant = test, ca.Len(), !stats.Varies(ca, cb, statistics[k])
			t.se, t.seKnown = stats.PairedError(ca, cb, statistics[k])
		}
	}
	return intervals, tests
}

// Holding marks the clusters that hold something of a score in any of the runs with a plus, the others with a minus. Each side
// has a row of counts for each cluster, in the same order.
func Holding(d metric.Score, sides ...stats.Clusters) string {
	having := make([]byte, sides[0].Len())
	for k := range having {
		having[k] = '-'
		for _, c := range sides {
			if row := c.Rows[k*c.Width : (k+1)*c.Width]; d.N(row)+d.Unscored(row) > 0 {
				having[k] = '+'
			}
		}
	}
	return string(having)
}

// Chosen returns the clusters that are marked with a plus.
func Chosen(c stats.Clusters, having string) stats.Clusters {
	out := stats.Clusters{Width: c.Width}
	for k := range having {
		if having[k] == '+' {
			out.Rows = append(out.Rows, c.Rows[k*c.Width:(k+1)*c.Width]...)
		}
	}
	return out
}

// Aligned are the counts of runs of one benchmark by cluster: each run has a row for
// each cluster that any of them has, in the order of their names, zeros where it lacks
// one.
func Aligned(ctx context.Context, runs []*Run, m *metric.Metric, p bench.Scoring) ([]stats.Clusters, error) {
	at := make(map[string]int)
	for _, r := range runs {
		if err := r.readUnits(ctx, m, p); err != nil {
			return nil, err
		}
		for _, u := range r.units {
			at[u.Cluster] = 0
		}
	}
	for i, name := range slices.Sorted(maps.Keys(at)) {
		at[name] = i
	}
	sides := make([]stats.Clusters, len(runs))
	for i, r := range runs {
		sides[i] = stats.Clusters{Width: len(m.Fields), Rows: make([]float64, len(at)*len(m.Fields))}
		for _, name := range slices.Sorted(maps.Keys(r.units)) { // sums of fractions depend on their order
			u := r.units[name]
			start := at[u.Cluster] * len(m.Fields)
			metric.Counts(sides[i].Rows[start : start+len(m.Fields)]).Add(u.Counts)
		}
	}
	return sides, nil
}
