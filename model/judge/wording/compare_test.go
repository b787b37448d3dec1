package wording

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainCovered is covered as it is defined, without what makes it fast.
func plainCovered(lex *lexicon, part, all []*form, l level) (n int) {
	ids, pairs := make(map[int32]bool), make(map[int32]bool)
	for i, f := range all {
		ids[f.ids[l]] = true
		if i > 0 {
			pairs[lex.form(all[i-1].Text + f.Text).ids[l]] = true
		}
	}
	for i, f := range part {
		before := i > 0 && ids[lex.form(part[i-1].Text + f.Text).ids[l]]
		after := i+1 < len(part) && ids[lex.form(f.Text + part[i+1].Text).ids[l]]
		if ids[f.ids[l]] || pairs[f.ids[l]] || before || after {
			n++
		}
	}
	return n
}

// TestCoveredTermsOfMadeTexts compares texts of the words of all tables and of their halves in a lexicon that was used
// before, and in a new one.
func TestCoveredTermsOfMadeTexts(t *testing.T) {
	words := slices.Sorted(func(yield func(string) bool) {
		for _, table := range []map[string]string{spellings, irregular, synonyms} {
			for word, as := range table {
				if !yield(word) || !yield(as) {
					return
				}
			}
		}
		for _, word := range strings.Fields("hardhat hard hat newspaper colourising a the 40 million nd 安全帽 straße é ﷺ x ﱞ gentle man fire fighters") {
			if !yield(word) {
				return
			}
		}
	})
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var list []string
		for range 1 + random.IntN(5) {
			word := words[random.IntN(len(words))]
			switch at := random.IntN(len(word) + 1); random.IntN(3) {
			case 0:
				word = word[:at] + " " + word[at:]
			case 1:
				word = word[:at]
			}
			list = append(list, word)
		}
		return strings.Join(list, " ")
	}
	used, covered := newLexicon(), 0
	for range 4_000 {
		answer := text()
		option := text()
		if random.IntN(2) == 0 {
			option = strings.Replace(answer, " ", "", 1) // two words as one
		}
		for l := exactLevel; l <= senseLevel; l++ {
			fresh := newLexicon()
			a, o := used.side(used.terms(answer), l), used.side(used.terms(option), l)
			b, p := fresh.side(fresh.terms(answer), l), fresh.side(fresh.terms(option), l)
			for _, pair := range [][4]*side{{a, o, b, p}, {o, a, p, b}} {
				got, want := pair[0].coveredBy(pair[1]), plainCovered(fresh, pair[2].content, pair[3].terms, l)
				if got != want {
					t.Fatalf("level %d: %d terms of %q are covered by %q or the reverse, want %d", l, got, answer, option, want)
				}
				covered += got
			}
		}
	}
	if covered < 4_000 {
		t.Errorf("only %d terms were covered", covered)
	}
}

// TestWordsKeepTheirFirstByte has the words that are the same as another with a different first byte: addStarts adds it.
func TestWordsKeepTheirFirstByte(t *testing.T) {
	lex := newLexicon()
	check := func(word string) {
		var starts [256]bool
		lex.form(word).addStarts(&starts)
		if !starts[word[0]] {
			t.Errorf("%q is not among the words that may be the same as itself", word)
		}
	}
	for _, table := range []map[string]string{spellings, irregular, synonyms} {
		for word := range table {
			check(word)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		word := make([]byte, 1+random.IntN(12))
		for i := range word {
			word[i] = "aeiouyaeiouybcdfghjklmnpqrstvwxz"[random.IntN(32)]
		}
		check(string(word) + []string{"", "s", "ies", "ing", "ed", "our", "ise", "ogue", "ly", "ational"}[random.IntN(10)])
	}
}

// BenchmarkCompare compares a reason of 1.5 KB with four options.
func BenchmarkCompare(b *testing.B) {
	const reason = "because the narrator mentions twice that the red car leaves the garage before anyone in the street has noticed its open door, and "
	options := []string{"a red car", "two motorcycles", "the old garage", "nobody at all"}
	words := strings.Repeat(reason, 12)
	for b.Loop() {
		Compare(words, options)
	}
}

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

// TestWords cuts texts into words: a word, its stem where that differs, and "/" at the end of a sentence.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Mr. Olsen isn't here. He\u2019s left!":   "mr olsen is not here / he left",
		"18.6mph, 8th, 1,500 and 3.0":             "18.6 mph 8th 1500 and 3",
		"One hundred and forty-six, twenty-first": "146 21th",
		"two to one; 2\u20131":                    "2 1 2 1",
		"miles per hour at 5%":                    "mph at 5 percent",
		"Grey Café COLOURS in L.A. now":           "gray cafe colors=color in la now",
		"children sang":                           "children=child sang=sing",
		"A [BLANK_12] hat\nand [BLANK_x":          "a [12] hat / and blank x",
		"":                                        "",
	} {
		var got []string
		for i, w := range Words(text) {
			if i > 0 && w.Sentence > 0 && w.Sentence != Words(text)[i-1].Sentence {
				got = append(got, "/")
			}
			switch {
			case w.Text == "":
				got = append(got, fmt.Sprintf("[%d]", w.Gap))
			case w.Stem != w.Text:
				got = append(got, w.Text+"="+w.Stem)
			default:
				got = append(got, w.Text)
			}
		}
		if list := strings.Join(got, " "); list != want {
			t.Errorf("%q: %q, want %q", text, list, want)
		}
	}
	if words := Words(strings.Repeat("rain ", 200)); words[199].Sentence != 3 || words[199].Start != 5*199 {
		t.Errorf("word 199 of a long sentence is in sentence %d at %d", words[199].Sentence, words[199].Start)
	}
}
