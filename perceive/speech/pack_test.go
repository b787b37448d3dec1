package speech

import (
	"context"
	"errors"
	"math"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/perceive/asr"
	"omniscope/perceive/speech/onnx"
)

// Numbers that onnxruntime 1.30.0 computes from the same input.
func TestModelsComputeWhatOnnxruntimeDoes(t *testing.T) {
	p := pack(t)
	window := make([]float32, seenBefore+frameSamples)
	for i := range window {
		window[i] = float32(i%37)/100 - 0.1
	}
	state := onnx.Floats(make([]float32, 256), 2, 1, 128)
	for i, want := range []float32{0.32466877, 0.25652722, 0.17083105, 0.11730626, 0.07477662} {
		out, err := p.voice.Run(t.Context(), map[string]*onnx.Tensor{
			"input": onnx.Floats(window, 1, len(window)), "state": state, "sr": onnx.Ints([]int64{16000})})
		fixture.OK(t, err)
		if got := out["output"].F[0]; math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("frame %d: %g, want %g", i, got, want)
		}
		state = out["stateN"]
	}
	// The encoder rounds to bytes 36 times, which makes much of tiny
	// differences: onnxruntime with and without its own optimisations differs
	// from itself as much, 0.016 in the mean on speech.
	sound := make([]float32, 160000)
	for i := range sound {
		sound[i] = float32(i%377)/1000 - 0.1
	}
	out, err := p.encoder.Run(t.Context(), map[string]*onnx.Tensor{"input_values": onnx.Floats(sound, 1, len(sound))})
	fixture.OK(t, err)
	heard := out["last_hidden_state"]
	if len(heard.Shape) != 3 || heard.Shape[1] != 415 || heard.Shape[2] != 288 {
		t.Fatal(heard)
	}
	sum := 0.0
	for _, v := range heard.F {
		sum += math.Abs(float64(v))
	}
	if mean := sum / float64(len(heard.F)); math.Abs(mean-0.25363) > 0.003 {
		t.Errorf("mean %g", mean)
	}
	for i, want := range []float64{-0.0402, -0.1835, -0.1836, -0.0752} {
		if math.Abs(float64(heard.F[i])-want) > 0.03 {
			t.Errorf("%d: %g, want %g", i, heard.F[i], want)
		}
	}
}

// Of this recording onnxruntime makes these tokens, with a mean log-probability
// of -0.101.
func TestDecodingMatchesOnnxruntime(t *testing.T) {
	p := pack(t)
	golden.Clips(t)
	sound := soundOf(t, golden.Path(t, "media", "jfk.flac"))
	got, err := p.Recognise(t.Context(), floats(sound.PCM))
	fixture.OK(t, err)
	want := transcript{Text: "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.", Tokens: 26, LogProb: -0.101}
	if got.Text != want.Text || got.Tokens != want.Tokens || got.Cut || math.Abs(got.LogProb-want.LogProb) > 0.03 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSilence(t *testing.T) {
	p := pack(t)
	for _, samples := range []int{0, 1, 100, 2000, 16000} {
		if got, err := p.Voice(t.Context(), make([]float32, samples)); err != nil || len(got) != (samples+frameSamples-1)/frameSamples {
			t.Errorf("%d samples: %v, %v", samples, got, err)
		}
		if _, err := p.Recognise(t.Context(), make([]float32, samples)); err != nil {
			t.Errorf("%d samples: %v", samples, err)
		}
	}
	e := NewEngine("")
	if list, err := e.Transcribe(t.Context(), asr.Sound{PCM: make([]byte, 64000)}); err != nil || len(list) > 0 {
		t.Errorf("silence: %v, %v", list, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := e.Transcribe(stopped, asr.Sound{PCM: make([]byte, 64000)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
