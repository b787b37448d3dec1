package letters

import "testing"

func TestHollowReplies(t *testing.T) {
	for _, c := range []struct {
		reply, option string
		want          bool
	}{
		{"A: xxx", "red", true},
		{"A. [your answer]", "red", true},
		{"(B) not given", "red", true},
		{"**C** - Not mentioned in the description.", "red", true},
		{"D. N/A", "red", true},
		{"A. None of the above", "red", true},
		{"A. None of the above", "None of the above", false},
		{"A", "red", false},
		{"A.", "red", false},
		{"A: red", "red", false},
		{"A. Not mentioned", "Not mentioned", false},
		{"A: not given", "It is not stated", false},
		{"A: red, since blue is not mentioned", "red", false},
		{"A: not mentioned, but red is likely", "red", false},
		{"The colour is not given.", "red", false},
		{"A: x", "x", false},
	} {
		if got := IsHollow(c.reply, c.option); got != c.want {
			t.Errorf("%q for %q: %v", c.reply, c.option, got)
		}
	}
}
