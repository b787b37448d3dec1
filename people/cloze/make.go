package cloze

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/people"
	"omniscope/people/captions"
)

// A maker makes projects of rows of Omni-Cloze.
type maker struct {
	data           string
	descriptions   string
	field          string
	investigations string
	people         int
	blanks         int
	leaveOut       bool
}

// newMaker is a maker with the usual options.
func newMaker() *maker { return &maker{people: 2, blanks: 30} }

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "data", Value: bench.Text(&m.data), Path: true, Help: "rows of Omni-Cloze (omni_cloze.jsonl)"},
		{Name: "descriptions", Value: bench.Text(&m.descriptions), Path: true, Help: "descriptions to correct, by uuid or video (JSON Lines, JSON, CSV, Parquet, a folder)"},
		{Name: "caption-field", Value: bench.Text(&m.field), Help: "field of --descriptions with the text (default: caption, predicted_caption, prediction)"},
		{Name: "investigations", Value: bench.Text(&m.investigations), Path: true, Help: "folder that 'omniscope caption --out' wrote: what each sentence rests on, and descriptions where --descriptions has none"},
		{Name: "people", Value: bench.Number(&m.people), Help: "people who review each blank"},
		{Name: "blanks", Value: bench.Number(&m.blanks), Help: "blanks that each row must have; 0 = any number"},
		{Name: "leave-out-rejected", Value: bench.Switch(&m.leaveOut), Help: "leave out of the exported rows those with a rejected blank or a description that was sent back"},
	}
}

// secondEvery is how many clips there are for each whose description two people correct.
const secondEvery = 5

// correctors is how many people correct the n-th description, from 1.
func correctors(n int) int {
	if n%secondEvery == 0 {
		return 2
	}
	return 1
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	switch {
	case m.data == "":
		return nil, omniscope.Usagef("name the rows of Omni-Cloze with --data; captions without blanks are reviewed with `omniscope people new captions`")
	case m.field != "" && m.descriptions == "":
		return nil, omniscope.Usagef("--caption-field goes with --descriptions")
	case m.people < 1:
		return nil, omniscope.Usagef("--people %d: at least one person reviews a blank", m.people)
	}
	s := &source{blanks: m.blanks}
	if err := s.open(ctx, m); err != nil {
		return nil, errors.Join(err, s.close())
	}
	described := s.captions != nil || s.reports != nil
	p := people.Project{Kind: name, Title: "Omni-Cloze", Guideline: guideline, Stages: stages(m.people, described),
		Settings: map[string]string{settingLeaveOut: strconv.FormatBool(m.leaveOut)}}
	return &people.Plan{Project: p, Items: s.items(described), Warnings: s.warnings, Close: s.close}, nil
}

// A source is the files of a project, opened.
type source struct {
	blanks   int
	lines    *rows.File
	names    [][]string // of each row: its uuid and video
	captions *bench.TextFile
	reports  *reports
	warnings []string
}

func (s *source) open(ctx context.Context, m *maker) (err error) {
	if s.lines, err = rows.Open(ctx, m.data); err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	if m.descriptions != "" {
		if s.captions, err = bench.OpenTextFile(ctx, m.descriptions, bench.Captions(m.field)); err != nil {
			return err
		}
		warnings, err := s.captions.Match(bench.Inputs{Data: m.data}, len(s.names), func(i int) []string { return s.names[i] }, "descriptions", "row", "")
		if err != nil {
			return err
		}
		s.warnings = append(s.warnings, warnings...)
	}
	if m.investigations != "" {
		s.reports, err = readReports(m.investigations)
	}
	return err
}

func (s *source) close() (err error) {
	if s.lines != nil {
		err = s.lines.Close()
	}
	if s.captions != nil {
		err = errors.Join(err, s.captions.Lines.Close())
	}
	return err
}

// check reads all rows, and refuses the first that is wrong.
func (s *source) check(ctx context.Context) error {
	if s.lines.Len() == 0 {
		return omniscope.Invalidf("%s has no rows", s.lines.Path)
	}
	first := make(map[string]int)
	built, short, unlike := &note{what: "have blanks without options, which are built of answer and distractors"},
		&note{what: "have fewer than 8 visual, 8 audio or 4 audio-visual blanks"},
		&note{what: "have a blank whose answer, index and key are not the same option; the key is shown as right"}
	err := people.EachRow(ctx, s.lines, func(i int, text []byte) error {
		r, err := readRow(text, s.blanks)
		if err != nil {
			return err
		}
		names := []string{r.uuid}
		if r.video != "" {
			names = append(names, r.video)
		}
		s.names = append(s.names, names)
		place := s.lines.Place(i)
		built.count(r.built, place)
		short.count(s.blanks != anyNumber && r.short(), place)
		unlike.count(r.unlike != "", place)
		return people.Once(first, r.uuid, i, "uuid", s.lines)
	})
	s.warnings = noted(built, short, unlike)
	return err
}

// A note counts rows for a warning.
type note struct {
	what, first string
	n           int
}

// noted returns a warning for each note with rows.
func noted(notes ...*note) (warnings []string) {
	for _, n := range notes {
		if n.n > 0 {
			warnings = append(warnings, fmt.Sprintf("%d rows %s, the first is %s", n.n, n.what, n.first))
		}
	}
	return warnings
}

func (n *note) count(yes bool, place string) {
	if !yes {
		return
	}
	if n.n++; n.n == 1 {
		n.first = place
	}
}

// items makes an item of each row. described says that the project has a stage for descriptions.
func (s *source) items(described bool) iter.Seq2[*people.Item, error] {
	withText := 0
	return people.MadeItems(len(s.names), func(i int) (*people.Item, any, error) {
		item, sheet, err := s.item(i)
		if err == nil && described {
			n := 0 // without a description there is nothing to correct
			if sheet.Caption.Text != "" {
				withText++
				n = correctors(withText)
			}
			item.People = map[string]int{description: n}
		}
		return item, sheet, err
	})
}

func (s *source) item(i int) (*people.Item, *sheetTask, error) {
	text, err := s.lines.At(i)
	if err != nil {
		return nil, nil, err
	}
	if text = bytes.TrimSpace(text); bytes.ContainsAny(text, "\n\r") { // of a JSON list: rows are exported as lines
		var line bytes.Buffer
		if err := json.Compact(&line, text); err != nil {
			return nil, nil, s.lines.Bad(i, text, err)
		}
		text = line.Bytes()
	}
	item := &people.Item{ID: s.names[i][0], Clip: s.names[i][len(s.names[i])-1]}
	if len(s.names[i]) > 1 {
		item.Media = []people.Media{{File: s.names[i][1]}}
	}
	sheet := &sheetTask{Row: string(text)}
	return item, sheet, s.describe(sheet, s.names[i])
}

// describe adds the description of a row, and the evidence of its sentences.
func (s *source) describe(sheet *sheetTask, names []string) error {
	if s.captions != nil {
		text, err := s.captions.Get(names...)
		if err != nil {
			return err
		}
		if text != nil {
			sheet.Caption = captions.CaptionOf(*text)
		}
	}
	if s.reports == nil {
		return nil
	}
	return s.reports.support(&sheet.Caption, names)
}
