package wording

import "testing"

func TestCompareAnswerWithOption(t *testing.T) {
	for _, c := range []struct {
		answer, option string
		want           Likeness
	}{
		{"Hard hats!", "a hard hat", Same},
		{"hardhat", "a hard hat", Same},
		{"40 million", "forty million", Same},
		{"1.5 thousand", "1,500", Same},
		{"hat", "a hard hat", Within},
		{"a hard hat with a lamp", "a hard hat", Within},
		{"a lamp on a hardhat", "a hard hat", Within},
		{"NYC", "New York City", Within},
		{"a hard h", "a hard hat", Within},
		{"a straw hat", "a hard hat", alike},
		{"a lamp on it", "a hat on it", Unlike},
		{"both of them", "both", Within},
		{"one", "two", Unlike},
		{"one dog", "one", Within},
		{"安全帽", "一顶安全帽", Within},
		{"帽", "hat", Foreign},
		{"", "hat", Foreign},
		{"...", "hat", Foreign},
	} {
		if got := Compare(c.answer, []string{c.option})[0]; got != c.want {
			t.Errorf("%q with %q: %d, want %d", c.answer, c.option, got, c.want)
		}
	}
	if got := Compare("sofa", []string{"couch", "sofa"}); got[0] != Unlike || got[1] != Same {
		t.Errorf("synonyms that are both options: %v", got)
	}
}
