package mcif

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/metric/textnorm"
	"omniscope/people"
)

// tables are the agreement, and the verdicts on questions.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	t := newTally()
	if err := each(ctx, w, func(one *work) error { t.add(one); return nil }); err != nil {
		return nil, err
	}
	return []omniscope.Table{t.agreement(), t.questions()}, nil
}

// A tally counts what people said. A talk is one cluster of each figure.
type tally struct {
	labels   *people.Figure // of author and verifier
	edits    map[string]*[2]*people.Figure
	verdicts map[string]int
	waiting  int
	short    []string // talks whose questions are too few
}

func newTally() *tally {
	t := &tally{labels: people.NewFigure(len(talkqa.Labels) * len(talkqa.Labels)), edits: make(map[string]*[2]*people.Figure), verdicts: make(map[string]int)}
	for _, l := range languages {
		t.edits[l.code] = &[2]*people.Figure{people.NewFigure(2), people.NewFigure(2)}
	}
	return t
}

func (t *tally) add(one *work) {
	for _, q := range append(one.kept, one.rejected...) {
		if q.verdict == "" {
			t.waiting++
			continue
		}
		t.verdicts[q.verdict]++
		t.labels.Pair(one.talk.ID, len(talkqa.Labels), slices.Index(talkqa.Labels, q.labelOfAuthor), slices.Index(talkqa.Labels, q.labelOfChecker))
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
	for section, lines := range map[string][]talkqa.Line{lineSection: one.talk.Lines, abstractSection: one.talk.parts()} {
		for i := range lines {
			key := section + "/" + lineID(i)
			revised, ok := made.revised[key]
			if machine := machine(&lines[i], l.code); ok && machine != "" {
				errors, words := edits(l, machine, trimmed(revised, fieldText))
				both[0].Add(one.talk.ID, 1, errors, words)
			}
			if ok && made.reviewed {
				errors, words := edits(l, trimmed(revised, fieldText), trimmed(made.answers[key], fieldText))
				both[1].Add(one.talk.ID, 1, errors, words)
			}
		}
	}
}

// edits are those from one text to the next, and the words of the next.
func edits(l *language, from, to string) (errors, words float64) {
	e := metric.Align(tokens(l, to), tokens(l, from))
	return float64(e.Errors()), float64(e.Words())
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
	row := func(what string, f *people.Figure, stat stats.Statistic, of string) {
		table.Rows = append(table.Rows, f.Row(what, stat, of, 0))
	}
	row("labels, same", t.labels, stats.Agreement(len(talkqa.Labels)), "questions")
	row("labels, Cohen's kappa", t.labels, stats.Kappa(len(talkqa.Labels)), "questions")
	for i, label := range talkqa.Labels {
		row("label "+label+" or not, Cohen's kappa", t.labels, stats.KappaOfOne(len(talkqa.Labels), i), "questions")
	}
	for _, l := range languages {
		if both := t.edits[l.code]; both[0].N+both[1].N > 0 {
			row(l.name+", edits from machine to reviser", both[0], people.Share, "lines")
			row(l.name+", edits from reviser to reviewer", both[1], people.Share, "lines")
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
