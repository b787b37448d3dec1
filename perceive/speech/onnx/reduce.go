package onnx

import (
	"fmt"
	"math"
	"slices"
)

// reduceMean is the mean along one axis.
func reduceMean(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	list := n.ints("axes")
	if len(list) != 1 {
		return nil, fmt.Errorf("the mean along %d axes is not supported", len(list))
	}
	along, err := axis(list[0], len(in[0].Shape))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(in[0].Shape)
	outer, d, inner := product(shape[:along]), shape[along], product(shape[along+1:])
	if d == 0 {
		return nil, fmt.Errorf("there is no mean of nothing")
	}
	if shape[along] = 1; n.int("keepdims", 1) == 0 {
		shape = slices.Delete(shape, along, along+1)
	}
	out, err := r.arena.tensor(float32Kind, shape)
	if err != nil {
		return nil, err
	}
	for o := range outer {
		for i := range inner {
			sum := 0.0
			for k, at := 0, o*d*inner+i; k < d; k, at = k+1, at+inner {
				sum += float64(in[0].F[at])
			}
			out.F[o*inner+i] = float32(sum / float64(d))
		}
	}
	return []*Tensor{out}, nil
}

// softmax along the last axis.
func softmax(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	axes := len(in[0].Shape)
	along, err := axis(n.int("axis", -1), axes)
	if err != nil {
		return nil, err
	}
	d := in[0].Shape[along]
	if along != axes-1 || d == 0 {
		return nil, fmt.Errorf("along axis %d of %s it is not supported", along, in[0])
	}
	out, err := r.arena.tensor(float32Kind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	parallel(len(out.F)/d, leastShare/d+1, func(from, to int) {
		for i := from; i < to; i++ {
			softmaxRow(out.F[i*d:(i+1)*d], in[0].F[i*d:(i+1)*d])
		}
	})
	return []*Tensor{out}, nil
}

func softmaxRow(out, row []float32) {
	most := slices.Max(row)
	var sum float32
	for i, v := range row {
		out[i] = exp(v - most)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}

// exp is e to the power of x ≤ 0 with a relative error under 3e-7: 2 to a whole
// power, from the exponent bits, times a Taylor polynomial of what is left, at
// most half of ln 2. math.Exp takes four times as long.
func exp(x float32) float32 {
	const (
		log2e = 1.44269504
		high  = 0.693359375 // ln 2 in two parts, so that n*high is exact
		low   = -2.12194440e-4
		round = 1.5 * (1 << 23) // adding and subtracting it rounds to a whole number
	)
	if !(x > -87) {
		if x != x {
			return x
		}
		return 0
	}
	n := (x*log2e + round) - round
	x = (x - n*high) - n*low
	p := 1 + x*(1+x*(1.0/2+x*(1.0/6+x*(1.0/24+x*(1.0/120+x*(1.0/720))))))
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// instanceNorm gives each channel of each batch mean 0 and variance 1, then
// its scale and bias.
func instanceNorm(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	x, scale, bias := in[0], in[1], in[2]
	if len(x.Shape) < 3 || scale.len() != x.Shape[1] || bias.len() != x.Shape[1] {
		return nil, fmt.Errorf("%s, %s and %s do not fit together", x, scale, bias)
	}
	epsilon := 1e-5
	if a := n.attrs["epsilon"]; a != nil {
		epsilon = float64(a.f)
	}
	out, err := r.arena.tensor(float32Kind, x.Shape)
	if err != nil {
		return nil, err
	}
	length := product(x.Shape[2:])
	for i := range x.Shape[0] * x.Shape[1] {
		from, to := x.F[i*length:(i+1)*length], out.F[i*length:(i+1)*length]
		c := i % x.Shape[1]
		factor, shift := normalisation(from, epsilon, float64(scale.F[c]), float64(bias.F[c]))
		for k, v := range from {
			to[k] = v*factor + shift
		}
	}
	return []*Tensor{out}, nil
}

func normalisation(list []float32, epsilon, scale, bias float64) (factor, shift float32) {
	var sum, squares float64
	for _, v := range list {
		sum += float64(v)
	}
	mean := sum / float64(max(1, len(list)))
	for _, v := range list {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	f := scale / math.Sqrt(squares/float64(max(1, len(list)))+epsilon)
	return float32(f), float32(bias - mean*f)
}
