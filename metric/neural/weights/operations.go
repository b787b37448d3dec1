package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Operations that are known outside the table.
const (
	opStop = '.'
	opInst = 'i'
)

// refusedOps run code, or need what is registered in a Python program.
var refusedOps = map[byte]string{
	opInst: "INST",
	'o':    "OBJ",
	'P':    "PERSID",
	0x81:   "NEWOBJ",
	0x82:   "EXT1",
	0x83:   "EXT2",
	0x84:   "EXT4",
	0x92:   "NEWOBJ_EX",
	0x96:   "BYTEARRAY8",
	0x97:   "NEXT_BUFFER",
	0x98:   "READONLY_BUFFER",
}

// operations are what the others do, by their byte.
var operations = [256]func(*machine) error{
	0x80: (*machine).protocol,
	0x95: func(m *machine) error { _, err := m.number(8); return err }, // FRAME: what follows is read as it comes

	// plain values
	'N':  func(m *machine) error { return m.push(nil) },
	0x88: func(m *machine) error { return m.push(true) },
	0x89: func(m *machine) error { return m.push(false) },
	'J':  func(m *machine) error { n, err := m.number(4); return orPush(m, int64(int32(n)), err) },
	'K':  func(m *machine) error { n, err := m.number(1); return orPush(m, int64(n), err) },
	'M':  func(m *machine) error { n, err := m.number(2); return orPush(m, int64(n), err) },
	0x8a: func(m *machine) error { return m.long(1) },
	0x8b: func(m *machine) error { return m.long(4) },
	'G':  (*machine).float,
	'I':  (*machine).intLine,
	'L':  (*machine).longLine,
	'F':  (*machine).floatLine,
	'S':  (*machine).stringLine,
	'V':  (*machine).unicodeLine,
	'U':  func(m *machine) error { return m.text(1) },
	'T':  func(m *machine) error { return m.text(4) },
	0x8c: func(m *machine) error { return m.text(1) },
	'X':  func(m *machine) error { return m.text(4) },
	0x8d: func(m *machine) error { return m.text(8) },
	'C':  func(m *machine) error { b, err := m.counted(1); return orPush(m, b, err) },
	'B':  func(m *machine) error { b, err := m.counted(4); return orPush(m, b, err) },
	0x8e: func(m *machine) error { b, err := m.counted(8); return orPush(m, b, err) },

	// containers
	'(':  func(m *machine) error { m.marks = append(m.marks, len(m.stack)); return nil },
	')':  func(m *machine) error { return m.push(tuple{}) },
	't':  func(m *machine) error { v, err := m.marked(); return orPush(m, v, err) },
	0x85: func(m *machine) error { v, err := m.take(1); return orPush(m, v, err) },
	0x86: func(m *machine) error { v, err := m.take(2); return orPush(m, v, err) },
	0x87: func(m *machine) error { v, err := m.take(3); return orPush(m, v, err) },
	0x91: func(m *machine) error { v, err := m.marked(); return orPush(m, v, err) }, // a frozenset
	']':  func(m *machine) error { return m.push(&list{}) },
	0x8f: func(m *machine) error { return m.push(&list{}) }, // a set
	'l':  func(m *machine) error { v, err := m.marked(); return orPush(m, &list{v}, err) },
	'a':  func(m *machine) error { return m.extend(m.take(1)) },
	'e':  func(m *machine) error { return m.extend(m.marked()) },
	0x90: func(m *machine) error { return m.extend(m.marked()) },
	'}':  func(m *machine) error { return m.push(&dict{}) },
	'd':  (*machine).dictOf,
	's':  func(m *machine) error { return m.fill(m.take(2)) },
	'u':  func(m *machine) error { return m.fill(m.marked()) },

	// stack and memo
	'0':  (*machine).drop,
	'1':  func(m *machine) error { _, err := m.marked(); return err },
	'2':  func(m *machine) error { v, err := m.top(); return orPush(m, v, err) },
	'p':  func(m *machine) error { return m.keyed((*machine).remember) },
	'q':  func(m *machine) error { return m.numbered(1, (*machine).remember) },
	'r':  func(m *machine) error { return m.numbered(4, (*machine).remember) },
	0x94: func(m *machine) error { return m.remember(uint64(len(m.memo))) },
	'g':  func(m *machine) error { return m.keyed((*machine).recall) },
	'h':  func(m *machine) error { return m.numbered(1, (*machine).recall) },
	'j':  func(m *machine) error { return m.numbered(4, (*machine).recall) },

	// what torch needs: see torch.go
	'c':  (*machine).globalLines,
	0x93: (*machine).globalStack,
	'R':  (*machine).reduce,
	'b':  (*machine).build,
	'Q':  (*machine).outside,
}

func orPush(m *machine, v any, err error) error {
	if err != nil {
		return err
	}
	return m.push(v)
}

func (m *machine) protocol() error {
	n, err := m.number(1)
	if err == nil && n > 5 {
		err = fmt.Errorf("it is a pickle of protocol %d, 0 to 5 are known", n)
	}
	return err
}

// long pushes a whole number in two's complement, little-endian.
func (m *machine) long(size int) error {
	b, err := m.counted(size)
	if err != nil {
		return err
	}
	if len(b) > 8 {
		if len(b) > 255 {
			return tooLong("bytes in one number", 255)
		}
		negative := b[len(b)-1]&0x80 != 0
		slices.Reverse(b)
		n := new(big.Int).SetBytes(b)
		if negative {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return m.push(n)
	}
	var n int64
	for i, x := range b {
		n |= int64(x) << (8 * i)
	}
	if unused := 64 - 8*len(b); unused < 64 {
		n = n << unused >> unused // the sign
	}
	return m.push(n)
}

func (m *machine) float() error {
	b, err := m.bytes(8)
	if err != nil {
		return err
	}
	return m.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
}

// intLine pushes a decimal number; 00 and 01 are false and true.
func (m *machine) intLine() error {
	line, err := m.line()
	switch {
	case err != nil:
		return err
	case line == "00" || line == "01":
		return m.push(line == "01")
	}
	return m.decimal(line)
}

func (m *machine) longLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	return m.decimal(strings.TrimSuffix(line, "L"))
}

func (m *machine) decimal(line string) error {
	if n, err := strconv.ParseInt(line, 10, 64); err == nil {
		return m.push(n)
	}
	n, ok := new(big.Int).SetString(line, 10)
	if !ok {
		return errBroken
	}
	return m.push(n)
}

func (m *machine) floatLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	x, err := strconv.ParseFloat(line, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return errBroken
	}
	return m.push(x)
}

// stringLine pushes a string as Python 2 prints it. torch never writes one, so
// escapes are not read.
func (m *machine) stringLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if len(line) < 2 || line[0] != line[len(line)-1] || line[0] != '\'' && line[0] != '"' || strings.Contains(line, `\`) {
		return errBroken
	}
	return m.characters([]byte(line[1 : len(line)-1]))
}

// unicodeLine pushes a string as Python's raw-unicode-escape encodes it:
// Latin-1, with \uXXXX and \UXXXXXXXX.
func (m *machine) unicodeLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	var out []rune
	for i := 0; i < len(line); i++ {
		digits := 0
		if line[i] == '\\' && i+1 < len(line) {
			digits = map[byte]int{'u': 4, 'U': 8}[line[i+1]]
		}
		if digits == 0 {
			out = append(out, rune(line[i]))
			continue
		}
		if i+2+digits > len(line) {
			return errBroken
		}
		r, err := strconv.ParseUint(line[i+2:i+2+digits], 16, 32)
		if err != nil {
			return errBroken
		}
		out = append(out, rune(r))
		i += 1 + digits
	}
	return m.push(string(out))
}

// text pushes a string that follows the number of its bytes.
func (m *machine) text(size int) error {
	b, err := m.counted(size)
	if err != nil {
		return err
	}
	return m.characters(b)
}

func (m *machine) characters(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("a string is not UTF-8: the file is damaged, get it again")
	}
	return m.push(string(b))
}

// drop takes the top off the stack, be it a value or a mark.
func (m *machine) drop() error {
	if len(m.marks) > 0 && m.floor() == len(m.stack) {
		m.marks = m.marks[:len(m.marks)-1]
		return nil
	}
	_, err := m.pop()
	return err
}

// extend appends values to the list below them.
func (m *machine) extend(values tuple, err error) error {
	if err != nil {
		return err
	}
	v, err := m.top()
	l, ok := v.(*list)
	if err != nil || !ok {
		return errBroken
	}
	l.items = append(l.items, values...)
	return nil
}

func (m *machine) dictOf() error {
	values, err := m.marked()
	if err != nil {
		return err
	}
	m.stack = append(m.stack, &dict{})
	return m.fill(values, nil)
}

// fill puts keys and values, in turn, into the dict below them.
func (m *machine) fill(values tuple, err error) error {
	if err != nil {
		return err
	}
	v, err := m.top()
	d, ok := v.(*dict)
	if err != nil || !ok || len(values)%2 != 0 {
		return errBroken
	}
	for i := 0; i < len(values); i += 2 {
		if err := d.set(values[i], values[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// keyed does something with a key of the memo, a decimal number on a line.
func (m *machine) keyed(do func(*machine, uint64) error) error {
	line, err := m.line()
	if err != nil {
		return err
	}
	key, err := strconv.ParseUint(line, 10, 32)
	if err != nil {
		return errBroken
	}
	return do(m, key)
}

// numbered does something with a key of the memo, a number of size bytes.
func (m *machine) numbered(size int, do func(*machine, uint64) error) error {
	key, err := m.number(size)
	if err != nil {
		return err
	}
	return do(m, key)
}
