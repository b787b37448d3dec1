package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// check encodes texts and compares, without the special ids around them.
func check(t *testing.T, tok Tokenizer, want map[string][]int32) {
	t.Helper()
	s := tok.Special()
	for text, ids := range want {
		whole := slices.Concat([]int32{s.CLS}, ids, []int32{s.SEP})
		if got := tok.Encode(text, 0); !slices.Equal(got, whole) {
			t.Errorf("%q: got %v, want %v", text, got, whole)
		}
	}
}

// Ids 4 and on.
var somePieces = []scored{
	{"▁", -3}, {"▁he", -4}, {"llo", -4}, {"l", -3}, {"o", -3}, // 4 to 8
	{"▁hello", -9}, {"x", -5}, {"xx", -10}, {"e", -2}, {"か", -2}, // 9 to 13
	{"が", -2}, {"\u3099", -2}, {"n", -2}, {"é", -2}, {"ll", -5}, // 14 to 18; <mask> is 19
}

func TestUnigramTakesTheMostProbablePieces(t *testing.T) {
	check(t, unigramOf(t, somePieces, nil), map[string][]int32{
		"":            {},
		" \t\n ":      {},
		"hello":       {5, 6},          // -8, which is more than -9
		"  hello  ":   {5, 6},          // the space is no part of it
		"hello hello": {5, 6, 5, 6},    //
		"o l":         {4, 8, 4, 7},    // every word gets the mark
		"ll":          {4, 18},         // -5 is more than twice -3
		"▁o":          {4, 8},          // one that is there is enough
		"o▁o":         {4, 8, 4, 8},    // and starts a word
		"o\u3000o":    {4, 8, 4, 8},    // ideographic space
		"o\u200bo":    {4, 8, 3, 8},    // a zero width space is none
		"o\u001co":    {4, 8, 3, 8},    // Python's isspace plays no part
		"xx":          {4, 11},         // -10 both ways: the first that was found
		"xxx":         {4, 10, 11},     // the last piece is the longest of equals
		"☃":           {4, 3},          // no such piece
		"☃☃☃":         {4, 3},          // neighbours that are unknown are one
		"☃o☃":         {4, 3, 8, 3},    // others are not
		"☃ ☃":         {4, 3, 4, 3},    //
		"か\u3099":     {4, 13, 15},     // not が: nothing normalizes here
		"\xff\xfeo":   {4, 3, 8},       // no UTF-8
		"o\x00o":      {4, 8, 3, 8},    //
		"nee":         {4, 16, 12, 12}, //
	})
}

func TestAddedTokensFirst(t *testing.T) {
	check(t, unigramOf(t, somePieces, nil), map[string][]int32{
		"<pad>":         {1},
		"o<pad>o":       {4, 8, 1, 4, 8},
		"<s></s><unk>":  {0, 2, 3},
		"o  <mask>  o":  {4, 8, 19, 4, 8},
		"  <mask>":      {19},         // takes the space on its left along
		"<mask><mask>":  {19, 19},     //
		"<mask> <mask>": {19, 19},     //
		"<pad> <mask>":  {1, 19},      //
		"<<s>":          {4, 3, 0},    //
		"< s>":          {4, 3, 4, 3}, // no s in these pieces
		"<s":            {4, 3},       //
		"<mask":         {4, 3},       //
	})
}

func TestAddedTokenRules(t *testing.T) {
	add := func(file map[string]any, content string, flags ...string) {
		tokens := file["added_tokens"].([]any)
		token := map[string]any{"id": 20 + len(tokens) - 5, "content": content, "special": false}
		for _, flag := range []string{"single_word", "lstrip", "rstrip", "normalized"} {
			token[flag] = slices.Contains(flags, flag)
		}
		file["added_tokens"] = append(tokens, token)
	}
	tok := unigramOf(t, somePieces, func(file map[string]any) {
		file["normalizer"] = map[string]any{"type": "Lowercase"}
		add(file, "WORD", "single_word")          // 20
		add(file, "RIGHT", "rstrip")              // 21
		add(file, "LOW", "normalized")            // 22
		add(file, "LOWER", "normalized")          // 23
		add(file, "*", "lstrip", "rstrip")        // 24
		add(file, "Right-most", "single_word")    // 25
		add(file, "LEFT", "lstrip", "normalized") // 26
	})
	if tok.Size() != 27 {
		t.Errorf("the size is %d, want 27", tok.Size())
	}
	check(t, tok, map[string][]int32{
		"WORD":         {20},
		"oWORD":        {4, 8, 3, 8, 3},  // a word goes on beside it
		"WORDo":        {4, 3, 8, 3, 8},  //
		"(WORD)":       {4, 3, 20, 4, 3}, //
		"word":         {4, 3, 8, 3},     // not looked for in what is normalized
		"RIGHT   o":    {21, 4, 8},
		"low":          {22},
		"Low":          {22},
		"lower":        {23}, // the longest
		"LOWE":         {22, 4, 12},
		"o * * o":      {4, 8, 24, 24, 4, 8},
		"o left":       {4, 8, 26},
		"Right-most o": {25, 4, 8},
	})
}

func TestPrecompiledGoesByGraphemeClusters(t *testing.T) {
	tok := unigramOf(t, somePieces, func(file map[string]any) {
		file["normalizer"] = map[string]any{"type": "Precompiled", "precompiled_charsmap": charsmapOf(map[string]string{
			"か\u3099": "が", // six bytes
			"e\u0301": "é",
			"ﬁ":       "xx",
			"E":       "e",
			"E\u0301": "é",
			"\u00ad":  "",
			"\r":      " ",
			"\n":      " ",
			"\u200d":  "",
			"\t":      "\t",
			"L":       "",
		})}
	})
	check(t, tok, map[string][]int32{
		"e\u0301":             {4, 17},      // three bytes: as a whole
		"か\u3099":             {4, 13, 15},  // six bytes: each character by itself
		"E\u0301":             {4, 12},      // the shortest beginning stands for all of it
		"E\u0301\u0301\u0301": {4, 12, 3},   // more than five bytes: the marks stay
		"xE":                  {4, 10, 12},  //
		"ﬁ":                   {4, 11},      //
		"o\u00ado":            {4, 8, 8},    // nothing can stand for a character
		"o\r\no":              {4, 8, 4, 8}, //
		"👩\u200d👩":            {4, 3},       // one cluster, and one unknown
		"L":                   {},           // nothing is left
		"L L":                 {},           //
		"hLeLlLlo":            {5, 6},       //
		"é":                   {4, 17},      //
	})
}

func TestNormalizers(t *testing.T) {
	sequence := func(steps ...any) any { return map[string]any{"type": "Sequence", "normalizers": steps} }
	step := func(kind string, set ...any) map[string]any {
		m := map[string]any{"type": kind}
		for i := 0; i < len(set); i += 2 {
			m[set[i].(string)] = set[i+1]
		}
		return m
	}
	kept := func(file map[string]any) { // the words as they are
		file["pre_tokenizer"] = nil
	}
	pieces := []scored{{"a", -1}, {"b", -1}, {" ", -1}, {"▁", -1}, {"é", -1}, {"\u0301", -1}, {"e", -1}, {"i", -1}, {"\u0307", -1}, {"f", -1}} // 4 to 13
	for name, c := range map[string]struct {
		step any
		text string
		want []int32
	}{
		"Strip takes both ends":          {step("Strip", "strip_left", true, "strip_right", true), " \u3000a b\n", []int32{4, 6, 5}},
		"Strip takes the left end":       {step("Strip", "strip_left", true, "strip_right", false), " a ", []int32{4, 6}},
		"Replace takes a text":           {step("Replace", "pattern", map[string]any{"String": "aa"}, "content", "b"), "aaaaa", []int32{5, 5, 4}},
		"Replace takes runs of spaces":   {step("Replace", "pattern", map[string]any{"Regex": " {2,}"}, "content", "▁"), "a  b a   ", []int32{4, 7, 5, 6, 4, 7}},
		"Prepend puts in front":          {step("Prepend", "prepend", "▁"), "a", []int32{7, 4}},
		"Prepend leaves nothing alone":   {sequence(step("Strip", "strip_left", true, "strip_right", true), step("Prepend", "prepend", "▁")), " ", nil},
		"Lowercase goes by characters":   {step("Lowercase"), "Aİ", []int32{4, 11, 12}},
		"Nmt drops and makes space":      {step("Nmt"), "a\x01\u200b\tb\x7f", []int32{4, 6, 6, 5}},
		"NFC joins":                      {step("NFC"), "e\u0301", []int32{8}},
		"NFD takes apart":                {step("NFD"), "é", []int32{10, 9}},
		"NFKC joins and replaces":        {step("NFKC"), "ｅ\u0301ﬁ", []int32{8, 13, 11}},
		"NFKD takes apart and replaces":  {step("NFKD"), "éﬁ", []int32{10, 9, 13, 11}},
		"no mark comes between marks":    {step("NFC"), "e" + strings.Repeat("\u0301", 40), append([]int32{8}, slices.Repeat([]int32{9}, 39)...)},
		"no mark comes between, apart":   {step("NFD"), "e" + strings.Repeat("\u0301", 40), append([]int32{10}, slices.Repeat([]int32{9}, 40)...)},
		"a Sequence goes from the front": {sequence(step("Lowercase"), step("Replace", "pattern", map[string]any{"String": "a"}, "content", "b")), "AA", []int32{5, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			tok := unigramOf(t, pieces, func(file map[string]any) {
				kept(file)
				file["normalizer"] = c.step
			})
			check(t, tok, map[string][]int32{c.text: c.want})
		})
	}
}

func TestMetaspace(t *testing.T) {
	pieces := []scored{{"▁", -1}, {"a", -1}, {"▁▁", -1}, {"a▁", -1}} // 4 to 7; <mask> is 8
	for name, c := range map[string]struct {
		set  map[string]any
		want map[string][]int32
	}{
		"always": {map[string]any{"prepend_scheme": "always", "split": true}, map[string][]int32{
			"a": {4, 5}, " a": {4, 5}, "a  a": {4, 5, 4, 4, 5}, "a<mask>a": {4, 5, 8, 4, 5}, "a\ta": {4, 5, 3, 5}, "a ": {4, 5, 4}}},
		"never":           {map[string]any{"prepend_scheme": "never", "split": true}, map[string][]int32{"a a": {5, 4, 5}}},
		"first":           {map[string]any{"prepend_scheme": "first", "split": true}, map[string][]int32{"a<mask>a": {4, 5, 8, 5}, "<mask>a": {8, 5}}},
		"without split":   {map[string]any{"prepend_scheme": "always", "split": false}, map[string][]int32{"a a  a": {4, 7, 5, 6, 5}}},
		"as it was":       {map[string]any{"add_prefix_space": true, "str_rep": "▁"}, map[string][]int32{"a a": {4, 5, 4, 5}}},
		"as it was, bare": {map[string]any{"add_prefix_space": false}, map[string][]int32{"a a": {5, 4, 5}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.set["type"], c.set["replacement"] = "Metaspace", "▁"
			check(t, unigramOf(t, pieces, func(file map[string]any) { file["pre_tokenizer"] = c.set }), c.want)
		})
	}
}

func TestLastOfEqualPiecesCounts(t *testing.T) {
	tok := unigramOf(t, []scored{{"▁", -1}, {"a", -1}, {"a", -3}, {"aa", -2.5}}, nil)
	check(t, tok, map[string][]int32{"a": {4, 6}, "aa": {4, 7}}) // -2.5 is more than twice -3, and less than twice -1
}

func TestUnigramOverlongWords(t *testing.T) {
	tok := unigramOf(t, somePieces, nil)
	ids := tok.Encode(strings.Repeat("llo", 1<<18)+strings.Repeat("☃", 1<<18), 0)
	if len(ids) != 1<<18+4 || ids[1] != 4 || ids[2] != 6 || ids[len(ids)-2] != 3 {
		t.Errorf("got %d ids, %v...", len(ids), ids[:3])
	}
}
