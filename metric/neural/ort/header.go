package ort

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"omniscope"
)

// A piece is where a tensor lies in model.safetensors, in bytes.
type piece struct {
	kind           int // of number, as in ONNX
	shape          []int
	offset, length int64
}

// kinds are the types of numbers by their names in safetensors, and how many
// bytes one has.
var kinds = map[string]struct {
	kind int
	size int64
}{
	"F32": {float32Type, 4}, "F16": {float16Type, 2}, "BF16": {bfloat16Type, 2}, "F64": {float64Type, 8},
}

// header is what a safetensors file says of its tensors. It is an
// encoder.Tensors that gives no numbers: asked for a tensor, it keeps in mind
// which one it was. The encoder's own way from the modules' names to the file's
// is so the only one.
type header struct {
	path   string
	pieces map[string]piece
	asked  string
}

// maxHeader is how long a header may be, in bytes: see package weights.
const maxHeader = 16 << 20

// readHeader reads the header of a safetensors file: its length in 8 bytes, and
// JSON (https://github.com/huggingface/safetensors, "Format"). Whether the file
// is sound is looked at by package weights, which opened it before; here no
// tensor may reach beyond its end, as a library in C reads it.
func readHeader(path string) (*header, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	h := &header{path: path, pieces: make(map[string]piece)}
	if err := h.read(f, info.Size()); err != nil {
		return nil, invalid("%s is no whole safetensors file: %w", path, err)
	}
	return h, nil
}

func (h *header) read(f io.Reader, size int64) error {
	var length uint64
	if err := binary.Read(f, binary.LittleEndian, &length); err != nil {
		return err
	}
	if length > maxHeader || int64(length) > size-8 {
		return fmt.Errorf("its header would have %d bytes", length)
	}
	var tensors map[string]json.RawMessage
	if err := json.NewDecoder(io.LimitReader(f, int64(length))).Decode(&tensors); err != nil {
		return err
	}
	delete(tensors, "__metadata__")
	data := 8 + int64(length)
	for name, text := range tensors {
		var t struct {
			Type    string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(text, &t); err != nil {
			return fmt.Errorf("tensor %.100q: %w", name, err)
		}
		from, to := t.Offsets[0], t.Offsets[1]
		if from < 0 || to < from || to > size-data {
			return fmt.Errorf("tensor %.100q lies at %d to %d of %d bytes", name, from, to, size-data)
		}
		kind, ok := kinds[t.Type]
		if ok && kind.size*product(t.Shape) != to-from {
			return fmt.Errorf("tensor %.100q, %s of shape %v, has %d bytes", name, t.Type, t.Shape, to-from)
		}
		h.pieces[name] = piece{kind.kind, t.Shape, data + from, to - from}
	}
	return nil
}

func product(sides []int) int64 {
	n := int64(1)
	for _, side := range sides {
		n *= int64(side)
	}
	return n
}

// Has reports whether there is a tensor with a name.
func (h *header) Has(name string) bool {
	_, ok := h.pieces[name]
	return ok
}

// Floats keeps the name in mind if the tensor has the shape and is of floating
// point numbers.
func (h *header) Floats(name string, shape ...int) ([]float32, error) {
	p, ok := h.pieces[name]
	switch {
	case !ok:
		return nil, invalid("%s: tensor %q is missing: this is not the model that was asked for, or a part of it", h.path, name)
	case p.kind == 0:
		return nil, invalid("%s: tensor %q holds no floating point numbers", h.path, name)
	case !slices.Equal(p.shape, shape):
		return nil, invalid("%s: tensor %q has shape %v, needs %v: its configuration is another model's", h.path, name, p.shape, shape)
	}
	h.asked = name
	return nil, nil
}

func decimal(v int64) string { return strconv.FormatInt(v, 10) }

func invalid(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf(format, args...)}
}
