package cloze

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/people"
)

// aloneStage is a description without a cloze yet, in addition to its text: what its file has that
// people are not asked about. It is exported as it came.
type aloneStage struct {
	UUID             string          `json:"uuid"`
	VideoPath        string          `json:"video_path,omitempty"`
	Stretch          string          `json:"stretch,omitempty"`           // of the file, such as 2,9
	CaptionSentences json.RawMessage `json:"caption_sentences,omitempty"` // sentences of captions that the description was made of
	Evidence         json.RawMessage `json:"evidence,omitempty"`
	Conflicts        json.RawMessage `json:"conflicts,omitempty"`
}

// Rests says what a sentence rests on, in the words of its file.
type Rests struct {
	From     []string `json:"from,omitempty"`     // ids of Alone.CaptionSentences
	Modality string   `json:"modality,omitempty"` // that one needs to know it
	Evidence []string `json:"evidence,omitempty"` // ids of Alone.Evidence
	Disputed bool     `json:"disputed,omitempty"`
}

//go:embed guideline-descriptions.md
var descriptionGuideline string

// makeAlone makes a project of descriptions alone: nothing but their stage.
func (m *maker) makeAlone(ctx context.Context) (*people.Plan, error) {
	if m.leaveOut {
		return nil, omniscope.Usagef("--leave-out-rejected is about rows: it goes with --data")
	}
	s := &aloneSource{field: m.field}
	var err error
	if m.investigations != "" {
		if s.reports, err = readReports(m.investigations); err != nil {
			return nil, err
		}
	}
	if s.lines, err = rows.Open(ctx, m.descriptions); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, errors.Join(err, s.lines.Close())
	}
	p := people.Project{Kind: name, Title: "Descriptions", Guideline: descriptionGuideline, Stages: stages(m.people, true)[:1]}
	return &people.Plan{Project: p, Items: s.items(), Warnings: s.warnings, Close: s.lines.Close}, nil
}

// An aloneSource is a file of descriptions, opened.
type aloneSource struct {
	lines    *rows.File
	field    string
	reports  *reports
	rows     []int // of the file that have a description
	warnings []string
}

// check reads all rows, and refuses the first that is wrong.
func (s *aloneSource) check() error {
	first := make(map[string]int)
	empty := &note{what: "have an empty description and are left out"}
	for i := range s.lines.Len() {
		text, err := s.lines.At(i)
		if err != nil {
			return err
		}
		sheet, err := s.read(text)
		if err != nil {
			return s.lines.Bad(i, text, err)
		}
		id := sheet.Alone.UUID
		if at, twice := first[id]; twice {
			return s.lines.Bad(i, nil, fmt.Errorf("uuid %s is there already, on %s", id, s.lines.LineName(at)))
		}
		first[id] = i
		blank := len(sheet.Sentences) == 0
		if empty.count(blank, s.lines.Place(i)); !blank {
			s.rows = append(s.rows, i)
		}
	}
	if len(s.rows) == 0 {
		return omniscope.Invalidf("%s has no descriptions", s.lines.Path)
	}
	if empty.n > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%d rows %s, the first is %s", empty.n, empty.what, empty.first))
	}
	return nil
}

func (s *aloneSource) items() iter.Seq2[*people.Item, error] {
	return func(yield func(*people.Item, error) bool) {
		for n, i := range s.rows {
			item, err := s.item(i)
			if err == nil { // nobody is asked of blanks, where the project has those of other clips
				item.People = map[string]int{description: 1, blanksOpen: 0, blanksKey: 0, settle: 0}
				if (n+1)%secondEvery == 0 {
					item.People[description] = 2
				}
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

func (s *aloneSource) item(i int) (*people.Item, error) {
	text, err := s.lines.At(i)
	if err != nil {
		return nil, err
	}
	sheet, err := s.read(text)
	if err != nil {
		return nil, s.lines.Bad(i, text, err)
	}
	item := &people.Item{ID: sheet.Alone.UUID, Clip: sheet.Alone.UUID}
	if video := sheet.Alone.VideoPath; video != "" {
		item.Clip, item.Media = video, []people.Media{{File: video}}
	}
	if s.reports != nil {
		had := slices.Clone(sheet.Sentences)
		if err := s.reports.support(sheet, []string{item.ID, item.Clip}); err != nil {
			return nil, err
		}
		for i := range had { // what the file says stays
			if one := &sheet.Sentences[i]; len(had[i].Evidence) > 0 {
				one.Evidence = had[i].Evidence
			}
		}
	}
	item.Payload, err = json.Marshal(sheet)
	return item, err
}
