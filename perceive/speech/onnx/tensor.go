package onnx

import "fmt"

// A elementKind is the type of a tensor's numbers, numbered as in ONNX.
type elementKind uint8

// The kinds that are implemented.
const (
	float32Kind elementKind = 1
	uint8Kind   elementKind = 2
	int8Kind    elementKind = 3
	int32Kind   elementKind = 6
	int64Kind   elementKind = 7
	boolKind    elementKind = 9
)

// kinds are the implemented ones: their names, and the bytes of a number in a file.
var kinds = map[elementKind]struct {
	name string
	size int
}{float32Kind: {"float32", 4}, uint8Kind: {"uint8", 1}, int8Kind: {"int8", 1}, int32Kind: {"int32", 4}, int64Kind: {"int64", 8}, boolKind: {"bool", 1}}

func (k elementKind) String() string {
	if known, ok := kinds[k]; ok {
		return known.name
	}
	return fmt.Sprintf("type %d", uint8(k))
}

// A Tensor is numbers in rows and columns, the last axis running fastest. Only
// the field of its kind is set. Tensors that Run was given or has returned are
// never changed.
type Tensor struct {
	Kind  elementKind
	Shape []int     // empty = a single number
	F     []float32 // Float32
	I     []int64   // Int64
	J     []int32   // Int32
	B     []byte    // Uint8, Int8, and Bool as 0 and 1

	buffer *buffer // what the numbers lie in, while it may be used again; nil = for good
}

// Floats returns a tensor of data, which it keeps.
func Floats(data []float32, shape ...int) *Tensor {
	return &Tensor{Kind: float32Kind, Shape: shape, F: data}
}

// Ints returns a tensor of data, which it keeps.
func Ints(data []int64, shape ...int) *Tensor { return &Tensor{Kind: int64Kind, Shape: shape, I: data} }

// Truth returns a tensor of one truth value.
func Truth(v bool) *Tensor { return &Tensor{Kind: boolKind, Shape: []int{1}, B: []byte{truth(v)}} }

func truth(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// len is how many numbers a tensor has.
func (t *Tensor) len() int {
	switch t.Kind {
	case float32Kind:
		return len(t.F)
	case int64Kind:
		return len(t.I)
	case int32Kind:
		return len(t.J)
	}
	return len(t.B)
}

func (t *Tensor) String() string { return fmt.Sprintf("%s%v", t.Kind, t.Shape) }

// check reports a shape that does not fit the numbers.
func (t *Tensor) check() error {
	if n, err := elements(t.Shape); err != nil {
		return err
	} else if n != t.len() || kinds[t.Kind].size == 0 {
		return fmt.Errorf("%s has %d numbers", t, t.len())
	}
	return nil
}

// elements is the product of a shape.
func elements(shape []int) (int, error) {
	if len(shape) > mostAxes {
		return 0, fmt.Errorf("%v has more than %d axes", shape, mostAxes)
	}
	n := 1
	for _, d := range shape {
		if d < 0 || d > mostElements || n*d > mostElements {
			return 0, fmt.Errorf("a tensor of shape %v is too large", shape)
		}
		n *= d
	}
	return n, nil
}

// neighbours returns the strides of a shape: the distance between neighbours along each axis.
func neighbours(shape []int) []int {
	apart := make([]int, len(shape))
	for i, step := len(shape)-1, 1; i >= 0; i-- {
		apart[i] = step
		step *= shape[i]
	}
	return apart
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// axis turns an axis that may count from the end, as -1, into one that counts
// from the start.
func axis(a int64, axes int) (int, error) {
	if a < 0 {
		a += int64(axes)
	}
	if a < 0 || a >= int64(axes) {
		return 0, fmt.Errorf("there is no axis %d among %d", a, axes)
	}
	return int(a), nil
}

// integers returns the numbers of a tensor of indexes or sizes.
func (t *Tensor) integers() ([]int64, error) {
	switch t.Kind {
	case int64Kind:
		return t.I, nil
	case int32Kind:
		list := make([]int64, len(t.J))
		for i, v := range t.J {
			list[i] = int64(v)
		}
		return list, nil
	}
	return nil, fmt.Errorf("whole numbers are needed, not %s", t)
}
