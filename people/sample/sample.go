// Package sample has people make judgements again that a judge made in a run, without seeing what
// the judge found, and says how far they agree.
package sample

import (
	"context"
	"io"

	"omniscope/people"
)

// name is the name of this kind of work, stage the name of its only stage.
const (
	name  = "check"
	stage = "check"
)

// choiceKey is the key of a choice among a task's answers, choiceField its field.
const (
	choiceKey   = "judgement"
	choiceField = "choice"
)

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{Name: name, About: "Make a sample of a judge's judgements again", Fixed: true,
		Examples: `  omniscope people sample omniscope-work/runs/RUN checks --n 200 --stratify verdict`,
		Long: `People make judgements again that a judge made in a run. They see the caption, the question and the choices, not
what the judge found. What comes out is how far judge and people agree, over all and by the judge's verdict.

Judgements are drawn by a seed; with --stratify verdict equally many of each verdict, as far as there are, and the
figures over all are weighted back to the shares that the verdicts have in the run. Runs of benchmarks that ask a
judge about captions can be sampled: those whose cases have verdicts, or questions with choices.`},
	Maker:   func() people.Maker { return newMaker() },
	Exports: []people.Export{{Name: "checks", File: "checks.csv", About: "each judgement that was made again: the judge's, and the person's", Write: people.Writing(checkCounts, writeChecks)}},
	Tables:  tables,
}, readJudgement, map[string]people.StageWork[judgement]{stage: {Form: form}})

var readJudgement = people.Payload[judgement]("judgement")

func form(c *people.WorkItem, j *judgement) (*people.Form, error) {
	title, help := "Verdict", "Judge by the caption alone."
	if j.Key != "" {
		title, help = "Choice: "+j.Place, "Choose what the caption says. Do not use what you know otherwise."
	}
	return &people.Form{Texts: j.Texts, PlayFirst: len(c.Item.Media) > 0, Sections: []people.Section{{Name: choiceKey, Title: title, Help: help, Cards: []people.Card{{}},
		Fields: []people.Field{{Name: choiceField, Label: "Judgement", Type: people.Choose, Choices: j.Choices}}}}}, nil
}

// A check is a judgement that a person made again.
type check struct {
	*judgement
	Item, Clip, Person string
	Choice             string // of the person
	Said               string // the verdict that it comes to
}

// checkCounts are all that were submitted, by item.
func checkCounts(ctx context.Context, w *people.Workplace) (out []check, err error) {
	err = people.EachDone(ctx, w, readJudgement, func(item *people.Item, j *judgement, done map[string][]people.Done) error {
		for _, d := range done[stage] {
			choice := d.Answers[choiceKey].Text(choiceField)
			out = append(out, check{judgement: j, Item: item.ID, Clip: item.Clip, Person: d.Person, Choice: choice, Said: j.verdictOf(choice)})
		}
		return nil
	}, stage)
	return out, err
}

func writeChecks(to io.Writer, checks []check) error {
	return people.WriteCSV(to, []string{"item", "unit", "place", "right", "judge", "judge_verdict", "person", "person_choice", "person_verdict"}, func(write func(...string)) {
		for _, c := range checks {
			write(c.Item, c.Unit, c.Place, c.Key, c.Chosen, c.Verdict, c.Person, c.Choice, c.Said)
		}
	})
}
