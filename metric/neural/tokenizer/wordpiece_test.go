package tokenizer

import (
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// wordPieceOf is a vocab.txt with the special tokens (0 to 4) and these pieces
// (5 and on).
func wordPieceOf(t testing.TB, pieces ...string) Tokenizer {
	t.Helper()
	return opened(t)(OpenWordPiece(fixture.File(t, "vocab.txt", strings.Join(append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, pieces...), "\n")+"\n")))
}

func TestWordPieceTakesTheLongestPieces(t *testing.T) {
	tok := wordPieceOf(t, "un", "##aff", "##able", "##a", "unaff", ".", "中", "文", "##é", "caf", // 5 to 14
		"e", "##\u0301", "##o", "o", "-", "…", "[", "]", "SEP", "A", // 15 to 24
		"##", "¿", "$", "##x", "\u2028") // 25 to 29
	const unknown = 1
	check(t, tok, map[string][]int32{
		"":                                 {},
		"unaffable":                        {9, 7},
		"unaf":                             {unknown},        // "un", "##a" and then nothing: all of it
		"unaff unaff":                      {9, 9},           //
		"un.able":                          {5, 10, unknown}, // "able" is no beginning
		"un...":                            {5, 10, 10, 10},
		"un$":                              {5, 27},       // ASCII's signs are punctuation
		"¿un":                              {26, 5},       // and so is Unicode's
		"o©o":                              {unknown},     // other signs are not
		"A a":                              {24, unknown}, // cased
		"中文":                               {11, 12},      // characters stand alone
		"un中un":                            {5, 11, 5},
		"café":                             {14, 13},
		"cafe\u0301":                       {14, 13}, // composed
		"un\u0000\ufffd\u0007\u200baff":    {9},      // control characters go, and formats
		"un\u0378aff":                      {9},      // what is not assigned as well
		"un\ue000aff":                      {9},      // and what is private
		"un\tun\nun\r\nun":                 {5, 5, 5, 5},
		"un\u00a0un\u3000un\u202fun":       {5, 5, 5, 5},
		"un\u2028un":                       {5, 5},    // splits, though it is no Zs
		"un\u001cun":                       {unknown}, // a control character goes before it could
		"\xffun":                           {5},       // no UTF-8: U+FFFD, which goes
		"[MASK]":                           {4},
		"un[SEP]un":                        {5, 3, 5},
		"[SE\u0000P]":                      {3}, // made by cleaning: not split, and a piece
		"[ SEP]":                           {21, 23, 22},
		"[SEPo]":                           {21, 23, 17, 22},
		"[sep]":                            {21, unknown, 22},
		"##":                               {unknown, unknown}, // punctuation is split before "##" could count
		"o-o…o":                            {18, 19, 18, 20, 18},
		"o" + strings.Repeat("\u0301", 31): {unknown},
		"e\u0301":                          {unknown}, // é begins no word here
		"o" + strings.Repeat("o", 99):      append([]int32{18}, repeated(17, 99)...),
		"o" + strings.Repeat("o", 100):     {unknown}, // over 100 characters
	})
}

func repeated(id int32, n int) (ids []int32) {
	for range n {
		ids = append(ids, id)
	}
	return ids
}

func TestMarksBehindMarksStayAsTheyAre(t *testing.T) {
	tok := wordPieceOf(t, "x", "##\u0301")
	check(t, tok, map[string][]int32{"x" + strings.Repeat("\u0301", 40): append([]int32{5}, repeated(6, 40)...)})
}

func TestLastOfEqualLinesCounts(t *testing.T) {
	tok := wordPieceOf(t, "a", "b", "a")
	check(t, tok, map[string][]int32{"a b": {7, 6}})
	if tok.Size() != 8 {
		t.Errorf("the size is %d, want 8", tok.Size())
	}
}

func TestLinesEndAsPythonReadsThem(t *testing.T) {
	path := fixture.File(t, "vocab.txt", "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na\r\n\u2028\r\nb")
	check(t, opened(t)(OpenWordPiece(path)), map[string][]int32{"a b": {5, 7}})
}
