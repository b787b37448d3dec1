package weights

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Functions that are known by name. None is Python's: call does what they
// would.
const (
	orderedDict      global = "collections.OrderedDict"
	rebuildTensor    global = "torch._utils._rebuild_tensor"
	rebuildTensorV2  global = "torch._utils._rebuild_tensor_v2"
	rebuildParameter global = "torch._utils._rebuild_parameter"
)

// maxRepeated is how many elements a tensor may have that repeats those of a
// smaller storage. torch can store any number so, in no space.
const maxRepeated = 1 << 16

// A madeStorage is what a persistent id of torch stands for.
type madeStorage struct {
	kind     DType
	key      string
	elements int64
	place    *storage // where it is, nil until that is known
}

// A madeTensor is a tensor without a name.
type madeTensor struct {
	Tensor
	in *madeStorage
}

func (m *machine) globalLines() error {
	module, err := m.line()
	if err != nil {
		return err
	}
	name, err := m.line()
	if err != nil {
		return err
	}
	return m.global(module, name)
}

func (m *machine) globalStack() error {
	pair, err := m.take(2)
	if err != nil {
		return err
	}
	module, ok1 := pair[0].(string)
	name, ok2 := pair[1].(string)
	if !ok1 || !ok2 {
		return errBroken
	}
	return m.global(module, name)
}

// global pushes something of a Python module, if it is one of the few that
// tensors need.
func (m *machine) global(module, name string) error {
	g := global(module + "." + name)
	switch g {
	case orderedDict, rebuildTensor, rebuildTensorV2, rebuildParameter:
		return m.push(g)
	}
	if _, ok := storageKind(g); ok {
		return m.push(g)
	}
	return refusal(fmt.Sprintf("wants %.100q", string(g)))
}

// storageKind is the type of the elements of a class of storages.
func storageKind(g global) (DType, bool) {
	class, ok := strings.CutPrefix(string(g), "torch.")
	for d := range types {
		if ok && types[d].storage == class {
			return DType(d), true
		}
	}
	return 0, false
}

// reduce calls a function with a tuple of arguments.
func (m *machine) reduce() error {
	call, err := m.take(2)
	if err != nil {
		return err
	}
	args, ok := call[1].(tuple)
	if !ok {
		return errBroken
	}
	g, ok := call[0].(global)
	if !ok {
		return refusal("wants " + called(call[0]) + " called")
	}
	v, err := m.call(g, args)
	return orPush(m, v, err)
}

func (m *machine) call(g global, args tuple) (any, error) {
	n := len(args)
	switch {
	case g == orderedDict && n <= 1:
		return m.ordered(args)
	case g == rebuildTensor && n == 4:
		return rebuild(args)
	case g == rebuildTensorV2 && n == 6:
		return rebuild(args[:4]) // left out: requires_grad, backward_hooks
	case g == rebuildTensorV2 && n == 7:
		if d, ok := args[6].(*dict); args[6] != nil && (!ok || len(d.keys) > 0) {
			return nil, errors.New("a tensor has metadata that change its numbers, which is not known here: get the model as .safetensors")
		}
		return rebuild(args[:4])
	case g == rebuildParameter && n == 3:
		if t, ok := args[0].(*madeTensor); ok {
			return t, nil
		}
	}
	return nil, refusal(fmt.Sprintf("wants %s called with %d arguments", g, n))
}

// ordered makes an OrderedDict; Python 2 passes a list of its pairs.
func (m *machine) ordered(args tuple) (any, error) {
	d := &dict{ordered: true}
	if len(args) == 0 {
		return d, nil
	}
	pairs, ok := items(args[0])
	if !ok {
		return nil, errBroken
	}
	for _, p := range pairs {
		if err := m.spend(1); err != nil {
			return nil, err
		}
		pair, ok := items(p)
		if !ok || len(pair) != 2 {
			return nil, errBroken
		}
		if err := d.set(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case tuple:
		return v, true
	case *list:
		return v.items, true
	}
	return nil, false
}

// build gives the object below the top of the stack a state. That of an
// OrderedDict is what torch notes of the modules' versions: left out.
func (m *machine) build() error {
	state, err := m.pop()
	if err != nil {
		return err
	}
	object, err := m.top()
	if err != nil {
		return err
	}
	d, isDict := object.(*dict)
	if _, plain := state.(*dict); !isDict || !d.ordered || !plain {
		return refusal("wants the state of " + called(object) + " set (BUILD)")
	}
	return nil
}

// outside pushes what a persistent id stands for.
func (m *machine) outside() error {
	id, err := m.pop()
	if err != nil {
		return err
	}
	t, ok := id.(tuple)
	if !ok || m.persistent == nil {
		return refusal("wants an object from elsewhere (BINPERSID)")
	}
	v, err := m.persistent(t)
	return orPush(m, v, err)
}

// rebuild makes a tensor of storage, offset, shape and strides.
func rebuild(args tuple) (any, error) {
	s, ok := args[0].(*madeStorage)
	if !ok {
		return nil, errBroken
	}
	offset, ok1 := args[1].(int64)
	shape, ok2 := sides(args[2])
	stride, ok3 := sides(args[3])
	if !ok1 || !ok2 || !ok3 || len(shape) != len(stride) {
		return nil, errors.New("a tensor has no proper shape: the file is damaged, get it again")
	}
	t := &madeTensor{Tensor{Type: s.kind, offset: offset, stride: stride, Shape: make([]int, len(shape))}, s}
	for i, side := range shape {
		if side > math.MaxInt {
			return nil, errors.New("a tensor is too large for this machine")
		}
		t.Shape[i] = int(side)
	}
	if err := t.check(s.elements); err != nil {
		return nil, fmt.Errorf("a tensor %w: the file is damaged, get it again", err)
	}
	if n := int64(t.Len()); n > s.elements && n > maxRepeated {
		return nil, fmt.Errorf("a tensor of %d elements repeats a storage of %d: get the model as .safetensors", n, s.elements)
	}
	return t, nil
}

// sides are the numbers of a tuple, none below zero.
func sides(v any) ([]int64, bool) {
	t, ok := v.(tuple)
	if !ok || len(t) > maxDims {
		return nil, false
	}
	out := make([]int64, len(t))
	for i, v := range t {
		n, ok := v.(int64)
		if !ok || n < 0 {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}
