package mcifxml

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Bytes that are no character of their encoding become badByte, which no UTF-8
// text has, so that the scanner refuses them where they stand.
const badByte = 0xff

const byteOrderMark = "\ufeff"

// A source is a file as text, and where its first token after the XML
// declaration is.
type source struct {
	text       text
	body       int
	standalone bool
	half       bool // it ends within a character of two bytes
}

// decode finds the encoding as expat does: by the first bytes, then by the
// declaration.
func decode(data []byte) (source, *fault) {
	if len(data) == 1 && bytes.IndexByte([]byte{0, 0xef, 0xfe, 0xff}, data[0]) >= 0 || len(data) == 2 && data[0] == 0xef && data[1] == 0xbb {
		return source{text: text(data)}, &fault{unclosedToken, 0}
	}
	order := byteOrder(data)
	s := source{text: text(data)}
	if order != nil {
		s.text, s.half = wide(data, order), len(data)%2 == 1
	}
	if strings.HasPrefix(string(s.text), byteOrderMark) {
		s.body = len(byteOrderMark)
	}
	start := s.body
	if !strings.HasPrefix(string(s.text[start:]), "<?xml") {
		return s, nil
	}
	end, declaration, f := s.text.instruction(start + len("<?"))
	if f != nil || !declaration {
		return s, nil // for the scanner to refuse, or to skip
	}
	encoding, at, standalone, f := s.text.declaration(start+len("<?xml"), end-len("?>"))
	if f != nil {
		return s, f
	}
	s.body, s.standalone = end, standalone
	return s, s.transcode(encoding, at, order != nil)
}

// transcode makes UTF-8 of what follows the declaration.
func (s *source) transcode(encoding string, at int, wide bool) *fault {
	name := strings.ToUpper(encoding)
	switch {
	case name == "":
		return nil
	case strings.HasPrefix(name, "UTF-16"):
		if name == "UTF-16" && wide {
			return nil
		}
		if name == "UTF-16" || name == "UTF-16LE" || name == "UTF-16BE" {
			return &fault{incorrectEncoding, at}
		}
	case wide:
		return &fault{incorrectEncoding, at}
	case name == "UTF-8":
		return nil
	case slices.Contains([]string{"usascii", "ascii", "utf8", "utf", "u8"}, plainName(encoding)):
		// Python knows the last three as UTF-8, but hands expat a table of
		// single bytes, in which only ASCII is left.
		s.replaceTail(func(b byte) rune {
			if b < utf8.RuneSelf {
				return rune(b)
			}
			return utf8.RuneError
		})
		return nil
	}
	for _, m := range charmap.All {
		if m, ok := m.(*charmap.Charmap); ok && plainName(m.String()) == plainName(encoding) {
			s.replaceTail(m.DecodeByte)
			return nil
		}
	}
	if slices.Contains(multiByte, plainName(encoding)) {
		return &fault{multiByteEncoding, notAPlace}
	}
	return &fault{unknownEncoding + encoding, notAPlace}
}

// multiByte are encodings that Python knows and does not read for expat.
var multiByte = []string{"gbk", "gb2312", "gb18030", "big5", "big5hkscs", "shiftjis", "sjis", "eucjp", "euckr", "iso2022jp", "iso2022kr", "cp932", "cp949", "cp950", "johab", "hz", "utf7", "utf32", "utf32le", "utf32be"}

// multiByteEncoding comes from Python, too.
const multiByteEncoding = "multi-byte encodings are not supported"

// unknownEncoding comes from Python, not from expat, and names no place.
const unknownEncoding = "unknown encoding: "

const notAPlace = -2

// plainName makes one of ISO-8859-15, iso8859_15 and "ISO 8859-15".
func plainName(encoding string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(encoding))
	switch plain {
	case "latin1", "l1":
		return "iso88591"
	case "macroman":
		return "macintosh"
	}
	if n, ok := strings.CutPrefix(plain, "cp"); ok && strings.HasPrefix(n, "125") {
		return "windows" + n
	}
	return plain
}

func (s *source) replaceTail(decode func(byte) rune) {
	var b strings.Builder
	b.WriteString(string(s.text[:s.body]))
	for _, c := range []byte(s.text[s.body:]) {
		if r := decode(c); r == utf8.RuneError {
			b.WriteByte(badByte)
		} else {
			b.WriteRune(r)
		}
	}
	s.text = text(b.String())
}

// byteOrder returns how two bytes make a number if data is UTF-16, which shows
// in a mark or in the zero beside the first character; nil if it is not.
func byteOrder(data []byte) func([]byte) uint16 {
	big := func(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }
	little := func(b []byte) uint16 { return uint16(b[1])<<8 | uint16(b[0]) }
	switch {
	case len(data) < 2:
		return nil
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0:
		return big
	case data[0] == 0xff && data[1] == 0xfe, data[1] == 0:
		return little
	}
	return nil
}

func wide(data []byte, unit func([]byte) uint16) text {
	var b strings.Builder
	for ; len(data) >= 2; data = data[2:] {
		r := rune(unit(data))
		if utf16.IsSurrogate(r) && len(data) >= 4 {
			if pair := utf16.DecodeRune(r, rune(unit(data[2:]))); pair != utf8.RuneError {
				b.WriteRune(pair)
				data = data[2:]
				continue
			}
		}
		if utf16.IsSurrogate(r) {
			b.WriteByte(badByte)
		} else {
			b.WriteRune(r)
		}
	}
	return text(b.String())
}

// declaration reads the pairs of an XML declaration that is s[p:end]. at is the
// offset of the encoding's name.
func (s text) declaration(p, end int) (encoding string, at int, standalone bool, f *fault) {
	bad := func(at int) (string, int, bool, *fault) { return "", 0, false, &fault{badDeclaration, at} }
	s = s[:end]
	name, a, p, ok := s.pair(p)
	if !ok || name == "" {
		return bad(p)
	}
	if name != "version" {
		return bad(a.name)
	}
	if name, a, p, ok = s.pair(p); !ok {
		return bad(p)
	}
	if name == "encoding" {
		if a.value == a.valueEnd || !isLetter(s[a.value]) {
			return bad(a.value)
		}
		encoding, at = string(s[a.value:a.valueEnd]), a.value
		if name, a, p, ok = s.pair(p); !ok {
			return bad(p)
		}
	}
	if name == "" {
		return encoding, at, false, nil
	}
	if name != "standalone" {
		return bad(a.name)
	}
	value := s[a.value:a.valueEnd]
	if value != "yes" && value != "no" {
		return bad(a.value)
	}
	if p = s.skipSpace(p); p < end {
		return bad(p)
	}
	return encoding, at, value == "yes", nil
}

// pair reads the next name="value" of a declaration; its name is "" at the end.
// If it is not one, next is the offset to blame.
func (s text) pair(p int) (name string, a rawAttr, next int, ok bool) {
	if p == len(s) {
		return "", a, p, true
	}
	if !isSpace(s[p]) {
		return "", a, p, false
	}
	start := p
	if p = s.skipSpace(p); p == len(s) {
		return "", a, start, true
	}
	a.name = p
	for p < len(s) && s[p] != '=' && !isSpace(s[p]) && s[p] < utf8.RuneSelf {
		p++
	}
	a.nameEnd = p
	if p = s.skipSpace(p); !s.at(p, '=') || p == a.name {
		return "", a, p, false
	}
	if p = s.skipSpace(p + 1); !s.at(p, '"') && !s.at(p, '\'') {
		return "", a, p, false
	}
	quote := s[p]
	a.value = p + 1
	for p++; !s.at(p, quote); p++ {
		if p == len(s) || !isLetter(s[p]) && !isDigit(s[p]) && s[p] != '.' && s[p] != '-' && s[p] != '_' {
			return "", a, p, false
		}
	}
	a.valueEnd = p
	return string(s[a.name:a.nameEnd]), a, p + 1, true
}

// parse reads the document.
func (s *source) parse(g *guard) (*node, *fault) {
	root, f := parse(g, s.text, s.body, s.standalone)
	if s.half && (f == nil || f.what == noElement) {
		f = &fault{unclosedToken, len(s.text)}
	}
	return root, f
}
