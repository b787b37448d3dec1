package onnx

import (
	"fmt"
	"math"
)

// A single computes a number from a number.
type single struct {
	floats func(float32) float32
	ints   func(int64) int64 // nil = floats only
}

var unaries = map[string]single{
	"Cos":     {floats: func(x float32) float32 { return float32(math.Cos(float64(x))) }},
	"Erf":     {floats: func(x float32) float32 { return float32(math.Erf(float64(x))) }},
	"Neg":     {func(x float32) float32 { return -x }, func(x int64) int64 { return -x }},
	"Relu":    {floats: func(x float32) float32 { return max(0, x) }},
	"Sigmoid": {floats: sigmoid},
	"Sin":     {floats: func(x float32) float32 { return float32(math.Sin(float64(x))) }},
	"Sqrt":    {floats: func(x float32) float32 { return float32(math.Sqrt(float64(x))) }},
	"Tanh":    {floats: func(x float32) float32 { return float32(math.Tanh(float64(x))) }},
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// leastShare is how many numbers a goroutine gets at least.
const leastShare = 1 << 14

func (u single) compute(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	out, err := r.arena.tensor(in[0].Kind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	switch {
	case out.Kind == float32Kind:
		parallel(len(out.F), leastShare, func(from, to int) { apply(u.floats, in[0].F[from:to], out.F[from:to]) })
	case out.Kind == int64Kind && u.ints != nil:
		apply(u.ints, in[0].I, out.I)
	default:
		return nil, fmt.Errorf("it is not supported for %s", in[0])
	}
	return []*Tensor{out}, nil
}

func apply[T any](f func(T) T, x, y []T) {
	for i, v := range x {
		y[i] = f(v)
	}
}

// A pair computes a number from two, after repeating whichever is smaller.
type pair struct {
	floats func(a, b float32) float32
	ints   func(a, b int64) int64 // nil = floats only
}

var pairs = map[string]pair{
	"Add": {func(a, b float32) float32 { return a + b }, func(a, b int64) int64 { return a + b }},
	"Sub": {func(a, b float32) float32 { return a - b }, func(a, b int64) int64 { return a - b }},
	"Mul": {func(a, b float32) float32 { return a * b }, func(a, b int64) int64 { return a * b }},
	"Div": {func(a, b float32) float32 { return a / b }, quotient},
	"Pow": {power, nil},
}

// quotient rounds towards zero. Division by zero, which the specification
// leaves open, gives 0.
func quotient(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func power(a, b float32) float32 {
	if b == 2 {
		return a * a
	}
	return float32(math.Pow(float64(a), float64(b)))
}

func (p pair) compute(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	ints := func(w walk, out *Tensor) { combine(w, in[0].I, in[1].I, out.I, p.ints) }
	if p.ints == nil {
		ints = nil
	}
	return two(r, in, in[0].Kind, func(w walk, out *Tensor) { p.combine(w, n.op, in[0].F, in[1].F, out.F) }, ints)
}

// two computes numbers of a kind from two tensors of one kind, by what fits theirs; nil ints = floats only.
func two(r *runner, in []*Tensor, kind elementKind, floats, ints func(w walk, out *Tensor)) ([]*Tensor, error) {
	w, shape, err := matched(in[0], in[1])
	if err != nil {
		return nil, err
	}
	out, err := r.arena.tensor(kind, shape)
	if err != nil {
		return nil, err
	}
	switch {
	case in[0].Kind == float32Kind:
		floats(w, out)
	case in[0].Kind == int64Kind && ints != nil:
		ints(w, out)
	default:
		return nil, fmt.Errorf("it is not supported for %s", in[0])
	}
	return []*Tensor{out}, nil
}

// combine does the three operators that take the most time without a call for
// each number where both tensors have the same shape.
func (p pair) combine(w walk, op string, a, b, out []float32) {
	if len(a) != len(out) || len(b) != len(out) {
		combine(w, a, b, out, p.floats)
		return
	}
	switch op {
	case "Add":
		for i, x := range a {
			out[i] = x + b[i]
		}
	case "Sub":
		for i, x := range a {
			out[i] = x - b[i]
		}
	case "Mul":
		for i, x := range a {
			out[i] = x * b[i]
		}
	default:
		combine(w, a, b, out, p.floats)
	}
}

func not(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	if in[0].Kind != boolKind {
		return nil, fmt.Errorf("truth values are needed, not %s", in[0])
	}
	out, err := r.arena.tensor(boolKind, in[0].Shape)
	if err != nil {
		return nil, err
	}
	for i, v := range in[0].B {
		out.B[i] = 1 - v
	}
	return []*Tensor{out}, nil
}

func equal(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	return compare(r, in, func(a, b float32) byte { return truth(a == b) }, func(a, b int64) byte { return truth(a == b) })
}

func greater(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	return compare(r, in, func(a, b float32) byte { return truth(a > b) }, func(a, b int64) byte { return truth(a > b) })
}

func compare(r *runner, in []*Tensor, floats func(a, b float32) byte, ints func(a, b int64) byte) ([]*Tensor, error) {
	return two(r, in, boolKind, func(w walk, out *Tensor) { combine(w, in[0].F, in[1].F, out.B, floats) },
		func(w walk, out *Tensor) { combine(w, in[0].I, in[1].I, out.B, ints) })
}

// where takes the numbers of the second tensor where the first is true, else
// those of the third.
func where(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	if in[0].Kind != boolKind || in[1].Kind != in[2].Kind {
		return nil, fmt.Errorf("it is not supported for %s, %s and %s", in[0], in[1], in[2])
	}
	shape, err := broadcast(in[1].Shape, in[2].Shape)
	if err == nil {
		shape, err = broadcast(shape, in[0].Shape)
	}
	if err != nil {
		return nil, err
	}
	out, err := r.arena.tensor(in[1].Kind, shape)
	if err != nil {
		return nil, err
	}
	w := walk{shape, [3][]int{strides(in[1].Shape, shape), strides(in[2].Shape, shape), strides(in[0].Shape, shape)}}
	switch out.Kind {
	case float32Kind:
		choose(w, in[0].B, in[1].F, in[2].F, out.F)
	case int64Kind:
		choose(w, in[0].B, in[1].I, in[2].I, out.I)
	default:
		return nil, fmt.Errorf("it is not supported for %s", in[1])
	}
	return []*Tensor{out}, nil
}

func choose[T any](w walk, condition []byte, yes, no, out []T) {
	to := 0
	w.rows(func(at [3]int, n int, step [3]int) {
		for k := range n {
			if condition[at[2]+k*step[2]] != 0 {
				out[to+k] = yes[at[0]+k*step[0]]
			} else {
				out[to+k] = no[at[1]+k*step[1]]
			}
		}
		to += n
	})
}
