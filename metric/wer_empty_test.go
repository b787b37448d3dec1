package metric

import "testing"

// TestReferencesWithoutWords: jiwer 4.0 counts what is said on an empty reference as insertions, and nothing on nothing as no error.
func TestReferencesWithoutWords(t *testing.T) {
	refs, hyps := []string{"a b", "", " ", "c"}, []string{"a x", "so it goes", "", "c d"}
	for _, c := range []struct {
		rule  string
		want  Edits
		empty int
	}{
		{SkipEmpty, Edits{Hits: 2, Substitutions: 1, Insertions: 1}, 2},
		{CountEmpty, Edits{Hits: 2, Substitutions: 1, Insertions: 4}, 2},
	} {
		if got, empty, err := WordErrors(refs, hyps, c.rule); err != nil || got != c.want || empty != c.empty {
			t.Errorf("%s: %+v, %d, %v; want %+v, %d", c.rule, got, empty, err, c.want, c.empty)
		}
		if got, empty, err := WordErrors([]string{"", ""}, []string{"a", ""}, c.rule); err != nil || got.Words() != 0 || empty != 2 {
			t.Errorf("%s of nothing: %+v, %d, %v", c.rule, got, empty, err)
		}
		if _, _, err := WordErrors(refs, hyps[:1], c.rule); err == nil {
			t.Errorf("%s of lists of different length has no error", c.rule)
		}
	}
	if _, _, err := WordErrors(refs, hyps, ""); err == nil {
		t.Error("no error for an empty rule")
	}
}
