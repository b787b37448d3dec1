package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// Markdown writes the whole document as a GitHub-flavoured page: every slice,
// every warning, and what is needed to make the run again. Columns nil shows
// the scores of the document, by name.
func Markdown(w io.Writer, r *document.Results, columns []Column) error {
	m := &page{terms: termsOf(r, columns)}
	m.title(r)
	m.scores(headline(r))
	m.scorings(r)
	m.tables(r.Tables)
	m.list("Warnings", r.Warnings)
	m.provenance(r)
	_, err := io.WriteString(w, m.out.String())
	return err
}

// A page is a Markdown text on its way.
type page struct {
	terms
	out strings.Builder
}

func (m *page) heading(level int, s string) {
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
	fmt.Fprintf(&m.out, "%s %s\n\n", strings.Repeat("#", level), escape(s))
}

// list writes a section of bullets, or nothing.
func (m *page) list(heading string, items []string) {
	if len(items) > 0 {
		m.heading(2, heading)
		m.bullets(items)
	}
}

func (m *page) bullets(items []string) {
	for _, s := range items {
		fmt.Fprintf(&m.out, "- %s\n", escape(s))
	}
}

// code writes one line as it is to be copied, as an indented block: whatever is
// in it cannot end the block.
func (m *page) code(s string) { fmt.Fprintf(&m.out, "\n    %s\n", clean(s)) }

func (m *page) title(r *document.Results) {
	m.heading(1, r.Benchmark.Name+": "+r.System)
	t := markdownTable{head: []string{"", ""}}
	for _, f := range head(r, m.terms) {
		t.add(escape(f.label), escape(f.String()))
	}
	if !r.Run.Finished.IsZero() {
		t.add("finished", r.Run.Finished.UTC().Format(time.RFC3339))
	}
	t.write(&m.out)
	if r.Signature != "" {
		m.out.WriteString("\nSignature:\n")
		m.code(r.Signature)
	}
}

// scorings writes how the scorings differ, and all slices of those that are
// not the headline's.
func (m *page) scorings(r *document.Results) {
	if len(r.Scorings) < 2 {
		return
	}
	m.heading(2, "Profiles")
	if !differ(r, m.columns) {
		m.out.WriteString("The profiles agree on this input.\n")
		return
	}
	t := m.scoreTable("scoring")
	for _, p := range r.Scorings {
		t.add(append([]string{escape(p.Name)}, m.cells(overall(p))...)...)
	}
	t.write(&m.out)
	if apart := reasonsApart(r.Scorings, m.columns); len(apart) > 0 {
		m.out.WriteByte('\n')
		m.bullets(apart)
	}
	m.differences(r.Differences)
	for _, p := range r.Scorings {
		if p.Name != r.Headline.Scoring {
			m.scores(p)
		}
	}
}

func (m *page) differences(differences []document.Difference) {
	if len(differences) == 0 {
		return
	}
	t := markdownTable{head: []string{"difference", "samples", escape(quantity.Plural(m.item)), "official", "strict"}, right: []int{1, 2}}
	known := slices.ContainsFunc(differences, func(d document.Difference) bool { return effects(d, m.columns) != "" })
	if known {
		t.head = append(t.head, "effect by itself")
	}
	for _, d := range differences {
		cells := []string{escape(d.What), quantity.Grouped(d.Samples), quantity.Grouped(d.Items), escape(d.Official), escape(d.Strict)}
		if known {
			cells = append(cells, escape(effects(d, m.columns)))
		}
		t.add(cells...)
	}
	m.out.WriteByte('\n')
	t.write(&m.out)
}

// provenance writes what the run cost and what it was made of.
func (m *page) provenance(r *document.Results) {
	facts := usage(r.Usage)
	m.list("Usage", facts[0].parts)
	for _, f := range facts[1:] {
		m.out.WriteByte('\n')
		m.bullets(f.parts)
	}
	if len(r.Run.Inputs) > 0 {
		m.heading(2, "Inputs")
		t := markdownTable{head: []string{"file", "SHA-256"}}
		for _, path := range slices.Sorted(maps.Keys(r.Run.Inputs)) {
			t.add(escape(path), escape(r.Run.Inputs[path]))
		}
		t.write(&m.out)
	}
	if judged(r) {
		m.judge(r.Judge)
	}
	m.heading(2, "Run")
	fmt.Fprintf(&m.out, "Run %s of omniscope %s.\n", escape(r.Run.ID), escape(r.Run.Version))
	if len(r.Run.Command) > 0 {
		m.code(shell(r.Run.Command))
	}
}

// judge writes what the judge was asked with, and who answered.
func (m *page) judge(j document.JudgeInfo) {
	if len(j.Prompts) > 0 {
		m.heading(2, "Prompts")
		t := markdownTable{head: []string{"prompt", "digest", "from"}}
		for _, p := range j.Prompts {
			t.add(escape(p.Name), escape(p.Digest), escape(p.From))
		}
		t.write(&m.out)
	}
	if len(j.Sources) > 0 {
		m.heading(2, "Judge's endpoints")
		m.bullets([]string{tallies(j.Sources)})
	}
}
