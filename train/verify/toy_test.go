package verify

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A toy is the tensors of a small model by name.
type toy map[string]array

type array struct {
	kind   string // BF16, F32 or I64
	shape  []int
	values []float64
}

// newToy is a model in the shape of Qwen2.5-Omni, with a hundred numbers for its thousand million.
func newToy() toy {
	m := toy{}
	add := func(name, kind string, shape ...int) {
		n := 1
		for _, side := range shape {
			n *= side
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = float64((len(name)*31+i*17)%97)/64 - 0.5 // exact in BF16
		}
		m[name] = array{kind, shape, values}
	}
	for _, block := range []string{"0", "1"} {
		add("thinker.visual.blocks."+block+".attn.q.weight", "BF16", 16, 8)
		add("thinker.visual.blocks."+block+".norm1.weight", "F32", 8)
		add("thinker.audio_tower.layers."+block+".fc1.weight", "BF16", 16, 16)
		add("thinker.audio_tower.layers."+block+".fc1.bias", "BF16", 16)
		add("thinker.model.layers."+block+".mlp.up_proj.weight", "BF16", 32, 8)
		add("thinker.model.layers."+block+".input_layernorm.weight", "BF16", 8)
	}
	add("thinker.visual.merger.mlp.0.weight", "BF16", 8, 8)
	add("thinker.audio_tower.conv1.weight", "F32", 16, 4, 3)
	add("thinker.audio_tower.proj.weight", "BF16", 8, 16)
	add("thinker.audio_tower.audio_bos_eos_token.weight", "BF16", 2, 2)
	add("thinker.model.embed_tokens.weight", "BF16", 40, 8)
	add("thinker.lm_head.weight", "BF16", 40, 8)
	add("talker.model.embed_tokens.weight", "BF16", 4, 8)
	add("talker.codec.steps", "I64", 2)
	add("token2wav.code2wav_dit_model.weight", "F32", 4, 4)
	return m
}

// trained is a copy in which all tensors are changed whose names begin with one of these, behind "thinker.".
func (m toy) trained(prefixes ...string) toy {
	out := toy{}
	for name, a := range m {
		a.values = slices.Clone(a.values)
		for _, p := range prefixes {
			if strings.HasPrefix(strings.TrimPrefix(name, "thinker."), p) && !strings.Contains(name, "bos_eos") {
				for i := range a.values {
					a.values[i] *= 1.03125
				}
				break
			}
		}
		out[name] = a
	}
	return out
}

// thinker is a copy without talker and token2wav, and without the word before the names if it is short.
func (m toy) thinker(short bool) toy {
	out := toy{}
	for name, a := range m {
		if plain, ok := strings.CutPrefix(name, "thinker."); ok {
			if short {
				name = plain
			}
			out[name] = a
		}
	}
	return out
}

// with is a copy with another tensor, or without it where it has no shape.
func (m toy) with(name string, a array) toy {
	out := maps.Clone(m)
	if out[name] = a; a.shape == nil {
		delete(out, name)
	}
	return out
}

// save writes a folder with one file, or with shards and an index.
func (m toy) save(t *testing.T, shards int) string {
	t.Helper()
	dir := t.TempDir()
	names := slices.Sorted(maps.Keys(m))
	if shards == 1 {
		write(t, filepath.Join(dir, single), m.file(names))
		return dir
	}
	files := make(map[string]string)
	for i, part := range slices.Collect(slices.Chunk(names, (len(names)+shards-1)/shards)) {
		file := "model-" + string(rune('a'+i)) + ".safetensors"
		write(t, filepath.Join(dir, file), m.file(part))
		for _, name := range part {
			files[name] = file
		}
	}
	text, _ := json.Marshal(map[string]any{"metadata": map[string]any{"total_size": 1}, "weight_map": files})
	write(t, filepath.Join(dir, index), text)
	return dir
}

// file is a safetensors file of some of the tensors.
func (m toy) file(names []string) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for _, name := range names {
		a, from := m[name], len(data)
		for _, v := range a.values {
			switch bits := math.Float32bits(float32(v)); a.kind {
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16))
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, bits)
			case "I64":
				data = binary.LittleEndian.AppendUint64(data, uint64(int64(v)))
			}
		}
		header[name] = map[string]any{"dtype": a.kind, "shape": a.shape, "data_offsets": []int{from, len(data)}}
	}
	text, _ := json.Marshal(header)
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	fixture.OK(t, os.WriteFile(path, data, 0o644))
}
