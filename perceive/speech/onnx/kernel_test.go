package onnx

import (
	"testing"

	"omniscope/internal/testing/fixture"
)

// The shapes of the encoder for 10 s of speech.
func BenchmarkProducts(b *testing.B) {
	run := func(name, op string, a *attr, in ...*Tensor) {
		b.Run(name, func(b *testing.B) {
			o, _ := operatorOf(op)
			n := &node{op: op, attrs: map[string]*attr{"strides": a}, operator: o}
			r := &runner{ctx: b.Context(), arena: new(arena)}
			for b.Loop() {
				out, err := n.compute(r, in)
				fixture.OK(b, err)
				r.arena.release(out[0])
			}
		})
	}
	run("conv2", "Conv", ints(3), grid(1, 288, 2498), grid(576, 288, 7))
	run("whole", "MatMulInteger", ints(), bytes(uint8Kind, []int{415, 288}, make([]byte, 415*288)...), bytes(uint8Kind, []int{288, 1152}, make([]byte, 288*1152)...))
	run("attention", "MatMul", ints(), grid(8, 415, 415), grid(8, 415, 36))
	run("words", "MatMul", ints(), grid(1, 288), grid(288, 32768))
}
