package ngram

import (
	"strings"
	"unicode"

	"omniscope"
	"omniscope/internal/langcode"
	"omniscope/internal/spelling"
	"omniscope/metric/textnorm"
)

// A Tokenizer is one of sacrebleu's ways to cut a line into words, by the name
// that it has there. The zero value is Tok13a.
type Tokenizer string

// The tokenizers. Those that need a dictionary or a model (ja-mecab, ko-mecab,
// flores101, flores200, spm) are not among them.
const (
	Tok13a  Tokenizer = "13a"  // as mteval-v13a, for languages with blanks between words
	TokZh   Tokenizer = "zh"   // each Chinese character by itself, the rest as 13a
	TokIntl Tokenizer = "intl" // as mteval-v14 --international-tokenization
	TokChar Tokenizer = "char" // each character by itself
	TokNone Tokenizer = "none" // words as they are; for text that is tokenised already
)

// ParseTokenizer returns the tokenizer of that name, Tok13a for "".
func ParseTokenizer(name string) (Tokenizer, error) {
	switch t := Tokenizer(name); t {
	case "":
		return Tok13a, nil
	case Tok13a, TokZh, TokIntl, TokChar, TokNone:
		return t, nil
	case "ja-mecab", "ko-mecab":
		return "", omniscope.Invalidf("the tokenizer %s needs MeCab and its dictionary, which are not part of this program: tokenise the texts yourself and take none, or take char", name)
	case "flores101", "flores200", "spm", "spBLEU-1K":
		return "", omniscope.Invalidf("the tokenizer %s needs a SentencePiece model, which is not part of this program: tokenise the texts yourself and take none", name)
	}
	return "", omniscope.Invalidf("no tokenizer %q: there are 13a, zh, intl, char and none%s", name, spelling.Hint(name, []string{"13a", "zh", "intl", "char", "none"}))
}

// TokenizerFor returns the tokenizer that sacrebleu takes for a language where
// none is named: zh for Chinese, 13a for others. Japanese and Korean need MeCab
// there, and are an error of kind omniscope.Invalid here.
func TokenizerFor(lang string) (Tokenizer, error) {
	switch langcode.Base(lang) {
	case "zh":
		return TokZh, nil
	case "ja":
		return ParseTokenizer("ja-mecab")
	case "ko":
		return ParseTokenizer("ko-mecab")
	}
	return Tok13a, nil
}

// Words cuts a line into words. White space, in Python's sense, parts them and
// is in none.
func (t Tokenizer) Words(line string) []string {
	switch t {
	case TokZh:
		line = western(apartChinese(textnorm.Strip(line)))
	case TokIntl:
		line = international(line)
	case TokChar:
		return characters(line)
	case TokNone:
	default:
		line = western(" " + unescaped(line) + " ")
	}
	return textnorm.Fields(line)
}

// unescaped is the part of 13a that undoes what SGML files need.
func unescaped(line string) string {
	line = strings.ReplaceAll(line, "<skipped>", "")
	line = strings.ReplaceAll(line, "-\n", "")
	line = strings.ReplaceAll(line, "\n", " ")
	if !strings.Contains(line, "&") {
		return line
	}
	// One after the other: &amp;lt; becomes <.
	line = strings.ReplaceAll(line, "&quot;", `"`)
	line = strings.ReplaceAll(line, "&amp;", "&")
	line = strings.ReplaceAll(line, "&lt;", "<")
	return strings.ReplaceAll(line, "&gt;", ">")
}

// western is what 13a and zh share: passes over the text that put blanks around
// ASCII symbols, around full stops and commas that are not between digits, and
// around a hyphen after a digit. Each pass sees what the one before it left.
//
// All that it looks for is ASCII, so that bytes will do.
func western(line string) string {
	var b strings.Builder
	b.Grow(2 * len(line))
	for i := range len(line) {
		if isSymbol(line[i]) {
			b.WriteByte(' ')
			b.WriteByte(line[i])
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(line[i])
	}
	line = eachPair(b.String(), func(c, next byte) bool { return !isDigit(c) && isStop(next) }, "", " ", " ")
	line = eachPair(line, func(c, next byte) bool { return isStop(c) && !isDigit(next) }, " ", " ", "")
	return eachPair(line, func(c, next byte) bool { return isDigit(c) && next == '-' }, "", " ", " ")
}

// eachPair writes before, between and after around the bytes of each pair that
// match takes. Pairs are looked for from left to right and share no byte.
func eachPair(line string, match func(c, next byte) bool, before, between, after string) string {
	var b strings.Builder
	b.Grow(len(line) + len(line)/4)
	for i := 0; i < len(line); i++ {
		if i+1 == len(line) || !match(line[i], line[i+1]) {
			b.WriteByte(line[i])
			continue
		}
		b.WriteString(before)
		b.WriteByte(line[i])
		b.WriteString(between)
		b.WriteByte(line[i+1])
		b.WriteString(after)
		i++
	}
	return b.String()
}

// isSymbol reports whether c is ASCII and neither letter nor digit, control
// character, apostrophe, comma, hyphen or full stop.
func isSymbol(c byte) bool {
	switch {
	case c < ' ' || c > '~' || isDigit(c) || isStop(c) || c == '\'' || c == '-':
		return false
	}
	return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
}

func isStop(c byte) bool { return c == '.' || c == ',' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// international puts blanks around punctuation that has no digit before it or
// none after it, and around symbols. Categories are those of Unicode 15.0.
func international(line string) string {
	runes := []rune(line)
	runes = eachRunePair(runes, func(c, next rune) bool { return !unicode.Is(unicode.N, c) && unicode.Is(unicode.P, next) }, false)
	runes = eachRunePair(runes, func(c, next rune) bool { return unicode.Is(unicode.P, c) && !unicode.Is(unicode.N, next) }, true)
	var b strings.Builder
	for _, r := range runes {
		if unicode.Is(unicode.S, r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// eachRunePair puts a blank between the characters of each pair that match takes,
// and one before it or after it. Pairs share no character.
func eachRunePair(runes []rune, match func(c, next rune) bool, before bool) []rune {
	out := make([]rune, 0, len(runes)+len(runes)/4)
	for i := 0; i < len(runes); i++ {
		switch {
		case i+1 == len(runes) || !match(runes[i], runes[i+1]):
			out = append(out, runes[i])
			continue
		case before:
			out = append(out, ' ', runes[i], ' ', runes[i+1])
		default:
			out = append(out, runes[i], ' ', runes[i+1], ' ')
		}
		i++
	}
	return out
}

func characters(line string) []string {
	var out []string
	for _, r := range line {
		if !textnorm.IsSpace(r) {
			out = append(out, string(r))
		}
	}
	return out
}

func apartChinese(line string) string {
	var b strings.Builder
	b.Grow(2 * len(line))
	for _, r := range line {
		if unicode.Is(chinese, r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// chinese are the characters that sacrebleu's zh puts blanks around.
//
// Two of its ranges are meant for the ideographs beyond U+FFFF. They are written
// with four digits too few, and so compare as U+2000 and U+2F80 with something
// behind them. What they hold in truth is below: general punctuation, arrows,
// mathematical signs, and no ideograph beyond U+FFFF.
var chinese = &unicode.RangeTable{R16: []unicode.Range16{
	{0x2001, 0x2a6d, 1},                      // meant as U+20000 to U+2A6D6
	{0x2e80, 0x2eff, 1},                      // radicals
	{0x2f00, 0x2fdf, 1},                      // Kangxi; U+2F81 to U+2FA1 is meant as U+2F800 to U+2FA1D
	{0x2ff0, 0x303f, 1},                      // structure, CJK punctuation
	{0x3100, 0x312f, 1}, {0x31a0, 0x31bf, 1}, // bopomofo
	{0x31c0, 0x31ef, 1},                                           // strokes
	{0x3200, 0x33ff, 1},                                           // enclosed, compatibility
	{0x3400, 0x4db5, 1},                                           // CJK extension A
	{0x4e00, 0x9fbb, 1},                                           // CJK ideographs
	{0xf900, 0xfa2d, 1}, {0xfa30, 0xfa6a, 1}, {0xfa70, 0xfad9, 1}, // CJK compatibility
	{0xfe10, 0xfe1f, 1}, {0xfe30, 0xfe4f, 1}, // vertical forms
	{0xff00, 0xffef, 1}, // full width forms
}}
