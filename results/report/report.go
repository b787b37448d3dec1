// Package report shows a results document to people and programs: as
// text for a terminal, as Markdown, as CSV and as JSON.
//
// It computes no score and reads no file: benchmarks make the document (package
// bench), and docs/results.md describes it. What comes from data, such as the
// names of systems and groups, is made harmless before it is shown.
package report

import (
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/metric"
)

// A Column says how one score is shown.
type Column struct {
	Name    string // as in the document
	Title   string
	Percent bool // shown times 100
	Lower   bool // a lower value is better
}

// Columns returns the columns of a metric's scores, in its order.
func Columns(m *metric.Metric) []Column {
	columns := make([]Column, len(m.Scores))
	for i, s := range m.Scores {
		columns[i] = Column{Name: s.Name, Title: s.Title, Percent: s.Percent, Lower: s.Lower}
	}
	return columns
}

// columnsOf returns the given columns that r has scores for, then the scores
// without a description, by name: a document may be younger than its reader. Scores
// that the input had nothing for are left out, unless that is all of them.
func columnsOf(r *document.Results, given []Column) []Column {
	names := scoreNames(r, isShown)
	if len(names) == 0 {
		names = scoreNames(r, func(omniscope.Score) bool { return true })
	}
	var columns []Column
	for _, c := range given {
		if names[c.Name] {
			columns = append(columns, c)
			delete(names, c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		columns = append(columns, Column{Name: name, Title: strings.ReplaceAll(name, "_", " ")})
	}
	return columns
}

// scoreNames returns the names of the scores that are so in any slice.
func scoreNames(r *document.Results, is func(omniscope.Score) bool) map[string]bool {
	names := make(map[string]bool)
	add := func(scores map[string]omniscope.Score) {
		for name, score := range scores {
			if is(score) {
				names[name] = true
			}
		}
	}
	add(r.Headline.Scores)
	for s := range allSlices(r) {
		add(s.Scores)
	}
	return names
}

// Heading is the title over a column of scores.
func (c Column) Heading() string {
	if c.Lower {
		return c.Title + " ↓"
	}
	return c.Title
}
