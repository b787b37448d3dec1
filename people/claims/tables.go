package claims

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
)

// tables are the decisions of people against the machine's, how far both agree, and people.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	checked, err := results(ctx, w)
	if err != nil {
		return nil, err
	}
	if len(checked) == 0 {
		return []omniscope.Table{{Name: "verdicts", Title: "Verdicts", Note: "Nothing is checked yet.", Columns: []string{"people"}}}, nil
	}
	project := w.Project()
	return []omniscope.Table{decisions(checked), agreement(checked, project.Seed()), persons(checked, times(w))}, nil
}

// decisions is the table of claims by the final decision of people and that of the machine.
func decisions(checked []checkedClaim) omniscope.Table {
	table := omniscope.Table{Name: "verdicts", Title: "Verdicts", Columns: []string{"people", "supported by the machine", "contradicted", "unsupported", "not judged", "all"}, Numbers: []int{1, 2, 3, 4, 5},
		Note: "Claims by the final verdict of people and the verdict of the machine. Open: not checked by all, or not settled yet."}
	for _, final := range append(slices.Clone(decisionValues), none) {
		name, all := string(final), 0
		if final == none {
			name = "open"
		}
		cells := []string{name}
		for _, machine := range append(slices.Clone(decisionValues), none) {
			n := 0
			for _, c := range checked {
				if c.Final == final && c.Machine == machine {
					n++
				}
			}
			cells, all = append(cells, strconv.Itoa(n)), all+n
		}
		table.Rows = append(table.Rows, append(cells, strconv.Itoa(all)))
	}
	return table
}

// agreement is the table of how far people agree with each other, and with the machine.
func agreement(checked []checkedClaim, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"of", "what", "value", "95% interval", "claims"}, Numbers: []int{4},
		Note: "Kappa and AC1 correct for chance: 1 is full agreement. Where one verdict is much more frequent than others, kappa is low and AC1 says more. Intervals resample clips. " +
			"Two people: before anything was settled; if there are more, all pairs of those who checked the same claim. People and machine: the final verdict, and what the machine judged."}
	two, machine := newComparison(), newComparison()
	for _, c := range checked {
		two.addPairs(&c)
		if c.Final != none && c.Machine != none {
			machine.add(c.cluster, 1, c.Final, c.Machine)
		}
	}
	table.Rows = append(two.rows("two people", seed), machine.rows("people and machine", seed)...)
	return table
}

// A comparison is of two decisions on each claim: a table of both, and what Gwet's AC1 needs.
type comparison struct{ both, gwet *people.Figure }

func newComparison() *comparison {
	k := len(decisionValues)
	return &comparison{people.NewFigure(k * k), people.NewFigure(len(stats.GwetRow(make([]int, k))))}
}

// addPairs adds all pairs of people, in the order of their ids, as one claim.
func (c *comparison) addPairs(checked *checkedClaim) {
	persons := slices.Sorted(maps.Keys(checked.Decisions))
	claims := 1
	for k := range persons {
		for i := range k {
			c.add(checked.cluster, claims, checked.Decisions[persons[i]], checked.Decisions[persons[k]])
			claims = 0
		}
	}
}

func (c *comparison) add(clip string, claims int, first, second decision) {
	k := len(decisionValues)
	i, j := slices.Index(decisionValues, first), slices.Index(decisionValues, second)
	both, counts := make([]float64, k*k), make([]int, k)
	both[i*k+j]++
	counts[i]++
	counts[j]++
	c.both.Add(clip, claims, both...)
	c.gwet.Add(clip, claims, stats.GwetRow(counts)...)
}

// rows are the figures, if there are enough claims.
func (c *comparison) rows(of string, seed uint64) (out [][]string) {
	claims := strconv.Itoa(c.both.N)
	if c.both.N < people.Fewest {
		return [][]string{{of, "agreement", "not known", fmt.Sprintf("at least %d claims are needed", people.Fewest), claims}}
	}
	k := len(decisionValues)
	add := func(what string, f *people.Figure, stat stats.Statistic) {
		value, interval := f.Value(stat, seed)
		out = append(out, []string{of, what, value, interval, claims})
	}
	add("same verdict", c.both, stats.Agreement(k))
	add("Cohen's kappa", c.both, stats.Kappa(k))
	add("Gwet's AC1", c.gwet, stats.Gwet(k))
	for i, v := range decisionValues {
		add(fmt.Sprintf("kappa of %s against the others", v), c.both, stats.KappaOfOne(k, i))
	}
	return out
}

// persons is the table of those who checked claims.
func persons(checked []checkedClaim, times map[string][]time.Duration) omniscope.Table {
	table := omniscope.Table{Personal: true, Name: "people", Title: "People", Columns: []string{"person", "claims", "supported", "contradicted", "unsupported", "as the final verdict", "kappa with the machine", "median time of a caption"},
		Numbers: []int{1, 2, 3, 4, 6}, Note: "As the final verdict: of the claims that have one."}
	for _, person := range slices.Sorted(maps.Keys(times)) {
		n := make(map[decision]int)
		all, final, same := 0, 0, 0
		machine := newComparison()
		for _, c := range checked {
			v, ok := c.Decisions[person]
			if !ok {
				continue
			}
			all++
			n[v]++
			if c.Final != none {
				final++
			}
			if c.Final == v {
				same++
			}
			if c.Machine != none {
				machine.add(c.cluster, 1, v, c.Machine)
			}
		}
		cells := []string{person, strconv.Itoa(all)}
		for _, v := range decisionValues {
			cells = append(cells, strconv.Itoa(n[v]))
		}
		table.Rows = append(table.Rows, append(cells, fmt.Sprintf("%d of %d", same, final), machine.kappa(), people.MiddleTime(times[person])))
	}
	return table
}

// kappa is Cohen's, without an interval; "not known" of too few claims.
func (c *comparison) kappa() string {
	value, ok := stats.Kappa(len(decisionValues))(c.both.Rows.Total())
	if c.both.N < people.Fewest || !ok {
		return "not known"
	}
	return fmt.Sprintf("%.3f", value)
}
