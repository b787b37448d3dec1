package mcif

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/spelling"
)

// A table is one of the source's: rows of cells with tabs between them, without quoting, so that a quotation mark
// is a character like any other. The first row names the columns.
type table struct {
	path    string
	columns []string
	rows    []row
}

// A row is a line of a table.
type row struct {
	table *table
	line  int // from 1
	cells []string
}

// lineEnds has a line end wherever the published program sees one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func readTable(folder, name string) (*table, error) {
	t := &table{path: filepath.Join(folder, name)}
	text, err := os.ReadFile(t.path)
	if err != nil {
		return nil, omniscope.Usagef("the table %q is not in the source: %w", name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, omniscope.Invalidf("%s is not UTF-8: save it so, with tabs between the cells", t.path)
	}
	for i, line := range strings.Split(lineEnds.Replace(string(text)), "\n") {
		if _, illegal := mcifxml.Legal(line); illegal > 0 {
			return nil, row{table: t, line: i + 1}.bad(line, "the line has a control character, which XML cannot hold: take it out")
		}
		switch cells := strings.Split(line, "\t"); {
		case i == 0:
			t.columns = cells
		case line != "":
			t.rows = append(t.rows, row{table: t, line: i + 1, cells: cells})
		}
	}
	return t, nil
}

// require makes sure that the table has columns.
func (t *table) require(names ...string) error {
	for _, name := range names {
		if t.column(name) < 0 {
			return omniscope.Invalidf("%s has no column %q%s; its first line names the columns, with tabs between them", t.path, name, spelling.Hint(name, t.columns))
		}
	}
	return nil
}

func (t *table) column(name string) int { return slices.Index(t.columns, name) }

// get is the cell of a column, which the table has.
func (r row) get(name string) string {
	if i := r.table.column(name); i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// bad is an error about a row, with what it says.
func (r row) bad(text, format string, args ...any) error {
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:80]) + "…"
	}
	return omniscope.Invalidf("%s:%d: %q: %w", r.table.path, r.line, text, fmt.Errorf(format, args...))
}

// full makes sure that the row has a cell for each column.
func (r row) full() error {
	if len(r.cells) < len(r.table.columns) {
		return r.bad(strings.Join(r.cells, "\t"), "the row has %d cells, and the first line names %d columns: a tab or a line break too few or too many", len(r.cells), len(r.table.columns))
	}
	return nil
}

// pairs are source and target texts of a row of translations: from the third cell on they take turns, and empty
// cells do not count.
func (r row) pairs() (sources, targets []string, err error) {
	if len(r.cells)%2 == 1 {
		return nil, nil, r.bad(r.cells[0], "the row has %d cells, an odd number: after two, sources and translations take turns", len(r.cells))
	}
	for i := 2; i < len(r.cells); i += 2 {
		if r.cells[i] != "" {
			sources = append(sources, r.cells[i])
		}
		if r.cells[i+1] != "" {
			targets = append(targets, r.cells[i+1])
		}
	}
	if len(sources) != len(targets) {
		return nil, nil, r.bad(r.cells[0], "the row has %d sources and %d translations: each needs the other", len(sources), len(targets))
	}
	return sources, targets, nil
}
