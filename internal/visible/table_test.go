package visible

import (
	"bytes"
	"strings"
	"testing"
)

func TestTableCells(t *testing.T) {
	var out bytes.Buffer
	table := NewTable(&out, "na\x1bme", "n")
	table.AppendRow(Cells([]string{"a\x1b[31m", "1"}))
	table.Render()
	lines := strings.Split(out.String(), "\n")
	if strings.Contains(out.String(), "\x1b") || len(lines) < 3 || strings.IndexRune(lines[0], '│') != strings.IndexRune(lines[2], '│') {
		t.Errorf("got\n%s", &out)
	}
}

func TestUnwrapped(t *testing.T) {
	var out bytes.Buffer
	if Unwrapped(NewWriter(NewWriter(&out))) != &out || Unwrapped(&out) != &out {
		t.Error("not the innermost writer")
	}
}
