// Package neuralgen makes model folders of random weights for tests, benchmarks
// and demonstrations: networks in the shapes of those that BERTScore and COMET
// use, or tiny ones, with made-up vocabularies, from a seed. Nothing was ever
// learned, so that scores by them mean nothing.
package neuralgen

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/neural/models"
)

// A Family is the kind of an encoder, as model_type in config.json.
type Family string

// The families.
const (
	BERT    Family = "bert"
	RoBERTa Family = "roberta"
	XLMR    Family = "xlm-roberta"
)

// A Shape is the size of a network. Those named after published ones have their
// sizes; a tiny one has one layer more than is used.
type Shape struct {
	Name      string
	As        string // the known model whose place it takes
	Family    Family
	Vocab     int
	Hidden    int
	Layers    int
	Heads     int
	Inner     int
	Positions int
	Types     int
	Estimator []int // sizes of COMET's hidden layers; nil = no COMET
}

// Shapes are those that Write makes.
var Shapes = []Shape{
	{"roberta-large", "bert_score/en", RoBERTa, 50265, 1024, 24, 16, 4096, 514, 1, nil},
	{"mbert", "bert_score/de", BERT, 119547, 768, 12, 12, 3072, 512, 2, nil},
	{"bert-base-chinese", "bert_score/zh", BERT, 21128, 768, 12, 12, 3072, 512, 2, nil},
	{"xlmr-large", "", XLMR, 250002, 1024, 24, 16, 4096, 514, 1, nil},
	{"comet", "comet/wmt22-comet-da", XLMR, 250002, 1024, 24, 16, 4096, 514, 1, []int{3072, 1024}},
	{"tiny-bert_score/en", "bert_score/en", RoBERTa, 1000, 32, 18, 4, 64, 514, 1, nil},
	{"tiny-bert_score/de", "bert_score/de", BERT, 1200, 32, 10, 4, 64, 512, 2, nil},
	{"tiny-bert_score/it", "bert_score/it", BERT, 1200, 32, 10, 4, 64, 512, 2, nil},
	{"tiny-bert_score/zh", "bert_score/zh", BERT, 1500, 32, 9, 4, 64, 512, 2, nil},
	{"tiny-comet", "comet/wmt22-comet-da", XLMR, 1500, 32, 5, 4, 64, 514, 1, []int{96, 32}},
}

// Find returns the shape of a name.
func Find(name string) (Shape, error) {
	if i := slices.IndexFunc(Shapes, func(s Shape) bool { return s.Name == name }); i >= 0 {
		return Shapes[i], nil
	}
	var names []string
	for _, s := range Shapes {
		names = append(names, s.Name)
	}
	return Shape{}, omniscope.Usagef("no shape %q; there are: %s", name, strings.Join(names, ", "))
}

// Options say how to make a folder.
type Options struct {
	Seed uint64

	// Checkpoint makes the weights as the published files are where they are
	// no safetensors: COMET's checkpoints/model.ckpt, others' pytorch_model.bin.
	// Such a folder is one to import or to serve; it is no model folder yet.
	Checkpoint bool
}

// Write makes a folder. It is a model folder as `omniscope data get` makes
// them, but for a shape without a place among the known models. The bytes
// depend on shape and options only.
func Write(dir string, s Shape, o Options) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files := s.texts(o.Seed)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	weights, write := models.WeightsFile, writeSafetensors
	if o.Checkpoint {
		weights, write = s.checkpointName(), s.writeCheckpoint
	}
	path := filepath.Join(dir, filepath.FromSlash(weights))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f, s.tensors(), o.Seed), f.Close()); err != nil {
		return err
	}
	known, ok := models.Lookup(s.As)
	if o.Checkpoint || !ok {
		return nil
	}
	return models.Describe(dir, known, "random weights of shape "+s.Name)
}

// WriteRoot makes the tiny models of all that MCIF needs below a root folder.
func WriteRoot(root string, o Options) error {
	for _, s := range Shapes {
		if !strings.HasPrefix(s.Name, "tiny-") {
			continue
		}
		if err := Write(filepath.Join(root, filepath.FromSlash(s.As)), s, o); err != nil {
			return err
		}
	}
	return nil
}

// texts are the files beside the weights.
func (s Shape) texts(seed uint64) map[string][]byte {
	files := map[string][]byte{"config.json": s.config()}
	switch s.Family {
	case BERT:
		files["vocab.txt"] = s.wordPieces(seed)
	case RoBERTa:
		files["vocab.json"], files["merges.txt"] = s.bytePairs(seed)
	case XLMR:
		files["tokenizer.json"] = s.unigram(seed)
	}
	if s.Estimator != nil {
		files["hparams.yaml"] = s.hyperparameters()
	}
	return files
}
