package judge

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"omniscope/internal/pyliteral"
)

// Dict reads the one object of a reply, JSON or a Python dictionary, that may have words, a
// fence or a train of thought around it. Its values are nil, bool, float64, string, []any or
// map[string]any. Several objects are an error unless they are equal, and so is a key that is
// there twice with two values: neither says which one is meant.
func Dict(reply string) (map[string]any, error) {
	objects, err := Objects(reply)
	if err != nil {
		if dict, pythonErr := pythonDict(reply); pythonErr == nil {
			return dict, nil
		}
		return nil, err
	}
	var found map[string]any
	for _, members := range objects {
		dict := make(map[string]any, len(members))
		for _, m := range members {
			if err := put(dict, m.Key, m.Value.Value()); err != nil {
				return nil, err
			}
		}
		if found != nil && !reflect.DeepEqual(found, dict) {
			return nil, errors.New("it has several objects that differ")
		}
		found = dict
	}
	return found, nil
}

func put(dict map[string]any, key string, value any) error {
	if before, twice := dict[key]; twice && !reflect.DeepEqual(before, value) {
		return fmt.Errorf("it has the key %q twice, with two values", key)
	}
	dict[key] = value
	return nil
}

// pythonDict reads a dictionary of Python between words and fences.
func pythonDict(reply string) (map[string]any, error) {
	text, err := afterThought(reply)
	if err != nil {
		return nil, err
	}
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return nil, errors.New("it has no dictionary")
	}
	if strings.IndexByte(text[end:], '{') >= 0 {
		return nil, errors.New("a further dictionary is cut off")
	}
	v, err := pyliteral.Parse(text[start : end+1])
	if err != nil {
		return nil, err
	}
	return fromPython(v)
}

func fromPython(v any) (map[string]any, error) {
	d, ok := v.(pyliteral.Dict)
	if !ok {
		return nil, errors.New("it is no dictionary")
	}
	dict := make(map[string]any, len(d.Keys))
	for i, k := range d.Keys {
		key, ok := k.(string)
		if !ok {
			return nil, fmt.Errorf("its key %v is no text", k)
		}
		value, err := plain(d.Values[i])
		if err == nil {
			err = put(dict, key, value)
		}
		if err != nil {
			return nil, err
		}
	}
	return dict, nil
}

// plain is a Python value as JSON has it.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = plain(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case pyliteral.Dict:
		return fromPython(v)
	}
	return v, nil
}
