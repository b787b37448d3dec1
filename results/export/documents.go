package export

import (
	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/filename"
	"omniscope/results"
	"omniscope/results/report"
	"slices"
)

// DocumentTables returns the scores of all runs, their usage, and the tables of their documents. Tables of one name with the same
// columns are joined, with the run in front of each row.
func DocumentTables(runs []*results.Run) (tables []omniscope.Table) {
	var documents []*document.Results
	for _, r := range runs {
		documents = append(documents, r.Results)
	}
	tables = append(tables, report.Scores(documents...), report.Usage(documents...))
	for _, r := range documents {
		for _, t := range r.Tables {
			one := omniscope.Table{Name: "table-" + t.Name, Columns: append([]string{"run", "system"}, t.Columns...)}
			for _, n := range t.Numbers {
				one.Numbers = append(one.Numbers, n+2)
			}
			i := slices.IndexFunc(tables, func(other omniscope.Table) bool {
				return other.Name == one.Name && slices.Equal(other.Columns, one.Columns)
			})
			if i < 0 {
				for n, base := 2, one.Name; slices.ContainsFunc(tables, func(other omniscope.Table) bool { return other.Name == one.Name }); n++ {
					one.Name = filename.Numbered(base, n)
				}
				i = len(tables)
				tables = append(tables, one)
			}
			for _, row := range t.Rows {
				tables[i].Rows = append(tables[i].Rows, append([]string{r.Run.ID, r.System}, row...))
			}
		}
	}
	return tables
}
