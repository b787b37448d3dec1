package tokenizer

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A normalizer appends src, changed, to dst. It is never given nothing.
type normalizer func(dst, src []byte) []byte

// stripper takes white space from the ends.
func stripper(left, right bool) normalizer {
	return func(dst, src []byte) []byte {
		if left {
			src = bytes.TrimLeftFunc(src, unicode.IsSpace)
		}
		if right {
			src = bytes.TrimRightFunc(src, unicode.IsSpace)
		}
		return append(dst, src...)
	}
}

// replacer puts one text in the place of another.
func replacer(old, with string) normalizer {
	return func(dst, src []byte) []byte {
		for {
			at := bytes.Index(src, []byte(old))
			if at < 0 {
				return append(dst, src...)
			}
			dst = append(append(dst, src[:at]...), with...)
			src = src[at+len(old):]
		}
	}
}

// manySpaces is the one pattern of Replace that is known: converters write it.
const manySpaces = " {2,}"

// spacesReplacer puts a text in the place of every run of two spaces or more.
func spacesReplacer(with string) normalizer {
	return func(dst, src []byte) []byte {
		for len(src) > 0 {
			n := 0
			for n < len(src) && src[n] == ' ' {
				n++
			}
			switch {
			case n >= 2:
				dst = append(dst, with...)
			case n == 1:
				dst = append(dst, ' ')
			default:
				if n = bytes.IndexByte(src, ' '); n < 0 {
					n = len(src)
				}
				dst = append(dst, src[:n]...)
			}
			src = src[n:]
		}
		return dst
	}
}

// prepender puts a text in front.
func prepender(text string) normalizer {
	return func(dst, src []byte) []byte {
		if len(src) == 0 {
			return dst
		}
		return append(append(dst, text...), src...)
	}
}

// lower writes each character in lower case by itself, whatever stands beside
// it.
func lower(dst, src []byte) []byte {
	for _, r := range string(src) {
		if r == 'İ' { // the one character whose lower case is two
			dst = append(dst, "i\u0307"...)
			continue
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// nmt drops control characters and makes spaces of unusual white space, by the
// list of huggingface/tokenizers.
func nmt(dst, src []byte) []byte {
	for _, r := range string(src) {
		switch {
		case 1 <= r && r <= 8, r == 0xB, 0xE <= r && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, 0x200B <= r && r <= 0x200F,
			r == 0x2028, r == 0x2029, r == 0x2581, r == 0xFEFF, r == utf8.RuneError:
			dst = append(dst, ' ')
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
