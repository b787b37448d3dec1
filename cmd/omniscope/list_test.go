package main

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/session/catalog"
)

// TestListsFit into the width of a usual terminal, with every word that is to
// be typed in one piece.
func TestListsFit(t *testing.T) {
	need.Processes(t)
	lists, err := catalog.Lists(t.Context())
	fixture.OK(t, err)
	for _, l := range append(lists, catalog.List{}) {
		args := []string{"docs", l.Name}
		if l.Name == "" {
			args = []string{"data", "list"}
		}
		out := command(context.Background(), args...).must(t, exitDone).out
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > 80 {
				t.Errorf("%v: a line of %d columns: %s", args, n, line)
			}
		}
		words := strings.Fields(out)
		for _, row := range l.Rows {
			if first := strings.Fields(row[0]); len(first) > 0 && !strings.Contains(strings.Join(words, " "), strings.Join(first, " ")) {
				t.Errorf("%v does not show %q in one piece", args, row[0])
			}
		}
	}
}
