package onnx

import (
	"fmt"
	"math"
	"slices"
)

// lstm is LSTM in one direction with the usual activations: inputs X, W, R and
// optionally B, lengths (not supported), h and c; outputs Y, the last h and the
// last c. Gates come in the order input, output, forget, cell.
func lstm(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	l, err := cellOf(n, in)
	if err != nil {
		return nil, err
	}
	steps, batch := x.Shape[0], x.Shape[1]
	var state [3]*Tensor // Y, h, c
	for i, shape := range [][]int{{steps, 1, batch, l.size}, {1, batch, l.size}, {1, batch, l.size}} {
		if state[i], err = r.arena.tensor(float32Kind, shape); err != nil {
			return nil, err
		}
	}
	for i, t := range []*Tensor{optional(in, 5), optional(in, 6)} {
		clear(state[1+i].F)
		if t != nil && (t.Kind != float32Kind || t.len() != batch*l.size) {
			return nil, fmt.Errorf("%s is no state", t)
		} else if t != nil {
			copy(state[1+i].F, t.F)
		}
	}
	for s := range steps {
		for b := range batch {
			h, c := state[1].F[b*l.size:(b+1)*l.size], state[2].F[b*l.size:(b+1)*l.size]
			l.step(x.F[(s*batch+b)*l.width:][:l.width], h, c)
			copy(state[0].F[(s*batch+b)*l.size:], h)
		}
	}
	return state[:], nil
}

// A cell is the weights of an LSTM and room for its gates.
type cell struct {
	size, width     int
	input, again    []float32 // of the input and of h, a row for each gate
	bias, gatesRoom []float32
}

// cellOf reads the weights, and refuses what is not supported.
func cellOf(n *node, in []*Tensor) (*cell, error) {
	x, w, rec := in[0], in[1], in[2]
	for _, name := range []string{"activations", "activation_alpha", "activation_beta", "clip", "input_forget", "layout"} {
		if n.attrs[name] != nil {
			return nil, fmt.Errorf("the attribute %s is not supported", name)
		}
	}
	if n.text("direction", "forward") != "forward" || optional(in, 4) != nil || optional(in, 7) != nil {
		return nil, fmt.Errorf("only forward, with sequences of one length and without peepholes, is supported")
	}
	misfit := fmt.Errorf("%s, %s and %s do not fit together", x, w, rec)
	if slices.ContainsFunc(in[:3], func(t *Tensor) bool { return len(t.Shape) != 3 }) {
		return nil, misfit
	}
	size, width := rec.Shape[2], x.Shape[2]
	if w.len() != 4*size*width || rec.len() != 4*size*size || n.int("hidden_size", int64(size)) != int64(size) {
		return nil, misfit
	}
	l := &cell{size, width, w.F, rec.F, make([]float32, 4*size), make([]float32, 4*size)}
	if t := optional(in, 3); t != nil {
		if t.Kind != float32Kind || t.len() != 8*size {
			return nil, fmt.Errorf("the bias is %s", t)
		}
		for i := range l.bias {
			l.bias[i] = t.F[i] + t.F[4*size+i]
		}
	}
	return l, nil
}

func (l *cell) step(x, h, c []float32) {
	gates := l.gatesRoom
	for i := range gates {
		gates[i] = l.bias[i] + dot(l.input[i*l.width:(i+1)*l.width], x) + dot(l.again[i*l.size:(i+1)*l.size], h)
	}
	n := l.size
	for i := range n {
		in, out, forget := sigmoid(gates[i]), sigmoid(gates[n+i]), sigmoid(gates[2*n+i])
		c[i] = forget*c[i] + in*float32(math.Tanh(float64(gates[3*n+i])))
		h[i] = out * float32(math.Tanh(float64(c[i])))
	}
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
