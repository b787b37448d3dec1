package mcif

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"omniscope"
	"omniscope/internal/textnorm"
	"omniscope/metric"
	"omniscope/people"
	"omniscope/stats"
)

// Tables implements people.Tabler.
func (Kind) Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := newTally()
	if err := each(ctx, w, func(one *work) error { t.add(one); return nil }); err != nil {
		return nil, err
	}
	return []omniscope.Table{t.agreement(), t.questions()}, nil
}

// A tally counts what people said. A talk is one cluster of each figure.
type tally struct {
	labels   figure // of author and verifier
	edits    map[string]*[2]figure
	verdicts map[string]int
	waiting  int
	short    []string // talks whose questions are too few
}

func newTally() *tally {
	t := &tally{labels: figure{width: len(labels) * len(labels)}, edits: make(map[string]*[2]figure), verdicts: make(map[string]int)}
	for _, l := range languages {
		t.edits[l.code] = &[2]figure{{width: 2}, {width: 2}}
	}
	return t
}

func (t *tally) add(one *work) {
	t.labels.begin()
	for _, q := range append(one.kept, one.rejected...) {
		if q.verdict == "" {
			t.waiting++
			continue
		}
		t.verdicts[q.verdict]++
		counts := make([]float64, t.labels.width)
		counts[number(labels, q.labelOfAuthor)*len(labels)+number(labels, q.labelOfChecker)] = 1
		t.labels.add(counts...)
	}
	if one.verified {
		if missing := shortOf(one.kept); len(missing) > 0 {
			t.short = append(t.short, one.talk.ID+" ("+strings.Join(missing, ", ")+")")
		}
	}
	for i := range languages {
		t.addEdits(one, &languages[i])
	}
}

// addEdits counts what the reviser changed of the machine's text, and the reviewer of the reviser's.
func (t *tally) addEdits(one *work, l *language) {
	both, made := t.edits[l.code], one.to[l.code]
	both[0].begin()
	both[1].begin()
	for section, lines := range map[string][]Line{lineSection: one.talk.Lines, abstractSection: one.talk.parts()} {
		for i := range lines {
			key := section + "/" + lineID(i)
			revised, ok := made.revised[key]
			if machine := lines[i].machine(l.code); ok && machine != "" {
				both[0].addEdits(l, machine, trimmed(revised, fieldText))
			}
			if ok && made.reviewed {
				both[1].addEdits(l, trimmed(revised, fieldText), trimmed(made.answers[key], fieldText))
			}
		}
	}
}

// addEdits counts the edits from one text to the next, for each word of the next.
func (f *figure) addEdits(l *language, from, to string) {
	edits := metric.Align(tokens(l, to), tokens(l, from))
	f.add(float64(edits.Errors()), float64(edits.Words()))
}

// tokens are what edits are counted in: words, or signs where a language has no blanks.
func tokens(l *language, text string) (out []string) {
	if !l.signs {
		return textnorm.Fields(text)
	}
	for _, r := range text {
		if !unicode.IsSpace(r) {
			out = append(out, string(r))
		}
	}
	return out
}

func (t *tally) agreement() omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Labels are those of author and verifier, who does not see the author's. Edits are counted as in the word error rate, against the later text; in Chinese in signs. Intervals resample talks."}
	row := func(what string, f *figure, stat stats.Statistic, of string) {
		table.Rows = append(table.Rows, f.row(what, stat, of))
	}
	row("labels, same", &t.labels, stats.Agreement(len(labels)), "questions")
	row("labels, Cohen's kappa", &t.labels, stats.Kappa(len(labels)), "questions")
	for i, label := range labels {
		row("label "+label+" or not, Cohen's kappa", &t.labels, stats.KappaOfOne(len(labels), i), "questions")
	}
	rate := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	for _, l := range languages {
		if both := t.edits[l.code]; both[0].n+both[1].n > 0 {
			row(l.name+", edits from machine to reviser", &both[0], rate, "lines")
			row(l.name+", edits from reviser to reviewer", &both[1], rate, "lines")
		}
	}
	return table
}

func (t *tally) questions() omniscope.Table {
	table := omniscope.Table{Name: "questions", Title: "Questions", Columns: []string{"verdict", "questions"}, Numbers: []int{1}}
	for _, v := range verdicts {
		table.Rows = append(table.Rows, []string{v, strconv.Itoa(t.verdicts[v])})
	}
	table.Rows = append(table.Rows, []string{"not verified yet", strconv.Itoa(t.waiting)})
	if len(t.short) > 0 {
		table.Note = "After what was rejected or labelled anew, these talks have too few questions: " + strings.Join(t.short, "; ")
	}
	return table
}

// A figure is a statistic of things that people judged, with a row of counts for each talk.
type figure struct {
	width int
	rows  []float64
	n     int // things that were judged
	used  bool
}

// begin begins the row of a talk.
func (f *figure) begin() {
	if len(f.rows) == 0 || f.used {
		f.rows = append(f.rows, make([]float64, f.width)...)
	}
	f.used = false
}

// add counts one thing in the row of the talk.
func (f *figure) add(counts ...float64) {
	f.n++
	f.used = true
	for i, x := range counts {
		f.rows[len(f.rows)-f.width+i] += x
	}
}

// row is the figure as a table has it. Below ten things it says nothing.
func (f *figure) row(what string, stat stats.Statistic, of string) []string {
	const fewest = 10
	cells := []string{what, "not known", "", fmt.Sprintf("%d %s", f.n, of)}
	if f.n < fewest {
		cells[3] += fmt.Sprintf("; at least %d are needed", fewest)
		return cells
	}
	f.begin() // and leave the empty row out, that of a talk of which nothing was said
	c := stats.Clusters{Width: f.width, Rows: f.rows[:len(f.rows)-f.width]}
	if value, known := stat(c.Total()); known {
		cells[1] = fmt.Sprintf("%.3f", value)
		if i := stats.Clustered(c, []stats.Statistic{stat}, stats.Options{})[0]; i.Known {
			cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
	}
	return cells
}
