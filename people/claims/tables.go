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

// Tables implements people.Tabler: the decisions of people against the machine's, how far both
// agree, and people.
func (Kind) Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	checked, err := results(ctx, w)
	if err != nil {
		return nil, err
	}
	if len(checked) == 0 {
		return []omniscope.Table{{Name: "verdicts", Title: "Verdicts", Note: "Nothing is checked yet.", Columns: []string{"people"}}}, nil
	}
	seed, _ := strconv.ParseUint(w.Project().Settings[settingSeed], 10, 64) // else 0, a seed like any other
	return []omniscope.Table{decisions(checked), agreement(checked, seed), persons(checked, times(w))}, nil
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

// fewest is how many claims it takes for a figure of agreement to say something.
const fewest = 10

// agreement is the table of how far people agree with each other, and with the machine.
func agreement(checked []checkedClaim, seed uint64) omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"of", "what", "value", "95% interval", "claims"}, Numbers: []int{4},
		Note: "Kappa and AC1 correct for chance: 1 is full agreement. Where one verdict is much more frequent than others, kappa is low and AC1 says more. Intervals resample clips. " +
			"Two people: before anything was settled; if there are more, all pairs of those who checked the same claim. People and machine: the final verdict, and what the machine judged."}
	var two, machine comparison
	for _, c := range checked {
		two.addPairs(&c)
		if c.Final != none && c.Machine != none {
			machine.add(c.cluster, c.Final, c.Machine)
		}
	}
	for _, one := range []struct {
		of string
		c  *comparison
	}{{"two people", &two}, {"people and machine", &machine}} {
		if one.c.claims < fewest {
			table.Rows = append(table.Rows, []string{one.of, "agreement", "not known", fmt.Sprintf("at least %d claims are needed", fewest), strconv.Itoa(one.c.claims)})
			continue
		}
		for _, f := range one.c.figures(seed) {
			table.Rows = append(table.Rows, append([]string{one.of}, append(f, strconv.Itoa(one.c.claims))...))
		}
	}
	return table
}

// A comparison is of two decisions on each claim, by clip.
type comparison struct {
	claims int
	clips  []string // in order
	tables map[string][]float64
	gwet   map[string][]float64
}

// addPairs adds all pairs of people, in the order of their ids.
func (c *comparison) addPairs(checked *checkedClaim) {
	persons := slices.Sorted(maps.Keys(checked.Decisions))
	if len(persons) < 2 {
		return
	}
	for k := range persons {
		for i := range k {
			c.addPair(checked.cluster, checked.Decisions[persons[i]], checked.Decisions[persons[k]])
		}
	}
	c.claims++
}

func (c *comparison) add(clip string, first, second decision) {
	c.addPair(clip, first, second)
	c.claims++
}

func (c *comparison) addPair(clip string, first, second decision) {
	k := len(decisionValues)
	if c.tables == nil {
		c.tables, c.gwet = make(map[string][]float64), make(map[string][]float64)
	}
	if c.tables[clip] == nil {
		c.clips = append(c.clips, clip)
		c.tables[clip], c.gwet[clip] = make([]float64, k*k), make([]float64, len(stats.GwetRow(make([]int, k))))
	}
	i, j := slices.Index(decisionValues, first), slices.Index(decisionValues, second)
	c.tables[clip][i*k+j]++
	counts := make([]int, k)
	counts[i]++
	counts[j]++
	for at, x := range stats.GwetRow(counts) {
		c.gwet[clip][at] += x
	}
}

// figures are what, value and interval of each figure.
func (c *comparison) figures(seed uint64) (out [][]string) {
	k := len(decisionValues)
	add := func(what string, of map[string][]float64, stat stats.Statistic) {
		rows := stats.Clusters{Width: len(of[c.clips[0]])}
		for _, clip := range c.clips {
			rows.Rows = append(rows.Rows, of[clip]...)
		}
		cells := []string{what, "not known", ""}
		if value, ok := stat(rows.Total()); ok {
			cells[1] = fmt.Sprintf("%.3f", value)
			if iv := stats.Clustered(rows, []stats.Statistic{stat}, stats.Options{Seed: seed})[0]; iv.Known {
				cells[2] = fmt.Sprintf("%.3f to %.3f", iv.Low, iv.High)
			}
		}
		out = append(out, cells)
	}
	add("same verdict", c.tables, stats.Agreement(k))
	add("Cohen's kappa", c.tables, stats.Kappa(k))
	add("Gwet's AC1", c.gwet, stats.Gwet(k))
	for i, v := range decisionValues {
		add(fmt.Sprintf("kappa of %s against the others", v), c.tables, stats.KappaOfOne(k, i))
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
		var machine comparison
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
				machine.add(c.cluster, v, c.Machine)
			}
		}
		cells := []string{person, strconv.Itoa(all)}
		for _, v := range decisionValues {
			cells = append(cells, strconv.Itoa(n[v]))
		}
		spent := times[person]
		slices.Sort(spent)
		table.Rows = append(table.Rows, append(cells, fmt.Sprintf("%d of %d", same, final), machine.kappa(), spent[len(spent)/2].Round(time.Second).String()))
	}
	return table
}

// kappa is Cohen's, without an interval; "not known" of too few claims.
func (c *comparison) kappa() string {
	sum := make([]float64, len(decisionValues)*len(decisionValues))
	for _, table := range c.tables {
		for i, x := range table {
			sum[i] += x
		}
	}
	value, ok := stats.Kappa(len(decisionValues))(sum)
	if c.claims < fewest || !ok {
		return "not known"
	}
	return fmt.Sprintf("%.3f", value)
}
