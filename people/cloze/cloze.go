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
	"encoding/json"
	"slices"

	"omniscope"
	"omniscope/people"
)

// Name is that of this kind of work.
const Name = "cloze"

// The names of the stages.
const (
	Description = "description"
	BlanksOpen  = "blanks-open"
	BlanksKey   = "blanks-key"
	Settle      = "settle"
)

// settingLeaveOut is "true" where rows with a rejected blank are no part of the exported benchmark.
const settingLeaveOut = "leave-out-rejected"

// stages are how people work on a clip. Without descriptions there is no stage for them.
func stages(annotators int, descriptions bool) []people.Stage {
	by, seniors := []people.ProjectRole{people.Annotator, people.Senior}, []people.ProjectRole{people.Senior, people.Lead}
	all := []people.Stage{
		{Name: Description, Title: "Description", By: by, People: 1, LeaseMinutes: 60},
		{Name: BlanksOpen, Title: "Blanks, without the key", By: by, People: annotators, After: Description, LeaseMinutes: 60},
		{Name: BlanksKey, Title: "Blanks, with the key", By: by, People: annotators, After: BlanksOpen, Same: BlanksOpen, LeaseMinutes: 60},
		{Name: Settle, Title: "Settle blanks", By: seniors, People: 1, After: BlanksKey, Apart: []string{BlanksOpen, BlanksKey}, LeaseMinutes: 60},
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
		Name:  Name,
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
	if c.Stage.Name == Description {
		return s.descriptionForm(), nil
	}
	r, err := s.row()
	if err != nil {
		return nil, err
	}
	switch c.Stage.Name {
	case BlanksOpen:
		return r.openForm(), nil
	case BlanksKey:
		return r.keyForm(r.blanks, nil), nil
	case Settle:
		return r.keyForm(r.disputed(c.At(BlanksKey)), c), nil
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
	case Description:
		return s.checkDescription(answers)
	case BlanksKey, Settle:
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
	if slices.ContainsFunc(c.At(Description), sentBack) {
		return true, nil
	}
	if c.Stage.Name != Settle || len(c.At(BlanksKey)) == 0 {
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
	return len(r.disputed(c.At(BlanksKey))) == 0, nil
}

// A Sheet is what an item holds.
type Sheet struct {
	Row         string     `json:"row"`                   // of the benchmark, as it stands in the file; "" = see Alone
	Description string     `json:"description,omitempty"` // as given
	Sentences   []Sentence `json:"sentences,omitempty"`   // of the description
	Alone       *Alone     `json:"alone,omitempty"`       // of a description without a row; nil = there is a row
}

// sheetOf reads the sheet of an item.
func sheetOf(item *people.Item) (*Sheet, error) {
	s := &Sheet{}
	if err := json.Unmarshal(item.Payload, s); err != nil {
		return nil, omniscope.Invalidf("item %s is no row of Omni-Cloze: %w", item.ID, err)
	}
	return s, nil
}

// row reads the sheet's row. Its number of blanks was checked when the project was made. A description
// alone has none.
func (s *Sheet) row() (*row, error) {
	if s.Alone != nil {
		return &row{uuid: s.Alone.UUID, video: s.Alone.VideoPath}, nil
	}
	return readRow([]byte(s.Row), anyNumber)
}
