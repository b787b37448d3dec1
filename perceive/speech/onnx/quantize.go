package onnx

import (
	"fmt"
	"math"
)

// quantize is DynamicQuantizeLinear: the range of the numbers, which is made
// to hold 0, is divided into 255 steps. It returns the numbers as steps, the
// size of a step, and which step is 0.
func quantize(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	var lowest, highest float32
	for _, v := range in[0].F {
		lowest, highest = min(lowest, v), max(highest, v)
	}
	scale := (highest - lowest) / 255
	if scale == 0 {
		scale = 1
	}
	if math.IsNaN(float64(scale)) || math.IsInf(float64(scale), 0) {
		return nil, fmt.Errorf("the numbers are not finite")
	}
	zero := min(max(float32(math.RoundToEven(float64(-lowest/scale))), 0), 255)
	out, err := r.arena.tensor(uint8Kind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	const round = 1.5 * (1 << 23) // adding and subtracting it rounds half to even
	for i, v := range in[0].F {
		out.B[i] = uint8(int32(min(max((v/scale+round)-round+zero, 0), 255)))
	}
	return []*Tensor{out, Floats([]float32{scale}), {Kind: uint8Kind, Shape: []int{}, B: []byte{uint8(zero)}}}, nil
}

// dequantize is DequantizeLinear with one scale for all numbers.
func dequantize(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	if in[1].Kind != float32Kind || in[1].len() != 1 {
		return nil, fmt.Errorf("scales for each axis are not supported")
	}
	zero, err := zeroPoint(optional(in, 2))
	if err != nil {
		return nil, err
	}
	signed := in[0].Kind == int8Kind
	if !signed && in[0].Kind != uint8Kind {
		return nil, fmt.Errorf("it is not supported for %s", in[0])
	}
	out, err := r.arena.tensor(float32Kind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	var table [256]float32
	for i := range table {
		v := i
		if signed {
			v = int(int8(i))
		}
		table[i] = float32(v-int(zero)) * in[1].F[0]
	}
	for i, b := range in[0].B {
		out.F[i] = table[b]
	}
	return []*Tensor{out}, nil
}

// zeroPoint is the step that is 0, the same for all numbers.
func zeroPoint(t *Tensor) (int32, error) {
	switch {
	case t == nil:
		return 0, nil
	case t.len() == 1 && t.Kind == uint8Kind:
		return int32(t.B[0]), nil
	case t.len() == 1 && t.Kind == int8Kind:
		return int32(int8(t.B[0])), nil
	}
	return 0, fmt.Errorf("%s is no zero point for all numbers", t)
}
