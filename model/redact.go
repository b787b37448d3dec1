package model

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/visible"
)

// A Redactor takes secrets out of texts that come from outside: servers repeat
// the key they were sent, whole, in part, or encoded. It takes out
//
//   - every stretch of leastRedacted or more characters of a secret, in upper or
//     lower case;
//   - its base64, in both alphabets, wherever in a longer text it begins
//     (such as user:key), and its hexadecimal digits;
//   - all of these where some characters are escaped, as in URLs, JSON and HTML.
//
// Shorter stretches stay, such as the last four characters that OpenAI shows of
// a key, and so do secrets too short to be keys. A nil Redactor redacts nothing.
// It is safe for concurrent use.
type Redactor struct {
	forms  []form
	seen   [1 << 10]uint64    // which grams may occur: a filter, since every answer is looked through
	places map[uint32][]place // where a gram occurs in the forms
}

const (
	leastRedacted = 8
	leastWord     = 12                           // of letters alone, in a secret made of words such as no-key-required
	gramSize      = 4                            // bytes looked at together
	gramStride    = leastRedacted + 1 - gramSize // a stretch of leastRedacted holds a gram that begins at a multiple of it
)

// redacted stands in texts for a secret.
const redacted = "[secret]"

// A form is a way to write a secret, in lower case.
type form struct {
	text   string
	least  int  // shortest stretch that tells
	phrase bool // made of words
}

type place struct{ form, at int }

// NewRedactor returns a Redactor for secrets.
func NewRedactor(secrets ...omniscope.Secret) *Redactor {
	r := &Redactor{places: make(map[uint32][]place)}
	for _, s := range secrets {
		if len(s.Reveal()) >= leastRedacted {
			r.add(s.Reveal())
		}
	}
	return r
}

func (r *Redactor) add(secret string) {
	phrase := !strings.ContainsAny(secret, "0123456789")
	r.addForm(form{text: secret, least: leastRedacted, phrase: phrase})
	r.addForm(form{text: hex.EncodeToString([]byte(secret)), least: 2 * leastRedacted})
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			// What stands before the secret in its group of three bytes, and after it
			// in the last one, shares a character with it: that one is not known.
			text := encoding.EncodeToString(append(make([]byte, before), secret...))
			text = text[[]int{0, 2, 3}[before]:]
			if (before+len(secret))%3 != 0 {
				text = text[:len(text)-1]
			}
			r.addForm(form{text: text, least: leastRedacted*8/6 - 1})
		}
	}
}

func (r *Redactor) addForm(f form) {
	f.text = strings.ToLower(f.text)
	if slices.Contains(r.forms, f) {
		return
	}
	r.forms = append(r.forms, f)
	for at := range len(f.text) - gramSize + 1 {
		g := gram(f.text[at:])
		r.seen[bucket(g)>>6] |= 1 << (bucket(g) & 63)
		r.places[g] = append(r.places[g], place{len(r.forms) - 1, at})
	}
}

// gram reads four bytes without regard to case, and of some other bytes, too.
func gram(s string) uint32 {
	_ = s[3]
	return (uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24) | 0x20202020
}

func bucket(g uint32) uint32 { return g * 0x9e3779b1 >> 16 }

// Redact returns text without the secrets.
func (r *Redactor) Redact(text string) string {
	if r == nil || len(r.forms) == 0 {
		return text
	}
	told := r.find(text, nil)
	if plain, jumps := unescape(text); jumps != nil {
		for _, s := range r.find(plain, nil) {
			told = append(told, stretch{origin(jumps, s.from), origin(jumps, s.to)})
		}
	}
	if told == nil {
		return text
	}
	slices.SortFunc(told, func(a, b stretch) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, s := range told {
		if s.from >= done {
			b.WriteString(text[done:s.from])
			b.WriteString(redacted)
		}
		done = max(done, s.to)
	}
	b.WriteString(text[done:])
	return b.String()
}

// Line makes an endpoint's words fit for one line of a log: without the secrets,
// at most 300 bytes, and without characters that move the cursor.
func (r *Redactor) Line(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(visible.Blank(r.Redact(text))), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// A stretch of a text.
type stretch struct{ from, to int }

// find appends the stretches of text that tell something of a secret.
func (r *Redactor) find(text string, told []stretch) []stretch {
	for i := 0; i+gramSize <= len(text); i += gramStride {
		g := gram(text[i:])
		if h := bucket(g); r.seen[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if s, ok := r.longest(text, i, g); ok {
			told = append(told, s)
			i = s.to - gramStride
		}
	}
	return told
}

// longest returns the longest stretch around the gram at i that tells.
func (r *Redactor) longest(text string, i int, g uint32) (found stretch, ok bool) {
	for _, p := range r.places[g] {
		f := &r.forms[p.form]
		from, to := i, i
		for at := p.at; at > 0 && from > 0 && lower(text[from-1]) == f.text[at-1]; at-- {
			from--
		}
		for at := p.at; at < len(f.text) && to < len(text) && lower(text[to]) == f.text[at]; at++ {
			to++
		}
		if to-from > found.to-found.from && f.tells(text[from:to]) {
			found, ok = stretch{from, to}, true
		}
	}
	return found, ok
}

// tells reports whether a stretch of the form says too much of the secret. Of a
// secret that is made of words, single words may well be part of an answer.
func (f *form) tells(s string) bool {
	if f.phrase && len(s) < min(leastWord, len(f.text)) && !strings.ContainsFunc(s, func(c rune) bool { return lower(byte(c)) < 'a' || lower(byte(c)) > 'z' }) {
		return false
	}
	return len(s) >= f.least
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// unescape undoes %2D, \u002d, \x2d, \/, &#45; and &#x2d;. There are no jumps
// if there was nothing to undo.
func unescape(text string) (plain string, jumps []jump) {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '\\') < 0 && strings.IndexByte(text, '&') < 0 {
		return "", nil
	}
	var b []byte
	done := 0
	for i := 0; i < len(text); i++ {
		if !beginsEscape[text[i]] {
			continue
		}
		c, size := unescapeOne(text[i:])
		if size == 0 {
			continue
		}
		b = append(append(b, text[done:i]...), c)
		done = i + size
		jumps = append(jumps, jump{len(b), done})
		i = done - 1
	}
	if jumps == nil {
		return "", nil
	}
	return string(append(b, text[done:]...)), jumps
}

// A jump says that after an escape, plain texts go on at one place and the
// escaped one at another.
type jump struct{ plain, text int }

// origin returns where in the escaped text a byte of the plain one is.
func origin(jumps []jump, plain int) int {
	i, exact := slices.BinarySearchFunc(jumps, plain, func(j jump, at int) int { return j.plain - at })
	if exact {
		return jumps[i].text
	}
	if i == 0 {
		return plain
	}
	return jumps[i-1].text + plain - jumps[i-1].plain
}

var beginsEscape = [256]bool{'%': true, '\\': true, '&': true}

// unescapeOne reads the escape of an ASCII character that s begins with. Its
// size is 0 if there is none.
func unescapeOne(s string) (c byte, size int) {
	switch {
	case s[0] == '%' && len(s) >= 3:
		return digits(s[1:3], 16, 3)
	case strings.HasPrefix(s, `\u`) && len(s) >= 6:
		return digits(s[2:6], 16, 6)
	case strings.HasPrefix(s, `\x`) && len(s) >= 4:
		return digits(s[2:4], 16, 4)
	case strings.HasPrefix(s, `\/`):
		return '/', 2
	case strings.HasPrefix(s, "&#"):
		last := strings.IndexByte(s[:min(len(s), 8)], ';')
		switch {
		case last >= 4 && s[2]|0x20 == 'x':
			return digits(s[3:last], 16, last+1)
		case last >= 3:
			return digits(s[2:last], 10, last+1)
		}
	}
	return 0, 0
}

// digits reads the number of an ASCII character in an escape of some size; if
// it is none, the size is 0.
func digits(s string, base, size int) (byte, int) {
	n := 0
	for _, c := range []byte(s) {
		d := 99
		switch {
		case '0' <= c && c <= '9':
			d = int(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			d = int(c|0x20-'a') + 10
		}
		if n = n*base + d; d >= base || n >= 0x80 {
			return 0, 0
		}
	}
	return byte(n), size
}
