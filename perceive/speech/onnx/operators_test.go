package onnx

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// does runs one operator.
func does(t *testing.T, op string, attrs map[string]*attr, in ...*Tensor) ([]*Tensor, error) {
	t.Helper()
	o, ok := operatorOf(op)
	if !ok {
		t.Fatalf("%s is not known", op)
	}
	n := &node{op: op, attrs: attrs, operator: o}
	return n.compute(&runner{ctx: t.Context(), arena: new(arena)}, in)
}

// numbers are a tensor's numbers as text, rounded to 4 digits.
func numbers(t *Tensor) string {
	value, _ := t.values()
	var parts []string
	for i := range t.len() {
		parts = append(parts, fmt.Sprintf("%.4g", value(i)))
	}
	return fmt.Sprintf("%s %s", t, strings.Join(parts, " "))
}

func ints(list ...int64) *attr { return &attr{ints: list} }

func number(i int64) *attr { return &attr{i: i} }

func list(v ...int64) *Tensor { return Ints(v, len(v)) }

func scalar(v int64) *Tensor { return Ints([]int64{v}) }

func row(v ...float32) *Tensor { return Floats(v, len(v)) }

func bytes(kind elementKind, shape []int, v ...byte) *Tensor {
	return &Tensor{Kind: kind, Shape: shape, B: v}
}

// grid is 0, 1, 2 and so on.
func grid(shape ...int) *Tensor {
	f := make([]float32, product(shape))
	for i := range f {
		f[i] = float32(i)
	}
	return Floats(f, shape...)
}

type attrs = map[string]*attr

func TestOperators(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name  string
		op    string
		attrs attrs
		in    []*Tensor
		want  string // "" = an error
	}{
		{"sum", "Add", nil, []*Tensor{row(1, 2), row(3, 5)}, "float32[2] 4 7"},
		{"sum with one number", "Add", nil, []*Tensor{row(1, 2), Floats([]float32{10})}, "float32[2] 11 12"},
		{"sum of a row and a column", "Add", nil, []*Tensor{grid(1, 3), grid(2, 1)}, "float32[2 3] 0 1 2 1 2 3"},
		{"sum with repeated middle axis", "Add", nil, []*Tensor{grid(2, 1, 2), grid(2, 1)}, "float32[2 2 2] 0 1 1 2 2 3 3 4"},
		{"sum of what does not fit", "Add", nil, []*Tensor{grid(2), grid(3)}, ""},
		{"sum of different kinds", "Add", nil, []*Tensor{grid(2), list(1, 2)}, ""},
		{"sum with nothing", "Add", nil, []*Tensor{grid(0, 3), grid(1, 3)}, "float32[0 3] "},
		{"sum without a partner", "Add", nil, []*Tensor{grid(2)}, ""},
		{"difference", "Sub", nil, []*Tensor{row(1, 2), row(3, 5)}, "float32[2] -2 -3"},
		{"difference of whole numbers", "Sub", nil, []*Tensor{list(7, 2), scalar(3)}, "int64[2] 4 -1"},
		{"product", "Mul", nil, []*Tensor{row(1, 2), row(3, 5)}, "float32[2] 3 10"},
		{"product of whole numbers", "Mul", nil, []*Tensor{list(7, 2), list(3, -1)}, "int64[2] 21 -2"},
		{"quotient", "Div", nil, []*Tensor{row(1, 5), row(2, 2)}, "float32[2] 0.5 2.5"},
		{"quotient of whole numbers", "Div", nil, []*Tensor{list(7, -7, 1), list(2, 2, 0)}, "int64[3] 3 -3 0"},
		{"squares", "Pow", nil, []*Tensor{row(3, -2), Floats([]float32{2})}, "float32[2] 9 4"},
		{"powers", "Pow", nil, []*Tensor{row(4, 2), row(0.5, 3)}, "float32[2] 2 8"},
		{"powers of whole numbers", "Pow", nil, []*Tensor{list(4), list(2)}, ""},
		{"negation", "Neg", nil, []*Tensor{row(1, -2)}, "float32[2] -1 2"},
		{"negation of whole numbers", "Neg", nil, []*Tensor{list(1, -2)}, "int64[2] -1 2"},
		{"square root", "Sqrt", nil, []*Tensor{row(9, 2)}, "float32[2] 3 1.414"},
		{"cosine", "Cos", nil, []*Tensor{row(0, 1)}, "float32[2] 1 0.5403"},
		{"sine", "Sin", nil, []*Tensor{row(0, 1)}, "float32[2] 0 0.8415"},
		{"error function", "Erf", nil, []*Tensor{row(0, 0.5)}, "float32[2] 0 0.5205"},
		{"hyperbolic tangent", "Tanh", nil, []*Tensor{row(0, 1)}, "float32[2] 0 0.7616"},
		{"sigmoid", "Sigmoid", nil, []*Tensor{row(0, 1, -100)}, "float32[3] 0.5 0.7311 3.784e-44"},
		{"rectifier", "Relu", nil, []*Tensor{row(-1, 2)}, "float32[2] 0 2"},
		{"rectifier of whole numbers", "Relu", nil, []*Tensor{list(-1)}, ""},
		{"equal", "Equal", nil, []*Tensor{list(1, 2), scalar(2)}, "bool[2] 0 1"},
		{"equal floats", "Equal", nil, []*Tensor{row(1, nan), row(1, nan)}, "bool[2] 1 0"},
		{"greater", "Greater", nil, []*Tensor{row(1, 2, 3), row(2, 2, 2)}, "bool[3] 0 0 1"},
		{"not", "Not", nil, []*Tensor{bytes(boolKind, []int{2}, 0, 1)}, "bool[2] 1 0"},
		{"not of numbers", "Not", nil, []*Tensor{row(1)}, ""},
		{"where", "Where", nil, []*Tensor{bytes(boolKind, []int{2, 1}, 1, 0), grid(1, 3), Floats([]float32{9})}, "float32[2 3] 0 1 2 9 9 9"},
		{"where, of whole numbers", "Where", nil, []*Tensor{bytes(boolKind, []int{2}, 0, 1), list(1, 2), list(3, 4)}, "int64[2] 3 2"},
		{"cast to float", "Cast", attrs{"to": number(1)}, []*Tensor{list(1, -2)}, "float32[2] 1 -2"},
		{"cast of sums", "Cast", attrs{"to": number(1)}, []*Tensor{{Kind: int32Kind, Shape: []int{2}, J: []int32{5, -6}}}, "float32[2] 5 -6"},
		{"cast of signed bytes", "Cast", attrs{"to": number(1)}, []*Tensor{bytes(int8Kind, []int{2}, 255, 3)}, "float32[2] -1 3"},
		{"cast to whole numbers", "Cast", attrs{"to": number(7)}, []*Tensor{row(1.9, -1.9)}, "int64[2] 1 -1"},
		{"cast to truth", "Cast", attrs{"to": number(9)}, []*Tensor{list(2, 0)}, "bool[2] 1 0"},
		{"cast to itself", "Cast", attrs{"to": number(1)}, []*Tensor{row(1)}, "float32[1] 1"},
		{"cast to text", "Cast", attrs{"to": number(8)}, []*Tensor{row(1)}, ""},
		{"shape", "Shape", nil, []*Tensor{grid(2, 0, 3)}, "int64[3] 2 0 3"},
		{"size", "Size", nil, []*Tensor{grid(2, 3)}, "int64[] 6"},
		{"identity", "Identity", nil, []*Tensor{grid(2)}, "float32[2] 0 1"},
		{"reshape", "Reshape", nil, []*Tensor{grid(2, 3), list(3, 2)}, "float32[3 2] 0 1 2 3 4 5"},
		{"reshape with an open axis", "Reshape", nil, []*Tensor{grid(2, 3), list(-1)}, "float32[6] 0 1 2 3 4 5"},
		{"reshape that keeps an axis", "Reshape", nil, []*Tensor{grid(2, 3), list(0, 1, -1)}, "float32[2 1 3] 0 1 2 3 4 5"},
		{"reshape to what does not fit", "Reshape", nil, []*Tensor{grid(2, 3), list(4, -1)}, ""},
		{"squeeze", "Squeeze", nil, []*Tensor{grid(1, 2, 1), list(-1)}, "float32[1 2] 0 1"},
		{"squeeze all", "Squeeze", nil, []*Tensor{grid(1, 2, 1)}, "float32[2] 0 1"},
		{"squeeze of a long axis", "Squeeze", nil, []*Tensor{grid(1, 2), list(1)}, ""},
		{"unsqueeze", "Unsqueeze", nil, []*Tensor{grid(2), list(0, -1)}, "float32[1 2 1] 0 1"},
		{"unsqueeze of an axis that is not there", "Unsqueeze", nil, []*Tensor{grid(2), list(2)}, ""},
		{"transpose", "Transpose", nil, []*Tensor{grid(2, 3)}, "float32[3 2] 0 3 1 4 2 5"},
		{"transpose in an order", "Transpose", attrs{"perm": ints(0, 2, 1)}, []*Tensor{grid(2, 1, 2)}, "float32[2 2 1] 0 1 2 3"},
		{"transpose of bytes", "Transpose", nil, []*Tensor{bytes(uint8Kind, []int{2, 2}, 1, 2, 3, 4)}, "uint8[2 2] 1 3 2 4"},
		{"transpose in no order", "Transpose", attrs{"perm": ints(0, 0)}, []*Tensor{grid(2, 2)}, ""},
		{"expand", "Expand", nil, []*Tensor{grid(2, 1), list(1, 2)}, "float32[2 2] 0 0 1 1"},
		{"slice", "Slice", nil, []*Tensor{grid(5), list(1), list(4)}, "float32[3] 1 2 3"},
		{"slice of an axis", "Slice", nil, []*Tensor{grid(2, 3), list(1), list(math.MaxInt64), list(-1)}, "float32[2 2] 1 2 4 5"},
		{"slice by steps", "Slice", nil, []*Tensor{grid(5), list(0), list(5), list(0), list(2)}, "float32[3] 0 2 4"},
		{"slice backwards", "Slice", nil, []*Tensor{grid(4), list(-1), list(math.MinInt64 + 1), list(0), list(-1)}, "float32[4] 3 2 1 0"},
		{"slice of nothing", "Slice", nil, []*Tensor{grid(4), list(3), list(3)}, "float32[0] "},
		{"slice backwards of nothing", "Slice", nil, []*Tensor{grid(0), list(-1), list(math.MinInt64 + 1), list(0), list(-1)}, "float32[0] "},
		{"slice by no step", "Slice", nil, []*Tensor{grid(4), list(0), list(3), list(0), list(0)}, ""},
		{"gather", "Gather", nil, []*Tensor{grid(3, 2), list(2, -3)}, "float32[2 2] 4 5 0 1"},
		{"gather one", "Gather", nil, []*Tensor{list(7, 8), scalar(1)}, "int64[] 8"},
		{"gather along an axis", "Gather", attrs{"axis": number(1)}, []*Tensor{grid(2, 3), list(1)}, "float32[2 1] 1 4"},
		{"gather of bytes", "Gather", nil, []*Tensor{bytes(uint8Kind, []int{2, 2}, 1, 2, 3, 4), Ints([]int64{1}, 1, 1)}, "uint8[1 1 2] 3 4"},
		{"gather of what is not there", "Gather", nil, []*Tensor{grid(3), list(3)}, ""},
		{"concat", "Concat", attrs{"axis": number(0)}, []*Tensor{list(1), list(2, 3)}, "int64[3] 1 2 3"},
		{"concat along an inner axis", "Concat", attrs{"axis": number(-1)}, []*Tensor{grid(2, 1), grid(2, 2)}, "float32[2 3] 0 0 1 1 2 3"},
		{"concat with nothing", "Concat", attrs{"axis": number(0)}, []*Tensor{grid(0, 2), grid(1, 2)}, "float32[1 2] 0 1"},
		{"concat of what does not fit", "Concat", attrs{"axis": number(0)}, []*Tensor{grid(1, 3), grid(1, 2)}, ""},
		{"pad with a mirror", "Pad", attrs{"mode": {s: "reflect"}}, []*Tensor{grid(1, 3), list(0, 1, 0, 2)}, "float32[1 6] 1 0 1 2 1 0"},
		{"pad with a mirror that is too small", "Pad", attrs{"mode": {s: "reflect"}}, []*Tensor{grid(3), list(3, 0)}, ""},
		{"pad with zeros", "Pad", nil, []*Tensor{grid(3), list(1, 0)}, ""},
		{"constant", "Constant", attrs{"value": {t: list(4)}}, nil, "int64[1] 4"},
		{"no constant", "Constant", nil, nil, ""},
		{"constant of a shape", "ConstantOfShape", attrs{"value": {t: list(4)}}, []*Tensor{list(2, 1)}, "int64[2 1] 4 4"},
		{"zeros of a shape", "ConstantOfShape", nil, []*Tensor{list(2)}, "float32[2] 0 0"},
		{"too much of a shape", "ConstantOfShape", nil, []*Tensor{list(1<<20, 1<<20)}, ""},
		{"range", "Range", nil, []*Tensor{scalar(1), scalar(6), scalar(2)}, "int64[3] 1 3 5"},
		{"range down", "Range", nil, []*Tensor{scalar(5), scalar(0), scalar(-2)}, "int64[3] 5 3 1"},
		{"range of nothing", "Range", nil, []*Tensor{scalar(5), scalar(5), scalar(1)}, "int64[0] "},
		{"range without steps", "Range", nil, []*Tensor{scalar(5), scalar(6), scalar(0)}, ""},
		{"upper triangle", "Trilu", attrs{"upper": number(1)}, []*Tensor{grid(3, 3), scalar(1)}, "float32[3 3] 0 1 2 0 0 5 0 0 0"},
		{"lower triangle", "Trilu", attrs{"upper": number(0)}, []*Tensor{grid(2, 2)}, "float32[2 2] 0 0 2 3"},
		{"mean", "ReduceMean", attrs{"axes": ints(-1)}, []*Tensor{grid(2, 3)}, "float32[2 1] 1 4"},
		{"mean of columns", "ReduceMean", attrs{"axes": ints(0), "keepdims": number(0)}, []*Tensor{grid(2, 3)}, "float32[3] 1.5 2.5 3.5"},
		{"mean of nothing", "ReduceMean", attrs{"axes": ints(0)}, []*Tensor{grid(0)}, ""},
		{"softmax", "Softmax", nil, []*Tensor{Floats([]float32{0, float32(math.Log(3)), 5, -200}, 2, 2)}, "float32[2 2] 0.25 0.75 1 0"},
		{"softmax along another axis", "Softmax", attrs{"axis": number(0)}, []*Tensor{grid(2, 2)}, ""},
		{"normalisation that does not fit", "InstanceNormalization", nil, []*Tensor{grid(1, 2, 2), row(1), row(0, 7)}, ""},
		{"normalisation", "InstanceNormalization", attrs{"epsilon": {f: 1e-12}}, []*Tensor{Floats([]float32{1, 3, 2, 6}, 1, 2, 2), row(1, 2), row(0, 7)}, "float32[1 2 2] -1 1 5 9"},
		{"matrices", "MatMul", nil, []*Tensor{grid(2, 3), grid(3, 2)}, "float32[2 2] 10 13 28 40"},
		{"a stack of matrices", "MatMul", nil, []*Tensor{grid(2, 1, 2), grid(2, 2, 1)}, "float32[2 1 1] 1 13"},
		{"a matrix with each of a stack", "MatMul", nil, []*Tensor{grid(1, 1, 2), grid(2, 2, 1)}, "float32[2 1 1] 1 3"},
		{"matrices that do not fit", "MatMul", nil, []*Tensor{grid(2, 3), grid(2, 3)}, ""},
		{"bytes", "MatMulInteger", nil, []*Tensor{bytes(uint8Kind, []int{1, 2}, 3, 200), bytes(uint8Kind, []int{2, 2}, 1, 2, 25, 4), bytes(uint8Kind, nil, 5), bytes(uint8Kind, nil, 2)}, "int32[1 2] 4487 390"},
		{"signed bytes", "MatMulInteger", nil, []*Tensor{bytes(uint8Kind, []int{1, 2}, 3, 200), bytes(int8Kind, []int{2, 1}, 255, 4), bytes(uint8Kind, nil, 5)}, "int32[1 1] 782"},
		{"bytes without matrices", "MatMulInteger", nil, []*Tensor{row(1), row(1)}, ""},
		{"steps to numbers", "DequantizeLinear", nil, []*Tensor{bytes(uint8Kind, []int{2}, 0, 255), Floats([]float32{0.5}), bytes(uint8Kind, nil, 128)}, "float32[2] -64 63.5"},
		{"signed steps to numbers", "DequantizeLinear", nil, []*Tensor{bytes(int8Kind, []int{2}, 0, 255), Floats([]float32{0.5})}, "float32[2] 0 -0.5"},
		{"convolution", "Conv", nil, []*Tensor{grid(1, 1, 4), Floats([]float32{1, 10}, 1, 1, 2)}, "float32[1 1 3] 10 21 32"},
		{"convolution by strides", "Conv", attrs{"strides": ints(2), "pads": ints(1, 1)}, []*Tensor{grid(1, 2, 3), Floats([]float32{1, 10, 100, 1000}, 1, 2, 2), row(0.5)}, "float32[1 1 2] 3000 5422"},
		{"convolution in groups", "Conv", attrs{"group": number(2)}, []*Tensor{grid(1, 2, 3), grid(2, 2, 1)}, ""},
		{"convolution of too little", "Conv", nil, []*Tensor{grid(1, 1, 1), grid(1, 1, 2)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before []string
			for _, x := range c.in {
				before = append(before, numbers(x))
			}
			out, err := does(t, c.op, c.attrs, c.in...)
			if (err != nil) != (c.want == "") {
				t.Fatalf("error %v", err)
			}
			if err == nil && numbers(out[0]) != c.want {
				t.Errorf("got  %s\nwant %s", numbers(out[0]), c.want)
			}
			for i, x := range c.in {
				if numbers(x) != before[i] {
					t.Errorf("input %d was changed", i+1)
				}
			}
		})
	}
}

func TestQuantizedRange(t *testing.T) {
	for _, c := range []struct {
		in   []float32
		want string
	}{
		// Example of the ONNX specification of DynamicQuantizeLinear.
		{[]float32{0, 2, -3, -2.5, 1.34, 0.5}, "uint8[6] 153 255 0 26 221 179, float32[] 0.01961, uint8[] 153"},
		{[]float32{0, 0}, "uint8[2] 0 0, float32[] 1, uint8[] 0"},
		{[]float32{-1.2, -2}, "uint8[2] 102 0, float32[] 0.007843, uint8[] 255"},
		{[]float32{float32(math.Inf(1))}, ""},
	} {
		out, err := does(t, "DynamicQuantizeLinear", nil, row(c.in...))
		if (err != nil) != (c.want == "") {
			t.Fatal(err)
		}
		if err == nil {
			if got := numbers(out[0]) + ", " + numbers(out[1]) + ", " + numbers(out[2]); got != c.want {
				t.Errorf("%v: %s, want %s", c.in, got, c.want)
			}
		}
	}
}

func TestMemoryOfLSTM(t *testing.T) {
	// One cell with all weights 0: the gates are 0.5, what is remembered halves.
	zero := Floats(make([]float32, 8), 1, 4, 2)
	out, err := does(t, "LSTM", attrs{"hidden_size": number(1)}, Floats([]float32{1, 1, 1, 1}, 2, 1, 2), zero,
		Floats(make([]float32, 4), 1, 4, 1), Floats(make([]float32, 8), 1, 8), nil, Floats([]float32{0}, 1, 1, 1), Floats([]float32{4}, 1, 1, 1))
	fixture.OK(t, err)
	// c: 4, 2, 1; h = tanh(c)/2.
	if got, want := numbers(out[0])+", "+numbers(out[1])+", "+numbers(out[2]), "float32[2 1 1 1] 0.482 0.3808, float32[1 1 1] 0.3808, float32[1 1 1] 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Gates come as input, output, forget, cell: input and output open, forget
	// shut, and the cell takes tanh of the input.
	w := Floats([]float32{0, 0, 0, 1}, 1, 4, 1)
	bias := Floats([]float32{50, 25, -50, 0, 0, 25, 0, 0}, 1, 8)
	out, err = does(t, "LSTM", nil, Floats([]float32{2}, 1, 1, 1), w, Floats(make([]float32, 4), 1, 4, 1), bias, nil, nil, Floats([]float32{9}, 1, 1, 1))
	fixture.OK(t, err)
	c := math.Tanh(2)
	if math.Abs(float64(out[2].F[0])-c) > 1e-6 || math.Abs(float64(out[1].F[0])-math.Tanh(c)) > 1e-6 {
		t.Errorf("h %v, c %v", out[1].F, out[2].F)
	}
	if _, err = does(t, "LSTM", attrs{"direction": {s: "reverse"}}, Floats([]float32{2}, 1, 1, 1), w, Floats(make([]float32, 4), 1, 4, 1)); err == nil {
		t.Error("it runs backwards")
	}
}

// The kernels divide, pack and unroll; every size must give what the sum of
// products gives.
func TestProductsOfAllSizes(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {1, 7, 9}, {3, 5, 2}, {4, 4, 4}, {5, 3, 7}, {9, 130, 11}, {6, 1, 5}, {1, 40000, 17}, {64, 600, 300}} {
		m, n, k := size[0], size[1], size[2]
		a, b := bytes(uint8Kind, []int{m, k}, make([]byte, m*k)...), bytes(uint8Kind, []int{k, n}, make([]byte, k*n)...)
		fa, fb := grid(m, k), grid(k, n)
		for i := range a.B {
			a.B[i] = byte(i * i * 31)
			fa.F[i] = float32(a.B[i]) - 7
		}
		for i := range b.B {
			b.B[i] = byte(255 - i*i*17)
			fb.F[i] = float32(b.B[i]) - 130
		}
		whole, err := does(t, "MatMulInteger", nil, a, b, bytes(uint8Kind, nil, 7), bytes(uint8Kind, nil, 130))
		fixture.OK(t, err)
		floats, err := does(t, "MatMul", nil, fa, fb)
		fixture.OK(t, err)
		for i := range m {
			for j := range n {
				var sum int32
				for l := range k {
					sum += (int32(a.B[i*k+l]) - 7) * (int32(b.B[l*n+j]) - 130)
				}
				if got := whole[0].J[i*n+j]; got != sum {
					t.Fatalf("%v: whole [%d %d] is %d, want %d", size, i, j, got, sum)
				}
				if got := floats[0].F[i*n+j]; got != float32(sum) { // under 2^24: exact
					t.Fatalf("%v: float [%d %d] is %g, want %d", size, i, j, got, sum)
				}
			}
		}
	}
}

func TestTwoSumsInOneNumber(t *testing.T) {
	for _, c := range [][2]int32{{0, 0}, {-1, 0}, {0, -1}, {-5, 7}, {math.MaxInt32, math.MinInt32}, {math.MinInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32 + 1}} {
		if s0, s1 := split(int64(c[0]) + int64(c[1])<<32); s0 != c[0] || s1 != c[1] {
			t.Errorf("%v became %d and %d", c, s0, s1)
		}
	}
}

func TestExp(t *testing.T) {
	for x := 0.0; x > -86; x -= 0.00137 {
		if got, want := float64(exp(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 3e-7*want {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	if exp(-1000) != 0 || exp(float32(math.Inf(-1))) != 0 || exp(0) != 1 || !math.IsNaN(float64(exp(float32(math.NaN())))) {
		t.Error("limits")
	}
}

func TestOperatorErrors(t *testing.T) {
	names := slices.Concat(slices.Collect(maps.Keys(operators)), slices.Collect(maps.Keys(unaries)), slices.Collect(maps.Keys(pairs)))
	for _, name := range names {
		if _, err := does(t, name, nil); err == nil {
			t.Errorf("%s does without inputs and attributes", name)
		}
	}
}
