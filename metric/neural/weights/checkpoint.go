package weights

import (
	"fmt"
	"math"
	"strings"
)

// Keys of a Lightning checkpoint.
const (
	lightningState = "state_dict"
	lightningHyper = "hyper_parameters"
)

// storages are those that a pickle names, by their keys.
type storages map[string]*madeStorage

// resolver makes a storage of a persistent id: the word storage, its class,
// key, device and number of elements; the stream of old versions has a sixth
// item for views, which only the oldest fill in.
func (s storages) resolver(length int) func(tuple) (any, error) {
	return func(id tuple) (any, error) {
		if len(id) != length || id[0] != "storage" {
			return nil, refusal("wants an object from elsewhere that is no storage (BINPERSID)")
		}
		class, _ := id[1].(global)
		kind, ok := storageKind(class)
		if !ok {
			return nil, refusal("wants a storage of " + called(id[1]))
		}
		key, ok1 := id[2].(string)
		_, ok2 := id[3].(string)
		elements, ok3 := id[4].(int64)
		if !ok1 || !ok2 || !ok3 || elements < 0 || elements > math.MaxInt64/16 {
			return nil, errBroken
		}
		if length == 6 && id[5] != nil {
			return nil, fmt.Errorf("storage %.100q is a view of another, as torch wrote before 0.4: get the model as .safetensors", key)
		}
		return s.named(&madeStorage{kind: kind, key: key, elements: elements})
	}
}

// named returns the one storage of a key.
func (s storages) named(made *madeStorage) (*madeStorage, error) {
	known, ok := s[made.key]
	if !ok {
		s[made.key] = made
		return made, nil
	}
	if known.kind != made.kind || known.elements != made.elements {
		return nil, fmt.Errorf("storage %.100q is there as two: the file is damaged, get it again", made.key)
	}
	return known, nil
}

// checkpoint takes the tensors out of what a pickle made: a dict of them, or
// that of a Lightning checkpoint, which has its hyperparameters beside it.
// Everything else is left out.
func (f *File) checkpoint(made any) error {
	root, ok := made.(*dict)
	if !ok {
		return fmt.Errorf("it holds %s, not tensors by name: ask its maker for the state_dict, or get the model as .safetensors", called(made))
	}
	state := root
	if d, ok := root.get(lightningState).(*dict); ok {
		state = d
		if hyper, ok := root.get(lightningHyper).(*dict); ok {
			plain, err := plainDict(hyper)
			if err != nil {
				return fmt.Errorf("%s: %w", lightningHyper, err)
			}
			f.hyper = plain
		}
	}
	for i, key := range state.keys {
		name, ok := key.(string)
		made, isTensor := state.values[i].(*madeTensor)
		if !ok || !isTensor {
			continue
		}
		t := made.Tensor
		t.Name, t.store = name, *made.in.place
		if err := f.add(t); err != nil {
			return err
		}
	}
	if len(f.tensors) == 0 {
		return fmt.Errorf("it has no tensors by name, only %s: ask its maker for the state_dict, or get the model as .safetensors", keysOf(state))
	}
	return nil
}

// keysOf lists the first keys of a dict for an error.
func keysOf(d *dict) string {
	var names []string
	for _, key := range d.keys {
		if name, ok := key.(string); ok && len(names) < 8 {
			names = append(names, fmt.Sprintf("%.40q", name))
		}
	}
	if len(names) == 0 {
		return "an empty dict"
	}
	return strings.Join(names, ", ")
}
