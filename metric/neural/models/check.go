package models

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"

	"omniscope"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/tokenizer"
	"omniscope/metric/neural/weights"
)

// check sees whether the files of a folder fit each other and the model, without
// reading the numbers.
func check(dir string, m model) error {
	err := checkNetwork(dir, m)
	if err == nil {
		err = checkTokenizer(dir, m)
	}
	if err != nil {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "model " + m.Name, Err: err}
	}
	return nil
}

func checkNetwork(dir string, m model) error {
	cfg, err := encoder.ReadConfig(filepath.Join(dir, "config.json"))
	if err != nil {
		return err
	}
	if cfg.Family != m.Network.Family {
		return fmt.Errorf("config.json is of a network of the kind %s, needs %s", cfg.Family, m.Network.Family)
	}
	if cfg.Layers < m.Layer {
		return fmt.Errorf("the network has %d layers; the output of layer %d is needed", cfg.Layers, m.Layer)
	}
	f, err := weights.Open(filepath.Join(dir, WeightsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := checkEncoder(f, cfg, m); err != nil {
		return err
	}
	if m.Kind != COMET {
		return nil
	}
	if err := checkEstimator(f, cfg); err != nil {
		return err
	}
	return checkClass(filepath.Join(dir, "hparams.yaml"))
}

// checkClass sees whether a model of COMET is one with references. What else its
// settings may not be, package neural knows.
func checkClass(path string) error {
	text, err := encoder.ReadHParams(path)
	if err != nil {
		return err
	}
	var settings struct {
		Class string `yaml:"class_identifier"`
	}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return fmt.Errorf("%s is no YAML: %w", filepath.Base(path), err)
	}
	if want := "regression_metric"; settings.Class != want {
		return fmt.Errorf("%s: class_identifier is %q, needs %q", filepath.Base(path), settings.Class, want)
	}
	return nil
}

// shapes are the tensors of a file without their numbers.
type shapes struct{ *weights.File }

// Has reports whether there is a tensor with a name.
func (s shapes) Has(name string) bool {
	_, ok := s.Tensor(name)
	return ok
}

// Floats checks name and shape, and returns nothing.
func (s shapes) Floats(name string, shape ...int) ([]float32, error) {
	t, ok := s.Tensor(name)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s has no tensor %s: it is not whole, or of another model", WeightsFile, name)
	case !slices.Equal(t.Shape, shape):
		return nil, fmt.Errorf("%s: tensor %s has shape %v, needs %v: it is of another model than config.json or hparams.yaml", WeightsFile, name, t.Shape, shape)
	}
	return nil, nil
}

// checkEncoder asks for every tensor of the layers that are used.
func checkEncoder(f *weights.File, cfg encoder.Config, m model) error {
	src, err := encoder.Prefixed(shapes{f})
	if err != nil {
		return err
	}
	need := func(name string, shape ...int) {
		if err == nil {
			_, err = src.Floats(name, shape...)
		}
	}
	need(encoder.WordTable, cfg.Vocab, cfg.Hidden)
	need(encoder.PositionTable, cfg.Positions, cfg.Hidden)
	need(encoder.TypeTable, cfg.Types, cfg.Hidden)
	norm := func(module string) {
		need(module+".weight", cfg.Hidden)
		need(module+".bias", cfg.Hidden)
	}
	norm(encoder.Place{Part: encoder.Embeddings}.Modules()[0])
	layers := cfg.Layers
	if m.Kind == BERTScore {
		layers = m.Layer
	}
	for layer := range layers {
		for part := encoder.QueryKeyValue; part <= encoder.OutputNorm; part++ {
			out, in := cfg.Hidden, cfg.Hidden
			switch part {
			case encoder.InnerUp:
				out = cfg.Inner
			case encoder.InnerDown:
				in = cfg.Inner
			}
			for _, module := range (encoder.Place{Layer: layer, Part: part}).Modules() {
				if part == encoder.AttentionNorm || part == encoder.OutputNorm {
					norm(module)
					continue
				}
				need(module+".weight", out, in)
				need(module+".bias", out)
			}
		}
	}
	return err
}

// checkEstimator asks for what COMET has above the encoder: a factor for each
// layer, and a network from six vectors to one number.
func checkEstimator(f *weights.File, cfg encoder.Config) error {
	need := func(name string, shape ...int) error {
		_, err := shapes{f}.Floats(name, shape...)
		return err
	}
	if err := need("layerwise_attention.gamma", 1); err != nil {
		return err
	}
	for i := range cfg.Layers + 1 {
		if err := need(fmt.Sprintf("layerwise_attention.scalar_parameters.%d", i), 1); err != nil {
			return err
		}
	}
	width := 6 * cfg.Hidden
	for _, at := range []int{0, 3, 6} { // behind each are an activation and a dropout
		name := fmt.Sprintf("estimator.ff.%d", at)
		out := 1
		if t, ok := f.Tensor(name + ".weight"); ok && at < 6 && len(t.Shape) == 2 {
			out = t.Shape[0]
		}
		if err := need(name+".weight", out, width); err != nil {
			return err
		}
		if err := need(name+".bias", out); err != nil {
			return err
		}
		width = out
	}
	return nil
}

// checkTokenizer reads the tokenizer. Its ids may be fewer than the network's:
// some tables were made longer than needed.
func checkTokenizer(dir string, m model) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	var t tokenizer.Tokenizer
	var err error
	switch m.Network.Family {
	case encoder.BERT:
		t, err = tokenizer.OpenWordPiece(in("vocab.txt"))
	case encoder.RoBERTa:
		t, err = tokenizer.OpenGPT2(in("vocab.json"), in("merges.txt"))
	default:
		t, err = tokenizer.OpenJSON(in("tokenizer.json"))
	}
	if err != nil {
		return err
	}
	cfg, err := encoder.ReadConfig(in("config.json"))
	if err != nil {
		return err
	}
	if t.Size() > cfg.Vocab {
		return fmt.Errorf("the tokenizer has %d ids, and the network knows %d: they are of different models", t.Size(), cfg.Vocab)
	}
	if cfg.Vocab == m.Network.Vocab && t.Size() < cfg.Vocab {
		return fmt.Errorf("the tokenizer has %d ids of %d: its files are cut off", t.Size(), cfg.Vocab)
	}
	return nil
}
