//go:build ort

package ort

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/weights"
)

// sentences of several lengths, with ids that all tiny models have.
var sentences = [][]int32{{0, 7, 8, 9, 10, 11, 12, 2}, {0, 2}, {0, 100, 200, 300, 2}, {0, 9, 2}}

func TestNoLibrary(t *testing.T) {
	noLibrary := filepath.Join(t.TempDir(), "none.so")
	if err := os.WriteFile(noLibrary, []byte("not a library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{noLibrary, noLibrary + "x"} {
		_, err := Open(path, "cpu")
		var wrong *omniscope.Error
		if !errors.As(err, &wrong) || wrong.Kind != omniscope.NotFound || !strings.Contains(err.Error(), "leave out -tags ort") {
			t.Errorf("%s: got %v", path, err)
		}
	}
	t.Setenv(LibraryEnv, "")
	if r, err := FromEnvironment(); r != nil || err != nil {
		t.Errorf("nothing is set: got %v, %v", r, err)
	}
	t.Setenv(LibraryEnv, noLibrary)
	t.Setenv(ProviderEnv, "abacus")
	if _, err := FromEnvironment(); err == nil || !strings.Contains(err.Error(), "give cpu or cuda") {
		t.Errorf("an abacus: got %v", err)
	}
}

func TestAnotherLibraryIsNotONNXRuntime(t *testing.T) {
	for _, path := range []string{"/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if _, err := Open(path, "cpu"); err == nil || !strings.Contains(err.Error(), LibraryEnv) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestOldVersionsAreRefused(t *testing.T) {
	for version, want := range map[string]bool{"1.18.0": true, "1.30.0": true, "2.0.0": true, "1.17.3": false, "0.99": false, "": false, "x.y": false} {
		if atLeast(version, apiVersion) != want {
			t.Errorf("version %q: want %v", version, want)
		}
	}
}

func TestCUDAIsUsedOrMissed(t *testing.T) {
	open(t)
	r, err := Open(os.Getenv(LibraryEnv), "cuda")
	if err != nil {
		if !strings.Contains(err.Error(), "CUDAExecutionProvider") {
			t.Error(err)
		}
		return
	}
	folder, cfg := tinyModel(t, "tiny-comet")
	e, err := r.Load(cfg, filepath.Join(folder, "model.safetensors"), []int{4}, 1)
	if err != nil {
		if !strings.Contains(err.Error(), "libonnxruntime_providers_cuda.so") {
			t.Error(err)
		}
		t.Skipf("there is no CUDA here: %v", err)
	}
	defer e.Close()
	compare(t, e, folder, cfg, []int{4}, 1e-4)
}

// compare computes the sentences by e and by the own engine.
func compare(t *testing.T, e *Encoder, folder string, cfg encoder.Config, layers []int, tolerance float64) {
	t.Helper()
	own := ownEncoder(t, folder, cfg)
	states := hidden(t, own, sentences)
	var seen []int
	worst := 0.0
	err := e.Forward(t.Context(), sentences, func(layer int, h encoder.Hidden) error {
		seen = append(seen, layer)
		for s := range sentences {
			if n := len(h.Sentence(s)); n != len(states[layer][s]) {
				t.Fatalf("sentence %d has %d numbers, want %d", s, n, len(states[layer][s]))
			}
			worst = max(worst, distance(h.Sentence(s), states[layer][s]))
		}
		return nil
	})
	if err != nil || !slices.Equal(seen, layers) || !(worst <= tolerance) {
		t.Errorf("layers %v are %.2g away, %v; want layers %v", seen, worst, err, layers)
	}
	t.Logf("at most %.2g away", worst)
}

func ownEncoder(t testing.TB, folder string, cfg encoder.Config) *encoder.Encoder {
	t.Helper()
	file, err := weights.Open(filepath.Join(folder, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	source, err := encoder.Prefixed(file.Under(""))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encoder.New(cfg, source, encoder.Options{Set: isa.Best(), Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOnlyTheLayersThatAreAskedForAreShown(t *testing.T) {
	r := open(t)
	for _, shape := range []string{"tiny-comet", "tiny-bert_score/de", "tiny-bert_score/en"} {
		folder, cfg := tinyModel(t, shape)
		for _, layers := range [][]int{{0}, {3}, {1, 4}, {0, 1, 2, 3, 4}} {
			e, err := r.Load(cfg, filepath.Join(folder, "model.safetensors"), layers, 2)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, e, folder, cfg, layers, 2e-5)
			e.Close()
		}
	}
}

func TestASentenceIsTheSameAloneAndFilledUp(t *testing.T) {
	folder, _ := tinyModel(t, "tiny-comet")
	e := load(t, open(t), folder, 2)
	together := hidden(t, e, sentences)
	worst := 0.0
	for s, sentence := range sentences {
		for layer, states := range hidden(t, e, [][]int32{sentence}) {
			worst = max(worst, distance(states[0], together[layer][s]))
		}
	}
	t.Logf("at most %.2g away", worst)
	if !(worst <= 5e-6) {
		t.Errorf("%.2g away", worst)
	}
}

func TestOtherTypesOfNumbersAreCast(t *testing.T) {
	r := open(t)
	folder, cfg := tinyModel(t, "tiny-comet")
	halved(t, filepath.Join(folder, "model.safetensors"))
	e, err := r.Load(cfg, filepath.Join(folder, "model.safetensors"), []int{cfg.Layers}, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	compare(t, e, folder, cfg, []int{cfg.Layers}, 2e-5)
}

func TestForwardEndsAndSaysWhy(t *testing.T) {
	folder, _ := tinyModel(t, "tiny-comet")
	e := load(t, open(t), folder, 1)
	none := func(int, encoder.Hidden) error { return nil }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Forward(ended, sentences, none); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
	stop := errors.New("stop")
	if err := e.Forward(t.Context(), sentences, func(int, encoder.Hidden) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of visit: %v", err)
	}
	for what, ids := range map[string][][]int32{"unknown id": {{0, 9999, 2}}, "negative id": {{-1}}, "no ids": {{}}, "too long": {make([]int32, 600)}} {
		var wrong *omniscope.Error
		if err := e.Forward(t.Context(), ids, none); !errors.As(err, &wrong) || wrong.Kind != omniscope.Invalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	visits := 0
	if err := e.Forward(t.Context(), nil, func(int, encoder.Hidden) error { visits++; return nil }); err != nil || visits != len(e.layers) {
		t.Errorf("no sentences: %d visits, %v", visits, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Forward(t.Context(), sentences, none); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// A run is ended within a layer, as the whole graph is one call.
func TestARunIsInterrupted(t *testing.T) {
	folder, _ := tinyModel(t, "tiny-comet")
	e := load(t, open(t), folder, 1)
	long := make([][]int32, 64)
	for i := range long {
		long[i] = make([]int32, 500)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20e6)
	defer cancel()
	if err := e.Forward(ctx, long, func(int, encoder.Hidden) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := e.Forward(t.Context(), sentences, func(int, encoder.Hidden) error { return nil }); err != nil {
		t.Errorf("it can be used afterwards: %v", err)
	}
}

func TestWhatTheRuntimeRefusesIsTold(t *testing.T) {
	r := open(t)
	options, err := r.sessionOptions(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.api.release(releaseSessionOptions, options)
	if _, err := r.session(options, []byte("no model")); err == nil || err.Error() == "" {
		t.Errorf("got %v", err)
	}
}
