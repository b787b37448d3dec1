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
)

// tables are the agreement, and the outcomes of blanks or descriptions.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := newTally()
	if err := each(ctx, w, func(r *reviewed) error { t.add(r); return nil }); err != nil {
		return nil, err
	}
	if needBlanks(w) != nil {
		return []omniscope.Table{t.sentenceAgreement(), t.descriptions()}, nil
	}
	return []omniscope.Table{t.agreement(), t.outcomes(leavesOut(w))}, nil
}

// A tally counts what people said. A clip is one cluster of each figure.
type tally struct {
	right     map[string]*people.Figure // answers without the key, by sense; "" = all
	alpha     *people.Figure            // of those answers
	verdicts  *people.Figure            // of blanks with their keys, of the first two people
	sentences *people.Figure            // verdicts on sentences that two people corrected
	blanks    map[outcome]int
	settled   int
	leftOut   []string
	reviewed  map[string]int // descriptions by what was said of them first; "" = not reviewed
	said      map[string]int // sentences of those likewise, and struck
}

// struck counts next to the verdicts on sentences; sentenceKinds is the number of both.
const (
	struck        = "struck"
	sentenceKinds = 5
)

func newTally() *tally {
	t := &tally{reviewed: make(map[string]int), said: make(map[string]int), right: make(map[string]*people.Figure), blanks: make(map[outcome]int), alpha: people.NewFigure(len(openAnswers) * len(openAnswers)), verdicts: people.NewFigure(len(verdicts) * len(verdicts)), sentences: people.NewFigure(sentenceKinds * sentenceKinds)}
	for _, sense := range append([]string{""}, senses...) {
		t.right[sense] = people.NewFigure(2)
	}
	return t
}

func (t *tally) add(r *reviewed) {
	for i := range r.row.blanks {
		t.addBlank(r, i)
	}
	t.addDescription(r)
	if len(r.descriptions) > 1 {
		section := r.sheet.sentences()
		for _, card := range section.Cards {
			key := section.Key(card.ID)
			t.sentences.Pair(r.item.ID, sentenceKinds, sentenceVerdict(r.descriptions[0].Answers[key]), sentenceVerdict(r.descriptions[1].Answers[key]))
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

func (t *tally) addDescription(r *reviewed) {
	if r.sheet.Description == "" {
		return
	}
	if len(r.descriptions) == 0 {
		t.reviewed[""]++
		return
	}
	answers := r.descriptions[0].Answers
	t.reviewed[answers[approveSection].Text(fieldVerdict)]++
	section := r.sheet.sentences()
	for _, card := range section.Cards {
		v := answers[section.Key(card.ID)]
		verdict := v.Text(fieldVerdict)
		if v.Struck() {
			verdict = struck
		}
		t.said[verdict]++
	}
}

// descriptions counts what was said of descriptions and their sentences.
func (t *tally) descriptions() omniscope.Table {
	table := omniscope.Table{Name: "descriptions", Title: "Descriptions", Columns: []string{"what", "number"}, Numbers: []int{1},
		Note: "Of the first person, where two corrected a description. Sentences that somebody added are not among them."}
	row := func(what string, n int) { table.Rows = append(table.Rows, []string{what, strconv.Itoa(n)}) }
	row("descriptions approved", t.reviewed[approve])
	row("descriptions sent back", t.reviewed[sendBack])
	row("descriptions not reviewed", t.reviewed[""])
	for _, verdict := range append(slices.Clone(sentenceVerdicts), struck) {
		row("sentences "+verdict, t.said[verdict])
	}
	return table
}

// newAgreement is the table of agreement, without rows.
func newAgreement() omniscope.Table {
	return omniscope.Table{Name: "agreement", Title: "Agreement", Columns: []string{"what", "value", "95% interval", "of"},
		Note: "Intervals resample clips. Two people who look at fewer than 10 things have no figure. Kappa of the first two people."}
}

// sentenceAgreement is how far people agree on sentences.
func (t *tally) sentenceAgreement() omniscope.Table {
	table := newAgreement()
	table.Rows = append(table.Rows,
		t.sentences.Row("verdicts on sentences, same", stats.Agreement(sentenceKinds), "sentences that two people corrected", 0),
		t.sentences.Row("verdicts on sentences, Cohen's kappa", stats.Kappa(sentenceKinds), "sentences that two people corrected", 0))
	return table
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
	table.Rows = append(table.Rows, t.sentenceAgreement().Rows...)
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
