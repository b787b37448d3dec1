package cloze

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
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
	if err := s.check(ctx); err != nil {
		return nil, errors.Join(err, s.lines.Close())
	}
	p := people.Project{Kind: name, Title: "Descriptions", Guideline: descriptionGuideline, Stages: stages(m.people, true)[:1]}
	return &people.Plan{Project: p, Items: people.MadeItems(len(s.rows), s.item), Warnings: s.warnings, Close: s.lines.Close}, nil
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
func (s *aloneSource) check(ctx context.Context) error {
	first := make(map[string]int)
	empty := &note{what: "have an empty description and are left out"}
	err := people.EachRow(ctx, s.lines, func(i int, text []byte) error {
		sheet, err := s.read(text)
		if err != nil {
			return err
		}
		blank := len(sheet.Sentences) == 0
		if empty.count(blank, s.lines.Place(i)); !blank {
			s.rows = append(s.rows, i)
		}
		return people.Once(first, sheet.Alone.UUID, i, "uuid", s.lines)
	})
	if err == nil && len(s.rows) == 0 {
		err = omniscope.Invalidf("%s has no descriptions", s.lines.Path)
	}
	s.warnings = noted(empty)
	return err
}

func (s *aloneSource) item(n int) (*people.Item, any, error) {
	i := s.rows[n]
	text, err := s.lines.At(i)
	if err != nil {
		return nil, nil, err
	}
	sheet, err := s.read(text)
	if err != nil {
		return nil, nil, s.lines.Bad(i, text, err)
	}
	item := &people.Item{ID: sheet.Alone.UUID, Clip: sheet.Alone.UUID,
		People: map[string]int{description: correctors(n + 1), blanksOpen: 0, blanksKey: 0, settle: 0}} // a project may have blanks of other clips
	if video := sheet.Alone.VideoPath; video != "" {
		item.Clip, item.Media = video, []people.Media{{File: video}}
	}
	if s.reports != nil {
		had := slices.Clone(sheet.Sentences)
		if err := s.reports.support(sheet, []string{item.ID, item.Clip}); err != nil {
			return nil, nil, err
		}
		for i := range had { // what the file says stays
			if one := &sheet.Sentences[i]; len(had[i].Evidence) > 0 {
				one.Evidence = had[i].Evidence
			}
		}
	}
	return item, sheet, nil
}
