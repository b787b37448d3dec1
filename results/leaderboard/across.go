package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/results"
	"omniscope/results/compare"
)

// A systemRow is a system with its results on several benchmarks. One model answered, or the system itself.
type systemRow struct {
	system, answerer string
	results          map[string]*results.Run // by benchmark
}

// Across shows runs of several benchmarks in one table, in the form of the Omni-Captioner paper (arXiv
// 2510.12720, table 3): a row for each system and for the model that answered from its captions, a column for each
// benchmark, and below them the published rows. dirs are the folders of the runs. The other scoring is a second table
// if it differs.
func Across(ctx context.Context, benchmarks []bench.Info, dirs []string, scoring bench.Scoring) (tables []omniscope.Table, err error) {
	var rows []systemRow
	for _, dir := range dirs {
		r, err := results.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(benchmarks, func(b bench.Info) bool { return b.Name == r.Results.Benchmark.Name }) {
			return nil, omniscope.Usagef("%s is a run of %s, which is not among the named benchmarks", dir, r.Results.Benchmark.Name)
		}
		if rows, err = addRun(rows, r); err != nil {
			return nil, err
		}
	}
	for _, s := range []bench.Scoring{scoring, 1 - scoring} {
		t, err := acrossTable(benchmarks, rows, s)
		if err != nil {
			return nil, err
		}
		if len(tables) == 0 || !reflect.DeepEqual(t.Rows, tables[0].Rows) {
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// addRun puts a run into the row of its system and answerer.
func addRun(rows []systemRow, r *results.Run) ([]systemRow, error) {
	system, answerer, benchmark := r.Results.System, cmp.Or(r.Results.Judge.Name, "itself"), r.Results.Benchmark.Name
	i := slices.IndexFunc(rows, func(row systemRow) bool { return row.system == system && row.answerer == answerer })
	if i < 0 {
		i = len(rows)
		rows = append(rows, systemRow{system: system, answerer: answerer, results: make(map[string]*results.Run)})
	}
	if other := rows[i].results[benchmark]; other != nil {
		return nil, omniscope.Usagef("%s and %s are both runs of %s on %s: name one of them, or give them names with --system", other.Dir, r.Dir, system, benchmark)
	}
	rows[i].results[benchmark] = r
	return rows, nil
}

func acrossTable(benchmarks []bench.Info, rows []systemRow, scoring bench.Scoring) (omniscope.Table, error) {
	t := omniscope.Table{Name: "leaderboard " + scoring.String(), Title: "Accuracy on several benchmarks, scoring " + scoring.String(),
		Columns: []string{"system", "answered by"}}
	for i, b := range benchmarks {
		t.Columns, t.Numbers = append(t.Columns, b.Name), append(t.Numbers, i+2)
	}
	var marks []string
	for _, r := range rows {
		row := []string{r.system, r.answerer}
		for _, b := range benchmarks {
			run := r.results[b.Name]
			if run == nil {
				row = append(row, nothing)
				continue
			}
			if marked := run.Results.Marked(); marked != "" {
				marks = append(marks, fmt.Sprintf("%s on %s: %s", r.system, b.Name, marked))
				row[0] = r.system + document.Dagger
			}
			row = append(row, overallCell(b.Metric.Scores[0], run.Results, scoring))
		}
		t.Rows = append(t.Rows, row)
	}
	published, notes, err := publishedRows(benchmarks)
	if err != nil {
		return t, err
	}
	t.Rows = append(t.Rows, published...)
	t.Note = "published: Omni-Captioner (arXiv 2510.12720), tables 5 and 7 to 12; averages are over questions"
	if len(marks) > 0 {
		t.Note += "." + document.Dagger + " " + strings.Join(marks, "; ")
	}
	if len(notes) > 0 {
		t.Note += ". * " + strings.Join(notes, "; ")
	}
	return t, nil
}

// nothing stands where there is no score.
const nothing = "–"

func overallCell(d metric.Score, r *document.Results, scoring bench.Scoring) string {
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
