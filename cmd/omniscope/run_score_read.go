package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope/bench"
	"omniscope/internal/input"
)

// Forms of score's files.
const (
	asText  = "text"
	asLines = "jsonl"
	asTSV   = "tsv"
)

// What a column of texts may be called where no flag names it.
var (
	hypNames = []string{"hypothesis", "hyp", "mt"}
	refNames = []string{"reference", "ref"}
	srcNames = []string{"source", "src"}
)

// A column is the texts of all segments from one place.
type column struct {
	name  string // of the system
	path  string
	field string // "" in a file of text
	texts []string
	lines []int // where each text stands in the file, from 1
}

// where names the column in messages.
func (c column) where() string {
	if c.field == "" {
		return c.path
	}
	return fmt.Sprintf("%s, field %q", c.path, c.field)
}

// scoreInput is what a measure scores.
type scoreInput struct {
	systems  []column
	refs     []column
	src      *column  // nil where the measure needs none
	clusters []string // to which each segment belongs; nil = each by itself
}

// Len is the number of segments.
func (in *scoreInput) Len() int { return len(in.refs[0].texts) }

// references are those of a segment.
func (in *scoreInput) references(segment int) []string {
	refs := make([]string, len(in.refs))
	for i, r := range in.refs {
		refs[i] = r.texts[segment]
	}
	return refs
}

// A textSource is where columns are read: each file once, however many of its
// fields are wanted.
type textSource struct {
	ctx   context.Context
	as    string
	trim  func(line string) []string // what texts a line of a text file holds
	files map[string]*textTable
	rows  int // of all files
}

// hold bounds how many rows all files together may have.
func (s *textSource) hold(f *input.File, rows int) error {
	const files = 4 // hypotheses, references, sources, and what they belong to
	if s.rows += rows; s.rows > files*f.Limits().Rows {
		return f.Limits().TooManyRows(f.Path+" and the files before it", fmt.Sprintf("lines in each of %d files", files))
	}
	return nil
}

// read reads all that a measure needs.
func (o *scoreOptions) read(ctx context.Context, m *measure) (*scoreInput, error) {
	s := &textSource{ctx: ctx, as: o.As, trim: universalLines, files: make(map[string]*textTable)}
	if m.sacrebleu {
		s.trim = trimmedLine
	}
	in := &scoreInput{}
	var err error
	if in.refs, err = s.columns(o.Refs, o.Data, o.RefFields, "--ref-field", refNames); err != nil {
		return nil, err
	}
	if in.systems, err = s.columns(o.Hyps, o.Data, o.HypFields, "--hyp-field", hypNames); err != nil {
		return nil, err
	}
	all := slices.Concat(in.refs, in.systems)
	if m.source {
		src, err := s.columns(listOf(o.Src), o.Data, listOf(o.SrcField), "--src-field", srcNames)
		if err != nil {
			return nil, err
		}
		in.src = &src[0]
		all = append(all, src...)
	}
	if o.Cluster != "" || o.ClusterFile != "" {
		c, err := s.clusters(o)
		if err != nil {
			return nil, err
		}
		in.clusters = c.texts
		all = append(all, c)
		if i := slices.Index(c.texts, ""); i >= 0 {
			return nil, badLine(c.path, c.lines[i], errors.New("the segment belongs to no cluster: give each one a name"))
		}
	}
	return in, errors.Join(sameLength(all), nameSystems(in.systems))
}

func listOf(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// columns returns one column for each file, or for each field of one file.
func (s *textSource) columns(paths []string, data string, fields []string, flag string, usual []string) ([]column, error) {
	if len(paths) == 0 {
		paths = []string{data}
	}
	if len(fields) == 0 {
		fields = []string{""}
	}
	var out []column
	for _, path := range paths {
		t, err := s.open(path)
		if err != nil {
			return nil, err
		}
		for _, field := range fields {
			c, err := t.column(field, flag, usual)
			if err != nil {
				return nil, err
			}
			c.name = bench.SystemName(t.path)
			if len(fields) > 1 {
				c.name = field
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// clusters returns the column that says to which document a segment belongs. A
// field of that name is looked for in --data, else in the references, else in
// the hypotheses.
func (s *textSource) clusters(o *scoreOptions) (column, error) {
	if o.ClusterFile != "" {
		t, err := s.open(o.ClusterFile)
		if err != nil {
			return column{}, err
		}
		if !t.plain {
			return column{}, usagef("--cluster-file is a file of text, a line for each segment; of %s name the field with --cluster", o.ClusterFile)
		}
		return t.column("", "", nil)
	}
	for _, path := range slices.Concat(listOf(o.Data), o.Refs, o.Hyps) {
		t, err := s.open(path)
		if err != nil {
			return column{}, err
		}
		if !t.plain && t.has(o.Cluster) {
			return t.gather(o.Cluster, func(r tableRow) (string, error) { return r.id(o.Cluster) })
		}
	}
	return column{}, invalidf("no file has a field %q: --cluster names a field of a .jsonl or .tsv file; for files of text there is --cluster-file", o.Cluster)
}

// sameLength reports two columns that do not belong together line by line.
func sameLength(all []column) error {
	for _, c := range all[1:] {
		if len(c.texts) != len(all[0].texts) {
			return invalidf("%s has %d lines and %s %d: they must belong together line by line", all[0].path, len(all[0].texts), c.path, len(c.texts))
		}
	}
	return nil
}

// nameSystems calls systems by their files' whole names where the short ones do
// not tell them apart.
func nameSystems(systems []column) error {
	var short, long []string
	for _, s := range systems {
		short, long = append(short, s.name), append(long, s.path)
	}
	if twice(short) == "" {
		return nil
	}
	if name := twice(long); name != "" {
		return usagef("%s is named twice", name)
	}
	for i := range systems {
		systems[i].name = long[i]
	}
	return nil
}
