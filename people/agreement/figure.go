package agreement

import (
	"fmt"

	"omniscope/metric/stats"
)

// A Figure is a statistic of things that people judged, with a row of counts for each clip.
type Figure struct {
	width int
	k     int // of pairs: categories
	rows  []float64
	n     int // things that were judged
	used  bool
}

// NewFigure is a figure of so many counts.
func NewFigure(width int) *Figure { return &Figure{width: width} }

// NewPairs is a figure of pairs of k categories: a table of k x k counts, as stats.Kappa wants.
func NewPairs(k int) *Figure { return &Figure{width: k * k, k: k} }

// Begin begins the row of a clip.
func (f *Figure) Begin() {
	if len(f.rows) == 0 || f.used {
		f.rows = append(f.rows, make([]float64, f.width)...)
	}
	f.used = false
}

// Add counts one thing in the row of the clip.
func (f *Figure) Add(counts ...float64) {
	f.n++
	f.used = true
	for i, x := range counts {
		f.rows[len(f.rows)-f.width+i] += x
	}
}

// Pair counts one thing that two people put into categories; -1 = one of them did not.
func (f *Figure) Pair(a, b int) {
	if a < 0 || b < 0 {
		return
	}
	f.n++
	f.used = true
	f.rows[len(f.rows)-f.width+a*f.k+b]++
}

// Len is how many things were judged.
func (f *Figure) Len() int { return f.n }

// Row is the figure as a table has it: what, value, 95 % interval, of how many. Below
// ten things it says nothing.
func (f *Figure) Row(what string, stat stats.Statistic, of string) []string {
	cells := []string{what, "not known", "", fmt.Sprintf("%d %s", f.n, of)}
	if f.n < fewest {
		cells[3] += fmt.Sprintf("; at least %d are needed", fewest)
		return cells
	}
	rows := f.rows
	if !f.used { // that of a clip of which nothing was said
		rows = rows[:len(rows)-f.width]
	}
	c := stats.Clusters{Width: f.width, Rows: rows}
	if value, known := stat(c.Total()); known {
		cells[1] = fmt.Sprintf("%.3f", value)
		if i := stats.Clustered(c, []stats.Statistic{stat}, stats.Options{})[0]; i.Known {
			cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
	}
	return cells
}
