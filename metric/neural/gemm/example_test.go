package gemm_test

import (
	"fmt"

	"omniscope/metric/neural/gemm"
	"omniscope/metric/neural/isa"
)

func ExampleKernel_Mul() {
	w := []float32{ // two rows of three: torch's Linear(3, 2)
		1, 0, 2,
		0, 1, 1,
	}
	x := []float32{1, 2, 3}
	out := make([]float32, 2)
	g := gemm.New(isa.Best())
	g.Mul(out, 2, x, 3, 1, g.Pack(w, 2, 3), []float32{100, 200})
	fmt.Println(out)
	// Output: [107 205]
}
