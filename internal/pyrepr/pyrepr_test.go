package pyrepr

import "testing"

// The wanted string was printed by Python 3.11.
func TestList(t *testing.T) {
	got := List([]string{"it's", `say "hi"`, `it's "hi"`, "tab\tback\\slash\a", "naïve “quoted”", "nbsp\u00a0zero\u200bwide", "😀 \U000e0001"})
	want := `["it's", 'say "hi"', 'it\'s "hi"', 'tab\tback\\slash\x07', 'naïve “quoted”', 'nbsp\xa0zero\u200bwide', '😀 \U000e0001']`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
