package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A stored tensor: its numbers are raw bytes or one of the typed fields.
type stored struct {
	name   string
	shape  []int
	kind   elementKind
	raw    []byte
	hasRaw bool
	floats []uint32
	ints   []uint64
}

func readTensor(message []byte) (*Tensor, string, error) {
	s := stored{shape: []int{}}
	err := fields(message, func(f field) (err error) {
		switch f.number {
		case 1:
			var dims []uint64
			if dims, err = f.numbers(nil); err != nil {
				return err
			}
			for _, d := range dims {
				if d > mostElements || len(s.shape) == mostAxes {
					return fmt.Errorf("a tensor is too large")
				}
				s.shape = append(s.shape, int(d))
			}
		case 2:
			s.kind = elementKind(min(f.value, 255))
		case 4:
			s.floats, err = f.floatBits(s.floats)
		case 5, 7:
			s.ints, err = f.numbers(s.ints)
		case 8:
			s.name = string(f.bytes)
		case 9:
			s.raw, s.hasRaw = f.bytes, true
		case 13:
			return fmt.Errorf("its numbers are in another file, which is not supported")
		}
		return err
	})
	if err != nil {
		return nil, s.name, err
	}
	t, err := s.tensor()
	return t, s.name, err
}

// tensor copies the numbers out of the file.
func (s *stored) tensor() (*Tensor, error) {
	n, err := elements(s.shape)
	if err != nil {
		return nil, err
	}
	size := kinds[s.kind].size
	have := max(len(s.floats), len(s.ints))
	switch {
	case size == 0:
		return nil, fmt.Errorf("numbers of ONNX type %d are not supported", s.kind)
	case s.hasRaw && len(s.raw) != n*size, !s.hasRaw && have != n:
		return nil, errWire
	}
	t := &Tensor{Kind: s.kind, Shape: s.shape}
	switch s.kind {
	case float32Kind:
		t.F = copied(s, n, s.floats, func(raw []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(raw)) }, math.Float32frombits)
	case int64Kind:
		t.I = copied(s, n, s.ints, func(raw []byte) int64 { return int64(binary.LittleEndian.Uint64(raw)) }, func(v uint64) int64 { return int64(v) })
	case int32Kind:
		t.J = copied(s, n, s.ints, func(raw []byte) int32 { return int32(binary.LittleEndian.Uint32(raw)) }, func(v uint64) int32 { return int32(v) })
	default:
		t.B = make([]byte, n)
		copy(t.B, s.raw)
		for i := range min(n, len(s.ints)) {
			t.B[i] = byte(s.ints[i])
		}
	}
	return t, nil
}

// copied returns n numbers: the raw ones, or else the numbers of the typed field. Numbers that the typed field lacks are
// 0, since a file can fill the field of another kind.
func copied[T, U any](s *stored, n int, typed []U, fromRaw func([]byte) T, from func(U) T) []T {
	list, size := make([]T, n), kinds[s.kind].size
	for i := range list {
		if s.hasRaw {
			list[i] = fromRaw(s.raw[size*i:])
		} else if i < len(typed) {
			list[i] = from(typed[i])
		}
	}
	return list
}
