package cloze

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
	"omniscope/people/captions"
)

// tables are the agreement, and the outcomes of blanks and descriptions.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := newTally()
	if err := each(ctx, w, func(r *reviewed) error { t.add(r); return nil }); err != nil {
		return nil, err
	}
	all := []omniscope.Table{t.agreement(), t.outcomes(leavesOut(w))}
	if p := w.Project(); p.Stage(description) != nil {
		all = append(all, t.descriptions.Table())
	}
	return all, nil
}

// A tally counts what people said. A clip is one cluster of each figure.
type tally struct {
	right        map[string]*people.Figure // answers without the key, by sense; "" = all
	alpha        *people.Figure            // of those answers
	verdicts     *people.Figure            // of blanks with their keys, of the first two people
	blanks       map[outcome]int
	settled      int
	leftOut      []string
	descriptions *captions.Tally
}

func newTally() *tally {
	t := &tally{descriptions: captions.NewTally(), right: make(map[string]*people.Figure), blanks: make(map[outcome]int), alpha: people.NewFigure(len(openAnswers) * len(openAnswers)), verdicts: people.NewFigure(len(verdicts) * len(verdicts))}
	for _, sense := range append([]string{""}, senses...) {
		t.right[sense] = people.NewFigure(2)
	}
	return t
}

func (t *tally) add(r *reviewed) {
	for i := range r.row.blanks {
		t.addBlank(r, i)
	}
	if r.sheet.Caption.Text != "" {
		t.descriptions.Add(r.outcome())
	}
	if r.leftOut() {
		t.leftOut = append(t.leftOut, r.row.uuid)
	}
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
			t.right[sense].Add(r.item.ID, 1, same, 1)
		}
		said = append(said, slices.Index(openAnswers, answer))
	}
	if len(said) > 1 {
		t.alpha.Add(r.item.ID, 1, stats.AlphaRow(len(openAnswers), said)...)
	}
	if len(r.keyed) > 1 {
		verdict := func(d people.Done) int { return slices.Index(verdicts, d.Answers[b.cardKey()].Text(fieldVerdict)) }
		t.verdicts.Pair(r.item.ID, len(verdicts), verdict(r.keyed[0]), verdict(r.keyed[1]))
	}
}

// newAgreement is the table of agreement, without rows.
func newAgreement() omniscope.Table {
	return omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Intervals resample clips. Two people who look at fewer than 10 things have no figure. Kappa of the first two people."}
}

func (t *tally) agreement() omniscope.Table {
	table := newAgreement()
	row := func(what string, f *people.Figure, stat stats.Statistic, of string) {
		table.Rows = append(table.Rows, f.Row(what, stat, of, 0))
	}
	row("answers without the key that are the key", t.right[""], people.Share, "answers")
	for _, sense := range senses {
		row("the same, "+sense+" blanks", t.right[sense], people.Share, "answers")
	}
	row("answers without the key, Krippendorff's alpha (nominal)", t.alpha, stats.Alpha(make([]float64, len(openAnswers)), stats.Nominal), "blanks that two people answered")
	row("verdicts with the key, same", t.verdicts, stats.Agreement(len(verdicts)), "blanks")
	row("verdicts with the key, Cohen's kappa", t.verdicts, stats.Kappa(len(verdicts)), "blanks")
	row("accepted or not, Cohen's kappa", t.verdicts, stats.KappaOfOne(len(verdicts), slices.Index(verdicts, accept)), "blanks")
	return table
}

func (t *tally) outcomes(leaveOut bool) omniscope.Table {
	table := omniscope.Table{Name: "outcomes", Title: "Blanks", Columns: []string{"outcome", "blanks"}, Numbers: []int{1}}
	for _, o := range []outcome{accepted, fixed, rejected, openDecision} {
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
