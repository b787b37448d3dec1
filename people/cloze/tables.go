package cloze

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/people"
	"omniscope/stats"
)

// Tables implements people.Tabler.
func (Kind) Tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := newTally()
	if err := each(ctx, w, func(r *reviewed) error { t.add(r); return nil }); err != nil {
		return nil, err
	}
	return []omniscope.Table{t.agreement(), t.outcomes(leavesOut(w))}, nil
}

// A tally counts what people said. A clip is one cluster of each figure.
type tally struct {
	right     map[string]*figure // answers without the key, by sense; "" = all
	alpha     *figure            // of those answers
	verdicts  *figure            // of blanks with their keys, of the first two people
	sentences *figure            // verdicts on sentences that two people corrected
	blanks    map[Outcome]int
	settled   int
	leftOut   []string
}

// struck counts beside the verdicts on sentences.
const struck = "struck"

func newTally() *tally {
	t := &tally{right: make(map[string]*figure), blanks: make(map[Outcome]int), alpha: newFigure(len(openAnswers)), verdicts: newFigure(len(verdicts)), sentences: newFigure(len(sentenceVerdicts) + 1)}
	for _, sense := range append([]string{""}, senses...) {
		t.right[sense] = &figure{width: 2}
	}
	return t
}

func (t *tally) add(r *reviewed) {
	for _, f := range append([]*figure{t.alpha, t.verdicts, t.sentences}, t.right[""], t.right[senses[0]], t.right[senses[1]], t.right[senses[2]]) {
		f.begin()
	}
	for i := range r.row.blanks {
		t.addBlank(r, i)
	}
	if len(r.descriptions) > 1 {
		section := r.sheet.sentences()
		for _, card := range section.Cards {
			key := section.Key(card.ID)
			t.sentences.pair(sentenceVerdict(r.descriptions[0].Answers[key]), sentenceVerdict(r.descriptions[1].Answers[key]))
		}
	}
	if r.leftOut() {
		t.leftOut = append(t.leftOut, r.row.uuid)
	}
}

func sentenceVerdict(v people.Value) int {
	if v.Struck() {
		return len(sentenceVerdicts)
	}
	return slices.Index(sentenceVerdicts, v.Text(fieldVerdict))
}

func (t *tally) addBlank(r *reviewed, i int) {
	b := &r.row.blanks[i]
	t.blanks[r.results[i].outcome]++
	if r.results[i].settled {
		t.settled++
	}
	var said []int
	for _, d := range r.open {
		answer := d.Answers[b.cardKey()].Text(fieldAnswer)
		same := 0.0
		if answer == letters[b.key:b.key+1] {
			same = 1
		}
		for _, sense := range []string{"", b.sense} {
			t.right[sense].add(same, 1)
		}
		said = append(said, slices.Index(openAnswers, answer))
	}
	if len(said) > 1 {
		t.alpha.add(stats.AlphaRow(len(openAnswers), said)...)
	}
	if len(r.keyed) > 1 {
		verdict := func(d people.Done) int { return slices.Index(verdicts, d.Answers[b.cardKey()].Text(fieldVerdict)) }
		t.verdicts.pair(verdict(r.keyed[0]), verdict(r.keyed[1]))
	}
}

func (t *tally) agreement() omniscope.Table {
	table := omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Intervals resample clips. Two people who look at fewer than 10 things have no figure. Kappa of the first two people."}
	row := func(what string, f *figure, stat stats.Statistic, of string) {
		table.Rows = append(table.Rows, f.row(what, stat, of))
	}
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	row("answers without the key that are the key", t.right[""], share, "answers")
	for _, sense := range senses {
		row("the same, "+sense+" blanks", t.right[sense], share, "answers")
	}
	row("answers without the key, Krippendorff's alpha (nominal)", t.alpha, stats.Alpha(make([]float64, len(openAnswers)), stats.Nominal), "blanks that two people answered")
	row("verdicts with the key, same", t.verdicts, stats.Agreement(len(verdicts)), "blanks")
	row("verdicts with the key, Cohen's kappa", t.verdicts, stats.Kappa(len(verdicts)), "blanks")
	row("accepted or not, Cohen's kappa", t.verdicts, stats.KappaOfOne(len(verdicts), slices.Index(verdicts, accept)), "blanks")
	row("verdicts on sentences, same", t.sentences, stats.Agreement(len(sentenceVerdicts)+1), "sentences that two people corrected")
	row("verdicts on sentences, Cohen's kappa", t.sentences, stats.Kappa(len(sentenceVerdicts)+1), "sentences that two people corrected")
	return table
}

func (t *tally) outcomes(leaveOut bool) omniscope.Table {
	table := omniscope.Table{Name: "outcomes", Title: "Blanks", Columns: []string{"outcome", "blanks"}, Numbers: []int{1}}
	for _, o := range []Outcome{Accepted, Fixed, Rejected, Open} {
		table.Rows = append(table.Rows, []string{string(o), strconv.Itoa(t.blanks[o])})
	}
	table.Rows = append(table.Rows, []string{"settled by a senior", strconv.Itoa(t.settled)})
	if n := len(t.leftOut); n > 0 {
		what := "stay in omni_cloze.jsonl; --leave-out-rejected leaves such rows out"
		if leaveOut {
			what = "are left out of omni_cloze.jsonl"
		}
		const most = 10
		table.Note = fmt.Sprintf("Rows with a rejected blank, or with a description that was sent back, %s: %d (%s)", what, n, strings.Join(t.leftOut[:min(n, most)], ", "))
		if n > most {
			table.Note += " and more"
		}
	}
	return table
}

// A figure is a statistic of things that people judged, with a row of counts for each clip.
type figure struct {
	width int
	rows  []float64
	n     int // things that were judged
}

// newFigure is a figure of pairs of k categories.
func newFigure(k int) *figure { return &figure{width: k * k} }

// begin begins the row of a clip.
func (f *figure) begin() {
	if len(f.rows) == 0 || slices.ContainsFunc(f.rows[len(f.rows)-f.width:], func(x float64) bool { return x != 0 }) {
		f.rows = append(f.rows, make([]float64, f.width)...)
	}
}

// add counts one thing in the row of the clip.
func (f *figure) add(counts ...float64) {
	f.n++
	for i, x := range counts {
		f.rows[len(f.rows)-f.width+i] += x
	}
}

// pair counts one thing that two people put into categories; -1 = one of them did not.
func (f *figure) pair(a, b int) {
	if a < 0 || b < 0 {
		return
	}
	k := 0
	for k*k < f.width {
		k++
	}
	f.n++
	f.rows[len(f.rows)-f.width+a*k+b]++
}

// row is the figure as a table has it. Below ten things it says nothing.
func (f *figure) row(what string, stat stats.Statistic, of string) []string {
	const fewest = 10
	cells := []string{what, "not known", "", fmt.Sprintf("%d %s", f.n, of)}
	if f.n < fewest {
		cells[3] += fmt.Sprintf("; at least %d are needed", fewest)
		return cells
	}
	f.begin() // and leave the empty row out, that of a clip of which nothing was said
	c := stats.Clusters{Width: f.width, Rows: f.rows[:len(f.rows)-f.width]}
	if value, known := stat(c.Total()); known {
		cells[1] = fmt.Sprintf("%.3f", value)
		if i := stats.Clustered(c, []stats.Statistic{stat}, stats.Options{})[0]; i.Known {
			cells[2] = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
	}
	return cells
}
