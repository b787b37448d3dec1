//go:build ort

package ort

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"omniscope/internal/golden"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/weights"
)

// tiny is a file or folder of small models with the hidden states that
// transformers and torch 1.13 compute of them in float32.
func tiny(t testing.TB, path string) string {
	t.Helper()
	return golden.Path(t, "metrics", "tiny_models", path)
}

// open opens the library that the environment names.
func open(t testing.TB) *Runtime {
	t.Helper()
	r, err := FromEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Skipf("set %s to libonnxruntime.so to test against it; scripts/ort.sh fetches it", LibraryEnv)
	}
	return r
}

// load loads the model of a folder with the layers from 0 on.
func load(t testing.TB, r *Runtime, folder string, threads int) *Encoder {
	t.Helper()
	cfg, err := encoder.ReadConfig(filepath.Join(folder, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var layers []int
	for layer := range cfg.Layers + 1 {
		layers = append(layers, layer)
	}
	e, err := r.Load(cfg, filepath.Join(folder, "model.safetensors"), layers, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A forwarder is either encoder.
type forwarder interface {
	Forward(ctx context.Context, ids [][]int32, visit func(layer int, h encoder.Hidden) error) error
}

// hidden copies what Forward shows: [layer][sentence].
func hidden(t testing.TB, e forwarder, sentences [][]int32) (layers [][][]float32) {
	t.Helper()
	err := e.Forward(t.Context(), sentences, func(layer int, h encoder.Hidden) error {
		if layer != len(layers) {
			return fmt.Errorf("layer %d comes behind %d others", layer, len(layers))
		}
		states := make([][]float32, len(sentences))
		for s := range sentences {
			states[s] = append(states[s], h.Sentence(s)...)
		}
		layers = append(layers, states)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

func TestHiddenStatesAreThoseOfTransformers(t *testing.T) {
	r := open(t)
	for _, model := range []string{"tiny_roberta", "tiny_mbert", "tiny_zhbert", "tiny_comet"} {
		t.Run(model, func(t *testing.T) {
			folder := tiny(t, model)
			want, err := weights.Open(filepath.Join(folder, "expected_hidden.safetensors"))
			if err != nil {
				t.Fatal(err)
			}
			defer want.Close()
			e := load(t, r, folder, 2)
			sentences, padded := unpad(t, want)
			worst, layers := 0.0, 0
			for layer, states := range hidden(t, e, sentences) {
				layers++
				expected := floats(t, want, fmt.Sprintf("hidden.%02d", layer))
				for s := range sentences {
					worst = max(worst, distance(states[s], expected[s*padded*e.cfg.Hidden:]))
				}
			}
			t.Logf("%d layers, largest difference %.2g", layers, worst)
			if layers != len(want.Names())-2 || !(worst <= 2e-5) {
				t.Errorf("%d layers of %d differ by up to %g", layers, len(want.Names())-2, worst)
			}
		})
	}
}

// unpad returns the ids of each sentence, and how long they are with padding.
func unpad(t *testing.T, f *weights.File) (sentences [][]int32, padded int) {
	ids, mask := whole(t, f, "input_ids"), whole(t, f, "attention_mask")
	tensor, _ := f.Tensor("input_ids")
	padded = tensor.Shape[1]
	for start := 0; start < len(ids); start += padded {
		var sentence []int32
		for t := start; t < start+padded; t++ {
			if mask[t] != 0 {
				sentence = append(sentence, int32(ids[t]))
			}
		}
		sentences = append(sentences, sentence)
	}
	return sentences, padded
}

func whole(t *testing.T, f *weights.File, name string) []int64 {
	t.Helper()
	tensor, _ := f.Tensor(name)
	numbers, err := tensor.Ints()
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

func floats(t *testing.T, f *weights.File, name string) []float32 {
	t.Helper()
	tensor, ok := f.Tensor(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	numbers, err := tensor.Floats()
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// distance is the largest difference of got from what want begins with.
func distance(got, want []float32) float64 {
	worst := 0.0
	for i, x := range got {
		if d := math.Abs(float64(x) - float64(want[i])); !(d <= worst) {
			worst = d // NaN stays
		}
	}
	return worst
}
