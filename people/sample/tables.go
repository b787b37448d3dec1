package sample

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// tables are how far the judge and people agree, and what each found where they do not. How far people
// agree among each other is in people/agreement, for all kinds.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	checks, err := checkCounts(ctx, w)
	if err != nil {
		return nil, err
	}
	project := w.Project()
	c := newComparison(checks)
	if err := json.Unmarshal([]byte(project.Settings[settingShares]), &c.shares); err != nil {
		return nil, omniscope.Invalidf("the project does not say how many judgements its run has: %w", err)
	}
	c.weigh()
	out := []omniscope.Table{c.figures(project.Settings[settingJudge])}
	if len(checks) > 0 {
		out = append(out, c.confusion())
	}
	return out, nil
}

// A comparison is what the judge and people found of the same.
type comparison struct {
	checks   []check
	verdicts []string
	number   map[string]int     // of a verdict
	shares   map[string]int     // judgements of each verdict in the run
	weights  map[string]float64 // of a judgement of each verdict
	people   map[string]int     // who checked an item
}

func newComparison(checks []check) *comparison {
	c := &comparison{checks: checks, number: make(map[string]int), shares: make(map[string]int), weights: make(map[string]float64), people: make(map[string]int)}
	seen := make(map[string]bool)
	for _, one := range checks {
		seen[one.Verdict], seen[one.Said] = true, true
		c.people[one.Item]++
	}
	c.verdicts = slices.Sorted(maps.Keys(seen))
	for i, v := range c.verdicts {
		c.number[v] = i
	}
	return c
}

// weigh gives each judgement the weight that the sample stands for the run by: judgements of a
// verdict in the run, over those of it that were checked.
func (c *comparison) weigh() {
	checked := make(map[string]int)
	counted := make(map[string]bool)
	for _, one := range c.checks {
		if !counted[one.Item] {
			counted[one.Item] = true
			checked[one.Verdict]++
		}
	}
	for v, n := range checked {
		c.weights[v] = float64(c.shares[v]) / float64(n)
	}
}

// figure is the checks as tables of what the judge and what people found, by clip: weighted, and
// beside it as they are.
func (c *comparison) figure() *people.Figure {
	k := len(c.verdicts)
	out := people.NewFigure(2 * k * k)
	for _, one := range c.checks {
		field, sums := c.number[one.Verdict]*k+c.number[one.Said], make([]float64, 2*k*k)
		part := 1 / float64(c.people[one.Item]) // several people count as one
		sums[field], sums[k*k+field] = part*c.weights[one.Verdict], part
		out.Add(one.Clip, 1, sums...)
	}
	return out
}

func (c *comparison) figures(judge string) omniscope.Table {
	t := omniscope.Table{Name: "judge", Title: "The judge and people", Columns: []string{"figure", "value", "95% interval", "judgements"}, Numbers: []int{1, 3},
		Note: fmt.Sprintf("The judge is %s. Figures over all are weighted back to the shares that the judge's verdicts have in the run, which has %d judgements. Intervals by resampling clips.", judge, sum(c.shares))}
	if n := len(c.people); n < people.Fewest {
		t.Rows = append(t.Rows, []string{"", "not known", "", fmt.Sprintf("%d were made again; at least %d are needed", n, people.Fewest)})
		return t
	}
	k := len(c.verdicts)
	part := func(of int, stat stats.Statistic) stats.Statistic {
		return func(sum []float64) (float64, bool) { return stat(sum[of*k*k : (of+1)*k*k]) }
	}
	names := []string{"agreement", "Cohen's kappa", "Gwet's AC1", "agreement in the sample as drawn", "Cohen's kappa in the sample as drawn"}
	list := []stats.Statistic{part(0, stats.Agreement(k)), part(0, stats.Kappa(k)), part(0, gwetOfTwo(k)), part(1, stats.Agreement(k)), part(1, stats.Kappa(k))}
	of := slices.Repeat([]int{len(c.people)}, len(names))
	for i, v := range c.verdicts {
		if n := c.judged(v); n > 0 {
			names, list, of = append(names, fmt.Sprintf("people agree where the judge found %q", v)), append(list, part(1, inRow(k, i))), append(of, n)
		}
	}
	for i, cells := range people.PrintedAll(c.figure().Rows, list) {
		t.Rows = append(t.Rows, []string{names[i], cells[0], cells[1], fmt.Sprint(of[i])})
	}
	return t
}

// inRow is the share of a row of a confusion table that is on its diagonal.
func inRow(k, i int) stats.Statistic {
	return func(sum []float64) (float64, bool) {
		all := 0.0
		for _, n := range sum[i*k : (i+1)*k] {
			all += n
		}
		return sum[i*k+i] / all, all > 0
	}
}

// gwetOfTwo is Gwet's AC1 of a confusion table.
func gwetOfTwo(k int) stats.Statistic {
	gwet := stats.Gwet(k)
	return func(sum []float64) (float64, bool) {
		row := make([]float64, k+3)
		for i := range k {
			for j := range k {
				n := sum[i*k+j]
				row[i] += n / 2
				row[j] += n / 2
				row[k] += n
				row[k+2] += n
			}
			row[k+1] += sum[i*k+i]
		}
		return gwet(row)
	}
}

// judged is how many checked items have a verdict of the judge.
func (c *comparison) judged(verdict string) int {
	items := make(map[string]bool)
	for _, one := range c.checks {
		if one.Verdict == verdict {
			items[one.Item] = true
		}
	}
	return len(items)
}

func sum(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// confusion is the table of what the judge and what people found, in judgements.
func (c *comparison) confusion() omniscope.Table {
	t := omniscope.Table{Name: "verdicts", Title: "What the judge found, and what people found", Columns: []string{"judge"}, Note: "Judgements as drawn, not weighted."}
	k := len(c.verdicts)
	for i, v := range c.verdicts {
		t.Columns, t.Numbers = append(t.Columns, "people: "+v), append(t.Numbers, i+1)
	}
	cells := make([]int, k*k)
	for _, one := range c.checks {
		cells[c.number[one.Verdict]*k+c.number[one.Said]]++
	}
	for i, v := range c.verdicts {
		row := []string{v}
		for _, n := range cells[i*k : (i+1)*k] {
			row = append(row, fmt.Sprint(n))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
