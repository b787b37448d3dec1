package omnicloze

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"omniscope/judge"
)

// A reply is what a judge chose for each blank, by position.
type reply []choice

// A choice is a letter A to E and the judge's own words for it.
type choice struct {
	letter byte
	text   string
}

// readOfficial reads a reply as the released scorer does: the whole reply, but
// for white space around it, is a JSON object whose keys are exactly "1" to
// "n", and each value is a string that starts with a letter A to E and a
// colon. Of a key given twice the last value counts. ok is false for any other
// reply.
func readOfficial(text string, n int) (r reply, ok bool) {
	text = strings.TrimFunc(text, pythonSpace)
	if !gjson.Valid(text) {
		return nil, false
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return nil, false
	}
	r, known := make(reply, n), true
	object.ForEach(func(key, value gjson.Result) bool {
		var i int
		if i, known = position(key.Str, n); !known {
			return false
		}
		r[i] = choice{text: value.Str} // no letter; a later value of the same key may mend it
		letter, _, colon := strings.Cut(value.Str, ":")
		if value.Type == gjson.String && colon && isLetter(letter) {
			r[i].letter = letter[0]
		}
		return true
	})
	return r, known && complete(r)
}

func complete(r reply) bool {
	return !slices.ContainsFunc(r, func(c choice) bool { return c.letter == 0 })
}

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

// readStrict reads a reply that may have prose or a fence around the object,
// and letters written as people write them. It demands one clear letter for
// each blank and says what is wrong otherwise.
func readStrict(text string, n int) (reply, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("it is empty")
	}
	members, err := judge.Members(judge.FindJSON(text))
	if err != nil {
		return nil, err
	}
	r := make(reply, n)
	for _, m := range members {
		i, known := position(m.Key, n)
		if !known {
			return nil, fmt.Errorf("it has the key %q, which is not one of \"1\" to \"%d\"", m.Key, n)
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
// letter A to E that stands alone at the start.
func readChoice(value gjson.Result) (choice, error) {
	if value.Type != gjson.String {
		return choice{}, errors.New("it is not a string")
	}
	s := strings.TrimLeft(value.Str, " \t\n\"'(*[")
	if s == "" {
		return choice{}, errors.New("it is empty")
	}
	letter := s[0] &^ 0x20
	rest := strings.TrimLeft(s[1:], " *\"'")
	if letter < 'A' || letter > 'E' || rest != "" && !strings.ContainsRune(":.)]-,", rune(rest[0])) {
		return choice{}, fmt.Errorf("%q does not start with a letter A to E and a colon", shorten(value.Str))
	}
	return choice{letter: letter, text: value.Str}, nil
}

func shorten(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
