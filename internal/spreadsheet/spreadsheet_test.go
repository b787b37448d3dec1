package spreadsheet

import "testing"

func TestCell(t *testing.T) {
	for text, cell := range map[string]string{
		"": "", "plain": "plain", "-0.5": "-0.5", "+3e-2": "+3e-2", "12": "12", "a=b": "a=b", "it's": "it's", "'quoted'": "'quoted'", "–": "–",
		`=HYPERLINK("http://x","y")`: `'=HYPERLINK("http://x","y")`,
		"@SUM(1)":                    "'@SUM(1)", "+1+1": "'+1+1", "-1+1": "'-1+1", "-": "'-", "\tx": "'\tx", "\rx": "'\rx",
		"  =1": "'  =1", "\u00a0=1": "'\u00a0=1", "\u200b=1": "'\u200b=1", "\n=1": "'\n=1", "＝1+1": "'＝1+1", "＠x": "'＠x",
		"'=1": "''=1", "''=1": "'''=1",
	} {
		got := Cell(text)
		if got != cell {
			t.Errorf("Cell(%q) = %q, want %q", text, got, cell)
		}
		if back := Text(got); back != text {
			t.Errorf("Text(%q) = %q, want %q", got, back, text)
		}
	}
}

// FuzzCell: every text has a cell of its own, from which it can be had again.
func FuzzCell(f *testing.F) {
	f.Add("'=1")
	f.Add("''\t-1")
	f.Fuzz(func(t *testing.T, text string) {
		cell := Cell(text)
		if Text(cell) != text {
			t.Errorf("Text(%q) = %q, want %q", cell, Text(cell), text)
		}
		if Cell(cell) == cell && cell != text {
			t.Errorf("%q and %q have one cell", text, cell)
		}
	})
}
