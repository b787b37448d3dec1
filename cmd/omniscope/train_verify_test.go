package main

import (
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/testing/fixture"
)

// makeThinker writes a folder with a toy Qwen Omni thinker in model.safetensors. Tensors with a
// names begin with one of the prefixes have other numbers than without.
func makeThinker(d *desk, dir string, prefixes ...string) {
	d.t.Helper()
	header, data := map[string]any{}, []byte{}
	for _, name := range []string{"visual.blocks.0.attn.q.weight", "visual.merger.mlp.0.weight", "audio_tower.layers.0.fc1.weight", "audio_tower.proj.weight",
		"model.layers.0.mlp.up_proj.weight", "lm_head.weight"} {
		value := uint16(0x3f80) // 1 in BF16
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			value++
		}
		from := len(data)
		for range 16 {
			data = binary.LittleEndian.AppendUint16(data, value)
		}
		header["thinker."+name] = map[string]any{"dtype": "BF16", "shape": []int{4, 4}, "data_offsets": []int{from, len(data)}}
	}
	text, err := json.Marshal(header)
	fixture.OK(d.t, err)
	d.write(filepath.Join(dir, "model.safetensors"), string(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)))
}
