package onnx

import (
	"encoding/binary"
	"errors"
)

// errWire is what every broken message comes to: the file is cut off or no
// protocol buffer at all.
var errWire = errors.New("the file is damaged or is not an ONNX model")

// wire types of the protocol buffer encoding.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// A field is one field of a protocol buffer message.
type field struct {
	number int
	wire   int
	value  uint64 // varints and fixed numbers
	bytes  []byte // a part of the message, not a copy
}

// fields calls f with each field of a message. It reads nothing beyond the
// message and returns f's first error.
func fields(message []byte, f func(field) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29 {
			return errWire
		}
		message = message[n:]
		next := field{number: int(tag >> 3), wire: int(tag & 7)}
		switch next.wire {
		case wireVarint:
			if next.value, n = binary.Uvarint(message); n <= 0 {
				return errWire
			}
		case wireFixed64:
			if n = 8; len(message) < n {
				return errWire
			}
			next.value = binary.LittleEndian.Uint64(message)
		case wireFixed32:
			if n = 4; len(message) < n {
				return errWire
			}
			next.value = uint64(binary.LittleEndian.Uint32(message))
		case wireBytes:
			length, start := binary.Uvarint(message)
			if start <= 0 || length > uint64(len(message)-start) {
				return errWire
			}
			n = start + int(length)
			next.bytes = message[start:n]
		default:
			return errWire
		}
		message = message[n:]
		if err := f(next); err != nil {
			return err
		}
	}
	return nil
}

// numbers appends the numbers of a repeated field, which is one number or a
// packed row of them.
func (f field) numbers(list []uint64) ([]uint64, error) {
	if f.wire != wireBytes {
		return append(list, f.value), nil
	}
	for rest := f.bytes; len(rest) > 0; {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, errWire
		}
		list, rest = append(list, v), rest[n:]
	}
	return list, nil
}

// floatBits appends the 32-bit numbers of a repeated field of floats.
func (f field) floatBits(list []uint32) ([]uint32, error) {
	switch {
	case f.wire == wireFixed32:
		return append(list, uint32(f.value)), nil
	case f.wire != wireBytes || len(f.bytes)%4 != 0:
		return nil, errWire
	}
	for rest := f.bytes; len(rest) > 0; rest = rest[4:] {
		list = append(list, binary.LittleEndian.Uint32(rest))
	}
	return list, nil
}
