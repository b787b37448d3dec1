// Package sample has people make judgements again that a judge made in a run, without seeing what
// the judge found, and says how far they agree.
package sample

import (
	"context"
	"encoding/csv"
	"errors"
	"io"

	"omniscope/internal/spreadsheet"
	"omniscope/people"
)

// Name is the name of this kind of work, stage the name of its only stage.
const (
	Name  = "check"
	stage = "check"
)

// choiceKey is the key of a choice among a task's answers, choiceField its field.
const (
	choiceKey   = "judgement"
	choiceField = "choice"
)

// Kind is this kind of work.
type Kind struct{}

var (
	_ people.Kind   = Kind{}
	_ people.Tabler = Kind{}
)

// Info implements people.Kind.
func (Kind) Info() people.Info {
	return people.Info{Name: Name, About: "people make a sample of a judge's judgements again", Fixed: true,
		Examples: `  omniscope people new check checks --run omniscope-work/runs/RUN --n 200 --stratify verdict`,
		Long: `People make judgements again that a judge made in a run. They see the caption, the question and the choices, not
what the judge found. What comes out is how far judge and people agree, over all and by the judge's verdict.

Judgements are drawn by a seed; with --stratify verdict equally many of each verdict, as far as there are, and the
figures over all are weighted back to the shares that the verdicts have in the run. Runs of benchmarks that ask a
judge about captions can be sampled: those whose cases have verdicts, or questions with choices.`}
}

func readJudgement(item *people.Item) (*judgement, error) {
	return people.Payload[judgement](item, "judgement")
}

// Form implements people.Kind.
func (Kind) Form(c *people.WorkItem) (*people.Form, error) {
	j, err := readJudgement(c.Item)
	if err != nil {
		return nil, err
	}
	title, help := "Verdict", "Judge by the caption alone."
	if j.Key != "" {
		title, help = "Choice: "+j.Place, "Choose what the caption says. Do not use what you know otherwise."
	}
	return &people.Form{Texts: j.Texts, PlayFirst: len(c.Item.Media) > 0, Sections: []people.Section{{Name: choiceKey, Title: title, Help: help, Cards: []people.Card{{}},
		Fields: []people.Field{{Name: choiceField, Label: "Judgement", Type: people.Choose, Choices: j.Choices}}}}}, nil
}

// Complete implements people.Kind.
func (Kind) Complete(*people.WorkItem, map[string]people.Value) error { return nil }

// A check is a judgement that a person made again.
type check struct {
	*judgement
	Item, Clip, Person string
	Choice             string // of the person
	Said               string // the verdict that it comes to
}

// checkCounts are all that were submitted, by item.
func checkCounts(ctx context.Context, w *people.Workplace) (out []check, err error) {
	err = people.EachDone(ctx, w, stage, readJudgement, func(item *people.Item, j *judgement, done []people.Done) error {
		for _, d := range done {
			choice := d.Answers[choiceKey].Text(choiceField)
			out = append(out, check{judgement: j, Item: item.ID, Clip: item.Clip, Person: d.Person, Choice: choice, Said: j.verdictOf(choice)})
		}
		return nil
	})
	return out, err
}

// Exports implements people.Kind.
func (Kind) Exports() []people.Export {
	return []people.Export{{Name: "checks", File: "checks.csv", About: "each judgement that was made again: the judge's, and the person's", Write: writeChecks}}
}

func writeChecks(ctx context.Context, w *people.Workplace, to io.Writer) error {
	checks, err := checkCounts(ctx, w)
	if err != nil {
		return err
	}
	out := csv.NewWriter(to)
	err = out.Write([]string{"item", "unit", "place", "right", "judge", "judge_verdict", "person", "person_choice", "person_verdict"})
	for _, c := range checks {
		err = errors.Join(err, out.Write(spreadsheet.Cells([]string{c.Item, c.Unit, c.Place, c.Key, c.Chosen, c.Verdict, c.Person, c.Choice, c.Said})))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}
