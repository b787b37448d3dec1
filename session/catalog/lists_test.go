package catalog

import (
	"testing"

	"omniscope/internal/testing/need"
)

func TestListNames(t *testing.T) {
	need.Processes(t)
	lists, err := Lists(t.Context())
	if err != nil || len(lists) != len(ListNames) {
		t.Fatal(lists, err)
	}
	for i, l := range lists {
		if l.Name != ListNames[i] || l.About == "" || len(l.Rows) == 0 {
			t.Errorf("list %d is %q, want %q", i, l.Name, ListNames[i])
		}
		for _, row := range l.Rows {
			if len(row) != len(l.Columns) {
				t.Errorf("%s: %q has not a cell for each of %q", l.Name, row, l.Columns)
			}
		}
	}
}
