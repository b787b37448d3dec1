package score

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// A Column is the texts of all segments from one place.
type Column struct {
	Name  string // of the system
	Path  string
	Field string // "" in a file of text
	Texts []string
	Lines []int // where each text stands in the file, from 1

	Numbers []int // of the texts in the file, from 1; nil = in order
}

// Where names the column in messages.
func (c Column) Where() string {
	if c.Field == "" {
		return c.Path
	}
	return fmt.Sprintf("%s, field %q", c.Path, c.Field)
}

// An Input is what a measure scores.
type Input struct {
	Systems  []Column
	Refs     []Column
	Source   *Column  // nil where the measure needs none
	Clusters []string // to which each segment belongs; nil = each by itself
}

// Len is the number of segments.
func (in *Input) Len() int { return len(in.Refs[0].Texts) }

// Part is every n-th segment from the i-th on, counted from 0: what one of n processes
// scores of them.
func (in *Input) Part(i, n int) *Input {
	part := func(c Column) Column {
		own := Column{Name: c.Name}
		for at := i; at < len(c.Texts); at += n {
			own.Texts, own.Numbers = append(own.Texts, c.Texts[at]), append(own.Numbers, at+1)
		}
		return own
	}
	out := &Input{}
	for _, c := range in.Systems {
		out.Systems = append(out.Systems, part(c))
	}
	for _, c := range in.Refs {
		out.Refs = append(out.Refs, part(c))
	}
	if in.Source != nil {
		source := part(*in.Source)
		out.Source = &source
	}
	return out
}

// Names are the systems', in one line.
func (in *Input) Names() string {
	var names []string
	for _, s := range in.Systems {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// Digest identifies all texts.
func (in *Input) Digest() string {
	h := sha256.New()
	columns := slices.Concat(in.Systems, in.Refs)
	if in.Source != nil {
		columns = append(columns, *in.Source)
	}
	for _, c := range columns {
		fmt.Fprintf(h, "%q\n", c.Texts)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// References are those of a segment.
func (in *Input) References(segment int) []string {
	refs := make([]string, len(in.Refs))
	for i, r := range in.Refs {
		refs[i] = r.Texts[segment]
	}
	return refs
}
