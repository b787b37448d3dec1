package weights

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of hyperparameters. Each place where a shared list stands counts: what
// is small in a pickle can be endless when it is written out.
const (
	maxPlain = 1 << 16 // values; 64 bytes of text count as one
	maxDepth = 64      // lists within lists
)

var errNotPlain = errors.New("they are too many, or nested too deep")

// plainDict makes plain values of a pickled dict.
func plainDict(d *dict) (map[string]any, error) {
	p := plainer{left: maxPlain}
	v, _, err := p.plain(d, 0)
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}

// A plainer counts the values that it may still make.
type plainer struct{ left int }

// plain returns a value as Hyperparameters does, false for what is none. A
// number too large for an int64 is its decimal digits.
func (p *plainer) plain(v any, depth int) (any, bool, error) {
	if p.left--; p.left < 0 || depth > maxDepth {
		return nil, false, errNotPlain
	}
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return v, true, nil
	case string:
		p.left -= len(v) / 64
		return v, true, nil
	case *big.Int:
		return v.String(), true, nil
	case []byte:
		p.left -= len(v) / 64
		return string(v), utf8.Valid(v), nil
	case tuple:
		return p.list(v, depth)
	case *list:
		return p.list(v.items, depth)
	case *dict:
		return p.dict(v, depth)
	}
	return nil, false, nil
}

// list keeps the places of what is not plain: they are nil.
func (p *plainer) list(items []any, depth int) (any, bool, error) {
	out := make([]any, 0, min(len(items), p.left+1))
	for _, item := range items {
		v, ok, err := p.plain(item, depth+1)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			v = nil
		}
		out = append(out, v)
	}
	return out, true, nil
}

func (p *plainer) dict(d *dict, depth int) (any, bool, error) {
	out := make(map[string]any)
	for i, key := range d.keys {
		v, ok, err := p.plain(d.values[i], depth+1)
		if err != nil {
			return nil, false, err
		}
		switch key := key.(type) {
		case string:
			if ok {
				out[key] = v
			}
		case int64:
			if ok {
				out[strconv.FormatInt(key, 10)] = v
			}
		}
	}
	return out, true, nil
}

// plainText writes plain values as JSON, for plainJSON to read.
func plainText(hyper map[string]any) (string, error) {
	text, err := json.Marshal(jsonPlain(hyper))
	return string(text), err
}

// jsonPlain prepares plain values to be written as JSON: a float64 has a
// fraction or an exponent, which tells it from an int64. JSON has no word for
// infinity, for which 1e999 stands, and NaN, for which null does.
func jsonPlain(v any) any {
	switch v := v.(type) {
	case float64:
		switch {
		case math.IsNaN(v):
			return nil
		case math.IsInf(v, 1):
			return json.RawMessage("1e999")
		case math.IsInf(v, -1):
			return json.RawMessage("-1e999")
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.RawMessage(text)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = jsonPlain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = jsonPlain(v[key])
		}
		return out
	}
	return v
}

// plainJSON reads hyperparameters as Convert keeps them: a number without
// fraction and exponent is an int64, any other a float64.
func plainJSON(text string) (map[string]any, error) {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	var hyper map[string]any
	if err := in.Decode(&hyper); err != nil {
		return nil, err
	}
	for key, v := range hyper {
		hyper[key] = withoutNumber(v)
	}
	return hyper, nil
}

func withoutNumber(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		x, _ := v.Float64() // out of range: infinite
		return x
	case []any:
		for i := range v {
			v[i] = withoutNumber(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = withoutNumber(v[key])
		}
	}
	return v
}
