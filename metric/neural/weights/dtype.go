package weights

import (
	"encoding/binary"
	"math"
	"slices"
)

// A DType is how a tensor's elements are stored, little-endian.
type DType uint8

// The types.
const (
	float64Type DType = iota
	float32Type
	f16
	BF16 // the upper half of an F32
	int64Type
	i32
	i16
	i8
	u8
	boolType
)

// types are the names in safetensors, the bytes of an element, and the class
// that torch names in a pickle.
var types = [...]struct {
	name    string
	size    int64
	storage string
}{
	float64Type: {"F64", 8, "DoubleStorage"},
	float32Type: {"F32", 4, "FloatStorage"},
	f16:         {"F16", 2, "HalfStorage"},
	BF16:        {"BF16", 2, "BFloat16Storage"},
	int64Type:   {"I64", 8, "LongStorage"},
	i32:         {"I32", 4, "IntStorage"},
	i16:         {"I16", 2, "ShortStorage"},
	i8:          {"I8", 1, "CharStorage"},
	u8:          {"U8", 1, "ByteStorage"},
	boolType:    {"BOOL", 1, "BoolStorage"},
}

// String is the name in safetensors.
func (d DType) String() string { return types[d].name }

// Size is the bytes of an element.
func (d DType) Size() int { return int(types[d].size) }

// float reports whether elements are floating point numbers.
func (d DType) float() bool { return d <= BF16 }

func typeNamed(name string) (DType, bool) {
	for d := range types {
		if types[d].name == name {
			return DType(d), true
		}
	}
	return 0, false
}

// floats decodes len(out) elements of a floating point type.
func (d DType) floats(out []float32, raw []byte) {
	switch d {
	case float64Type:
		for i := range out {
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
	case float32Type:
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case f16:
		for i := range out {
			out[i] = half(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case BF16:
		for i := range out {
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16)
		}
	}
}

// ints decodes len(out) elements of a type of whole numbers.
func (d DType) ints(out []int64, raw []byte) {
	for i := range out {
		switch d {
		case int64Type:
			out[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
		case i32:
			out[i] = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
		case i16:
			out[i] = int64(int16(binary.LittleEndian.Uint16(raw[2*i:])))
		case i8:
			out[i] = int64(int8(raw[i]))
		default:
			out[i] = int64(raw[i])
		}
	}
}

// half is the value of an IEEE 754 binary16: a sign, 5 bits of exponent and 10
// of fraction. Each has an exact float32.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and subnormal: multiples of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f: // infinite or not a number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// count is the number of elements of a shape, false if there are more than can
// be counted. A zero does not excuse sides that cannot be multiplied.
func count(shape []int) (n int64, ok bool) {
	n = 1
	for _, side := range shape {
		switch {
		case side < 0:
			return 0, false
		case side > 0 && n > math.MaxInt64/16/int64(side): // 16: room for the bytes of an element
			return 0, false
		case side > 0:
			n *= int64(side)
		}
	}
	if slices.Contains(shape, 0) {
		return 0, true
	}
	return n, true
}
