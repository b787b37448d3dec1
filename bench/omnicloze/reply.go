package omnicloze

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope/model/judge"
)

// A reply is what a judge chose for each blank, by position.
type reply []choice

// A choice is a letter A to E and the judge's own words for it.
type choice struct {
	letter byte
	text   string
}

// readWhole reads a reply as the released scorer does: the reply, without the white
// space around it, is a JSON object with exactly the keys "1" to "n", and each value
// is a string that starts with a letter A to E and a colon. Of a key given twice the
// last value counts. ok is false for any other reply. once reports whether each key
// was given once: then strict reads the reply in the same way.
func readWhole(text string, n int) (r reply, once, ok bool) {
	text = strings.TrimFunc(text, pythonSpace)
	if !judge.Valid(text) {
		if text = withoutNaN(text); !judge.Valid(text) {
			return nil, false, false
		}
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return nil, false, false
	}
	r, known, members := make(reply, n), true, 0
	object.ForEach(func(key, value gjson.Result) bool {
		var i int
		if i, known = position(key.Str, n); !known {
			return false
		}
		members++
		r[i] = choice{text: value.Str} // no letter; a later value of the same key may replace it
		letter, _, colon := strings.Cut(value.Str, ":")
		if value.Type == gjson.String && colon && isLetter(letter) {
			r[i].letter = letter[0]
		}
		return true
	})
	return r, members == n, known && complete(r)
}

func complete(r reply) bool {
	return !slices.ContainsFunc(r, func(c choice) bool { return c.letter == 0 })
}

// withoutNaN replaces NaN and Infinity, which Python reads and JSON does not
// have, by null. Neither is a choice, but a later value of the same key may be.
func withoutNaN(text string) string {
	return stringOrNaN.ReplaceAllStringFunc(text, func(token string) string {
		if token[0] == '"' {
			return token
		}
		return "null"
	})
}

var stringOrNaN = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|NaN|-?Infinity`)

// pythonSpace is what Python's str.strip takes off.
func pythonSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// position reads a key "1" to "n", written as Python writes it.
func position(key string, n int) (int, bool) {
	i, err := strconv.Atoi(key)
	return i - 1, err == nil && i >= 1 && i <= n && strconv.Itoa(i) == key
}

func isLetter(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'E' }

// readStrict reads a reply that may have words or a fence around the object,
// and letters written as people write them. It demands one clear letter for
// each blank and else says what is wrong.
func readStrict(text string, n int) (reply, error) {
	objects, err := judge.Objects(text)
	if err != nil {
		return nil, err
	}
	var r reply
	for i, members := range objects {
		next, err := readMembers(members, n)
		if err != nil {
			return nil, err
		}
		if i > 0 && !slices.EqualFunc(r, next, sameLetter) {
			return nil, errors.New("it holds several answers that differ")
		}
		r = next
	}
	return r, nil
}

func sameLetter(a, b choice) bool { return a.letter == b.letter }

// readMembers reads the choices of one object.
func readMembers(members []judge.Member, n int) (reply, error) {
	r := make(reply, n)
	for _, m := range members {
		i, known := position(m.Key, n)
		if !known {
			return nil, fmt.Errorf("it has the key %q, which is not one of \"1\" to \"%d\"", shorten(m.Key), n)
		}
		c, err := readChoice(m.Value)
		if err != nil {
			return nil, fmt.Errorf("the value of %q: %w", m.Key, err)
		}
		if r[i].letter != 0 && r[i].letter != c.letter {
			return nil, fmt.Errorf("it answers %q twice, with %c and %c", m.Key, r[i].letter, c.letter)
		}
		r[i] = c
	}
	for i, c := range r {
		if c.letter == 0 {
			return nil, fmt.Errorf("it has no answer to %q", strconv.Itoa(i+1))
		}
	}
	return r, nil
}

// readChoice reads "C: text", "C", "c. text", "(C) text" and their like: a
// letter A to E that stands alone at the start, and no second one after it.
func readChoice(value gjson.Result) (choice, error) {
	if value.Type != gjson.String {
		return choice{}, errors.New("it is not a string")
	}
	s := strings.TrimLeftFunc(value.Str, opening)
	if s == "" {
		return choice{}, errors.New("it has no letter")
	}
	letter := s[0] &^ 0x20
	if letter < 'A' || letter > 'E' || !aloneBefore(s[1:]) {
		return choice{}, fmt.Errorf("%q does not start with one letter A to E and a colon", shorten(value.Str))
	}
	return choice{letter: letter, text: value.Str}, nil
}

// aloneBefore reports whether a letter stands alone before rest, as a choice
// does: followed by nothing, by a colon, or by another mark and no further
// letter. A mark inside a word or a name ("E-mail", "D.C.") does not count.
func aloneBefore(rest string) bool {
	text := strings.TrimLeftFunc(rest, closing)
	if text == "" {
		return true
	}
	mark, size := utf8.DecodeRuneInString(text)
	after := text[size:]
	switch mark {
	case ':', '：':
		return true
	case ')', ']', '）', '(', ',', '—':
	case '.', '-', '–':
		next, _ := utf8.DecodeRuneInString(after)
		if after == "" && mark != '.' || after != "" && !closing(next) {
			return false
		}
	default:
		return false
	}
	return !secondLetter.MatchString(after)
}

// secondLetter is another choice right after the first: "A, B", "A) or (C)".
var secondLetter = regexp.MustCompile(`^[^\pL\pN]*(?:(?i:or|and)[^\pL\pN]+)?[A-Ea-e](?:[^\pL\pN]*$|[^\pL\pN]*[:.,)\]/|&]|\s+(?:or|and)\b)`)

// opening is what may stand before a letter without meaning anything.
func opening(r rune) bool { return closing(r) || strings.ContainsRune("([“‘", r) }

// closing is what may stand after one.
func closing(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`*_”’", r) }

func shorten(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
