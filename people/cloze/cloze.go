// Package cloze has people review what Omni-Cloze is made of (Omni-Captioner, arXiv 2510.12720): they
// correct the description of a clip sentence by sentence, answer the blanks of the passage without
// knowing the key, and then accept, mend or reject each blank. Released rows come in and out.
//
// Captions are scored on these rows by package bench/omnicloze, which this package does not know.
//
//	description (1, every fifth clip 2) ─► blanks-open (2) ─► blanks-key (the same 2) ─► settle (senior; disputes only)
package cloze

import (
	_ "embed"
	"slices"

	"omniscope"
	"omniscope/people"
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
type Kind struct{}

var (
	_ people.Kind    = Kind{}
	_ people.Skipper = Kind{}
	_ people.Tabler  = Kind{}
)

// Info implements people.Kind.
func (Kind) Info() people.Info {
	return people.Info{
		Name:  name,
		About: "descriptions and blanks of clips, as for Omni-Cloze",
		Long: `For each clip, people correct its description sentence by sentence, answer the 30 blanks without the key, and then
accept, mend or reject each blank with it; a senior settles what they differ on. Give the rows of Omni-Cloze with --data,
and the descriptions with --descriptions, or with --investigations, which shows what each sentence rests on.

Without --data, before any cloze is made, people correct the descriptions of --descriptions, and nothing else. What a sentence
rests on is shown as 'omniscope curate cloze describe' writes it.`,
		Examples: `  omniscope people new cloze cloze --data omni_cloze.jsonl --descriptions captions.jsonl
  omniscope people new cloze cloze --data rows.jsonl --blanks 0 --investigations investigated
  omniscope people new cloze corrections --descriptions described/descriptions.jsonl`,
	}
}

// Form implements people.Kind.
func (Kind) Form(c *people.WorkItem) (*people.Form, error) {
	s, err := sheetOf(c.Item)
	if err != nil {
		return nil, err
	}
	if c.Stage.Name == description {
		return s.descriptionForm(), nil
	}
	r, err := s.row()
	if err != nil {
		return nil, err
	}
	switch c.Stage.Name {
	case blanksOpen:
		return r.openForm(), nil
	case blanksKey:
		return r.keyForm(r.blanks, nil), nil
	case settle:
		return r.keyForm(r.disputed(c.At(blanksKey)), c), nil
	}
	return nil, omniscope.Invalidf("the project has a stage %q, which this version does not know", c.Stage.Name)
}

// Complete implements people.Kind.
func (k Kind) Complete(c *people.WorkItem, answers map[string]people.Value) error {
	s, err := sheetOf(c.Item)
	if err != nil {
		return err
	}
	switch c.Stage.Name {
	case description:
		return s.checkDescription(answers)
	case blanksKey, settle:
		r, err := s.row()
		if err != nil {
			return err
		}
		return r.checkDecisions(answers)
	}
	return nil
}

// Skip implements people.Skipper: blanks of rejected descriptions are skipped, and so is settling
// where people agree.
func (Kind) Skip(c *people.WorkItem) (bool, error) {
	if slices.ContainsFunc(c.At(description), sentBack) {
		return true, nil
	}
	if c.Stage.Name != settle || len(c.At(blanksKey)) == 0 {
		return false, nil
	}
	s, err := sheetOf(c.Item)
	if err != nil {
		return false, err
	}
	r, err := s.row()
	if err != nil {
		return false, err
	}
	return len(r.disputed(c.At(blanksKey))) == 0, nil
}

// A sheetTask is what an item holds.
type sheetTask struct {
	Row         string      `json:"row"`                   // of the benchmark, as it stands in the file; "" = see Alone
	Description string      `json:"description,omitempty"` // as given
	Sentences   []sentence  `json:"sentences,omitempty"`   // of the description
	Alone       *aloneStage `json:"alone,omitempty"`       // of a description without a row; nil = there is a row
}

// sheetOf reads the sheet of an item.
func sheetOf(item *people.Item) (*sheetTask, error) {
	return people.Payload[sheetTask](item, "row of Omni-Cloze")
}

// row reads the sheet's row. Its number of blanks was checked when the project was made. A description
// alone has none.
func (s *sheetTask) row() (*row, error) {
	if s.Alone != nil {
		return &row{uuid: s.Alone.UUID, video: s.Alone.VideoPath}, nil
	}
	return readRow([]byte(s.Row), anyNumber)
}
