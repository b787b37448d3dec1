package tokenizer

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestGPT2Words(t *testing.T) {
	for text, want := range map[string][]string{
		" hello world":    {" hello", " world"},
		"it's we're I'd":  {"it", "'s", " we", "'re", " I", "'d"},
		"I've I'll I'm t": {"I", "'ve", " I", "'ll", " I", "'m", " t"},
		"it'S":            {"it", "'", "S"}, // capitals are no ending
		" 's":             {" '", "s"},      // nor is one behind a space
		"''s":             {"''", "s"},
		"'sam":            {"'s", "am"},
		"a1b22":           {"a", "1", "b", "22"},
		"a  b":            {"a", " ", " b"}, // the last space belongs to the word
		"a   ":            {"a", "   "},     // none does at the end
		"a\nb":            {"a", "\n", "b"},
		"a\n\nb":          {"a", "\n", "\n", "b"},
		"a \n b":          {"a", " \n", " b"},
		"a \nb":           {"a", " ", "\n", "b"},
		"a\u00a0b":        {"a", "\u00a0", "b"},
		"a\u3000 b":       {"a", "\u3000", " b"},
		"a\u001cb":        {"a", "\u001c", "b"}, // no white space to the pattern
		"a \u001c":        {"a", " \u001c"},
		"...!? ok":        {"...!?", " ok"},
		"x²Ⅷ٣":            {"x", "²Ⅷ٣"},
		"naïve日本":         {"naïve日本"},
		"e\u0301a":        {"e", "\u0301", "a"}, // a mark is no letter
		"👩\u200d👩 a":      {"👩\u200d👩", " a"},
	} {
		var got []string
		for rest := []byte(text); len(rest) > 0; {
			n := gpt2Word(rest)
			got = append(got, string(rest[:n]))
			rest = rest[n:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// gpt2Of has a vocab.json with the special tokens (0 to 4), the 256 bytes (5
// and on, byte b is 5+b) and these pieces (261 and on), and a merges.txt.
func gpt2Of(t testing.TB, pieces []string, merges ...string) Tokenizer {
	t.Helper()
	vocab := map[string]int{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4}
	for b, r := range byteAlphabet() {
		vocab[string(r)] = 5 + b
	}
	for i, piece := range pieces {
		vocab[piece] = 261 + i
	}
	text, err := json.Marshal(vocab)
	fixture.OK(t, err)
	list := strings.Join(append([]string{"#version: 0.2"}, merges...), "\n") + "\n"
	return opened(t)(OpenGPT2(fixture.File(t, "vocab.json", string(text)), fixture.File(t, "merges.txt", list)))
}

func TestByteMerges(t *testing.T) {
	const space, a, b, c, x = 5 + ' ', 5 + 'a', 5 + 'b', 5 + 'c', 5 + 'x'
	tok := gpt2Of(t, []string{"ab", "Ġab", "abab", "aa", "xab"}, "a b", "Ġ ab", "ab ab", "a a", "x ab", "c x")
	check(t, tok, map[string][]int32{
		"":                    {},
		"ab":                  {262},                // a space comes in front
		" ab":                 {262},                // one is enough
		"\tab":                {5 + '\t', 261},      // and so is other white space
		"\x1cab":              {5 + 0x1c, 261},      // of Python's kind
		"abab":                {262, 261},           // " ab" stands before "abab"
		"c abab":              {space, c, 262, 261}, //
		"xabab":               {space, x, 263},      // "abab" stands before "xab"
		"aaab":                {space, 264, 261},    // "ab" first, then from left to right
		"aaaa":                {space, 264, 264},    //
		"aaa":                 {space, 264, a},      //
		"cx":                  {space, 3},           // merged to what is no piece
		"é":                   {space, 5 + 0xc3, 5 + 0xa9},
		"\xff":                {space, 5 + 0xef, 5 + 0xbf, 5 + 0xbd}, // no UTF-8: U+FFFD
		"a\x00":               {space, a, 5},
		"ba":                  {space, b, a},
		"ab  <mask> ab":       {262, 4, 262},
		"ab<mask>ab":          {262, 4, 261}, // no space of its own behind a token
		"<mask>":              {4},
		"ab <s> ab":           {262, space, 0, 262},
		"<pad>":               {space, 1}, // the space in front stays
		"<mask> \u001c<mask>": {4, 4},
	})
}

func TestAllPlacesOfAMergeComeBeforeTheNext(t *testing.T) {
	// "ab a" stands first, but can be done only when the first "a b" is; by then
	// all "a b" are done.
	tok := gpt2Of(t, []string{"aba", "ab"}, "ab a", "a b")
	check(t, tok, map[string][]int32{"abab": {5 + ' ', 262, 262}, "aba": {5 + ' ', 261}})
}

// slowly merges as the original does: it looks for the best pair again and again.
func slowly(word []string, ranks map[[2]string]int) []string {
	for {
		best, rank := [2]string{}, -1
		for i := range len(word) - 1 {
			pair := [2]string{word[i], word[i+1]}
			if r, ok := ranks[pair]; ok && (rank < 0 || r < rank) {
				best, rank = pair, r
			}
		}
		if rank < 0 {
			return word
		}
		var next []string
		for i := 0; i < len(word); i++ {
			if i+1 < len(word) && word[i] == best[0] && word[i+1] == best[1] {
				next = append(next, best[0]+best[1])
				i++
			} else {
				next = append(next, word[i])
			}
		}
		word = next
	}
}

func TestMergesEqualTheSlowWay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		pieces := strings.Split("abcd", "")
		ranks := map[[2]string]int{}
		var pairs [][2]string
		for range 30 {
			pair := [2]string{pieces[random.IntN(len(pieces))], pieces[random.IntN(len(pieces))]}
			if _, twice := ranks[pair]; twice || len(pair[0]+pair[1]) > 9 {
				continue
			}
			pairs = append(pairs, pair)
			ranks[pair] = 0
			pieces = append(pieces, pair[0]+pair[1])
		}
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		ids := vocabulary{}
		for i, pair := range pairs {
			ranks[pair] = i
		}
		for i, piece := range pieces {
			ids[piece] = int32(i)
		}
		m := newMerger(ids, -1, pairs)
		for range 50 {
			word := make([]byte, 1+random.IntN(40))
			for i := range word {
				word[i] = "abcd"[random.IntN(4)]
			}
			var want []int32
			for _, piece := range slowly(strings.Split(string(word), ""), ranks) {
				want = append(want, ids[piece])
			}
			if got := m.append(nil, word, &chain{}); !slices.Equal(got, want) {
				t.Fatalf("%s by %v: got %v, want %v", word, pairs, got, want)
			}
		}
	}
}

func TestGPT2OverlongWords(t *testing.T) {
	tok := gpt2Of(t, []string{"ab", "abab"}, "a b", "ab ab")
	if ids := tok.Encode(strings.Repeat("ab", 1<<19), 0); len(ids) != 1<<18+3 || ids[2] != 262 {
		t.Errorf("got %d ids", len(ids))
	}
}
