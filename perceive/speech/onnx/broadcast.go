package onnx

import (
	"fmt"
	"slices"
)

// broadcast is the shape of what is computed from tensors of shapes a and b:
// axes are matched from the last, and one that is missing or 1 is repeated.
func broadcast(a, b []int) ([]int, error) {
	shape := make([]int, max(len(a), len(b)))
	for i := range shape {
		x, y := fromEnd(a, len(shape)-i), fromEnd(b, len(shape)-i)
		switch {
		case x == y || y == 1:
			shape[i] = x
		case x == 1:
			shape[i] = y
		default:
			return nil, fmt.Errorf("shapes %v and %v do not fit together", a, b)
		}
	}
	return shape, nil
}

func fromEnd(shape []int, i int) int {
	if i > len(shape) {
		return 1
	}
	return shape[len(shape)-i]
}

// strides are how far apart neighbours along each axis of shape lie in a
// tensor that is repeated to it: 0 where it is.
func strides(of, shape []int) []int {
	list := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		d := fromEnd(of, len(shape)-i)
		if d != 1 {
			list[i] = step
		}
		step *= d
	}
	return list
}

// A walk visits all places of a shape, a row at a time: row is called with
// where the row starts in each of three tensors, how long it is, and the
// strides along it.
type walk struct {
	shape   []int
	strides [3][]int
}

// merged joins axes that lie one after the other in all tensors, so that rows
// become long.
func (w walk) merged() walk {
	var m walk
	for i, d := range w.shape {
		if d == 1 {
			continue
		}
		last := len(m.shape) - 1
		joined := last >= 0
		for k := range w.strides {
			joined = joined && m.strides[k][last] == w.strides[k][i]*d
		}
		if joined {
			m.shape[last] *= d
			for k := range w.strides {
				m.strides[k][last] = w.strides[k][i]
			}
			continue
		}
		m.shape = append(m.shape, d)
		for k := range w.strides {
			m.strides[k] = append(m.strides[k], w.strides[k][i])
		}
	}
	return m
}

func (w walk) rows(row func(at [3]int, n int, step [3]int)) {
	if product(w.shape) == 0 {
		return
	}
	w = w.merged()
	if len(w.shape) == 0 {
		row([3]int{}, 1, [3]int{})
		return
	}
	last := len(w.shape) - 1
	var at, step [3]int
	for k := range step {
		step[k] = w.strides[k][last]
	}
	index := make([]int, last)
	for {
		row(at, w.shape[last], step)
		i := last - 1
		for ; i >= 0; i-- {
			index[i]++
			for k := range at {
				at[k] += w.strides[k][i]
			}
			if index[i] < w.shape[i] {
				break
			}
			for k := range at {
				at[k] -= w.strides[k][i] * w.shape[i]
			}
			index[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// combine computes every number of out from its two partners.
func combine[T, U any](w walk, a, b []T, out []U, f func(T, T) U) {
	to := 0
	w.rows(func(at [3]int, n int, step [3]int) {
		i, j := at[0], at[1]
		switch {
		case step[0] == 1 && step[1] == 1:
			x, y, z := a[i:i+n], b[j:j+n], out[to:to+n]
			for k := range z {
				z[k] = f(x[k], y[k])
			}
		default:
			for k := range n {
				out[to+k] = f(a[i], b[j])
				i, j = i+step[0], j+step[1]
			}
		}
		to += n
	})
}

// matched returns the walk over two tensors and the shape of the result.
func matched(a, b *Tensor) (walk, []int, error) {
	if a.Kind != b.Kind {
		return walk{}, nil, fmt.Errorf("%s and %s are of different kinds", a, b)
	}
	shape, err := broadcast(a.Shape, b.Shape)
	if err != nil {
		return walk{}, nil, err
	}
	return walk{shape, [3][]int{strides(a.Shape, shape), strides(b.Shape, shape), make([]int, len(shape))}}, shape, nil
}

// strided copies numbers that lie strides apart, from offset on, into a new
// tensor of that shape. A stride may be 0 or negative.
func (r *runner) strided(t *Tensor, shape, steps []int, offset int) (*Tensor, error) {
	out, err := r.arena.tensor(t.Kind, slices.Clone(shape))
	if err != nil {
		return nil, err
	}
	zero := make([]int, len(shape))
	w := walk{shape, [3][]int{steps, zero, zero}}
	switch t.Kind {
	case float32Kind:
		pick(w, out.F, t.F, offset)
	case int64Kind:
		pick(w, out.I, t.I, offset)
	case int32Kind:
		pick(w, out.J, t.J, offset)
	default:
		pick(w, out.B, t.B, offset)
	}
	return out, nil
}

func pick[T any](w walk, out, from []T, offset int) {
	to := 0
	w.rows(func(at [3]int, n int, step [3]int) {
		i := at[0] + offset
		if step[0] == 1 {
			copy(out[to:to+n], from[i:i+n])
		} else {
			for k := range n {
				out[to+k] = from[i+k*step[0]]
			}
		}
		to += n
	})
}
