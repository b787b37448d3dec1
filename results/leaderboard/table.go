package leaderboard

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/spreadsheet"
	"omniscope/results/compare"
)

const none = "–"

// Table is the board for people.
func (b *Board) Table() omniscope.Table {
	t := omniscope.Table{Name: "leaderboard", Title: cmp.Or(strings.TrimSpace(b.Setting+" "+b.Slice), "Systems"), Columns: []string{"rank", "model", "group"}, Numbers: []int{0}}
	for _, s := range b.Scores {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, compare.Heading(s))
	}
	t.Columns = append(t.Columns, "from")
	notes := []string{"by " + b.By}
	own := false
	for _, r := range b.Rows {
		cells := []string{r.rank(), r.Model, r.Group}
		for _, s := range b.Scores {
			v, has := r.Scores[s.Name]
			shown := cmp.Or(v.Shown, none)
			if s.Name != b.By { // intervals of all would be more than fits on a screen
				shown, _, _ = strings.Cut(shown, " [")
			}
			if has && v.Note != "" {
				shown += "*"
				notes = append(notes, fmt.Sprintf("* %s, %s: %s", r.Model, s.Title, v.Note))
			}
			cells = append(cells, shown)
		}
		own = own || !r.Published
		t.Rows = append(t.Rows, append(cells, r.Source))
	}
	if own {
		notes = append(notes, "published values are taken as they are printed, without intervals; ranks in brackets are 95 % intervals, by resampling the clusters of your runs")
	}
	t.Note = strings.Join(append(notes, b.Notes...), "; ")
	return t
}

// rank writes a rank with its interval, where that says more.
func (r *boardRow) rank() string {
	switch {
	case r.Rank == 0:
		return none
	case r.BestRank == r.LastRank:
		return strconv.Itoa(r.Rank)
	}
	return fmt.Sprintf("%d [%d–%d]", r.Rank, r.BestRank, r.LastRank)
}

var csvHeader = []string{"benchmark", "setting", "slice", "rank", "best_rank", "last_rank", "model", "group", "published", "source", "score", "value", "low", "high", "shown", "note"}

// WriteCSV writes a line for each score of each row.
func WriteCSV(w io.Writer, boards []*Board) error {
	lines := csv.NewWriter(w)
	lines.Write(csvHeader) // errors stay in the writer
	for _, b := range boards {
		for _, line := range b.csv() {
			lines.Write(spreadsheet.Cells(line))
		}
	}
	lines.Flush()
	return lines.Error()
}

func (b *Board) csv() (lines [][]string) {
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	rank := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, r := range b.Rows {
		for _, s := range b.Scores {
			if v, has := r.Scores[s.Name]; has {
				lines = append(lines, []string{b.Benchmark, b.Setting, b.Slice, rank(r.Rank), rank(r.BestRank), rank(r.LastRank), r.Model, r.Group,
					strconv.FormatBool(r.Published), r.Source, s.Name, number(&v.Value), number(v.Low), number(v.High), v.Shown, v.Note})
			}
		}
	}
	return lines
}
