package weights

import (
	"errors"
	"fmt"
)

// What a pickle can build, beside nil, bool, int64, *big.Int, float64, string,
// []byte, *madeTensor and *madeStorage. Lists and dicts can be shared and can
// contain themselves.
type (
	tuple []any

	list struct{ items []any } // sets as well

	dict struct {
		keys, values []any
		index        map[any]int
		ordered      bool // a collections.OrderedDict
	}

	global string // something of a Python module, by its full name
)

// get returns the value of a key, nil if there is none.
func (d *dict) get(key any) any {
	if i, ok := d.index[key]; ok {
		return d.values[i]
	}
	return nil
}

func (d *dict) set(key, value any) error {
	switch key.(type) {
	case nil, bool, int64, float64, string:
	default:
		return fmt.Errorf("a key of a dict is %s, which no file of weights needs", called(key))
	}
	if i, ok := d.index[key]; ok {
		d.values[i] = value
		return nil
	}
	if d.index == nil {
		d.index = make(map[any]int)
	}
	d.index[key] = len(d.keys)
	d.keys, d.values = append(d.keys, key), append(d.values, value)
	return nil
}

// A machine runs the operations of a pickle (Python's pickletools.py describes
// them, protocols 0 to 5). It has those alone that plain values and tensors
// need: one that could import, call or build anything else is refused where it
// stands, before what follows is read.
type machine struct {
	*tape
	stack []any
	marks []int // heights of the stack
	memo  map[uint64]any
	steps int
	// persistent resolves the id of what lies outside the pickle.
	persistent func(id tuple) (any, error)
}

var errBroken = errors.New("the pickle is not well-formed: the file is damaged, get it again")

// unpickle reads one pickle, up to its end.
func unpickle(in *tape, persistent func(id tuple) (any, error)) (any, error) {
	start := in.at
	in.end = start + maxPickle
	m := &machine{tape: in, memo: make(map[uint64]any), persistent: persistent}
	for {
		at := in.at
		op, err := in.byte()
		if err == nil {
			if op == opStop {
				if len(m.stack) != 1 || len(m.marks) != 0 {
					return nil, errBroken
				}
				return m.stack[0], nil
			}
			err = m.step(op)
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d of its pickle: %w", at-start, err)
		}
	}
}

func (m *machine) step(op byte) error {
	if err := m.spend(1); err != nil {
		return err
	}
	if name, ok := refusedOps[op]; ok {
		return m.refuse(op, name)
	}
	do := operations[op]
	if do == nil {
		return fmt.Errorf("there is no operation %#02x: the file is damaged, get it again", op)
	}
	return do(m)
}

// spend counts work, so that no pickle can ask for much more than its length.
func (m *machine) spend(n int) error {
	if m.steps += n; m.steps > maxSteps {
		return tooLong("operations", maxSteps)
	}
	return nil
}

// refuse is the error for an operation that runs code. Where it names the
// code itself, so does the error.
func (m *machine) refuse(op byte, name string) error {
	if op == opInst {
		if module, err := m.line(); err == nil {
			if class, err := m.line(); err == nil {
				return refusal(fmt.Sprintf("wants %.100q made (%s)", module+"."+class, name))
			}
		}
	}
	return refusal("wants something made or called by " + name)
}

// refusal says what a pickle wants that it does not get.
func refusal(wants string) error {
	return fmt.Errorf("it %s, which is code and not weights. Nothing of the file was run. "+
		"Get the model as .safetensors, or ask its maker for a checkpoint that has plain values and tensors only", wants)
}

func (m *machine) push(v any) error {
	m.stack = append(m.stack, v)
	return nil
}

// floor is the height below which the stack belongs to what a mark encloses.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) pop() (any, error) {
	top := len(m.stack) - 1
	if top < m.floor() {
		return nil, errBroken
	}
	v := m.stack[top]
	m.stack[top] = nil
	m.stack = m.stack[:top]
	return v, nil
}

// top is the value on top of the stack.
func (m *machine) top() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, errBroken
	}
	return m.stack[len(m.stack)-1], nil
}

// take pops n values, in the order in which they were pushed.
func (m *machine) take(n int) (tuple, error) {
	if len(m.stack)-n < m.floor() {
		return nil, errBroken
	}
	return m.cutAt(len(m.stack) - n), nil
}

// marked pops what lies above the last mark, and the mark.
func (m *machine) marked() (tuple, error) {
	if len(m.marks) == 0 {
		return nil, errBroken
	}
	floor := m.floor()
	m.marks = m.marks[:len(m.marks)-1]
	return m.cutAt(floor), nil
}

func (m *machine) cutAt(height int) tuple {
	values := append(tuple(nil), m.stack[height:]...)
	clear(m.stack[height:])
	m.stack = m.stack[:height]
	return values
}

// remember notes the value on top of the stack.
func (m *machine) remember(key uint64) error {
	v, err := m.top()
	m.memo[key] = v
	return err
}

// recall pushes what was noted.
func (m *machine) recall(key uint64) error {
	v, ok := m.memo[key]
	if !ok {
		return errBroken
	}
	return m.push(v)
}

// called is what an error calls a value.
func called(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case tuple:
		return "a tuple"
	case *list:
		return "a list"
	case *dict:
		return "a dict"
	case global:
		return string(v)
	case *madeTensor:
		return "a tensor"
	case *madeStorage:
		return "a storage"
	case string:
		return "a string"
	case []byte:
		return "bytes"
	case bool:
		return "a bool"
	}
	return "a number"
}
