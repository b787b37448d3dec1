package weights

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"
)

// maxDims is how many sides a tensor can have.
const maxDims = 32

// maxInflated is how large a compressed storage may become. Its bytes are all
// in memory while a tensor of it is read.
const maxInflated int64 = 2 << 30

// A Tensor is an array in a File.
type Tensor struct {
	Name  string
	Type  DType
	Shape []int // empty for a single number

	file   *File
	store  storage
	offset int64   // of the first element in store, in elements
	stride []int64 // in elements, one for each side; nil: one element behind the other
}

// A storage is bytes of the file in which one or more tensors lie.
type storage struct {
	at, size int64
	packed   *zip.File // compressed: at and size do not apply
}

// Len is the number of elements.
func (t Tensor) Len() int {
	n, _ := count(t.Shape) // was checked when the file was opened
	return int(n)
}

// Floats returns the elements, row by row, as float32: those of an F64 are
// rounded, those of an F16 or BF16 are exact. A tensor of whole numbers is an
// error.
//
// Elements that lie in the mapped file as float32, one behind the other, are
// not copied: the slice is the file, must not be written to, and must not be
// read after File.Close.
func (t Tensor) Floats() ([]float32, error) {
	if !t.Type.float() {
		return nil, t.wrong(fmt.Errorf("holds whole numbers (%s), floating point numbers are needed", t.Type))
	}
	if in := t.inPlace(); in != nil {
		return in, nil
	}
	out := make([]float32, t.Len())
	err := t.pieces(func(from int, raw []byte) error {
		n := len(raw) / t.Type.Size()
		t.Type.floats(out[from:from+n], raw)
		return nil
	})
	return out, err
}

// Ints returns the elements of a tensor of whole numbers, row by row; those of
// a BOOL are 0 and 1. A tensor of floating point numbers is an error.
func (t Tensor) Ints() ([]int64, error) {
	if t.Type.float() {
		return nil, t.wrong(fmt.Errorf("holds floating point numbers (%s), whole numbers are needed", t.Type))
	}
	out := make([]int64, t.Len())
	err := t.pieces(func(from int, raw []byte) error {
		n := len(raw) / t.Type.Size()
		t.Type.ints(out[from:from+n], raw)
		return nil
	})
	return out, err
}

// Release gives the tensor's part of a mapped file back to the system, which
// reads it again if it is needed again. Slices that Floats did not have to copy
// stay valid. It is for tensors that have been copied elsewhere; there is no
// need to call it.
func (t Tensor) Release() {
	if t.store.packed == nil && !t.file.disk.closed.Load() {
		first, last := t.reach()
		size := int64(t.Type.Size())
		t.file.disk.forget(t.store.at+first*size, (last-first)*size)
	}
}

// inPlace is the tensor as it lies in the mapped file, nil if it has to be
// copied.
func (t Tensor) inPlace() []float32 {
	mapped := t.file.disk.mapped
	if t.Type != float32Type || t.store.packed != nil || mapped == nil || t.Len() == 0 || !t.contiguous() || t.file.disk.closed.Load() {
		return nil
	}
	first := unsafe.Pointer(&mapped[t.store.at+4*t.offset])
	if uintptr(first)%4 != 0 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil
	}
	return unsafe.Slice((*float32)(first), t.Len())
}

// contiguous reports whether the elements lie one behind the other, row by row.
func (t Tensor) contiguous() bool {
	if t.stride == nil {
		return true
	}
	want := int64(1)
	for i := len(t.Shape) - 1; i >= 0; i-- {
		if side := t.Shape[i]; side != 1 {
			if t.stride[i] != want {
				return false
			}
			want *= int64(side)
		}
	}
	return true
}

// reach returns the elements of the storage between which the tensor lies, the
// last not included.
func (t Tensor) reach() (first, last int64) {
	n := int64(t.Len())
	if n == 0 || t.stride == nil {
		return t.offset, t.offset + n
	}
	last = t.offset + 1
	for i, side := range t.Shape {
		last += int64(side-1) * t.stride[i]
	}
	return t.offset, last
}

// check is whether a tensor with strides lies within so many elements.
func (t Tensor) check(elements int64) error {
	n, ok := count(t.Shape)
	if !ok || n > math.MaxInt {
		return fmt.Errorf("has the impossible shape %v", t.Shape)
	}
	if n == 0 {
		elements++ // it may begin where the storage ends
	}
	beyond := errors.New("reaches beyond its storage")
	left := elements - 1 - t.offset
	if t.offset < 0 || left < 0 {
		return beyond
	}
	for i, side := range t.Shape {
		if n == 0 || side < 2 {
			continue
		}
		if t.stride[i] > left/int64(side-1) {
			return beyond
		}
		left -= int64(side-1) * t.stride[i]
	}
	return nil
}

// pieces calls each with the bytes of the elements, row by row, some thousands
// at a time; from is the number of the first. The bytes are each's to read and
// not to keep.
func (t Tensor) pieces(each func(from int, raw []byte) error) error {
	const most = 1 << 18 // elements
	read, err := t.reader()
	if err != nil {
		return err
	}
	total := t.Len()
	for from := 0; from < total; from += most {
		raw, err := read(from, min(most, total-from))
		if err != nil {
			return t.wrong(err)
		}
		if err := each(from, raw); err != nil {
			return err
		}
	}
	return nil
}

// A reader returns the bytes of n elements, counted row by row, until its next
// call.
type reader func(from, n int) ([]byte, error)

// reader opens the tensor.
func (t Tensor) reader() (reader, error) {
	d, size := t.file.disk, int64(t.Type.Size())
	if d.closed.Load() {
		return nil, t.wrong(errClosed)
	}
	first, last := t.reach()
	if t.store.packed == nil && t.contiguous() {
		return func(from, n int) ([]byte, error) {
			return d.at(t.store.at+(first+int64(from))*size, int64(n)*size)
		}, nil
	}
	span, err := t.span(first*size, last*size)
	if err != nil {
		return nil, t.wrong(err)
	}
	if t.contiguous() {
		return func(from, n int) ([]byte, error) {
			return span[int64(from)*size:][:int64(n)*size], nil
		}, nil
	}
	var row []byte
	return func(from, n int) ([]byte, error) {
		row = t.gather(row[:0], span, from, n)
		return row, nil
	}, nil
}

// span returns a range of the bytes of the storage.
func (t Tensor) span(from, to int64) ([]byte, error) {
	if t.store.packed == nil {
		return t.file.disk.at(t.store.at+from, to-from)
	}
	r, err := t.store.packed.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if _, err := io.CopyN(io.Discard, r, from); err != nil {
		return nil, err
	}
	span := make([]byte, to-from)
	if _, err := io.ReadFull(r, span); err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, r) // the checksum is that of the whole
	return span, err
}

// gather appends n elements to out, counted row by row from the from-th. span
// begins with the tensor's first element.
func (t Tensor) gather(out, span []byte, from, n int) []byte {
	size := int64(t.Type.Size())
	index := make([]int, len(t.Shape))
	at := int64(0)
	for i := len(t.Shape) - 1; i >= 0; i-- {
		index[i] = from % t.Shape[i]
		from /= t.Shape[i]
		at += int64(index[i]) * t.stride[i]
	}
	for range n {
		out = append(out, span[at*size:][:size]...)
		for i := len(t.Shape) - 1; i >= 0; i-- {
			if index[i]++; index[i] < t.Shape[i] {
				at += t.stride[i]
				break
			}
			at -= int64(t.Shape[i]-1) * t.stride[i]
			index[i] = 0
		}
	}
	return out
}

func (t Tensor) wrong(err error) error {
	return t.file.invalid(fmt.Errorf("tensor %.200q %w", t.Name, err))
}
