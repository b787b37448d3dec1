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
	size := s.kind.size()
	if size == 0 {
		return nil, fmt.Errorf("numbers of ONNX type %d are not supported", s.kind)
	}
	if s.hasRaw {
		if len(s.raw) != n*size {
			return nil, errWire
		}
	} else if have := max(len(s.floats), len(s.ints)); have != n {
		return nil, errWire
	}
	t := &Tensor{Kind: s.kind, Shape: s.shape}
	switch s.kind {
	case float32Kind:
		t.F = make([]float32, n)
		for i := range t.F {
			if s.hasRaw {
				t.F[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.raw[4*i:]))
			} else if i < len(s.floats) {
				t.F[i] = math.Float32frombits(s.floats[i])
			}
		}
	case int64Kind:
		t.I = make([]int64, n)
		for i := range t.I {
			if s.hasRaw {
				t.I[i] = int64(binary.LittleEndian.Uint64(s.raw[8*i:]))
			} else if i < len(s.ints) {
				t.I[i] = int64(s.ints[i])
			}
		}
	case int32Kind:
		t.J = make([]int32, n)
		for i := range t.J {
			if s.hasRaw {
				t.J[i] = int32(binary.LittleEndian.Uint32(s.raw[4*i:]))
			} else if i < len(s.ints) {
				t.J[i] = int32(s.ints[i])
			}
		}
	default:
		t.B = make([]byte, n)
		copy(t.B, s.raw)
		for i := range min(n, len(s.ints)) {
			t.B[i] = byte(s.ints[i])
		}
	}
	return t, nil
}
