package parquetfile

import (
	"encoding/binary"
	"errors"
)

// A thrift reads the compact protocol of Apache Thrift, in which Parquet writes its metadata. It takes no memory beyond the bytes
// that it is given, whatever lengths these claim. After a fault all its methods return zeros, and err says what was wrong.
type thrift struct {
	from []byte
	at   int
	err  error
}

var (
	errShort = errors.New("its metadata break off")
	errWrong = errors.New("its metadata cannot be read")
)

// Types of values in the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13
)

// mostThriftLevels is how deep values may nest: real metadata nest seven deep.
const mostThriftLevels = 32

func (t *thrift) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	t.at = len(t.from)
}

func (t *thrift) byte() byte {
	if t.at >= len(t.from) {
		t.fail(errShort)
		return 0
	}
	t.at++
	return t.from[t.at-1]
}

func (t *thrift) uvarint() uint64 {
	v, n := binary.Uvarint(t.from[t.at:])
	switch {
	case n == 0:
		t.fail(errShort)
	case n < 0:
		t.fail(errWrong)
	default:
		t.at += n
		return v
	}
	return 0
}

// int reads an integer of 16, 32 or 64 bits.
func (t *thrift) int() int64 {
	v := t.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// binary reads bytes, which are part of those that are read from.
func (t *thrift) binary() []byte {
	n := t.uvarint()
	if n > uint64(len(t.from)-t.at) {
		t.fail(errShort)
		return nil
	}
	t.at += int(n)
	return t.from[t.at-int(n) : t.at]
}

// fields calls do for each field of a struct. A field that do does not read it has to skip.
func (t *thrift) fields(do func(id int, kind byte)) {
	id := 0
	for t.err == nil {
		head := t.byte()
		kind := head & 15
		if kind == 0 {
			return
		}
		if delta := int(head >> 4); delta > 0 {
			id += delta
		} else {
			id = int(t.int())
		}
		do(id, kind)
	}
}

// list calls do for each element of a list, and returns how many it says there are. Each element takes a byte at least.
func (t *thrift) list(do func(i int, kind byte)) int {
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.uvarint()
	}
	if n > uint64(len(t.from)-t.at) {
		t.fail(errShort)
		return 0
	}
	for i := range int(n) {
		if t.err != nil {
			break
		}
		do(i, head&15)
	}
	return int(n)
}

// skip reads a value and forgets it. The values of fields that are true or false stand in their kind; in lists they take a byte.
func (t *thrift) skip(kind byte) { t.skipAt(kind, false, 0) }

func (t *thrift) skipAt(kind byte, inList bool, level int) {
	if level > mostThriftLevels {
		t.fail(errWrong)
		return
	}
	switch {
	case kind == thriftTrue || kind == thriftFalse:
		if inList {
			t.byte()
		}
	case kind == thriftByte:
		t.byte()
	case kind >= thriftI16 && kind <= thriftI64:
		t.uvarint()
	case kind == thriftDouble:
		t.bytes(8)
	case kind == thriftUUID:
		t.bytes(16)
	case kind == thriftBinary:
		t.binary()
	case kind == thriftList || kind == thriftSet:
		t.list(func(_ int, kind byte) { t.skipAt(kind, true, level+1) })
	case kind == thriftMap:
		t.skipMap(level)
	case kind == thriftStruct:
		t.fields(func(_ int, kind byte) { t.skipAt(kind, false, level+1) })
	default:
		t.fail(errWrong)
	}
}

func (t *thrift) skipMap(level int) {
	n := t.uvarint()
	if n == 0 {
		return
	}
	kinds := t.byte()
	for range min(n, uint64(len(t.from))) {
		if t.err != nil {
			return
		}
		t.skipAt(kinds>>4, true, level+1)
		t.skipAt(kinds&15, true, level+1)
	}
}

func (t *thrift) bytes(n int) {
	if n > len(t.from)-t.at {
		t.fail(errShort)
		return
	}
	t.at += n
}
