package captions

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captionrow"
	"omniscope/internal/rows"
	"omniscope/people"
)

// A maker makes projects of captions.
type maker struct {
	captions string
	field    string
	people   int
}

func newMaker() *maker { return &maker{people: 1} }

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "captions", Value: bench.Text(&m.captions), Path: true, Help: "rows with id, path and caption (JSON Lines, JSON, CSV, Parquet), or a folder that 'omniscope caption' wrote"},
		{Name: "caption-field", Value: bench.Text(&m.field), Help: "field with the caption (default: the first of " + strings.Join(bench.CaptionFields, ", ") + ")"},
		{Name: "people", Value: bench.Number(&m.people), Help: "people who review each caption"},
	}
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	switch {
	case m.captions == "":
		return nil, omniscope.Usagef("name the captions with --captions: a file of rows, or a folder that `omniscope caption` wrote")
	case m.people < 1:
		return nil, omniscope.Usagef("--people %d: at least one person reviews a caption", m.people)
	}
	s := &source{maker: m, first: make(map[string]string)}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	p := people.Project{Kind: name, Title: "Captions", Guideline: guideline, Stages: stages(m.people)}
	return &people.Plan{Project: p, Items: s.items(), Warnings: s.warnings(), MediaFolder: s.folder(), Close: s.close}, nil
}

// A source is the files of a project, opened.
type source struct {
	*maker
	files   []*rows.File
	rows    []place           // with a caption
	first   map[string]string // where each id is
	empty   int               // rows without a caption
	unnamed int               // rows without a media file
	folders []string          // of the media that were found
	missing int               // rows whose media were not found
}

// A place is a row of a file.
type place struct{ file, row int }

// open reads all rows, and refuses the first that is wrong.
func (s *source) open(ctx context.Context) error {
	names, err := captionrow.Files(s.captions)
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := rows.Open(ctx, name)
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
		if err := people.EachRow(ctx, f, func(i int, text []byte) error { return s.check(f, i, text) }); err != nil {
			return err
		}
	}
	if len(s.rows) == 0 {
		return omniscope.Invalidf("%s has no captions", s.captions)
	}
	return nil
}

func (s *source) check(f *rows.File, i int, text []byte) error {
	r, err := s.read(f.Path, text)
	switch {
	case err != nil:
		return err
	case s.first[r.id] != "":
		return fmt.Errorf("the id %s is there already, on %s", r.id, s.first[r.id])
	}
	s.first[r.id] = f.LineName(i)
	if len(s.files) > 1 {
		s.first[r.id] = f.Place(i)
	}
	switch {
	case len(r.Sentences) == 0:
		s.empty++
		return nil
	case r.file == "":
		s.unnamed++
	case r.found == "":
		s.missing++
	default:
		s.folders = append(s.folders, filepath.Dir(r.found))
	}
	s.rows = append(s.rows, place{len(s.files) - 1, i})
	return nil
}

func (s *source) close() (err error) {
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	return err
}

func (s *source) warnings() (out []string) {
	if s.empty > 0 {
		out = append(out, fmt.Sprintf("%d rows have no caption and are left out", s.empty))
	}
	if s.unnamed > 0 {
		out = append(out, fmt.Sprintf("%d of %d rows have no path: people see their captions without a clip of their own name", s.unnamed, len(s.rows)))
	}
	return out
}

// folder is the folder with all media; "" = a file was not found, or they have no folder of their own in common.
func (s *source) folder() string {
	if len(s.folders) == 0 || s.missing > 0 {
		return ""
	}
	common := s.folders[0]
	for _, f := range s.folders[1:] {
		for !below(f, common) {
			common = filepath.Dir(common)
		}
	}
	if common == filepath.Dir(common) {
		return ""
	}
	return common
}

// below reports whether a folder is another one or below it.
func below(folder, above string) bool {
	return folder == above || above == filepath.Dir(above) || strings.HasPrefix(folder, above+string(filepath.Separator))
}

func (s *source) items() iter.Seq2[*people.Item, error] {
	return people.MadeItems(len(s.rows), func(n int) (*people.Item, any, error) {
		at := s.rows[n]
		f := s.files[at.file]
		text, err := f.At(at.row)
		if err != nil {
			return nil, nil, err
		}
		r, err := s.read(f.Path, text)
		if err != nil {
			return nil, nil, f.Bad(at.row, text, err)
		}
		item := &people.Item{ID: r.id, Clip: r.id}
		if r.file != "" {
			item.Clip, item.Media = r.file, []people.Media{{File: r.file}}
		}
		return item, &r.task, nil
	})
}
