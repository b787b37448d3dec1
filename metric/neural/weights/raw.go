package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// IsFloat reports whether elements are floating point numbers.
func (d DType) IsFloat() bool { return d.float() }

// Float64s decodes len(out) elements, as they are stored, of a floating point type. None is rounded.
func (d DType) Float64s(out []float64, raw []byte) {
	switch d {
	case float64Type:
		for i := range out {
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
		}
	case float32Type:
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
		}
	case f16:
		for i := range out {
			out[i] = float64(half(binary.LittleEndian.Uint16(raw[2*i:])))
		}
	case BF16:
		for i := range out {
			out[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16))
		}
	}
}

// Pairs calls each with the stored bytes of the same elements of two tensors of one type and shape: count elements from number
// first on, row by row, some thousands at a time. The bytes are each's to read and not to keep. Memory of mapped files is
// given back afterwards.
func Pairs(a, b Tensor, first, count int, each func(a, b []byte) error) error {
	const most = 1 << 15 // elements; both pieces fit the cache of a core
	if a.Type != b.Type || !slices.Equal(a.Shape, b.Shape) {
		return a.wrong(fmt.Errorf("is %s of shape %v here and %s of shape %v in %s", a.Type, a.Shape, b.Type, b.Shape, b.file.disk.path))
	}
	readA, err := a.reader()
	if err != nil {
		return err
	}
	readB, err := b.reader()
	if err != nil {
		return err
	}
	for from, end := first, first+count; from < end; from += most {
		n := min(most, end-from)
		x, err := readA(from, n)
		if err != nil {
			return a.wrong(err)
		}
		y, err := readB(from, n)
		if err != nil {
			return b.wrong(err)
		}
		if err := each(x, y); err != nil {
			return err
		}
	}
	a.forget(first, count)
	b.forget(first, count)
	return nil
}

// forget is Release for some of the elements.
func (t Tensor) forget(first, count int) {
	if t.store.packed == nil && t.contiguous() && !t.file.disk.closed.Load() {
		size := int64(t.Type.Size())
		t.file.disk.forget(t.store.at+(t.offset+int64(first))*size, int64(count)*size)
	}
}
