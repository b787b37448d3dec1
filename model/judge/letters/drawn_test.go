package letters

import "testing"

// TestReadersThatDraw gives replies to the readers of lmms-eval's MMAU and MMAR, with the letters that its rules give, and
// Drawn where it drew one.
func TestReadersThatDraw(t *testing.T) {
	options := []string{"Dog barking", "Rain on a roof", "Man speaking", "Car passing"}
	for _, c := range []struct{ reply, mmau, mmar string }{
		{"B", "B", "B"},
		{"(B) Rain on a roof", "B", "B"},
		{"B.", "B", "B"},
		{"'B'", "B", "B"},
		{"B. Rain on a roof", "B", "B"},
		{"**B**", Drawn, Drawn},
		{`\boxed{B}`, Drawn, Drawn},
		{`{"answer": "B"}`, Drawn, Drawn},
		{"B) ", Drawn, Drawn},
		{"[B]", Drawn, Drawn},
		{"B: Rain on a roof", Drawn, Drawn},
		{"Rain on a roof", Drawn, Drawn},
		{"答案是B", Drawn, "B"},
		{"I can clearly hear rain on a roof here", Drawn, "B"},
		{"I think it's B, since A is too loud", "A", "A"},
		{"A or B, I think B", "B", "B"},
		{"the correct option is (B), not (A)", "A", "A"},
		{"(A) or, rather, (B) it is", "A", "B"},
		{"The answer is not A but B.", "B", "B"},
		{"", Drawn, Drawn},
	} {
		for name, want := range map[string]string{"lmms-eval-mmau": c.mmau, "lmms-eval-mmar": c.mmar} {
			reader, _ := Find(name)
			if got := reader.Read(c.reply, options); got != want {
				t.Errorf("%s: %q is read as %q, want %q", name, c.reply, got, want)
			}
		}
	}
}
