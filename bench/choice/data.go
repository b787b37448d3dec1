package choice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/model/judge/letters"
)

// questions reads a benchmark's file.
func (b *benchmark) questions(ctx context.Context, file string) (all []question, digest string, err error) {
	number, seen := 0, make(map[string]int)
	digest, err = rows.Read(ctx, file, b.Form, func(row []byte, key string, line int) error {
		number++
		read, err := b.Read(row, key, number)
		for i := range read {
			if err == nil {
				read[i].distinguish(seen)
				err = read[i].check(seen, line)
			}
		}
		all = append(all, read...)
		return err
	})
	if err == nil && len(all) == 0 {
		err = omniscope.Invalidf("%s has no questions", file)
	}
	return all, digest, err
}

// distinguish makes the id of a repeated question unique, for files without ids.
func (q *question) distinguish(seen map[string]int) {
	id := q.ID
	for n := 2; q.Row != "" && seen[q.ID] > 0; n++ {
		q.ID = fmt.Sprintf("%s/%d", id, n)
	}
}

// check checks a question, of which there may be one of each id.
func (q *question) check(seen map[string]int, line int) error {
	first, twice := seen[q.ID]
	seen[q.ID] = line
	switch {
	case q.ID == "":
		return errors.New("the question has no id, which is a text or a number")
	case len(q.ID) > bench.LongestID:
		return fmt.Errorf("the question's id has %d bytes, and may have up to %d", len(q.ID), bench.LongestID)
	case twice:
		return fmt.Errorf("question %s is there already, on line %d", q.ID, first)
	case len(q.Clip) == 0 || q.Clip[0] == "":
		return fmt.Errorf("question %s names no recording", q.ID)
	case len(q.Options) < 2:
		return fmt.Errorf("question %s has %d options", q.ID, len(q.Options))
	case q.Gold < 0 || q.Gold >= len(q.Options):
		return fmt.Errorf("question %s: the right answer is not one of its %d options", q.ID, len(q.Options))
	}
	return nil
}

// textForm is the form of the file of answers or captions.
func (e *evaluation) textForm() bench.TextForm {
	if e.cascade() {
		form := bench.Captions(e.in.CaptionField)
		form.Separate = true
		return form
	}
	if e.in.CaptionField != "" {
		return bench.TextForm{IDs: e.IDs, Fields: []string{e.in.CaptionField}}
	}
	return bench.TextForm{IDs: e.IDs, Fields: e.Fields, Gold: "answer", Asked: []string{"question", "options", "choices", "candidates"},
		NoText: "; if it is a caption, name the model that answers from captions with --answerer"}
}

// openTexts opens the file of answers or captions, which must belong to the questions.
func (e *evaluation) openTexts(ctx context.Context) (*bench.TextFile, error) {
	ctx, made, err := e.flattened(ctx)
	if err != nil {
		return nil, err
	}
	e.made = made
	t, warnings, err := bench.OpenSampleTexts(ctx, e.in, e.textForm(), e.named, e.match)
	if err != nil {
		return nil, err
	}
	e.plan.Warnings = append(e.plan.Warnings, warnings...)
	if !e.cascade() {
		if err := e.compare(t); err != nil {
			return nil, errors.Join(err, t.Lines.Close())
		}
	}
	return t, nil
}

// match makes sure that texts belong to the questions.
func (e *evaluation) match(t *bench.TextFile) ([]string, error) {
	if err := e.chooseIDs(t); err != nil {
		return nil, err
	}
	what, hint := "answers", "name with --answerer the model that answers from captions, if these are captions"
	if e.cascade() {
		what, hint = "captions", "leave --answerer out if these are answers"
	}
	return t.Match(e.in, len(e.questions), func(i int) []string { return e.names(&e.questions[i]) }, what, "question", hint)
}

// named are the questions, or the recordings that captions describe.
func (e *evaluation) named() (all []bench.Named, err error) {
	seen := make(map[string]bool)
	for i := range e.all {
		q := &e.all[i]
		switch {
		case !e.cascade():
			all = append(all, bench.Named{ID: q.ID, Media: q.Clip})
		case !seen[q.Clip[0]]:
			seen[q.Clip[0]] = true
			all = append(all, bench.Named{ID: q.Clip[0], Media: q.Clip})
		}
	}
	return all, nil
}

// names returns the ids that may name a question's answer or caption.
func (e *evaluation) names(q *question) []string {
	if e.cascade() {
		return q.Clip
	}
	if e.byRow {
		return []string{q.Row}
	}
	return []string{q.ID}
}

// chooseIDs decides whether answers go by ids that count rows. Such ids hold for one file alone: all of them
// must be rows of it.
func (e *evaluation) chooseIDs(t *bench.TextFile) error {
	if e.cascade() || e.all[0].Row == "" {
		return nil
	}
	rows := make(map[string]bool)
	for i := range e.all {
		if _, ok := t.Find(e.all[i].ID); ok {
			return nil
		}
		rows[e.all[i].Row] = true
	}
	var other []string
	for _, id := range t.IDs() {
		if !rows[id] {
			other = append(other, id)
		}
	}
	e.byRow = len(other) < len(t.IDs())
	if e.byRow && len(other) > 0 {
		return omniscope.Invalidf("%s: %d of %d ids, such as %s, are no row of %s: these ids count the rows of the file that they were made with, and this is another or a part of it; give that file, or ids such as %s",
			t.Lines.Path, len(other), len(t.IDs()), other[0], e.in.Data, e.all[0].ID)
	}
	if e.byRow && len(t.IDs()) < len(e.all) {
		e.plan.Warn("%s: ids such as %s count the rows of the file that the answers were made with: %d answers to %d questions are right only if that is %s, and no part of it", t.Lines.Path, t.IDs()[0], len(t.IDs()), len(e.all), e.in.Data)
	}
	return nil
}

// textsOf are the elements of a JSON list.
func textsOf(list gjson.Result) (texts []string) {
	for _, v := range list.Array() {
		texts = append(texts, v.String())
	}
	return texts
}

// lettered are options as they are shown, a line each.
func lettered(options []string) string {
	lines := make([]string, len(options))
	for i, o := range options {
		lines[i] = letters.Letter(i) + ". " + o
	}
	return strings.Join(lines, "\n")
}

func list(names []string) string {
	return strings.Join(slices.Compact(slices.Clone(names)), ", ")
}
