package repeat

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// verdicts summarise how often items are right. They are of strict scoring: the counts of a run have no other verdicts.
type verdicts struct {
	Items    int     `json:"items"`    // with a verdict in each repetition
	LeftOut  int     `json:"left_out"` // without a verdict in some repetition
	Samples  int     `json:"samples"`  // that have such items
	Disagree int     `json:"disagree"` // samples with an item that is right in some repetitions and not in others
	Share    float64 `json:"disagree_share"`
	Passes   []pass  `json:"passes"` // for each k from 1
}

// A pass has the chance that k answers hold a right one, and that all are right: see stats.PassAtK and stats.PassHatK.
type pass struct {
	K    int             `json:"k"`
	AtK  omniscope.Score `json:"pass_at_k"`
	HatK omniscope.Score `json:"pass_hat_k"`
}

// An itemCount is how often an item of a unit is right.
type itemCount struct{ judged, right int }

// itemsOf counts the items of a unit over its repetitions.
func itemsOf(unit []compare.Unit) map[string]itemCount {
	items := make(map[string]itemCount)
	for _, u := range unit {
		for _, v := range u.Verdicts {
			c := items[v.Item]
			if v.Verdict != omniscope.Unjudged {
				c.judged++
			}
			if v.Verdict == omniscope.Correct {
				c.right++
			}
			items[v.Item] = c
		}
	}
	return items
}

// verdicts counts the items that each repetition judged; nil = no item.
func (t *table) verdicts(seed uint64) *verdicts {
	if len(t.units) == 0 {
		return nil
	}
	n := t.repetitions()
	v := &verdicts{}
	rows := stats.Clusters{Width: 2*n + 1} // pass@k for each k, pass^k for each k, items
	last := ""
	for i, u := range t.units {
		passes, items, disagree := t.passes(i)
		v.LeftOut += len(itemsOf(u)) - items
		if items == 0 {
			continue
		}
		if v.Items == 0 || u[0].Cluster != last {
			rows.Rows, last = append(rows.Rows, make([]float64, rows.Width)...), u[0].Cluster
		}
		metric.Counts(rows.Rows[len(rows.Rows)-rows.Width:]).Add(passes)
		v.Items += items
		v.Samples++
		if disagree > 0 {
			v.Disagree++
		}
	}
	if v.Items == 0 {
		return nil
	}
	v.Share = float64(v.Disagree) / float64(v.Samples)
	v.Passes = passesOf(rows, n, seed)
	return v
}

// passes are the sums of pass@k and of pass^k of a unit's items, and their number. disagree is the share of pairs of repetitions
// that disagree whether an item is right, summed over items.
func (t *table) passes(unit int) (row metric.Counts, items int, disagree float64) {
	n := t.repetitions()
	row = make(metric.Counts, 2*n+1)
	if !t.complete[unit] {
		return row, 0, 0
	}
	counted := itemsOf(t.units[unit])
	for _, item := range slices.Sorted(maps.Keys(counted)) { // sums of fractions depend on their order
		c := counted[item]
		if c.judged < n {
			continue
		}
		items++
		row[2*n]++
		disagree += float64(2*c.right*(n-c.right)) / float64(n*(n-1))
		for k := 1; k <= n; k++ {
			at, _ := stats.PassAtK(n, c.right, k) // 1 <= k <= n
			all, _ := stats.PassHatK(n, c.right, k)
			row[k-1] += at
			row[n+k-1] += all
		}
	}
	return row, items, disagree
}

// passesOf are the means over items, with intervals over clusters.
func passesOf(rows stats.Clusters, n int, seed uint64) []pass {
	statistics, shares := make([]stats.Statistic, 2*n), make([]bool, 2*n)
	for i := range statistics {
		shares[i] = true
		statistics[i] = func(sum []float64) (float64, bool) { return sum[i] / sum[2*n], sum[2*n] > 0 }
	}
	total := rows.Total()
	intervals := stats.Scores(rows, statistics, shares, stats.Options{Seed: seed})
	score := func(name string, i int) omniscope.Score {
		value, ok := statistics[i](total)
		s := scoreOf(name, value, ok, intervals[i])
		s.N, s.Clusters = int(total[2*n]), rows.Len()
		return s
	}
	out := make([]pass, n)
	for k := range out {
		out[k] = pass{k + 1, score(fmt.Sprintf("pass@%d", k+1), k), score(fmt.Sprintf("pass^%d", k+1), n+k)}
	}
	return out
}

// An unstable sample differs between repetitions.
type unstable struct {
	Sample   string   `json:"sample"`
	Items    int      `json:"items,omitempty"`    // with a verdict in each repetition
	Disagree *float64 `json:"disagree,omitempty"` // share of pairs of repetitions that disagree whether an item is right, over the items
	SD       *float64 `json:"sd"`                 // of the sample's own first score between repetitions; null: a repetition lacks it
	Min      *float64 `json:"min"`
	Max      *float64 `json:"max"`
}

// leastStable lists the samples that differ most between repetitions: by the verdicts on their items, or else by a score.
func (t *table) leastStable(d metric.Score) []unstable {
	all := []unstable{}
	for i, u := range t.units {
		if !t.complete[i] {
			continue
		}
		one := unstable{Sample: u[0].Name}
		if _, items, disagree := t.passes(i); items > 0 {
			share := disagree / float64(items)
			one.Items, one.Disagree = items, &share
		}
		if values, ok := valuesOf(d, u); ok {
			_, sd := stats.MeanDeviation(values)
			low, high := slices.Min(values), slices.Max(values)
			one.SD, one.Min, one.Max = &sd, &low, &high
		}
		if one.change() > 0 {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b unstable) int {
		return cmp.Or(cmp.Compare(b.change(), a.change()), strings.Compare(a.Sample, b.Sample))
	})
	return all[:min(len(all), mostNamed)]
}

// change is what samples are ranked by.
func (u unstable) change() float64 {
	switch {
	case u.Disagree != nil:
		return *u.Disagree
	case u.SD != nil:
		return *u.SD
	}
	return 0
}
