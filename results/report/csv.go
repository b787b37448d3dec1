package report

import (
	"io"
	"maps"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/results/tablefile"
)

// csvHeader names the columns of results.csv.
var csvHeader = []string{"run", "benchmark", "system", "judge", "profile", "dimension", "group", "score",
	"value", "low", "high", "level", "method", "bound_low", "bound_high", "n", "unscored", "clusters", "why", "marks"}

// scoreNumbers are the columns of csvHeader that hold numbers.
var scoreNumbers = []int{8, 9, 10, 11, 13, 14, 15, 16, 17}

// Scores is a table with a row for each score of each slice of each scoring of each
// document, numbers in full. What is not known is an empty cell.
func Scores(documents ...*document.Results) omniscope.Table {
	t := omniscope.Table{Name: "scores", Title: "Scores", Columns: csvHeader, Numbers: scoreNumbers}
	for _, r := range documents {
		for _, p := range r.Scorings {
			for _, s := range p.Slices {
				for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
					line := []string{r.Run.ID, r.Benchmark.Name, r.System, r.Judge.Name, p.Name, s.Dimension, s.Group, name}
					t.Rows = append(t.Rows, append(append(line, csvScore(s.Scores[name])...), r.Marked()))
				}
			}
		}
	}
	return t
}

// Usage is a table with a row for the calls and the cost of each document's run. What is not known is an empty cell.
func Usage(documents ...*document.Results) omniscope.Table {
	t := omniscope.Table{Name: "usage", Title: "Usage", Columns: []string{"run", "benchmark", "system", "judge", "calls", "remembered", "failed", "retries", "rate_limited",
		"tokens_in", "tokens_out", "cost_usd", "lost_tries", "lost_tokens_in", "lost_tokens_out", "lost_cost_usd", "seconds"}}
	for i := 4; i < len(t.Columns); i++ {
		t.Numbers = append(t.Numbers, i)
	}
	for _, r := range documents {
		u := r.Usage
		line := []string{r.Run.ID, r.Benchmark.Name, r.System, r.Judge.Name}
		for _, n := range []int{u.Calls, u.Remembered, u.Failed, u.Retries, u.RateLimited, u.TokensIn, u.TokensOut} {
			line = append(line, strconv.Itoa(n))
		}
		line = append(line, csvNumber(u.CostUSD), strconv.Itoa(u.Lost.Tries), strconv.Itoa(u.Lost.TokensIn), strconv.Itoa(u.Lost.TokensOut), csvNumber(u.Lost.CostUSD), csvNumber(&u.Seconds))
		t.Rows = append(t.Rows, line)
	}
	return t
}

// CSV writes the table of the scores.
func CSV(w io.Writer, r *document.Results) error { return tablefile.CSV(w, Scores(r)) }

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
