package onnx

import "fmt"

// An operator computes the outputs of a node. Inputs that are left out are nil.
// An output may share memory with an input only as a view.
type operator struct {
	needs  int  // inputs, the first ones
	floats bool // these are float32
	run    func(r *runner, n *node, in []*Tensor) ([]*Tensor, error)
}

// operatorOf returns what does the work of an ONNX operator.
func operatorOf(name string) (operator, bool) {
	if u, ok := unaries[name]; ok {
		return operator{1, u.ints == nil, u.compute}, true
	}
	if p, ok := pairs[name]; ok {
		return operator{2, false, p.compute}, true
	}
	f, ok := operators[name]
	return f, ok
}

// operators that compute no single numbers from single numbers.
var operators = map[string]operator{
	"Cast": {1, false, cast}, "Concat": {1, false, concat}, "Constant": {0, false, constant}, "ConstantOfShape": {1, false, constantOfShape},
	"Conv": {2, true, conv}, "DequantizeLinear": {2, false, dequantize}, "DynamicQuantizeLinear": {1, true, quantize}, "Equal": {2, false, equal},
	"Expand": {2, false, expand}, "Gather": {2, false, gather}, "Greater": {2, false, greater}, "Identity": {1, false, identity}, "If": {1, false, branch},
	"InstanceNormalization": {3, true, instanceNorm}, "LSTM": {3, true, lstm}, "MatMul": {2, true, matMul}, "MatMulInteger": {2, false, matMulInteger},
	"Not": {1, false, not}, "Pad": {2, false, pad}, "Range": {3, false, sequence}, "ReduceMean": {1, true, reduceMean}, "Reshape": {2, false, reshape},
	"Shape": {1, false, shapeOf}, "Size": {1, false, sizeOf}, "Slice": {3, false, slice}, "Softmax": {1, true, softmax}, "Squeeze": {1, false, squeeze},
	"Transpose": {1, false, transpose}, "Trilu": {1, true, trilu}, "Unsqueeze": {2, false, unsqueeze}, "Where": {3, false, where},
}

// compute runs the operator of a node, if the inputs that it needs are there.
func (n *node) compute(r *runner, in []*Tensor) ([]*Tensor, error) {
	for i := range n.needs {
		if i >= len(in) || in[i] == nil {
			return nil, fmt.Errorf("input %d is missing", i+1)
		}
	}
	for i, t := range in[:n.needs] {
		if n.floats && t.Kind != float32Kind {
			return nil, fmt.Errorf("input %d is %s; only float32 is supported", i+1, t)
		}
	}
	return n.run(r, n, in)
}

// optional returns an input that may be left out.
func optional(in []*Tensor, i int) *Tensor {
	if i < len(in) {
		return in[i]
	}
	return nil
}

func (n *node) int(name string, otherwise int64) int64 {
	if a := n.attrs[name]; a != nil {
		return a.i
	}
	return otherwise
}

func (n *node) text(name, otherwise string) string {
	if a := n.attrs[name]; a != nil {
		return a.s
	}
	return otherwise
}

func (n *node) ints(name string) []int64 {
	if a := n.attrs[name]; a != nil {
		return a.ints
	}
	return nil
}

func one(t *Tensor, err error) ([]*Tensor, error) {
	if err != nil {
		return nil, err
	}
	return []*Tensor{t}, nil
}
