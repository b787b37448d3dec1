package onnx

import "fmt"

// operatorOf returns what does the work of an ONNX operator.
func operatorOf(name string) (operator, bool) {
	if f, ok := unaries[name]; ok {
		return unary(f), true
	}
	if p, ok := pairs[name]; ok {
		return p.operator, true
	}
	f, ok := operators[name]
	return f, ok
}

// operators that compute no single numbers from single numbers.
var operators = map[string]operator{
	"Cast": cast, "Concat": concat, "Constant": constant, "ConstantOfShape": constantOfShape, "Conv": conv,
	"DequantizeLinear": dequantize, "DynamicQuantizeLinear": quantize, "Equal": equal, "Expand": expand, "Gather": gather,
	"Greater": greater, "Identity": identity, "If": branch, "InstanceNormalization": instanceNorm, "LSTM": lstm,
	"MatMul": matMul, "MatMulInteger": matMulInteger, "Neg": neg, "Not": not, "Pad": pad, "Range": sequence,
	"ReduceMean": reduceMean, "Reshape": reshape, "Shape": shapeOf, "Size": sizeOf, "Slice": slice, "Softmax": softmax,
	"Squeeze": squeeze, "Transpose": transpose, "Trilu": trilu, "Unsqueeze": unsqueeze, "Where": where,
}

// want reports inputs that are missing.
func want(in []*Tensor, n int) error {
	for i := range n {
		if i >= len(in) || in[i] == nil {
			return fmt.Errorf("input %d is missing", i+1)
		}
	}
	return nil
}

// wantFloats reports inputs that are missing or no floats.
func wantFloats(in []*Tensor, n int) error {
	if err := want(in, n); err != nil {
		return err
	}
	for i, t := range in[:n] {
		if t.Kind != float32Kind {
			return fmt.Errorf("input %d is %s; only float32 is supported", i+1, t)
		}
	}
	return nil
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
