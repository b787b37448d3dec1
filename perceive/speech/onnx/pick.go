package onnx

import (
	"fmt"
	"slices"
)

// slice cuts ranges out of axes: data, starts, ends, axes, steps.
func slice(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	var lists [4][]int64
	for i := range lists {
		if t := optional(in, 1+i); t != nil {
			var err error
			if lists[i], err = t.integers(); err != nil {
				return nil, err
			}
		}
	}
	starts, ends, axes, steps := lists[0], lists[1], lists[2], lists[3]
	if optional(in, 3) == nil {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	if optional(in, 4) == nil {
		steps = slices.Repeat([]int64{1}, len(starts))
	}
	if len(ends) != len(starts) || len(axes) != len(starts) || len(steps) != len(starts) {
		return nil, fmt.Errorf("%d starts, %d ends, %d axes and %d steps", len(starts), len(ends), len(axes), len(steps))
	}
	shape := slices.Clone(in[0].Shape)
	apart := neighbours(shape)
	offset := 0
	for i, a := range axes {
		k, err := axis(a, len(shape))
		if err != nil {
			return nil, err
		}
		if steps[i] == 0 {
			return nil, fmt.Errorf("a step is 0")
		}
		first, count := cut(in[0].Shape[k], starts[i], ends[i], steps[i])
		if count == 0 {
			first = 0
		}
		offset += first * apart[k]
		shape[k] = count
		apart[k] *= int(min(max(steps[i], -mostElements), mostElements))
	}
	return one(r.strided(in[0], shape, apart, offset))
}

// cut returns the first index and the number of indexes of a range of an axis
// of length d. Limits beyond the axis are moved to it; those below zero count
// from its end.
func cut(d int, start, end, step int64) (first, count int) {
	length := int64(d)
	if start < 0 {
		start += length
	}
	if end < 0 && end >= -length {
		end += length
	} else if end < 0 {
		end = -1
	}
	if step > 0 {
		start, end = min(max(start, 0), length), min(max(end, 0), length)
		if end <= start {
			return 0, 0
		}
		return int(start), int((end-start-1)/step + 1)
	}
	start, end = min(max(start, 0), length-1), min(max(end, -1), length-1)
	if end >= start {
		return 0, 0
	}
	return int(start), int((start-end-1)/-step) + 1
}

// gather takes parts of an axis by their indexes.
func gather(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	along, err := axis(n.int("axis", 0), len(in[0].Shape))
	if err != nil {
		return nil, err
	}
	list, err := in[1].integers()
	if err != nil {
		return nil, err
	}
	d := in[0].Shape[along]
	indexes := make([]int, len(list))
	for i, v := range list {
		if v < 0 {
			v += int64(d)
		}
		if v < 0 || v >= int64(d) {
			return nil, fmt.Errorf("there is no %d along axis %d of %s", list[i], along, in[0])
		}
		indexes[i] = int(v)
	}
	shape := slices.Concat(in[0].Shape[:along], in[1].Shape, in[0].Shape[along+1:])
	return one(r.take(in[0], along, indexes, shape))
}

// take copies parts of an axis into a new tensor of that shape.
func (r *runner) take(t *Tensor, along int, indexes, shape []int) (*Tensor, error) {
	out, err := r.arena.tensor(t.Kind, shape)
	if err != nil {
		return nil, err
	}
	outer, d, inner := product(t.Shape[:along]), t.Shape[along], product(t.Shape[along+1:])
	to := 0
	for o := range outer {
		for _, i := range indexes {
			out.paste(to, t, (o*d+i)*inner, inner)
			to += inner
		}
	}
	return out, nil
}

// paste copies n numbers of another tensor of the kind, from one place to another.
func (t *Tensor) paste(to int, from *Tensor, at, n int) {
	switch t.Kind {
	case float32Kind:
		copy(t.F[to:to+n], from.F[at:])
	case int64Kind:
		copy(t.I[to:to+n], from.I[at:])
	case int32Kind:
		copy(t.J[to:to+n], from.J[at:])
	default:
		copy(t.B[to:to+n], from.B[at:])
	}
}

func concat(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	if i := slices.Index(in, nil); i >= 0 {
		return nil, fmt.Errorf("input %d is missing", i+1)
	}
	along, err := axis(n.int("axis", 0), len(in[0].Shape))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(in[0].Shape)
	for _, t := range in[1:] {
		if t.Kind != in[0].Kind || len(t.Shape) != len(shape) {
			return nil, fmt.Errorf("%s and %s cannot be joined", in[0], t)
		}
		for i, d := range t.Shape {
			if i == along {
				shape[i] += d
			} else if d != shape[i] {
				return nil, fmt.Errorf("%s and %s cannot be joined along axis %d", in[0], t, along)
			}
		}
	}
	out, err := r.arena.tensor(in[0].Kind, shape)
	if err != nil {
		return nil, err
	}
	outer, row := product(shape[:along]), product(shape[along:])
	at := 0
	for _, t := range in {
		length := product(t.Shape[along:])
		for o := range outer {
			out.paste(o*row+at, t, o*length, length)
		}
		at += length
	}
	return []*Tensor{out}, nil
}

// pad adds to both ends of axes what lies there in a mirror (mode reflect; the
// others are not implemented): data, and how much at all starts, then at all
// ends.
func pad(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	if mode := n.text("mode", "constant"); mode != "reflect" {
		return nil, fmt.Errorf("the mode %q is not supported", mode)
	}
	pads, err := in[1].integers()
	if err != nil {
		return nil, err
	}
	axes := len(in[0].Shape)
	if len(pads) != 2*axes {
		return nil, fmt.Errorf("%d numbers do not say how %d axes grow", len(pads), axes)
	}
	out := view(in[0], in[0].Shape)
	for i := range axes {
		before, after, d := pads[i], pads[axes+i], int64(out.Shape[i])
		if before == 0 && after == 0 {
			continue
		}
		if before < 0 || after < 0 || before >= d || after >= d {
			return nil, fmt.Errorf("an axis of %d cannot be mirrored by %d and %d", d, before, after)
		}
		var indexes []int
		for k := -before; k < d+after; k++ {
			at := max(k, -k)
			if at >= d {
				at = 2*(d-1) - at
			}
			indexes = append(indexes, int(at))
		}
		shape := slices.Clone(out.Shape)
		shape[i] = len(indexes)
		next, err := r.take(out, i, indexes, shape)
		if err != nil {
			return nil, err
		}
		r.arena.release(out)
		out = next
	}
	return []*Tensor{out}, nil
}
