package main

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// makeThinker writes a folder with a toy Qwen Omni thinker in model.safetensors: thinker FOLDER [PREFIX...]. Tensors whose names
// begin with one of the prefixes have other numbers than without.
func makeThinker(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: thinker FOLDER [PREFIX...]")
	}
	header, data := map[string]any{}, []byte{}
	for _, name := range []string{"visual.blocks.0.attn.q.weight", "visual.merger.mlp.0.weight", "audio_tower.layers.0.fc1.weight", "audio_tower.proj.weight",
		"model.layers.0.mlp.up_proj.weight", "lm_head.weight"} {
		value := uint16(0x3f80) // 1 in BF16
		if slices.ContainsFunc(args[1:], func(p string) bool { return strings.HasPrefix(name, p) }) {
			value++
		}
		from := len(data)
		for range 16 {
			data = binary.LittleEndian.AppendUint16(data, value)
		}
		header["thinker."+name] = map[string]any{"dtype": "BF16", "shape": []int{4, 4}, "data_offsets": []int{from, len(data)}}
	}
	text, err := json.Marshal(header)
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	file := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "model.safetensors"), file, 0o644))
}
