package leaderboard

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/spreadsheet"
	"omniscope/metric"
	"omniscope/results/compare"
)

const none = "–"

// Tables are the board for people: the ranked systems, the systems without a rank, and the reasons,
// a row each. narrow moves data and judge of ranked systems to a note, and leaves out scores without
// a published row.
func (b *Board) Tables(narrow bool) []omniscope.Table {
	b.narrow = narrow
	ranked, apart := b.table("leaderboard", b.title(), true), b.table("not ranked", "Not ranked: "+b.title(), false)
	why := omniscope.Table{Name: "why not ranked", Title: "Why not: " + b.title(), Columns: []string{"model", "from", "why it is not ranked"}}
	notes, own := []string{"by " + b.By}, false
	var notesApart []string
	if all := b.inCommon(); narrow && all != "" {
		notes = append(notes, all)
	}
	for _, r := range b.Rows {
		if own = own || !r.Published; r.isApart() {
			apart.Rows = append(apart.Rows, b.cells(&r, &notesApart, false))
			for _, reason := range r.Why {
				why.Rows = append(why.Rows, []string{r.Model, r.Source, reason})
			}
		} else {
			ranked.Rows = append(ranked.Rows, b.cells(&r, &notes, true))
			if note := fmt.Sprintf("%s: data %s, judge %s", r.Model, r.Data, cmp.Or(r.Judge, none)); narrow && !r.Published && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	if own {
		notes = append(notes, "published values are taken as they are printed, without intervals; ranks in brackets are 95 % intervals, by resampling the clusters of your runs")
	}
	notes = append(notes, b.Notes...)
	if len(ranked.Rows) == 0 {
		notesApart = append(notes, notesApart...)
	}
	ranked.Note, apart.Note = strings.Join(notes, "; "), strings.Join(notesApart, "; ")
	return slices.DeleteFunc([]omniscope.Table{ranked, apart, why}, func(t omniscope.Table) bool { return len(t.Rows) == 0 })
}

// isApart reports whether the row is not listed among those with a rank.
func (r *boardRow) isApart() bool { return r.Rank == 0 && (!r.Published || len(r.Why) > 0) }

func (b *Board) title() string {
	parts := []string{b.Setting}
	if b.Slice != "" {
		parts = append(parts, "slice "+b.Slice)
	}
	return cmp.Or(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", "), "Systems")
}

// scoresOf returns the scores of a table's rows. A screen has room for the scores of published rows, and
// for one score of unranked rows.
func (b *Board) scoresOf(ranked bool) []metric.Score {
	has := func(s metric.Score, is func(*boardRow) bool) bool {
		return slices.ContainsFunc(b.Rows, func(r boardRow) bool { _, has := r.Scores[s.Name]; return has && is(&r) })
	}
	published := func(r *boardRow) bool { return r.Published }
	among := slices.ContainsFunc(b.Scores, func(s metric.Score) bool { return has(s, published) })
	return slices.DeleteFunc(slices.Clone(b.Scores), func(s metric.Score) bool {
		return !has(s, func(r *boardRow) bool { return r.isApart() != ranked }) ||
			b.narrow && s.Name != b.By && (!ranked || among && !has(s, published))
	})
}

func (b *Board) table(name, title string, ranked bool) omniscope.Table {
	t := omniscope.Table{Name: name, Title: title, Columns: []string{"model"}}
	if ranked {
		t.Columns, t.Numbers = []string{"rank", "model", "group"}, []int{0}
	}
	for _, s := range b.scoresOf(ranked) {
		t.Numbers = append(t.Numbers, len(t.Columns))
		t.Columns = append(t.Columns, compare.Heading(s))
	}
	t.Numbers = append(t.Numbers, len(t.Columns), len(t.Columns)+1)
	t.Columns = append(t.Columns, "n", "answered")
	if !ranked || !b.narrow {
		t.Columns = append(t.Columns, "judge", "data")
	}
	t.Columns = append(t.Columns, "from")
	return t
}

// inCommon is the judge of the published rows; "" = no published row, or no judge.
func (b *Board) inCommon() string {
	if b.Judge == "" || !slices.ContainsFunc(b.Rows, func(r boardRow) bool { return r.Published }) {
		return ""
	}
	return "published rows by judge " + b.Judge
}

func (b *Board) cells(r *boardRow, notes *[]string, ranked bool) []string {
	cells := []string{r.Model}
	if ranked {
		cells = []string{r.rank(), r.Model, r.Group}
	}
	for _, s := range b.scoresOf(ranked) {
		v, has := r.Scores[s.Name]
		shown := cmp.Or(v.Shown, none)
		if s.Name != b.By { // intervals of all would be more than fits on a screen
			shown, _, _ = strings.Cut(shown, " [")
		}
		if has && v.Note != "" {
			shown += "*"
			*notes = append(*notes, fmt.Sprintf("* %s, %s: %s", r.Model, s.Title, v.Note))
		}
		cells = append(cells, shown)
	}
	n, answered := none, none
	if r.N > 0 {
		n = quantity.Grouped(r.N)
	}
	if r.Answered != nil {
		answered = quantity.Grouped(*r.Answered)
	}
	cells = append(cells, n, answered)
	if !ranked || !b.narrow {
		cells = append(cells, cmp.Or(r.Judge, none), r.Data)
	}
	return append(cells, r.Source)
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

var csvHeader = []string{"benchmark", "setting", "slice", "rank", "best_rank", "last_rank", "model", "group", "published", "source", "score", "value", "low", "high", "shown", "note",
	"n", "answered", "judge", "data", "why_not_ranked"}

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
	known := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, r := range b.Rows {
		answered := ""
		if r.Answered != nil {
			answered = strconv.Itoa(*r.Answered)
		}
		for _, s := range b.Scores {
			if v, has := r.Scores[s.Name]; has {
				lines = append(lines, []string{b.Benchmark, b.Setting, b.Slice, known(r.Rank), known(r.BestRank), known(r.LastRank), r.Model, r.Group,
					strconv.FormatBool(r.Published), r.Source, s.Name, number(&v.Value), number(v.Low), number(v.High), v.Shown, v.Note,
					known(r.N), answered, r.Judge, r.Data, strings.Join(r.Why, "; ")})
			}
		}
	}
	return lines
}
