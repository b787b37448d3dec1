package encoder

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric/neural/isa"
)

// Small models with the hidden states that transformers and torch 1.13 compute
// of them in float32.
func tinyModel(t testing.TB, model string) (folder string) {
	t.Helper()
	return golden.Path(t, "metrics", "tiny_models", model)
}

// stored is what a safetensors file holds. The package weights reads them with
// more care.
type stored map[string]struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
	data    []byte
}

func readStored(t testing.TB, path string) stored {
	t.Helper()
	file, err := os.ReadFile(path)
	fixture.OK(t, err)
	end := 8 + binary.LittleEndian.Uint64(file)
	tensors := make(stored)
	fixture.OK(t, json.Unmarshal(file[8:end], &tensors))
	delete(tensors, "__metadata__")
	for name, tensor := range tensors {
		tensor.data = file[end:][tensor.Offsets[0]:tensor.Offsets[1]]
		tensors[name] = tensor
	}
	return tensors
}

func (s stored) Has(name string) bool {
	_, found := s[name]
	return found
}

func (s stored) Floats(name string, shape ...int) ([]float32, error) {
	tensor, found := s[name]
	if !found || tensor.Type != "F32" || !slices.Equal(tensor.Shape, shape) {
		return nil, fmt.Errorf("tensor %s is %s %v, want %v", name, tensor.Type, tensor.Shape, shape)
	}
	numbers := make([]float32, len(tensor.data)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(tensor.data[4*i:]))
	}
	return numbers, nil
}

func (s stored) ints(name string) (numbers []int32) {
	for data := s[name].data; len(data) > 0; data = data[8:] {
		numbers = append(numbers, int32(binary.LittleEndian.Uint64(data)))
	}
	return numbers
}

// openTiny loads one of the small models.
func openTiny(t *testing.T, model string, o Options) *Encoder {
	t.Helper()
	folder := tinyModel(t, model)
	tensors := readStored(t, filepath.Join(folder, "model.safetensors"))
	cfg, err := ReadConfig(filepath.Join(folder, "config.json"))
	fixture.OK(t, err)
	src, err := Prefixed(tensors)
	fixture.OK(t, err)
	e, err := New(cfg, src, o)
	fixture.OK(t, err)
	return e
}

func TestHiddenStatesMatchTransformers(t *testing.T) {
	for _, model := range []string{"tiny_roberta", "tiny_mbert", "tiny_zhbert", "tiny_comet"} {
		for _, set := range isa.Available() {
			t.Run(model+"/"+set.String(), func(t *testing.T) {
				e := openTiny(t, model, Options{Set: set})
				want := readStored(t, filepath.Join(tinyModel(t, model), "expected_hidden.safetensors"))
				sentences, padded := unpad(want)
				worst, layers := 0.0, 0
				for layer, h := range hiddenStates(t, e, sentences) {
					layers++
					name := fmt.Sprintf("hidden.%02d", layer)
					expected, err := want.Floats(name, want[name].Shape...)
					fixture.OK(t, err)
					for s := range sentences {
						worst = max(worst, distance(h[s], expected[s*padded*e.Config().Hidden:]))
					}
				}
				if layers != len(want)-2 || !(worst <= 2e-5) {
					t.Errorf("%d layers of %d differ by up to %g", layers, len(want)-2, worst)
				}
				t.Logf("largest difference: %.2g", worst)
			})
		}
	}
}

// unpad returns the ids of each sentence, and how long they are with padding.
func unpad(s stored) (sentences [][]int32, padded int) {
	ids, mask := s.ints("input_ids"), s.ints("attention_mask")
	padded = s["input_ids"].Shape[1]
	for start := 0; start < len(ids); start += padded {
		length := 0
		for _, m := range mask[start : start+padded] {
			length += int(m)
		}
		sentences = append(sentences, ids[start:start+length])
	}
	return sentences, padded
}

// hiddenStates copies what Forward shows: [layer][sentence].
func hiddenStates(t testing.TB, e *Encoder, sentences [][]int32) (layers [][][]float32) {
	t.Helper()
	err := e.Forward(t.Context(), sentences, func(layer int, h Hidden) error {
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
	fixture.OK(t, err)
	return layers
}

// distance is the largest difference of got from what want begins with.
func distance(got, want []float32) float64 {
	worst := 0.0
	for i, x := range got {
		d := math.Abs(float64(x) - float64(want[i]))
		if !(d <= worst) {
			worst = d // NaN stays
		}
	}
	return worst
}
