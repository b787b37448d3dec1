package score

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
)

// Forms of files.
const (
	AsText  = "text"
	AsLines = "jsonl"
	AsTSV   = "tsv"
)

// Files say where texts are. What has no file of its own is in Data; what has no
// field that is named is in one of the usual ones.
type Files struct {
	Hyps, Refs           []string
	Src, Data            string
	HypFields, RefFields []string
	SrcField             string
	As                   string // form of all files; "" = by their ending
	Cluster, ClusterFile string // field, or file, that says to which document a segment belongs
}

// NeMo and the Open ASR Leaderboard call transcripts so. A file may have a field "text" of another meaning: these names count where
// no other is there.
const nemoHyp, nemoRef = "pred_text", "text"

// What a column of texts may be called where no flag names it.
var (
	hypNames = []string{"hypothesis", "hyp", "mt", nemoHyp}
	refNames = []string{"reference", "ref", nemoRef}
	srcNames = []string{"source", "src"}
)

// A textSource is where columns are read: each file once, however many of its
// fields are wanted.
type textSource struct {
	ctx   context.Context
	as    string
	texts func(line string) []string // that a line of a file of text holds
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

// Read reads all that a measure needs.
func (o *Files) Read(ctx context.Context, m *Measure) (*Input, error) {
	s := &textSource{ctx: ctx, as: o.As, texts: pythonLines, files: make(map[string]*textTable)}
	if m.Texts != nil {
		s.texts = m.Texts
	}
	in := &Input{}
	var err error
	if in.Refs, err = s.columns(o.Refs, o.Data, o.RefFields, "--ref-field", refNames); err != nil {
		return nil, err
	}
	if in.Systems, err = s.columns(o.Hyps, o.Data, o.HypFields, "--hyp-field", hypNames); err != nil {
		return nil, err
	}
	all := slices.Concat(in.Refs, in.Systems)
	if m.Source {
		src, err := s.columns(listOf(o.Src), o.Data, listOf(o.SrcField), "--src-field", srcNames)
		if err != nil {
			return nil, err
		}
		in.Source = &src[0]
		all = append(all, src...)
	}
	if o.Cluster != "" || o.ClusterFile != "" {
		c, err := s.clusters(o)
		if err != nil {
			return nil, err
		}
		in.Clusters = c.Texts
		all = append(all, c)
		if i := slices.Index(c.Texts, ""); i >= 0 {
			return nil, rows.BadLine(c.Path, c.Lines[i], errors.New("the segment belongs to no cluster: give each one a name"))
		}
	}
	return in, errors.Join(sameLength(all), nameSystems(in.Systems))
}

func listOf(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// columns returns one column for each file, or for each field of one file.
func (s *textSource) columns(paths []string, data string, fields []string, flag string, usual []string) ([]Column, error) {
	if len(paths) == 0 {
		paths = []string{data}
	}
	if len(fields) == 0 {
		fields = []string{""}
	}
	var out []Column
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
			c.Name = bench.SystemName(t.path)
			if len(fields) > 1 {
				c.Name = field
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// clusters returns the column that says to which document a segment belongs. A
// field of that name is looked for in --data, else in the references, else in
// the hypotheses.
func (s *textSource) clusters(o *Files) (Column, error) {
	if o.ClusterFile != "" {
		t, err := s.open(o.ClusterFile)
		if err != nil {
			return Column{}, err
		}
		if !t.plain {
			return Column{}, omniscope.Usagef("--cluster-file is a file of text, a line for each segment; of %s name the field with --cluster", o.ClusterFile)
		}
		return t.column("", "", nil)
	}
	for _, path := range slices.Concat(listOf(o.Data), o.Refs, o.Hyps) {
		t, err := s.open(path)
		if err != nil {
			return Column{}, err
		}
		if !t.plain && t.has(o.Cluster) {
			return t.gather(o.Cluster, func(r tableRow) (string, error) { return r.id(o.Cluster) })
		}
	}
	return Column{}, omniscope.Invalidf("no file has a field %q: --cluster names a field of a .jsonl or .tsv file; for files of text there is --cluster-file", o.Cluster)
}

// sameLength reports two columns that do not belong together line by line.
func sameLength(all []Column) error {
	for _, c := range all[1:] {
		if len(c.Texts) != len(all[0].Texts) {
			return omniscope.Invalidf("%s has %d lines and %s %d: they must belong together line by line", all[0].Path, len(all[0].Texts), c.Path, len(c.Texts))
		}
	}
	return nil
}

// nameSystems calls systems by their files' whole names where the short ones do
// not tell them apart.
func nameSystems(systems []Column) error {
	var short, long []string
	for _, s := range systems {
		short, long = append(short, s.Name), append(long, s.Path)
	}
	if spelling.Twice(short) == "" {
		return nil
	}
	if name := spelling.Twice(long); name != "" {
		return omniscope.Usagef("%s is named twice", name)
	}
	for i := range systems {
		systems[i].Name = long[i]
	}
	return nil
}
