package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/internal/spreadsheet"
)

// csvHeader names the columns of results.csv.
var csvHeader = []string{"run", "benchmark", "system", "judge", "profile", "dimension", "group", "score",
	"value", "low", "high", "level", "method", "bound_low", "bound_high", "n", "unscored", "clusters", "why"}

// CSV writes one line for each score of each slice of each profile, numbers in
// full. What is not known is an empty cell. Texts that a spreadsheet would take
// for formulas are written as package spreadsheet does.
func CSV(w io.Writer, r *omniscope.Results) error {
	out := csv.NewWriter(w)
	out.Write(csvHeader) // errors stay in the writer
	for _, p := range r.Profiles {
		for _, s := range p.Slices {
			for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
				line := []string{r.Run.ID, r.Benchmark.Name, r.System, r.Judge.Name, p.Name, s.Dimension, s.Group, name}
				out.Write(spreadsheet.Cells(append(line, csvScore(s.Scores[name])...)))
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvScore(s omniscope.Score) []string {
	cells := []string{csvNumber(s.Value), "", "", "", "", "", ""}
	if low, high, ok := intervalEnds(s); ok {
		copy(cells[1:], []string{csvNumber(&low), csvNumber(&high), csvNumber(&s.Interval.Level), s.Interval.Method})
	}
	if low, high, ok := boundEnds(s); ok {
		copy(cells[5:], []string{csvNumber(&low), csvNumber(&high)})
	}
	return append(cells, strconv.Itoa(s.N), strconv.Itoa(s.Unscored), strconv.Itoa(s.Clusters), s.Why)
}

func csvNumber(v *float64) string {
	f, ok := finite(v)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
