package report

import (
	"iter"
	"slices"

	"omniscope/bench/document"
)

// whole is the dimension of the slice that holds everything.
const whole = "overall"

// dimensions are those that have a place and a title of their own. Others
// follow in the order of the document.
var dimensions = []struct {
	name, title string
	fine        bool // many small groups
}{
	{name: whole, title: whole},
	{name: "modality", title: "modality"},
	{name: "category", title: "category"},
	{name: "subcategory", title: "sub-category", fine: true},
	{name: "qa_type", title: "QA type"},
	{name: "qa_origin", title: "QA origin"},
}

// A section is the slices of one dimension.
type section struct {
	title  string
	fine   bool
	slices []document.Slice
}

// sections groups a scoring's slices by dimension, overall first.
func sections(p document.ScoringInfo) []section {
	var out []section
	for _, d := range dimensions {
		out = append(out, section{title: d.title, fine: d.fine})
	}
	for _, s := range p.Slices {
		i := placeOf(out, s.Dimension)
		if i < 0 {
			i = len(out)
			out = append(out, section{title: s.Dimension})
		}
		out[i].slices = append(out[i].slices, s)
	}
	return slices.DeleteFunc(out, func(s section) bool { return len(s.slices) == 0 })
}

func placeOf(out []section, dimension string) int {
	for i, d := range dimensions {
		if d.name == dimension {
			return i
		}
	}
	for i := len(dimensions); i < len(out); i++ {
		if out[i].title == dimension {
			return i
		}
	}
	return -1
}

// headline returns the scoring that the document's headline is of.
func headline(r *document.Results) document.ScoringInfo {
	for _, p := range r.Scorings {
		if p.Name == r.Headline.Scoring {
			return p
		}
	}
	return document.ScoringInfo{Name: r.Headline.Scoring,
		Slices: []document.Slice{{Dimension: whole, Scores: r.Headline.Scores}}}
}

// overall returns the slice that holds everything.
func overall(p document.ScoringInfo) document.Slice {
	for _, s := range p.Slices {
		if s.Dimension == whole {
			return s
		}
	}
	return document.Slice{Dimension: whole}
}

func allSlices(r *document.Results) iter.Seq[document.Slice] {
	return func(yield func(document.Slice) bool) {
		for _, p := range r.Scorings {
			for _, s := range p.Slices {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// label names a slice among those of its dimension.
func label(s document.Slice) string {
	if s.Group == "" {
		return s.Dimension
	}
	return s.Group
}

// differ reports whether the scorings came to different overall lines, or
// treated anything differently.
func differ(r *document.Results, columns []Column) bool {
	if len(r.Differences) > 0 {
		return true
	}
	var first document.Slice
	for i, p := range r.Scorings {
		s := overall(p)
		if i == 0 {
			first = s
		}
		for _, c := range columns {
			a, b := first.Scores[c.Name], s.Scores[c.Name]
			if a.N != b.N || a.Unscored != b.Unscored || a.Why != b.Why || c.cell(first) != c.cell(s) {
				return true
			}
		}
	}
	return false
}

// otherThan is the scoring that is not the headline's; empty if there is one scoring only.
func otherThan(r *document.Results) document.ScoringInfo {
	for _, p := range r.Scorings {
		if p.Name != r.Headline.Scoring {
			return p
		}
	}
	return document.ScoringInfo{}
}
