package mcifxml

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Bytes that are no character of their encoding become badByte, which no UTF-8
// text has, so that the parser refuses them where they are.
const badByte = 0xff

const byteOrderMark = "\ufeff"

// A source is a file as text, and where its first token after the XML
// declaration is.
type source struct {
	text       string
	body       int
	standalone bool
	half       bool // it ends within a character of two bytes
}

// declaration matches an XML declaration, with the values of encoding and
// standalone in their quotes.
var declaration = regexp.MustCompile(`^<\?xml\s+version\s*=\s*(?:"[\w.-]*"|'[\w.-]*')` +
	`(?:\s+encoding\s*=\s*("[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?` +
	`(?:\s+standalone\s*=\s*("yes"|'yes'|"no"|'no'))?\s*\?>`)

// decode finds the encoding as expat does: by the first bytes, then by the
// declaration.
func decode(data []byte) (source, *fault) {
	if len(data) <= 2 && slices.Contains([]string{"\x00", "\xef", "\xfe", "\xff", "\xef\xbb"}, string(data)) {
		return source{text: string(data)}, &fault{unclosedToken, 0}
	}
	order := byteOrder(data)
	s := source{text: string(data)}
	if order != nil {
		s.text, s.half = wide(data, order), len(data)%2 == 1
	}
	if strings.HasPrefix(s.text, byteOrderMark) {
		s.body = len(byteOrderMark)
	}
	start := s.body
	if !strings.HasPrefix(s.text[start:], "<?xml") {
		return s, nil
	}
	m := declaration.FindStringSubmatchIndex(s.text[start:])
	if m == nil {
		if after := start + len("<?xml"); after < len(s.text) && (isSpace(s.text[after]) || s.text[after] == '?') && strings.Contains(s.text[after:], "?>") {
			return s, &fault{badDeclaration, skipSpace(s.text, after)}
		}
		return s, nil // for the parser to refuse, or to skip
	}
	encoding, at := "", 0
	if m[2] >= 0 {
		encoding, at = s.text[start+m[2]+1:start+m[3]-1], start+m[2]+1
	}
	s.standalone = m[4] >= 0 && strings.Contains(s.text[start+m[4]:start+m[5]], "yes")
	s.body = start + m[1]
	return s, s.transcode(encoding, at, order != nil)
}

// transcode makes UTF-8 of what follows the declaration.
func (s *source) transcode(encoding string, at int, wide bool) *fault {
	name := strings.ToUpper(encoding)
	switch {
	case name == "":
		return nil
	case name == "UTF-16" && wide:
		return nil
	case slices.Contains([]string{"UTF-16", "UTF-16LE", "UTF-16BE"}, name), wide && !strings.HasPrefix(name, "UTF-16"):
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
	b.WriteString(s.text[:s.body])
	for _, c := range []byte(s.text[s.body:]) {
		if r := decode(c); r == utf8.RuneError {
			b.WriteByte(badByte)
		} else {
			b.WriteRune(r)
		}
	}
	s.text = b.String()
}

// byteOrder returns how two bytes make a number if data is UTF-16, which shows
// in a mark or in the zero next to the first character; nil if it is not.
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

func wide(data []byte, unit func([]byte) uint16) string {
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
	return b.String()
}

// parse reads the document.
func (s *source) parse(g *guard) (*node, *fault) {
	root, f := parse(g, s.text, s.body, s.standalone)
	if s.half && (f == nil || f.what == noElement) {
		f = &fault{unclosedToken, len(s.text)}
	}
	return root, f
}
