// Package models knows which networks BERTScore and COMET need, downloads or
// imports them into model folders, and finds them again. It computes no score:
// that is package neural's, which opens such folders.
//
// A model folder holds model.safetensors, config.json, the files of the
// tokenizer, for COMET hparams.yaml, and model.json, which says what it is, where
// it came from, and what its bytes must be. It is made whole or not at all.
// Folders lie under one root by the names of their models, such as
// bert_score/de.
package models

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/neural/encoder"
)

// A kind is what a model is for.
type kind string

// The kinds, which are also the folders that hold their models.
const (
	BERTScore kind = "bert_score"
	COMET     kind = "comet"
)

// A model is one that we know where to get.
type model struct {
	Name     string // such as bert_score/de
	Kind     kind
	Language string         // of the texts that BERTScore compares
	Layer    int            // whose output BERTScore compares
	Licence  string         // as the hub's page of the weights names it, in SPDX's words
	Network  encoder.Config // sizes of the published network, without its layer norm's epsilon
	Weights  int64          // size of the published weights, bytes

	sources []source
}

// A source is a file of the hub that a model folder needs.
type source struct {
	file  string   // its name in the folder
	repos []string // where it is: the hub's name of today, then older ones that caches may have
	paths []string // in the repository, the first that is there
}

// WeightsFile and InfoFile are names in a model folder.
const (
	WeightsFile = "model.safetensors"
	InfoFile    = "model.json"
)

var (
	robertaLarge = encoder.Config{Family: encoder.RoBERTa, Vocab: 50265, Hidden: 1024, Layers: 24, Heads: 16, Inner: 4096, Positions: 514, Types: 1, Pad: 1}
	multilingual = encoder.Config{Family: encoder.BERT, Vocab: 119547, Hidden: 768, Layers: 12, Heads: 12, Inner: 3072, Positions: 512, Types: 2}
	chinese      = encoder.Config{Family: encoder.BERT, Vocab: 21128, Hidden: 768, Layers: 12, Heads: 12, Inner: 3072, Positions: 512, Types: 2}
	xlmrLarge    = encoder.Config{Family: encoder.XLMR, Vocab: 250002, Hidden: 1024, Layers: 24, Heads: 16, Inner: 4096, Positions: 514, Types: 1, Pad: 1}
)

// Known are the models that MCIF's scores need: networks and layers are those
// that bert_score 0.3.13 takes for a language (model2layers and lang2model in
// its utils.py), and COMET 2.2's default.
var Known = []model{
	bertScore("en", 17, "MIT", robertaLarge, 1_421_000_000, "FacebookAI", "roberta-large", "vocab.json", "merges.txt"),
	bertScore("de", 9, "Apache-2.0", multilingual, 714_000_000, "google-bert", "bert-base-multilingual-cased", "vocab.txt"),
	bertScore("it", 9, "Apache-2.0", multilingual, 714_000_000, "google-bert", "bert-base-multilingual-cased", "vocab.txt"),
	bertScore("zh", 8, "Apache-2.0", chinese, 412_000_000, "google-bert", "bert-base-chinese", "vocab.txt"),
	wmt22(),
}

// bertScore is an encoder as the hub has them: the old names, without an
// organisation, are those that bert_score asks for.
func bertScore(lang string, layer int, licence string, network encoder.Config, weights int64, org, repo string, vocab ...string) model {
	m := model{Name: string(BERTScore) + "/" + lang, Kind: BERTScore, Language: lang, Layer: layer, Licence: licence, Network: network, Weights: weights}
	repos := []string{org + "/" + repo, repo}
	for _, file := range append([]string{"config.json"}, vocab...) {
		m.sources = append(m.sources, source{file, repos, []string{file}})
	}
	m.sources = append(m.sources, source{WeightsFile, repos, []string{WeightsFile, "pytorch_model.bin"}})
	return m
}

// wmt22 is COMET-22. Its checkpoint has the weights of an XLM-R without sizes
// and tokenizer, which are those of the network it was made from (licence MIT).
func wmt22() model {
	comet, base := []string{"Unbabel/wmt22-comet-da"}, []string{"FacebookAI/xlm-roberta-large", "xlm-roberta-large"}
	return model{Name: "comet/wmt22-comet-da", Kind: COMET, Licence: "Apache-2.0", Network: xlmrLarge, Weights: 2_323_000_000, sources: []source{
		{"hparams.yaml", comet, []string{"hparams.yaml"}},
		{"config.json", base, []string{"config.json"}},
		{"tokenizer.json", base, []string{"tokenizer.json"}},
		{WeightsFile, comet, []string{"checkpoints/model.ckpt"}},
	}}
}

// Lookup returns the known model of a name.
func Lookup(name string) (model, bool) {
	i := slices.IndexFunc(Known, func(m model) bool { return m.Name == name })
	if i < 0 {
		return model{}, false
	}
	return Known[i], true
}

// known is Lookup with an error that lists what there is.
func known(name string) (model, error) {
	m, ok := Lookup(name)
	if !ok {
		return m, omniscope.Usagef("no model %q; there are: %s", name, strings.Join(Names(), ", "))
	}
	return m, nil
}

// Names are those of the known models.
func Names() []string {
	var names []string
	for _, m := range Known {
		names = append(names, m.Name)
	}
	return names
}

// Repo is where the hub has the weights, such as FacebookAI/roberta-large.
func (m model) Repo() string { return m.sources[len(m.sources)-1].repos[0] }

// Files are the names of the folder's files, without model.json.
func (m model) Files() []string {
	var names []string
	for _, s := range m.sources {
		names = append(names, s.file)
	}
	return names
}

// RootEnv is the environment variable that names the root of model folders, as
// the flag --models-dir does.
const RootEnv = "OMNISCOPE_MODELS_DIR"

// Root is the folder that model folders lie under: $OMNISCOPE_MODELS_DIR, else
// omniscope/models in the user's folder for caches.
func Root() (string, error) {
	if root := os.Getenv(RootEnv); root != "" {
		return root, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", omniscope.Usagef("where should models lie? set %s to a folder: %w", RootEnv, err)
	}
	return filepath.Join(dir, "omniscope", "models"), nil
}

// folder is where a model lies.
func folder(root, name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
