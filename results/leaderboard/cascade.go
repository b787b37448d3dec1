package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/results/compare"
)

// A CascadeRow is what became of one system's captions, from which one model answered.
type CascadeRow struct {
	System, Answerer string
	Results          map[string]*document.Results // by benchmark
}

// CascadeTable shows cascades on several benchmarks in the form of the Omni-Captioner paper
// (arXiv 2510.12720, table 3): a row for each system, a column for each benchmark, and below
// them the rows that were published.
func CascadeTable(benchmarks []bench.Info, rows []CascadeRow, scoring bench.Scoring) (omniscope.Table, error) {
	t := omniscope.Table{Name: "cascade " + scoring.String(), Title: "Accuracy of answers from captions, profile " + scoring.String(),
		Columns: []string{"captions", "answered by"}}
	for i, b := range benchmarks {
		t.Columns, t.Numbers = append(t.Columns, b.Name), append(t.Numbers, i+2)
	}
	var marked []string
	for _, r := range rows {
		row := []string{r.System, r.Answerer}
		for _, b := range benchmarks {
			if results := r.Results[b.Name]; results != nil && results.Marked() != "" {
				marked = append(marked, fmt.Sprintf("%s on %s: %s", r.System, b.Name, results.Marked()))
				row[0] = r.System + document.Dagger
			}
			row = append(row, cascadeCell(b.Metric.Scores[0], r.Results[b.Name], scoring))
		}
		t.Rows = append(t.Rows, row)
	}
	published, notes, err := publishedRows(benchmarks)
	if err != nil {
		return t, err
	}
	t.Rows = append(t.Rows, published...)
	t.Note = "published: Omni-Captioner (arXiv 2510.12720), tables 5 and 7 to 12; averages are over questions"
	if len(marked) > 0 {
		t.Note += "." + document.Dagger + " " + strings.Join(marked, "; ")
	}
	if len(notes) > 0 {
		t.Note += ". * " + strings.Join(notes, "; ")
	}
	return t, nil
}

// nothing stands where there is no score.
const nothing = "–"

func cascadeCell(d metric.Score, r *document.Results, scoring bench.Scoring) string {
	if r == nil {
		return nothing
	}
	for _, s := range r.Scorings[scoring].Slices {
		if s.Dimension == "overall" {
			return compare.Scored(d, s.Scores[d.Name])
		}
	}
	return nothing
}

// publishedRows are the published systems that have a score of any of the benchmarks, in the
// order of their first. A value that the paper contradicts elsewhere is marked, and noted.
func publishedRows(benchmarks []bench.Info) (rows [][]string, notes []string, err error) {
	at := make(map[string]int)
	for i, b := range benchmarks {
		cells, err := published(b.Name)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range cells {
			if c.slice != "" || c.score != b.Metric.Scores[0].Name {
				continue
			}
			k, there := at[c.model]
			if !there {
				k = len(rows)
				at[c.model] = k
				rows = append(rows, append([]string{c.model, "published"}, slices.Repeat([]string{nothing}, len(benchmarks))...))
			}
			rows[k][i+2] = c.shown
			if c.note != "" {
				rows[k][i+2] += "*"
				notes = append(notes, fmt.Sprintf("%s on %s: %s", c.model, b.Name, c.note))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(has(b), has(a)) })
	return rows, notes, nil
}

// has counts the scores of a row.
func has(row []string) (n int) {
	for _, cell := range row[2:] {
		if cell != nothing {
			n++
		}
	}
	return n
}
