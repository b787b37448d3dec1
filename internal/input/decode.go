package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// packing says how a file is packed by its first bytes, "" if it is not, or in a
// way that is not read here.
func packing(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return "gzip"
	case len(head) > 4 && bytes.HasPrefix(head, []byte("BZh")) && head[3] >= '1' && head[3] <= '9' && bytes.HasPrefix(head[4:], []byte("1AY&SY")):
		return "bzip2"
	}
	return ""
}

func unpack(how string, packed io.Reader) (io.Reader, error) {
	if how == "bzip2" {
		return bzip2.NewReader(packed), nil
	}
	return gzip.NewReader(packed)
}

// ByteOrderMark is at the start of files that some editors write.
const ByteOrderMark = "\ufeff"

var byteOrderMark = []byte(ByteOrderMark)

// wideOrder returns how two bytes make a unit of UTF-16, by the byte order mark;
// nil where there is none.
func wideOrder(head []byte) func([]byte) uint16 {
	switch {
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return func(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return func(b []byte) uint16 { return uint16(b[1])<<8 | uint16(b[0]) }
	}
	return nil
}

// decoded returns a text in UTF-8 without its byte order mark.
func decoded(from io.Reader) io.Reader {
	r := bufio.NewReaderSize(from, 64<<10)
	start, _ := r.Peek(len(byteOrderMark)) // an error comes again from Read
	if order := wideOrder(start); order != nil {
		r.Discard(2)
		return &wideReader{from: r, order: order}
	}
	if bytes.Equal(start, byteOrderMark) {
		r.Discard(len(byteOrderMark))
	}
	return r
}

// A wideReader reads UTF-16. Half of a surrogate pair, and half of a unit,
// become U+FFFD.
type wideReader struct {
	from  *bufio.Reader
	order func([]byte) uint16
	ready []byte
	err   error
}

func (r *wideReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 && r.err == nil {
		r.fill()
	}
	if len(r.ready) == 0 {
		return 0, r.err
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// fill decodes what is there.
func (r *wideReader) fill() {
	var out []byte
	for len(out) < 16<<10 && r.err == nil {
		var unit rune
		if unit, r.err = r.unit(); r.err != nil {
			break
		}
		if utf16.IsSurrogate(unit) {
			next, err := r.from.Peek(2)
			if pair := rune(utf8.RuneError); err == nil {
				pair = utf16.DecodeRune(unit, rune(r.order(next)))
				if pair != utf8.RuneError {
					r.from.Discard(2)
				}
				unit = pair
			} else {
				unit = pair
			}
		}
		out = utf8.AppendRune(out, unit)
	}
	r.ready = out
}

func (r *wideReader) unit() (rune, error) {
	var b [2]byte
	n, err := io.ReadFull(r.from, b[:])
	if err == io.ErrUnexpectedEOF && n == 1 {
		return utf8.RuneError, nil
	}
	if err != nil {
		return 0, err
	}
	return rune(r.order(b[:])), nil
}
