package score

import "fmt"

// A Column is the texts of all segments from one place.
type Column struct {
	Name  string // of the system
	Path  string
	Field string // "" in a file of text
	Texts []string
	Lines []int // where each text stands in the file, from 1
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

// References are those of a segment.
func (in *Input) References(segment int) []string {
	refs := make([]string, len(in.Refs))
	for i, r := range in.Refs {
		refs[i] = r.Texts[segment]
	}
	return refs
}
