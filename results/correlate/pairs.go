package correlate

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/plot"
	"omniscope/metric/stats"
)

// A Pair is two kinds of values of the systems that have both.
type Pair struct {
	X, Y     Column
	Systems  []string
	Pearson  stats.Correlation
	Interval stats.Interval // of Pearson's r
	Spearman stats.Correlation
	Kendall  stats.Correlation
}

// mostPairs is how many pairs are made where the user names no columns.
const mostPairs = 28

// Pairs are the columns called x against those called y; without both, all columns
// against each other.
func (v *Values) Pairs(x, y []string) (pairs []*Pair, err error) {
	var columns [2][]Column
	for side, names := range [][]string{x, y} {
		for _, name := range names {
			c, err := v.column(name)
			if err != nil {
				return nil, err
			}
			columns[side] = append(columns[side], c)
		}
		if len(names) == 0 {
			columns[side] = v.Columns
		}
	}
	all := len(x) == 0 && len(y) == 0
	for i, a := range columns[0] {
		for k, b := range columns[1] {
			if a.Name == b.Name || all && k <= i {
				continue
			}
			pairs = append(pairs, v.pair(a, b))
		}
	}
	var names []string
	for _, c := range v.Columns {
		names = append(names, c.Name)
	}
	switch {
	case len(pairs) == 0:
		return nil, omniscope.Usagef("nothing to correlate: %s", strings.Join(append([]string{fmt.Sprintf("there is %q alone", names)}, v.Notes...), "; "))
	case all && len(pairs) > mostPairs:
		return nil, omniscope.Usagef("%d columns make %d pairs: choose with --x and --y among %q", len(v.Columns), len(pairs), names)
	}
	return pairs, nil
}

func (v *Values) pair(x, y Column) *Pair {
	p := &Pair{X: x, Y: y}
	var xs, ys []float64
	for _, system := range v.Systems {
		a, hasX := x.Of[system]
		b, hasY := y.Of[system]
		if hasX && hasY {
			p.Systems, xs, ys = append(p.Systems, system), append(xs, a.Value), append(ys, b.Value)
		}
	}
	p.Pearson, p.Spearman, p.Kendall = stats.Pearson(xs, ys), stats.Spearman(xs, ys), stats.Kendall(xs, ys)
	p.Interval = p.Pearson.Interval(stats.DefaultLevel)
	return p
}

// Table has a row for each pair.
func Table(pairs []*Pair) omniscope.Table {
	t := omniscope.Table{Name: "correlations", Title: "Correlations over systems", Numbers: []int{2, 3, 5, 6},
		Columns: []string{"x", "y", "systems", "Pearson r", "95 % interval", "Spearman", "Kendall"},
		Note:    "of the systems that have both values; the interval of r is Fisher's, which takes systems for a sample of more (4 at least), and leaves out how sure each value is; Kendall is tau-b"}
	for _, p := range pairs {
		t.Rows = append(t.Rows, []string{p.X.Name, p.Y.Name, strconv.Itoa(len(p.Systems)), shown(p.Pearson), p.interval(), shown(p.Spearman), shown(p.Kendall)})
	}
	return t
}

const none = "–"

func (p *Pair) interval() string {
	if !p.Interval.Known {
		return none
	}
	return fmt.Sprintf("[%s, %s]", decimals(p.Interval.Low), decimals(p.Interval.High))
}

func shown(c stats.Correlation) string {
	if !c.Known {
		return none
	}
	return decimals(c.R)
}

func decimals(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// ValueTable has a row for each system.
func (v *Values) ValueTable() omniscope.Table {
	t := omniscope.Table{Name: "values", Title: "Values", Columns: []string{"system"}, Note: strings.Join(v.Notes, "; ")}
	for i, c := range v.Columns {
		t.Columns, t.Numbers = append(t.Columns, c.Name), append(t.Numbers, i+1)
	}
	for _, system := range v.Systems {
		row := []string{system}
		for _, c := range v.Columns {
			cell := none
			if value, has := c.Of[system]; has {
				cell = strconv.FormatFloat(value.Value, 'g', 6, 64)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Chart scatters the systems, with their names. The interval of y is drawn where it is
// known.
func (p *Pair) Chart() *plot.Chart {
	c := &plot.Chart{Title: fmt.Sprintf("r = %s %s, %d systems", shown(p.Pearson), p.interval(), len(p.Systems)), X: p.X.Name, Y: p.Y.Name}
	line := plot.Line{Loose: true}
	for _, system := range p.Systems {
		y := p.Y.Of[system]
		line.Points = append(line.Points, plot.Point{X: p.X.Of[system].Value, Y: y.Value, Low: y.Low, High: y.High, Name: system})
	}
	c.Lines = []plot.Line{line}
	return c
}

// Page writes the charts of pairs, with notes on their values, as a page that needs nothing else.
func Page(w io.Writer, title string, pairs []*Pair, notes ...string) error {
	about := append([]string{"A point is a system, and its bar the 95 % interval of y. It says its values where the mouse rests."}, notes...)
	return plot.Page(w, title, strings.Join(about, " "), charts(pairs))
}

func charts(pairs []*Pair) (all []*plot.Chart) {
	for _, p := range pairs {
		if len(p.Systems) > 0 {
			all = append(all, p.Chart())
		}
	}
	return slices.Clip(all)
}
