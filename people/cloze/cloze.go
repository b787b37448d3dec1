// Package cloze has people review what Omni-Cloze is made of (Omni-Captioner, arXiv 2510.12720): they
// correct the description of a clip sentence by sentence, answer the blanks of the passage without
// knowing the key, and then accept, fix or reject each blank. Released rows come in and out.
//
// Captions are scored on these rows by package bench/omnicloze, which this package does not know. Captions without blanks are
// reviewed by package people/captions.
//
//	description (1, every fifth clip 2) ─► blanks-open (2) ─► blanks-key (the same 2) ─► settle (senior; disputes only)
package cloze

import (
	_ "embed"
	"slices"

	"omniscope/people"
	"omniscope/people/captions"
)

// name is that of this kind of work.
const name = "cloze"

// The names of the stages.
const (
	description = "description"
	blanksOpen  = "blanks-open"
	blanksKey   = "blanks-key"
	settle      = "settle"
)

// settingLeaveOut is "true" where rows with a rejected blank are no part of the exported benchmark.
const settingLeaveOut = "leave-out-rejected"

// stages are how people work on a clip. Without descriptions there is no stage for them.
func stages(annotators int, descriptions bool) []people.Stage {
	by, seniors := []people.ProjectRole{people.Annotator, people.Senior}, []people.ProjectRole{people.Senior, people.Lead}
	all := []people.Stage{
		{Name: description, Title: "Description", By: by, People: 1, LeaseMinutes: 60},
		{Name: blanksOpen, Title: "Blanks, without the key", By: by, People: annotators, After: description, LeaseMinutes: 60},
		{Name: blanksKey, Title: "Blanks, with the key", By: by, People: annotators, After: blanksOpen, Same: blanksOpen, LeaseMinutes: 60},
		{Name: settle, Title: "Settle blanks", By: seniors, People: 1, After: blanksKey, Apart: []string{blanksOpen, blanksKey}, LeaseMinutes: 60},
	}
	if !descriptions {
		all[1].After = ""
		return all[1:]
	}
	return all
}

//go:embed guideline.md
var guideline string

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Review descriptions and blanks of clips, as for Omni-Cloze",
		Long: `For each clip, people correct its description sentence by sentence, answer the 30 blanks without the key, and then
accept, fix or reject each blank with it; a senior settles the blanks on which they differ. Give the rows of Omni-Cloze with --data,
and the descriptions with --descriptions, or with --investigations, which shows the evidence of each sentence. Every fifth description is
corrected by two people. Descriptions without blanks are of the kind captions.`,
		Examples: `  omniscope people new cloze cloze --data omni_cloze.jsonl --descriptions captions.jsonl
  omniscope people new cloze cloze --data rows.jsonl --blanks 0 --investigations investigated`,
	},
	Maker: func() people.Maker { return newMaker() },
	Exports: []people.Export{
		{Name: "rows", File: "omni_cloze.jsonl", About: "completely reviewed rows, in the released form, with the corrections; rejected blanks stay in their rows", Write: writeRows, LeftOut: unreviewedRows},
		{Name: "descriptions", File: "descriptions.jsonl", About: "the descriptions as corrected, sentence by sentence", Write: writeDescriptions},
		{Name: "review", File: "review.jsonl", About: "the reviews of each blank, their authors, and the final state", Write: writeReview},
	},
	Tables: tables,
	HasAlpha: func(stage, field string) bool { // table agreement has answers without the key
		return stage == blanksOpen && field == blankSection+"."+fieldAnswer
	},
}, sheetOf, map[string]people.StageWork[sheetTask]{
	description: {
		Form: func(_ *people.WorkItem, s *sheetTask) (*people.Form, error) { return s.Caption.Form(), nil },
		Complete: func(_ *people.WorkItem, s *sheetTask, answers map[string]people.Value) error {
			return s.Caption.Complete(answers)
		},
	},
	blanksOpen: {Form: ofRow((*row).openForm), Skip: sentBackBefore},
	blanksKey:  {Form: ofRow(func(r *row, _ *people.WorkItem) *people.Form { return r.keyForm(r.blanks, nil) }), Complete: checkDecisions, Skip: sentBackBefore},
	settle: {
		Form:     ofRow(func(r *row, c *people.WorkItem) *people.Form { return r.keyForm(r.disputed(c.At(blanksKey)), c) }),
		Complete: checkDecisions, Skip: settled,
	},
})

// ofRow makes a form of the row of a sheet.
func ofRow(form func(*row, *people.WorkItem) *people.Form) func(*people.WorkItem, *sheetTask) (*people.Form, error) {
	return func(c *people.WorkItem, s *sheetTask) (*people.Form, error) {
		r, err := s.row()
		if err != nil {
			return nil, err
		}
		return form(r, c), nil
	}
}

// sentBackBefore skips the blanks of a description that was sent back.
func sentBackBefore(c *people.WorkItem, _ *sheetTask) (bool, error) {
	return slices.ContainsFunc(c.At(description), captions.SentBack), nil
}

// settled skips settling also where people agree.
func settled(c *people.WorkItem, s *sheetTask) (bool, error) {
	done := c.At(blanksKey)
	if skip, err := sentBackBefore(c, s); skip || err != nil || len(done) == 0 {
		return skip, err
	}
	r, err := s.row()
	if err != nil {
		return false, err
	}
	return len(r.disputed(done)) == 0, nil
}

// A sheetTask is what an item holds.
type sheetTask struct {
	Row     string           `json:"row"` // of the benchmark, as it is in the file
	Caption captions.Caption `json:"description,omitzero"`
}

var sheetOf = people.Payload[sheetTask]("row of Omni-Cloze")

// row reads the sheet's row. Its number of blanks was checked when the project was made.
func (s *sheetTask) row() (*row, error) {
	return readRow([]byte(s.Row), anyNumber)
}
