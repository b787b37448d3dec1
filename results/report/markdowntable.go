package report

import (
	"slices"
	"strings"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// A markdownTable takes cells that are escaped already.
type markdownTable struct {
	head  []string
	right []int // columns set to the right
	rows  [][]string
}

func (t *markdownTable) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *markdownTable) write(out *strings.Builder) {
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---"
		if slices.Contains(t.right, i) {
			rule[i] = "---:"
		}
	}
	for _, row := range append([][]string{t.head, rule}, t.rows...) {
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

// scores writes all slices of a scoring and the notes to them.
func (m *page) scores(p document.ScoringInfo) {
	m.heading(2, "Scores, scoring "+p.Name)
	t := m.scoreTable("dimension", "slice")
	for _, section := range sections(p) {
		for _, s := range section.slices {
			t.add(append([]string{escape(section.title), escape(label(s))}, m.cells(s)...)...)
		}
	}
	t.write(&m.out)
	m.out.WriteByte('\n')
	m.bullets(notes(p, p, p, m.terms))
}

func (m *page) scoreTable(names ...string) markdownTable {
	t := markdownTable{head: append(names, "n")}
	for _, c := range m.columns {
		t.head = append(t.head, escape(c.Heading()))
	}
	t.head = append(t.head, "unscored", escape(quantity.Plural(m.cluster)))
	for i := len(names); i < len(t.head); i++ {
		t.right = append(t.right, i)
	}
	return t
}

// cells returns a slice's numbers in the order of scoreTable.
func (m *page) cells(s document.Slice) []string {
	cells := []string{span(s, m.columns, scored)}
	for _, c := range m.columns {
		cell := c.plain(s)
		if b := c.bounds(s.Scores[c.Name]); b != "" {
			cell += "<br>bounds " + b
		}
		cells = append(cells, cell)
	}
	return append(cells, span(s, m.columns, unscored), span(s, m.columns, clusters))
}
