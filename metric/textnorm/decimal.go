package textnorm

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A value is the number that is being read: nothing, an integer, or a text of
// digits. The original keeps the latter two as int and str and treats them
// differently. Every power is one of ten, so that all arithmetic is on digits.
type value struct {
	state  valueState
	digits []byte // of an integer without leading zeros
}

type valueState uint8

const (
	unset valueState = iota
	integer
	written
)

func (v *value) clear() { v.state, v.digits = unset, v.digits[:0] }

// set makes v the integer n.
func (v *value) set(n int) {
	v.state, v.digits = integer, strconv.AppendInt(v.digits[:0], int64(n), 10)
}

// setNumeral makes v what a numeral says: an integer if that is what it is,
// whatever zeros stand behind the period, else the text itself.
func (v *value) setNumeral(numeral []byte) {
	whole, fraction, _ := bytes.Cut(numeral, []byte("."))
	v.digits = appendASCIIDigits(v.digits[:0], fraction)
	if len(bytes.Trim(v.digits, "0")) > 0 {
		v.state, v.digits = written, append(v.digits[:0], numeral...)
		return
	}
	v.state, v.digits = integer, dropLeadingZeros(appendASCIIDigits(v.digits[:0], whole))
}

// tooLongNumeral refuses a numeral that Python cannot read: either side of the
// period may have 4,300 digits, leading zeros included.
func tooLongNumeral(numeral []byte) error {
	if len(numeral) <= maxDigits {
		return nil
	}
	whole, fraction, _ := bytes.Cut(numeral, []byte("."))
	for _, digits := range [][]byte{whole, fraction} {
		if n := utf8.RuneCount(digits); n > maxDigits {
			return &TooLongError{Digits: n, Exception: "AssertionError"}
		}
	}
	return nil
}

// write makes v a text, to which more can be appended; "" of an unset value,
// and of the integer 0 if zeroIsEmpty.
func (v *value) write(zeroIsEmpty bool) error {
	if v.state == integer && zeroIsEmpty && v.isZero() {
		v.digits = v.digits[:0]
	}
	err := v.printable()
	v.state = written
	return err
}

// printable is Python's str(): it refuses integers that are too long.
func (v *value) printable() error {
	if v.state == integer && len(v.digits) > maxDigits {
		return &TooLongError{
			Digits: len(v.digits), Exception: "ValueError",
			Message: "Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit",
		}
	}
	return nil
}

func (v *value) isZero() bool { return v.state == integer && len(v.digits) == 1 && v.digits[0] == '0' }

// add puts n, below 100, into the last digits of an integer where those are
// zeros: one of them for n below 10, else two. Where they are not, and in a
// text, the digits of n are appended.
func (v *value) add(n int) error {
	zeros := 1
	if n >= 10 {
		zeros = 2
	}
	switch {
	case v.state == unset || v.isZero():
		v.set(n)
		return nil
	case v.state == integer && endsInZeros(v.digits, zeros):
		v.digits = strconv.AppendInt(v.digits[:len(v.digits)-zeros], int64(n), 10)
		return nil
	}
	return v.append(n)
}

func endsInZeros(digits []byte, n int) bool {
	return len(digits) >= n && len(bytes.TrimRight(digits[len(digits)-n:], "0")) == 0
}

// append makes v a text and appends n.
func (v *value) append(n int) error {
	err := v.write(false)
	v.digits = strconv.AppendInt(v.digits, int64(n), 10)
	return err
}

// setPower makes v ten to the power.
func (v *value) setPower(power int) {
	v.state, v.digits = integer, appendZeros(append(v.digits[:0], '1'), power)
}

// multiply multiplies a text, or 0, by ten to the power, and reports whether it could:
// the text has to be a decimal fraction, and the product an integer.
func (v *value) multiply(power int) bool {
	whole, fraction, _ := bytes.Cut(v.digits, []byte("."))
	whole, ok1 := decimalDigits(whole)
	fraction, ok2 := decimalDigits(fraction)
	if !ok1 || !ok2 || len(whole)+len(fraction) == 0 {
		return false
	}
	fraction = bytes.TrimRight(fraction, "0")
	if len(fraction) > power {
		return false
	}
	v.state, v.digits = integer, append(append(v.digits[:0], whole...), fraction...)
	v.digits = dropLeadingZeros(appendZeros(v.digits, power-len(fraction)))
	return true
}

// decimalDigits returns a copy of digits in ASCII, unless there is something
// else among them or Python would find them too many.
func decimalDigits(digits []byte) ([]byte, bool) {
	if !isDigits(digits) || utf8.RuneCount(digits) > maxDigits {
		return nil, false
	}
	return appendASCIIDigits(nil, digits), true
}

// scale multiplies what an integer has below its thousands by ten to the power:
// 2005 times a hundred is 2500.
func (v *value) scale(power int) {
	cut := max(0, len(v.digits)-3)
	last := bytes.TrimLeft(v.digits[cut:], "0")
	if len(last) == 0 {
		return
	}
	product := appendZeros(append([]byte(nil), last...), power)
	thousands := appendZeros(append([]byte(nil), v.digits[:cut]...), min(cut, 1)*3)
	v.digits = append(v.digits[:0], sum(thousands, product)...)
}

// sum adds b to a, in decimal.
func sum(a, b []byte) []byte {
	if len(a) < len(b) {
		a, b = b, a
	}
	total := append([]byte{'0'}, a...)
	carry := byte(0)
	for i := 1; i <= len(a); i++ {
		at := len(total) - i
		digit := total[at] - '0' + carry
		if i <= len(b) {
			digit += b[len(b)-i] - '0'
		}
		total[at], carry = '0'+digit%10, digit/10
	}
	total[0] += carry
	return dropLeadingZeros(total)
}

func appendZeros(digits []byte, n int) []byte {
	for range n {
		digits = append(digits, '0')
	}
	return digits
}

// dropLeadingZeros leaves at least one digit.
func dropLeadingZeros(digits []byte) []byte {
	rest := bytes.TrimLeft(digits, "0")
	if len(rest) == 0 {
		return append(digits[:0], '0')
	}
	return append(digits[:0], rest...)
}

// isDigits reports whether b holds nothing but decimal digits, of any script.
func isDigits(b []byte) bool { return runEnd(b, 0, isDigit) == len(b) }

// appendASCIIDigits appends the digits as ASCII.
func appendASCIIDigits(dst, digits []byte) []byte {
	for _, r := range string(digits) {
		dst = append(dst, '0'+digitValue(r))
	}
	return dst
}

// digitValue returns the value of a decimal digit. Unicode has them in tens, in
// order, from zero on.
func digitValue(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r) - '0'
	}
	n := byte(0)
	for first := r; unicode.Is(unicode.Nd, first-1); first-- {
		n++
	}
	return n % 10
}
