package neural

import (
	"context"
	"math"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/isa"
)

var (
	sources      = []string{"abc", "", "aabb cc", "<pad> a<pad>", strings.Repeat("abcd ", 30), "abc"}
	translations = []string{"cba", "abc", "", "h", "gfe", "cba"}
	references   = []string{"bca", "", "abc", "<pad>", "gfe dcb", "bca"}
)

func TestCOMETEstimator(t *testing.T) {
	c := openInvented(t, cometModel(t, nil), Options{})
	if c.layers != 3 || c.maxTokens != 36 {
		t.Errorf("%d layers are computed and %d tokens taken, want 3 and 36", c.layers, c.maxTokens)
	}
	scores, err := c.Score(context.Background(), sources, translations, references)
	fixture.OK(t, err)
	for i, got := range scores {
		want := naiveEstimate(t, c, naiveVector(t, c, sources[i]), naiveVector(t, c, translations[i]), naiveVector(t, c, references[i]))
		if !(math.Abs(got-want) < 2e-6) {
			t.Errorf("segment %d: %v, want %v", i, got, want)
		}
	}
	if scores[0] != scores[5] {
		t.Errorf("the same segment scores %v and %v", scores[0], scores[5])
	}
}

// naiveVector is a text's vector in float64, by the definition. The layers'
// scores are 0.3, -2, 0.2, 0.4 and -3: three weigh 1/3 more or less.
func naiveVector(t *testing.T, c *COMET, text string) []float64 {
	t.Helper()
	enc, err := c.loaded()
	fixture.OK(t, err)
	ids := c.tokenizer.Encode(text, 36)
	out := make([]float64, c.config.Hidden)
	weight := map[int]float64{0: 1./3 + 0, 2: 1./3 - 0.1, 3: 1./3 + 0.1}
	err = enc.Forward(context.Background(), [][]int32{ids}, func(layer int, h encoder.Hidden) error {
		for i, id := range ids {
			for j, v := range h.Token(i) {
				if id != 1 {
					out[j] += 1.25 * weight[layer] * float64(v) / float64(len(ids))
				}
			}
		}
		return nil
	})
	fixture.OK(t, err)
	return out
}

func naiveEstimate(t *testing.T, c *COMET, source, hypothesis, reference []float64) float64 {
	t.Helper()
	x := append(append([]float64(nil), hypothesis...), reference...)
	for _, other := range [][]float64{reference, source} {
		for j, h := range hypothesis {
			x = append(x, h*other[j])
		}
		for j, h := range hypothesis {
			x = append(x, math.Abs(h-other[j]))
		}
	}
	for i, name := range []string{"estimator.ff.0", "estimator.ff.3", "estimator.ff.6"} {
		sizes := []int{len(x), 9, 5, 1}
		in, out := len(x), sizes[i+1]
		weight, err := c.file.Floats(name+".weight", out, in)
		fixture.OK(t, err)
		bias, err := c.file.Floats(name+".bias", out)
		fixture.OK(t, err)
		y := make([]float64, out)
		for j := range y {
			y[j] = float64(bias[j])
			for k, v := range x {
				y[j] += v * float64(weight[j*in+k])
			}
			if i < 2 {
				y[j] = math.Tanh(y[j])
			}
		}
		x = y
	}
	return x[0]
}

func TestInstructionSetsAgree(t *testing.T) {
	folder := cometModel(t, nil)
	want, err := openInvented(t, folder, Options{}).Score(context.Background(), sources, translations, references)
	fixture.OK(t, err)
	for _, set := range isa.Available() {
		c, err := OpenCOMET(folder, Options{Set: set})
		fixture.OK(t, err)
		got, err := c.Score(context.Background(), sources, translations, references)
		fixture.OK(t, err)
		for i := range got {
			if d := math.Abs(got[i] - want[i]); d > 1e-5 || d > 0 && set != isa.Scalar {
				t.Errorf("%v: segment %d scores %v, by %v %v", set, i, got[i], isa.Best(), want[i])
			}
		}
		c.Close()
	}
}

func TestSparsemax(t *testing.T) {
	for _, test := range []struct {
		scores, want []float32
	}{
		{nil, nil},
		{[]float32{7}, []float32{1}},
		{[]float32{0, 0}, []float32{0.5, 0.5}},
		{[]float32{1, 0}, []float32{1, 0}},
		{[]float32{0, 0.5}, []float32{0.25, 0.75}},
		{[]float32{-3, 100, 1}, []float32{0, 1, 0}},
		{[]float32{-10, -10.5, -10.25, -12}, []float32{0.5833333, 0.0833333, 0.3333333, 0}},
	} {
		got := sparsemax(test.scores)
		if len(got) != len(test.want) {
			t.Fatalf("sparsemax(%v) = %v", test.scores, got)
		}
		for i := range got {
			if math.Abs(float64(got[i]-test.want[i])) > 1e-6 {
				t.Errorf("sparsemax(%v) = %v, want %v", test.scores, got, test.want)
			}
		}
	}
}

func TestPoolingCountsPaddingAndDoesNotAddIt(t *testing.T) {
	out := make([]float32, 2)
	pool(out, []float32{1, 10, 100, 1000, 3, 20, 4, 30}, []int32{0, 1, 7, 2}, 1)
	if out[0] != 2 || out[1] != 15 {
		t.Errorf("got %v, want [2 15]", out)
	}
}

func TestForeignParameters(t *testing.T) {
	for _, test := range []struct{ from, to, says string }{
		{"class_identifier: regression_metric", "class_identifier: unified_metric", "class_identifier is unified_metric, want regression_metric"},
		{"class_identifier: regression_metric\n", "", "class_identifier is missing"},
		{"encoder_model: XLM-RoBERTa", "encoder_model: BERT", "encoder_model is BERT"},
		{"pool: avg", "pool: cls", "pool is cls"},
		{"layer: mix", "layer: 24", "layer is 24"},
		{"layer_transformation: sparsemax", "layer_transformation: softmax", "layer_transformation is softmax"},
		{"layer_transformation: sparsemax\n", "", "layer_transformation is missing"},
		{"layer_norm: false", "layer_norm: true", "layer_norm is true"},
		{"activations: Tanh", "activations: [Tanh]", "activations is [Tanh]"},
		{"final_activation: null", "final_activation: Sigmoid", "final_activation is Sigmoid, want null"},
		{"hidden_sizes: [9, 5]", "hidden_sizes: [9]", "hidden_sizes is [9], want two"},
		{"hidden_sizes: [9, 5]", "hidden_sizes: [9, x]", "hidden_sizes is [9 x], want two"},
		{"hidden_sizes: [9, 5]", "hidden_sizes: [9, -5]", "hidden_sizes is [9 -5], want two"},
		{"hidden_sizes: [9, 5]", "hidden_sizes: [8, 5]", "estimator.ff.0.weight"},
		{"pool: avg", "pool: [", "no YAML"},
	} {
		text := strings.Replace(cometParameters, test.from, test.to, 1)
		c, err := OpenCOMET(with(t, cometModel(t, nil), "hparams.yaml", text), Options{})
		if err == nil {
			c.Close()
			t.Errorf("%q is taken", test.to)
		} else if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "hparams.yaml") {
			t.Errorf("%q: %v: %v, want %q", test.to, omniscope.KindOf(err), err, test.says)
		}
	}
	if c, err := OpenCOMET(with(t, cometModel(t, nil), "hparams.yaml", strings.Replace(cometParameters, "final_activation: null\n", "", 1)), Options{}); err != nil {
		t.Errorf("without final_activation: %v", err)
	} else {
		c.Close()
	}
	if _, err := OpenCOMET(without(t, cometModel(t, nil), "hparams.yaml"), Options{}); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("without hparams.yaml: %v", err)
	}
}

func TestCheckpointHyperparameters(t *testing.T) {
	path := cometModel(t, nil) + "/hparams.yaml"
	h, err := readHParams(path, map[string]any{"hidden_sizes": []any{int64(7), int64(6)}, "class_identifier": nil, "final_activation": nil})
	if err != nil || h.hiddenSizes != [2]int{7, 6} {
		t.Errorf("got %v, %v", h, err)
	}
	_, err = readHParams(path, map[string]any{"layer_norm": true})
	if err == nil || !strings.Contains(err.Error(), "checkpoint says otherwise: layer_norm is true") {
		t.Errorf("got %v", err)
	}
}

func TestOtherCheckpoints(t *testing.T) {
	one := func(v float32) tensor { return tensor{[]int{1}, []float32{v}} }
	for name, test := range map[string]struct {
		change func(w checkpoint)
		says   string
	}{
		"a layer too many":         {func(w checkpoint) { w["layerwise_attention.scalar_parameters.5"] = one(1) }, "scalar_parameters.5"},
		"a layer too few":          {func(w checkpoint) { delete(w, "layerwise_attention.scalar_parameters.4") }, "scalar_parameters.4"},
		"no gamma":                 {func(w checkpoint) { delete(w, "layerwise_attention.gamma") }, "gamma"},
		"a gamma that is infinite": {func(w checkpoint) { w["layerwise_attention.gamma"] = one(float32(math.Inf(1))) }, "finite"},
		"no estimator":             {func(w checkpoint) { delete(w, "estimator.ff.3.bias") }, "estimator.ff.3.bias"},
	} {
		c, err := OpenCOMET(cometModel(t, test.change), Options{})
		if err == nil {
			c.Close()
			t.Errorf("%s is taken", name)
		} else if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v: %v", name, omniscope.KindOf(err), err)
		}
	}
}

func TestCOMETNamesTheTextWithoutANumber(t *testing.T) {
	c := openInvented(t, cometModel(t, func(w checkpoint) {
		row := w["encoder.model."+encoder.WordTable].numbers[5*12:] // "a"
		row[0], row[1] = math.MaxFloat32, math.MaxFloat32           // whose sum is infinite
	}), Options{})
	_, err := c.Score(context.Background(), []string{"b", "c"}, []string{"d", "a"}, []string{"b", "a"})
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "hypothesis 1") {
		t.Errorf("got %v", err)
	}
	c = openInvented(t, cometModel(t, func(w checkpoint) {
		w["estimator.ff.6.bias"].numbers[0] = float32(math.NaN())
	}), Options{})
	_, err = c.Score(context.Background(), []string{"b"}, []string{"d"}, []string{"b"})
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "segment 0") {
		t.Errorf("got %v", err)
	}
}

func TestCOMETSignatureAndWarnings(t *testing.T) {
	folder := cometModel(t, nil)
	writeFile(t, folder, "model.json", []byte(`{"name": "comet/mine"}`))
	c := openInvented(t, folder, Options{})
	s, err := c.Signature()
	if err != nil || !strings.HasPrefix(s, "comet:2.2.4|model:mine|weights:") {
		t.Errorf("signature %q, %v", s, err)
	}
	if w := c.Warnings(); len(w) != 1 || !strings.Contains(w[0], "compare with no published") {
		t.Errorf("warnings %q", w)
	}
	if _, err := c.Score(context.Background(), []string{"a"}, []string{"a", "b"}, []string{"a", "b"}); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("lists of different lengths: %v", err)
	}
	if s, err := c.Score(context.Background(), nil, nil, nil); err != nil || len(s) != 0 {
		t.Errorf("nothing to do: %v, %v", s, err)
	}
}
