package onnx

import "math/bits"

// A buffer is memory that tensors share: a reshaped tensor lies where the
// original does. It is used again when no value needs it any more.
type buffer struct {
	floats []float32
	ints   []int32
	bytes  []byte
	refs   int
}

// An arena hands out memory and takes it back. It belongs to one run at a time.
type arena struct {
	floats pool[float32]
	ints   pool[int32]
	bytes  pool[byte]
}

// A pool keeps free memory by size: free[i] holds slices of capacity 1<<i.
type pool[T any] struct {
	free [32][][]T
}

// get returns n numbers with anything in them.
func (p *pool[T]) get(n int) []T {
	class := bits.Len(uint(max(n, 1) - 1))
	if list := p.free[class]; len(list) > 0 {
		s := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		return s[:n]
	}
	return make([]T, n, 1<<class)
}

func (p *pool[T]) put(s []T) {
	if s != nil {
		class := bits.Len(uint(cap(s) - 1))
		p.free[class] = append(p.free[class], s)
	}
}

// tensor returns one with anything in it.
func (a *arena) tensor(kind elementKind, shape []int) (*Tensor, error) {
	n, err := elements(shape)
	if err != nil {
		return nil, err
	}
	t := &Tensor{Kind: kind, Shape: shape, buffer: &buffer{refs: 1}}
	switch kind {
	case float32Kind:
		t.F = a.floats.get(n)
		t.buffer.floats = t.F
	case int32Kind:
		t.J = a.ints.get(n)
		t.buffer.ints = t.J
	case int64Kind: // sizes and indexes only: few
		t.I = make([]int64, n)
	default:
		t.B = a.bytes.get(n)
		t.buffer.bytes = t.B
	}
	return t, nil
}

// view is the same numbers in another shape.
func view(t *Tensor, shape []int) *Tensor {
	v := *t
	v.Shape = shape
	v.retain()
	return &v
}

// retain counts one more value in the tensor's memory.
func (t *Tensor) retain() {
	if t.buffer != nil {
		t.buffer.refs++
	}
}

// release counts one value less.
func (a *arena) release(t *Tensor) {
	b := t.buffer
	if b == nil {
		return
	}
	if b.refs--; b.refs == 0 {
		a.floats.put(b.floats)
		a.ints.put(b.ints)
		a.bytes.put(b.bytes)
	}
}
