package visible

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Writer makes all that is written to it fit for a terminal, as Text does. It
// is the last guard of an output for people: what was forgotten on the way does
// no harm. It may be used by several goroutines.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	colors [][]byte // sequences that are our own
	rest   []byte   // the start of a character, or what follows a joiner is not known
	before rune     // the last character written
	err    error    // of the first write that failed
}

// NewWriter returns a Writer to w. colors are the only escape sequences that are
// let through.
func NewWriter(w io.Writer, colors ...string) *Writer {
	out := &Writer{w: w}
	for _, c := range colors {
		out.colors = append(out.colors, []byte(c))
	}
	return out
}

// Unwrap returns what is written to: for documents for programs, and for those
// who ask whether it is a terminal.
func (w *Writer) Unwrap() io.Writer { return w.w }

// Unwrapped is the writer that others were put around, for what programs read,
// byte for byte.
func Unwrapped(w io.Writer) io.Writer {
	for {
		outer, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			return w
		}
		w = outer.Unwrap()
	}
}

// Write implements io.Writer. The end of p may be held back until more is
// written or Flush is called. After an error it writes no more and returns the
// same error, and so does Flush.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(p), w.write(p, false)
}

// Flush writes what was held back. It returns the first error of all writes.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(nil, true)
}

func (w *Writer) write(p []byte, last bool) error {
	if len(w.rest) > 0 {
		p = append(w.rest, p...)
		w.rest = nil
	}
	out := make([]byte, 0, len(p))
	for len(p) > 0 {
		if c := p[0]; c < 0x7f && (c >= ' ' || c == '\n' || c == '\t') {
			out, w.before, p = append(out, c), rune(c), p[1:]
			continue
		}
		if size := w.special(p); size > 0 {
			out, p = append(out, p[:size]...), p[size:]
			continue
		}
		if !last && w.unfinished(p) {
			w.rest = bytes.Clone(p)
			break
		}
		if bytes.HasPrefix(p, []byte("\r\n")) {
			p = p[1:]
			continue
		}
		out, p = w.character(out, p)
	}
	if len(out) > 0 && w.err == nil {
		_, w.err = w.w.Write(out)
	}
	return w.err
}

// character appends the first character of p, or its code.
func (w *Writer) character(out, p []byte) (after, rest []byte) {
	r, size := utf8.DecodeRune(p)
	next, _ := utf8.DecodeRune(p[size:])
	if Acts(r) || isJoiner(r) && !joins(w.before, next) {
		out = append(out, code(r)...)
	} else {
		out = utf8.AppendRune(out, r)
	}
	w.before = r
	return out, p[size:]
}

// special is the length of one of our own colours at the start of p; 0 = there
// is none.
func (w *Writer) special(p []byte) int {
	for _, c := range w.colors {
		if bytes.HasPrefix(p, c) {
			return len(c)
		}
	}
	return 0
}

// unfinished reports whether it takes more text to say what p starts with.
func (w *Writer) unfinished(p []byte) bool {
	if !utf8.FullRune(p) || len(p) == 1 && p[0] == '\r' {
		return true
	}
	if r, size := utf8.DecodeRune(p); isJoiner(r) {
		return !utf8.FullRune(p[size:])
	}
	return slices.ContainsFunc(w.colors, func(c []byte) bool { return len(p) < len(c) && bytes.HasPrefix(c, p) })
}
