package onnx

import (
	"fmt"
	"slices"
)

func identity(_ *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	return []*Tensor{view(in[0], in[0].Shape)}, nil
}

func shapeOf(_ *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	if n.attrs["start"] != nil || n.attrs["end"] != nil {
		return nil, fmt.Errorf("a part of a shape is not supported")
	}
	out := Ints(make([]int64, len(in[0].Shape)), len(in[0].Shape))
	for i, d := range in[0].Shape {
		out.I[i] = int64(d)
	}
	return []*Tensor{out}, nil
}

func sizeOf(_ *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	return []*Tensor{Ints([]int64{int64(in[0].len())})}, nil
}

// shapeFrom reads a shape out of a tensor.
func shapeFrom(t *Tensor) ([]int, error) {
	list, err := t.integers()
	if err != nil {
		return nil, err
	}
	shape := make([]int, len(list))
	for i, d := range list {
		if d < -1 || d > mostElements {
			return nil, fmt.Errorf("%v is no shape", list)
		}
		shape[i] = int(d)
	}
	return shape, nil
}

func reshape(_ *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	shape, err := shapeFrom(in[1])
	if err != nil {
		return nil, err
	}
	open, known := -1, 1
	for i, d := range shape {
		if d == 0 && n.int("allowzero", 0) == 0 {
			if i >= len(in[0].Shape) {
				return nil, fmt.Errorf("%v does not fit %s", shape, in[0])
			}
			shape[i] = in[0].Shape[i]
		}
		if d == -1 {
			open = i
			continue
		}
		known *= shape[i]
	}
	if open >= 0 {
		if known == 0 {
			return nil, fmt.Errorf("%v does not say how %s is divided", shape, in[0])
		}
		shape[open] = in[0].len() / known
	}
	if got, err := elements(shape); err != nil || got != in[0].len() {
		return nil, fmt.Errorf("%s cannot become %v", in[0], shape)
	}
	return []*Tensor{view(in[0], shape)}, nil
}

// axesOf reads a list of axes, in order.
func axesOf(t *Tensor, axes int) ([]int, error) {
	list, err := t.integers()
	if err != nil {
		return nil, err
	}
	var found []int
	for _, a := range list {
		i, err := axis(a, axes)
		if err != nil {
			return nil, err
		}
		found = append(found, i)
	}
	slices.Sort(found)
	if len(slices.Compact(slices.Clone(found))) != len(found) {
		return nil, fmt.Errorf("an axis is named twice in %v", list)
	}
	return found, nil
}

func squeeze(_ *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	shape := in[0].Shape
	if optional(in, 1) == nil {
		return []*Tensor{view(in[0], slices.DeleteFunc(slices.Clone(shape), func(d int) bool { return d == 1 }))}, nil
	}
	axes, err := axesOf(in[1], len(shape))
	if err != nil {
		return nil, err
	}
	left := []int{}
	for i, d := range shape {
		switch {
		case !slices.Contains(axes, i):
			left = append(left, d)
		case d != 1:
			return nil, fmt.Errorf("axis %d of %s is not 1", i, in[0])
		}
	}
	return []*Tensor{view(in[0], left)}, nil
}

func unsqueeze(_ *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	axes, err := axesOf(in[1], len(in[0].Shape)+in[1].len())
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(in[0].Shape)
	for _, a := range axes {
		shape = slices.Insert(shape, a, 1)
	}
	return []*Tensor{view(in[0], shape)}, nil
}

func transpose(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	axes := len(in[0].Shape)
	order := make([]int, axes)
	for i := range order {
		order[i] = axes - 1 - i
	}
	if list := n.ints("perm"); list != nil {
		var err error
		if order, err = permutation(list, axes); err != nil {
			return nil, err
		}
	}
	own := neighbours(in[0].Shape)
	shape, steps := make([]int, axes), make([]int, axes)
	for i, a := range order {
		shape[i], steps[i] = in[0].Shape[a], own[a]
	}
	return one(r.strided(in[0], shape, steps, 0))
}

func permutation(list []int64, axes int) ([]int, error) {
	order := make([]int, len(list))
	seen := make([]bool, axes)
	for i, a := range list {
		if a < 0 || a >= int64(axes) || seen[a] || len(list) != axes {
			return nil, fmt.Errorf("%v is no order of %d axes", list, axes)
		}
		order[i], seen[a] = int(a), true
	}
	return order, nil
}

func expand(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	shape, err := shapeFrom(in[1])
	if err != nil {
		return nil, err
	}
	if shape, err = broadcast(in[0].Shape, shape); err != nil {
		return nil, err
	}
	return one(r.strided(in[0], shape, strides(in[0].Shape, shape), 0))
}
