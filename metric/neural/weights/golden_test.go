package weights

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// Files that torch wrote, and what is in them.
const (
	goldenFormats = "metrics/tiny_models/formats"
	goldenComet   = "metrics/tiny_models/tiny_comet"
)

func opened(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	fixture.OK(t, err)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// numbers are the elements of a tensor, whatever its type.
func numbers(t *testing.T, tensor Tensor) []float64 {
	t.Helper()
	out := make([]float64, tensor.Len())
	if !tensor.Type.float() {
		ints, err := tensor.Ints()
		fixture.OK(t, err)
		for i := range out {
			out[i] = float64(ints[i])
		}
		return out
	}
	floats, err := tensor.Floats()
	fixture.OK(t, err)
	for i := range out {
		out[i] = float64(floats[i])
	}
	return out
}

func TestTensorsMatchTorch(t *testing.T) {
	text, err := os.ReadFile(golden.Path(t, goldenFormats, "expected.json"))
	fixture.OK(t, err)
	var expected map[string]struct {
		Type   string    `json:"dtype"`
		Shape  []int     `json:"shape"`
		Values []float64 `json:"values"`
	}
	fixture.OK(t, json.Unmarshal(text, &expected))
	kinds := map[string]DType{"float32": float32Type, "float16": f16, "bfloat16": BF16, "float64": float64Type, "int64": int64Type}
	for _, name := range []string{"sample.safetensors", "zip_sample.bin", "legacy_sample.bin", "lightning_sample.ckpt"} {
		f := opened(t, golden.Path(t, goldenFormats, name))
		// safetensors had no half and bfloat16 where these were made, and the
		// Lightning sample is a part.
		if n, want := len(f.Names()), map[string]int{"sample.safetensors": 9, "lightning_sample.ckpt": 6}[name]; n != cmp.Or(want, len(expected)) {
			t.Errorf("%s has %d tensors", name, n)
		}
		for _, key := range f.Names() {
			got, _ := f.Tensor(key)
			want, ok := expected[key]
			if !ok || got.Type != kinds[want.Type] || !slices.Equal(got.Shape, want.Shape) {
				t.Errorf("%s: %s is %s %v, want %s %v", name, key, got.Type, got.Shape, want.Type, want.Shape)
				continue
			}
			if got.Type == float64Type { // Floats rounds it
				for i := range want.Values {
					want.Values[i] = float64(float32(want.Values[i]))
				}
			}
			if !slices.Equal(numbers(t, got), want.Values) {
				t.Errorf("%s: %s = %v, want %v", name, key, numbers(t, got), want.Values)
			}
		}
	}
}

func TestHyperparametersMatchTorch(t *testing.T) {
	got := opened(t, golden.Path(t, goldenFormats, "lightning_sample.ckpt")).Hyperparameters()
	want := map[string]any{"a": nil, "b": []any{int64(1), 2.5, "x"}, "c": true, "d": map[string]any{"e": int64(-3)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	comet := opened(t, golden.Path(t, goldenComet, "checkpoints/model.ckpt")).Hyperparameters()
	for key, want := range map[string]any{
		"class_identifier": "regression_metric", "pool": "avg", "layer": "mix", "layer_norm": false, "final_activation": nil,
		"hidden_sizes": []any{int64(96), int64(32)}, "dropout": 0.1, "batch_size": int64(4),
	} {
		if got, ok := comet[key]; !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
}

func TestCOMETCheckpointMatchesSafetensors(t *testing.T) {
	checkpoint := opened(t, golden.Path(t, goldenComet, "checkpoints/model.ckpt"))
	flat := opened(t, golden.Path(t, goldenComet, "model.safetensors"))
	converted := filepath.Join(t.TempDir(), "model.safetensors")
	fixture.OK(t, Convert(t.Context(), checkpoint, converted, nil))
	for _, f := range []*File{checkpoint, opened(t, converted)} {
		if !slices.Equal(f.Names(), flat.Names()) {
			t.Fatalf("names %v, want %v", f.Names(), flat.Names())
		}
		for _, name := range flat.Names() {
			got, _ := f.Tensor(name)
			want, _ := flat.Tensor(name)
			if got.Type != want.Type || !slices.Equal(got.Shape, want.Shape) || !slices.Equal(numbers(t, got), numbers(t, want)) {
				t.Errorf("%s differs", name)
			}
		}
		if !reflect.DeepEqual(f.Hyperparameters(), checkpoint.Hyperparameters()) {
			t.Errorf("hyperparameters %v, want %v", f.Hyperparameters(), checkpoint.Hyperparameters())
		}
	}
}
