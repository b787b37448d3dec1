package report

import (
	"strings"
	"testing"

	"omniscope"
)

// TestNoteOfALongTable prints a table that is too long for a terminal: its note is printed all the same.
func TestNoteOfALongTable(t *testing.T) {
	long := omniscope.Table{Title: "Values", Columns: []string{"system"}, Note: "these groups never met: A | B"}
	for range comparisonRows + 1 {
		long.Rows = append(long.Rows, []string{"A"})
	}
	var out strings.Builder
	if err := (Comparison{Tables: []omniscope.Table{long}}).Text(&out, TextOptions{}); err != nil || !strings.Contains(out.String(), "61 rows, in tables.md. these groups never met: A | B") {
		t.Errorf("%v: %q", err, out.String())
	}
}
