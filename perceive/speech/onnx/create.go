package onnx

import (
	"fmt"
	"math"
)

func constant(_ *runner, n *node, _ []*Tensor) ([]*Tensor, error) {
	if a := n.attrs["value"]; a != nil && a.t != nil {
		return []*Tensor{a.t}, nil
	}
	return nil, fmt.Errorf("a constant that is no tensor is not supported")
}

func constantOfShape(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	shape, err := shapeFrom(in[0])
	if err != nil {
		return nil, err
	}
	value := Floats([]float32{0}, 1)
	if a := n.attrs["value"]; a != nil && a.t != nil && a.t.len() == 1 {
		value = a.t
	}
	return one(r.strided(value, shape, make([]int, len(shape)), 0))
}

// sequence is the operator Range: from start on, by steps, to before the limit.
func sequence(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	for _, t := range in[:3] {
		if t.Kind != int64Kind || t.len() != 1 {
			return nil, fmt.Errorf("it is not supported for %s", t)
		}
	}
	start, limit, step := in[0].I[0], in[1].I[0], in[2].I[0]
	if step == 0 || max(start, -start, limit, -limit, step, -step) > mostElements {
		return nil, fmt.Errorf("from %d to %d by %d is not supported", start, limit, step)
	}
	count := 0
	if (limit > start) == (step > 0) && limit != start {
		count = int((limit - start + step - step/max(step, -step)) / step)
	}
	out, err := r.arena.tensor(int64Kind, []int{count})
	if err != nil {
		return nil, err
	}
	for i := range out.I {
		out.I[i] = start + int64(i)*step
	}
	return []*Tensor{out}, nil
}

// trilu keeps the upper or the lower triangle of matrices.
func trilu(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	axes := len(in[0].Shape)
	if axes < 2 {
		return nil, fmt.Errorf("%s is no matrix", in[0])
	}
	k := int64(0)
	if t := optional(in, 1); t != nil {
		list, err := t.integers()
		if err != nil || len(list) != 1 {
			return nil, fmt.Errorf("%s is no diagonal", t)
		}
		k = list[0]
	}
	out, err := r.arena.tensor(float32Kind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	upper := n.int("upper", 1) != 0
	rows, columns := in[0].Shape[axes-2], in[0].Shape[axes-1]
	for i, v := range in[0].F {
		row, column := int64(i/columns%rows), int64(i%columns)
		if upper && column >= row+k || !upper && column <= row+k {
			out.F[i] = v
		} else {
			out.F[i] = 0
		}
	}
	return []*Tensor{out}, nil
}

func cast(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	to := elementKind(n.int("to", 0))
	if to == in[0].Kind {
		return []*Tensor{view(in[0], in[0].Shape)}, nil
	}
	out, err := r.arena.tensor(to, in[0].Shape)
	if err != nil {
		return nil, err
	}
	value, ok := in[0].values()
	if !ok {
		return nil, fmt.Errorf("it is not supported for %s", in[0])
	}
	switch to {
	case float32Kind:
		if in[0].Kind == int32Kind { // after every product of integers
			for i, v := range in[0].J {
				out.F[i] = float32(v)
			}
			break
		}
		for i := range out.F {
			out.F[i] = float32(value(i))
		}
	case int64Kind:
		for i := range out.I {
			out.I[i] = int64(math.Trunc(value(i)))
		}
	case boolKind:
		for i := range out.B {
			out.B[i] = truth(value(i) != 0)
		}
	default:
		return nil, fmt.Errorf("numbers cannot become %s here", to)
	}
	return []*Tensor{out}, nil
}

// values reads numbers of any kind.
func (t *Tensor) values() (func(i int) float64, bool) {
	switch t.Kind {
	case float32Kind:
		return func(i int) float64 { return float64(t.F[i]) }, true
	case int64Kind:
		return func(i int) float64 { return float64(t.I[i]) }, true
	case int32Kind:
		return func(i int) float64 { return float64(t.J[i]) }, true
	case int8Kind:
		return func(i int) float64 { return float64(int8(t.B[i])) }, true
	case uint8Kind, boolKind:
		return func(i int) float64 { return float64(t.B[i]) }, true
	}
	return nil, false
}
