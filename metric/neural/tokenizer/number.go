package tokenizer

import (
	"math"
	"strconv"
	"strings"
)

// serdeFloat reads a JSON number as serde_json does by default, and
// so as huggingface/tokenizers reads its scores: the digits as one whole number,
// rounded, and that divided or multiplied by a power of ten, rounded again. One
// score in six of a real vocabulary comes out as a neighbour of the right number,
// which can decide between ways to split a word that should be equally good.
func serdeFloat(number string) float64 {
	digits, negative := strings.CutPrefix(number, "-")
	digits, tail := cutExponent(digits)
	whole, fraction, _ := strings.Cut(digits, ".")
	significand, exponent := uint64(0), 0
	long := false
	for i := range len(whole) {
		if long = long || !pushDigit(&significand, whole[i]); long {
			exponent++
		}
	}
	for i := range len(fraction) {
		if !pushDigit(&significand, fraction[i]) {
			break
		}
		exponent--
	}
	f := scaled(float64(significand), exponent+tail)
	if negative {
		return -f
	}
	return f
}

// cutExponent cuts off the exponent. One too large for an int ends as zero or
// infinity anyway.
func cutExponent(number string) (digits string, exponent int) {
	at := strings.IndexAny(number, "eE")
	if at < 0 {
		return number, 0
	}
	const far = 1 << 20
	exponent, err := strconv.Atoi(number[at+1:])
	if err != nil && number[at+1] == '-' {
		exponent = -far
	} else if err != nil {
		exponent = far
	}
	return number[:at], max(-far, min(exponent, far))
}

// pushDigit appends a decimal digit, unless there is no room for it.
func pushDigit(n *uint64, digit byte) bool {
	d := uint64(digit - '0')
	if *n > (math.MaxUint64-d)/10 {
		return false
	}
	*n = *n*10 + d
	return true
}

// scaled is f times ten to the power of exponent, in one step where such a power
// exists.
func scaled(f float64, exponent int) float64 {
	const highest = 308
	for ; exponent < -highest && f != 0; exponent += highest {
		f /= 1e308
	}
	switch {
	case f == 0:
		return 0
	case exponent < 0:
		return f / powerOfTen(-exponent)
	}
	return f * powerOfTen(exponent)
}

// powerOfTen is the float64 nearest to the power.
func powerOfTen(n int) float64 {
	f, err := strconv.ParseFloat("1e"+strconv.Itoa(n), 64)
	if err != nil {
		return math.Inf(1)
	}
	return f
}
