// Package textnorm brings a transcript and its reference into the form in which
// words are compared: the English and the basic normaliser of
// whisper_normalizer 0.0.10, byte for byte, and the few string methods of
// Python that they and jiwer 3.0.5 rest on. It counts nothing; that is the
// business of the caller.
//
// Python's notions of letter, digit, space and capital are Unicode's (version
// 15.0 here, as in Python 3.12) and differ from those of Go's regexp package, so
// every rule is a scanner of its own. A rule of the original is a pass over the
// whole text, and what one pass leaves the next one sees. Passes are joined here
// only where no text can tell.
//
// Bytes that are not UTF-8 count as U+FFFD, as if they had been decoded with
// errors="replace". All functions are safe for concurrent use.
package textnorm

import (
	"fmt"
	"sync"
)

// maxDigits is the length from which Python refuses to turn decimal digits into
// an integer or back (sys.int_info.default_max_str_digits).
const maxDigits = 4300

// A TooLongError says that a text holds a number of more than 4,300 digits, at
// which the published normaliser stops with an exception. A text without such a
// number can be normalised.
type TooLongError struct {
	Digits int // how many it has

	// The exception of Python: its class, and its text as str() gives it. Digits
	// that stand in the text end in an AssertionError without a text; a number
	// that grew too long by "hundred", "million" and so on, in a ValueError.
	Exception, Message string
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a number of %d digits: the published normaliser stops at more than %d (%s); take it out of the text", e.Digits, maxDigits, e.Exception)
}

// A text is on its way through the passes: each reads one buffer and writes the
// other.
type text struct {
	now, spare []byte
}

var texts = sync.Pool{New: func() any { return new(text) }}

// take returns a text that holds s in lower case. It goes back with give.
func take(s string) *text {
	t := texts.Get().(*text)
	t.now = appendLower(t.now[:0], s)
	return t
}

// give hands the buffers to the next text, unless they are of a size that is
// not worth keeping.
func (t *text) give() {
	const large = 4 << 20
	if cap(t.now)+cap(t.spare) <= large {
		texts.Put(t)
	}
}

// through replaces the text by what the pass appends for it.
func (t *text) through(pass func(dst, src []byte) []byte) {
	t.now, t.spare = pass(t.spare[:0], t.now), t.now
}
