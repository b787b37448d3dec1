package omnicloze

import "testing"

// A single letter is compared with the options only where one of them can be it: the result is that of the comparison.
func TestLetterOptions(t *testing.T) {
	options := [][]string{
		{"B", "the B", "a b", "B."}, {"B. B. King", "a singer"}, {"vitamin C", "the C", "C major"}, {"b", "bee"}, {"kettle 3", "drum 1", "a lantern"},
		{"5 m", "miles per hour", "per cent", "a meter"}, {"- x", "x -", "(x)", "x x"}, {"é", "Ｂ", "ﬀ", "o's"}, {"", "the", "a an"}, {"红 色", "b 红"}, {},
	}
	for _, list := range options {
		for letter := 'A'; letter <= 'z'; letter++ {
			if got, want := isLetterOption(string(letter), list), isOption(string(letter), list); got != want {
				t.Errorf("%c of %q: %t, want %t", letter, list, got, want)
			}
		}
	}
}
