package textnorm

import (
	"bytes"
	"strconv"
)

// numbers writes numbers in digits, and parts all words by one blank.
func (t *text) numbers() error {
	if bytes.Contains(t.now, []byte("half")) {
		t.through(writeHalves)
	}
	if bytes.ContainsAny(t.now, "0123456789") {
		t.through(partDigits)
	}
	written, err := writeNumbers(t.spare[:0], t.now)
	t.now, t.spare = written, t.now
	t.joinCents()
	return err
}

// A token is a word of the text and what it means in a number.
type token struct {
	word []byte
	numberWord
	numeral bool // the word is written in digits
}

// numeric reports whether a number can go on with the token, or begin.
func (t token) numeric() bool { return t.role != plain || t.numeral }

// ordinary reports whether the token is a word that has nothing to do with
// numbers, as nearly all are.
func (t token) ordinary() bool { return t.role == plain && isASCIILower(t.word[0]) }

// A numberWriter reads words and writes them, numbers in digits. A number is
// held back until a word shows that it has ended.
type numberWriter struct {
	dst   []byte
	sign  string // goes before whatever is written next, be it a number or not
	value value
}

// writeNumbers is the state machine of the original's process_words.
func writeNumbers(dst, src []byte) ([]byte, error) {
	w := numberWriter{dst: dst}
	var prev token
	this, src := cutToken(src)
	for skip := false; len(this.word) > 0; {
		var next token
		next, src = cutToken(src)
		var err error
		switch {
		case skip:
			skip = false
		case this.ordinary():
			err = w.flushAnd(this.word)
		default:
			skip, err = w.read(prev, this, next)
		}
		if err != nil {
			return w.dst, err
		}
		prev, this = this, next
	}
	err := w.flush("")
	return w.dst, err
}

// cutToken returns the first word of src, empty at the end, and the rest.
func cutToken(src []byte) (token, []byte) {
	start := runEnd(src, 0, isSpace)
	end := start
	for end < len(src) {
		if c := src[end]; isASCIILower(c) {
			end++
			continue
		}
		c, size := classAt(src, end)
		if c&isSpace != 0 {
			break
		}
		end += size
	}
	word := src[start:end]
	if len(word) == 0 {
		return token{}, nil
	}
	if isASCIILower(word[0]) {
		return token{word: word, numberWord: numberWordOf(word)}, src[end:]
	}
	return token{word: word, numeral: isNumeral(word)}, src[end:]
}

// isNumeral reports whether word is digits, of any script, perhaps with a
// period between.
func isNumeral(word []byte) bool {
	whole, fraction, period := bytes.Cut(word, []byte("."))
	return len(whole) > 0 && isDigits(whole) && (!period || len(fraction) > 0 && isDigits(fraction))
}

// cutSign parts the sign that a word begins with from the rest.
func cutSign(word []byte) (sign string, rest []byte) {
	for _, sign := range []string{"$", "£", "€", "¢"} {
		if len(word) > len(sign) && string(word[:len(sign)]) == sign {
			return sign, word[len(sign):]
		}
	}
	return "", word
}

// write writes a word that is no number.
func (w *numberWriter) write(word []byte) {
	w.begin()
	w.dst = append(w.dst, word...)
}

func (w *numberWriter) begin() {
	if len(w.dst) > 0 {
		w.dst = append(w.dst, ' ')
	}
	w.dst = append(w.dst, w.sign...)
	w.sign = ""
}

// flush writes the number that is held back, if there is one, with a suffix.
func (w *numberWriter) flush(suffix string) error {
	if w.value.state == unset {
		return nil
	}
	if err := w.value.printable(); err != nil {
		return err
	}
	w.begin()
	w.dst = append(append(w.dst, w.value.digits...), suffix...)
	w.value.clear()
	return nil
}

// flushAnd is flush, and then writes the word.
func (w *numberWriter) flushAnd(word []byte) error {
	err := w.flush("")
	w.write(word)
	return err
}

// read takes in one word. It says to skip the next if it took that in, too.
func (w *numberWriter) read(prev, this, next token) (skip bool, err error) {
	switch this.role {
	case plain:
		return false, w.readWord(this)
	case zero:
		err = w.value.write(true)
		w.value.digits = append(w.value.digits, '0')
	case ones, onesSuffixed:
		err = w.readOnes(prev, this.n)
	case tens, tensSuffixed:
		err = w.value.add(this.n)
	case power, powerSuffixed:
		err = w.readPower(this.n)
	case preceding:
		if !next.numeric() {
			return false, w.flushAnd(this.word)
		}
		err = w.flush("")
		w.sign = this.text
	case following, followingCent, percent, per:
		return w.readUnit(this, next)
	case and, multiple, point:
		return w.readSpecial(prev, this, next)
	}
	if err == nil && this.endsNumber() {
		err = w.flush(this.text)
	}
	return false, err
}

// endsNumber reports whether a word ends the number that it belongs to.
func (t token) endsNumber() bool {
	return t.role == onesSuffixed || t.role == tensSuffixed || t.role == powerSuffixed
}

// readWord takes in a word that is no number word: a numeral, with or without a
// sign, or any other.
func (w *numberWriter) readWord(this token) error {
	sign, numeral := cutSign(this.word)
	if !this.numeral && (sign == "" || !isNumeral(numeral)) {
		return w.flushAnd(this.word)
	}
	if err := tooLongNumeral(numeral); err != nil {
		return err
	}
	if w.value.state == written && bytes.HasSuffix(w.value.digits, []byte(".")) {
		w.value.digits = append(w.value.digits, this.word...)
		return nil
	}
	if err := w.flush(""); err != nil {
		return err
	}
	if sign != "" {
		w.sign = sign
	}
	w.value.setNumeral(numeral)
	return nil
}

// readOnes takes in a number from one to nineteen, or its ordinal.
func (w *numberWriter) readOnes(prev token, n int) error {
	v := &w.value
	switch {
	case v.state == written && prev.role == tens && n < 10: // the text ends in that "20"
		v.digits[len(v.digits)-1] = '0' + byte(n)
		return nil
	case v.state != unset && prev.role == ones:
		return v.append(n)
	}
	return v.add(n)
}

// readPower takes in a power of ten.
func (w *numberWriter) readPower(power int) error {
	v := &w.value
	switch {
	case v.state == unset:
		v.setPower(power)
	case v.state == integer && !v.isZero():
		v.scale(power)
	case !v.multiply(power):
		err := w.flush("")
		v.setPower(power)
		return err
	}
	return nil
}

// readUnit takes in what may stand after a number: a currency or percent.
func (w *numberWriter) readUnit(this, next token) (skip bool, err error) {
	switch {
	case w.value.state == unset:
		w.write(this.word)
	case this.role == percent:
		err = w.flush(this.text)
	case this.role == per && next.role == followingCent:
		return true, w.flush(this.text)
	case this.role == per:
		err = w.flushAnd(this.word)
	default:
		w.sign = this.text
		err = w.flush("")
	}
	return false, err
}

// readSpecial takes in "and", "point", "double" and "triple", which mean
// something only before a number. A "point" before a power is lost.
func (w *numberWriter) readSpecial(prev, this, next token) (skip bool, err error) {
	digit := next.role == ones || next.role == zero
	switch {
	case !next.numeric():
		err = w.flushAnd(this.word)
	case this.role == and && prev.role == power:
	case this.role == and, this.role == multiple && !digit:
		err = w.flushAnd(this.word)
	case this.role == multiple:
		err = w.value.write(true)
		for range this.n {
			w.value.digits = strconv.AppendInt(w.value.digits, int64(next.n), 10)
		}
		return true, err
	case digit || next.role == tens || next.numeral:
		err = w.value.write(true)
		w.value.digits = append(w.value.digits, '.')
	}
	return false, err
}
