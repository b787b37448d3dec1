package neuralgen

import (
	"encoding/binary"
	"encoding/json"
	"io"
)

// writeSafetensors writes a file of the format at
// github.com/huggingface/safetensors: the length of a JSON header, the header,
// the numbers. Memory does not grow with the size.
func writeSafetensors(w io.Writer, tensors []tensor, seed uint64) error {
	type entry struct {
		Type    string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var at int64
	for _, t := range tensors {
		end := at + 4*int64(t.count())
		header[t.name] = entry{"F32", t.shape, [2]int64{at, end}}
		at = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	for len(text)%8 != 0 { // so that the numbers are aligned
		text = append(text, ' ')
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)); err != nil {
		return err
	}
	return fillAll(w, tensors, seed)
}

func fillAll(w io.Writer, tensors []tensor, seed uint64) error {
	table := deviates()
	for _, t := range tensors {
		if err := t.fill(w, seed, table); err != nil {
			return err
		}
	}
	return nil
}
