package weights

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxHeader is how long a header may be, in bytes. That of a model of 400
// tensors has 50 thousand.
const maxHeader = 16 << 20

// metadataKey is the member of the header that is no tensor.
const metadataKey = "__metadata__"

// hyperKey is where Convert keeps the hyperparameters, as JSON.
const hyperKey = "hyper_parameters"

// An entry is what the header says of a tensor. Offsets count from the end of
// the header.
type entry struct {
	Type    string   `json:"dtype"`
	Shape   *[]int   `json:"shape"`
	Offsets *[]int64 `json:"data_offsets"`
}

// readSafetensors reads the header: its length in 8 bytes, little-endian, and
// JSON, which the tensors follow without gaps
// (https://github.com/huggingface/safetensors, "Format").
func readSafetensors(f *File) error {
	start, err := f.disk.at(0, 8)
	if err != nil {
		return err
	}
	length := binary.LittleEndian.Uint64(start)
	if length > maxHeader {
		return fmt.Errorf("its header has %d bytes, more than %d: it is no safetensors file, or is damaged, get it again", length, maxHeader)
	}
	header, err := f.disk.at(8, int64(length))
	if err != nil {
		return fmt.Errorf("its header has %d bytes, the whole file %d: the file was cut off, get it again", length, f.disk.size)
	}
	if err := f.header(header); err != nil {
		return fmt.Errorf("its header is damaged or the file was cut off, get it again: %w", err)
	}
	if err := f.gapless(8 + int64(length)); err != nil {
		return fmt.Errorf("the file was cut off or is damaged, get it again: %w", err)
	}
	return nil
}

// header reads the JSON, member by member: a map would hide repeated names.
func (f *File) header(text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return errors.New("it is not a JSON object")
	}
	seen := false
	for in.More() {
		t, err := in.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string) // keys are strings
		if name != metadataKey {
			err = f.entry(in, name, 8+int64(len(text)))
		} else if seen {
			err = fmt.Errorf("%s is there twice", metadataKey)
		} else {
			seen, err = true, f.metadata(in)
		}
		if err != nil {
			return err
		}
	}
	if _, err := in.Token(); err != nil {
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("more follows the JSON object")
	}
	return nil
}

// entry reads one tensor; the data begins at byte data of the file.
func (f *File) entry(in *json.Decoder, name string, data int64) error {
	var e entry
	if err := in.Decode(&e); err != nil {
		return fmt.Errorf("tensor %.100q: %w", name, err)
	}
	if e.Shape == nil || e.Offsets == nil || len(*e.Offsets) != 2 {
		return fmt.Errorf("tensor %.100q lacks its shape or its two data_offsets", name)
	}
	kind, ok := typeNamed(e.Type)
	if !ok {
		return fmt.Errorf("tensor %.100q has the type %.20q, which is not among those known here", name, e.Type)
	}
	from, to := (*e.Offsets)[0], (*e.Offsets)[1]
	if from < 0 || to < from || to > f.disk.size-data {
		return fmt.Errorf("tensor %.100q lies at %d to %d of %d bytes", name, from, to, f.disk.size-data)
	}
	t := Tensor{Name: name, Type: kind, Shape: *e.Shape, store: storage{at: data + from, size: to - from}}
	n, ok := count(t.Shape)
	if !ok || len(t.Shape) > maxDims || n*types[kind].size != to-from {
		return fmt.Errorf("tensor %.100q, %s of shape %.100s, has %d bytes", name, kind, fmt.Sprint(t.Shape), to-from)
	}
	return f.add(t)
}

// metadata reads what is no tensor: strings by name.
func (f *File) metadata(in *json.Decoder) error {
	var strings map[string]string
	if err := in.Decode(&strings); err != nil {
		return fmt.Errorf("%s: %w", metadataKey, err)
	}
	text, ok := strings[hyperKey]
	if !ok {
		return nil
	}
	hyper, err := plainJSON(text)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", metadataKey, hyperKey, err)
	}
	f.hyper = hyper
	return nil
}

// gapless reports whether the tensors fill the file from data to its end, each
// byte once.
func (f *File) gapless(data int64) error {
	at := data
	tensors := make([]Tensor, 0, len(f.tensors))
	for _, t := range f.tensors {
		tensors = append(tensors, t)
	}
	slices.SortFunc(tensors, byPlace)
	for _, t := range tensors {
		if t.store.at != at {
			return fmt.Errorf("tensor %.100q begins at byte %d of the data, the one before ends at %d", t.Name, t.store.at-data, at-data)
		}
		at += t.store.size
	}
	if at != f.disk.size {
		return fmt.Errorf("its tensors end at byte %d, the file at %d", at, f.disk.size)
	}
	return nil
}
