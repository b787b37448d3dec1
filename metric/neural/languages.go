package neural

import (
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/neural/encoder"
)

// A language says with which model, layer and baseline bert_score 0.3.13
// scores texts (its tables lang2model and model2layers, and its file
// rescale_baseline/<language>/<model>.tsv, the row of the layer).
type language struct {
	code     string
	model    string // its name on the hub
	layer    int    // whose output is compared
	baseline prf
	sizes    encoder.Config // of the model that was published, Pad and Eps apart
}

var (
	robertaLarge = encoder.Config{Family: encoder.RoBERTa, Vocab: 50265, Hidden: 1024, Layers: 24, Heads: 16, Inner: 4096, Positions: 514, Types: 1}
	bertMulti    = encoder.Config{Family: encoder.BERT, Vocab: 119547, Hidden: 768, Layers: 12, Heads: 12, Inner: 3072, Positions: 512, Types: 2}
	bertChinese  = encoder.Config{Family: encoder.BERT, Vocab: 21128, Hidden: 768, Layers: 12, Heads: 12, Inner: 3072, Positions: 512, Types: 2}
	xlmrLarge    = encoder.Config{Family: encoder.XLMR, Vocab: 250002, Hidden: 1024, Layers: 24, Heads: 16, Inner: 4096, Positions: 514, Types: 1}
)

var languages = []language{
	{"de", "bert-base-multilingual-cased", 9, prf{0.61532813, 0.61528224, 0.6147353}, bertMulti},
	{"en", "roberta-large", 17, prf{0.83150584, 0.8314941, 0.83122575}, robertaLarge},
	{"it", "bert-base-multilingual-cased", 9, prf{0.62051994, 0.6205607, 0.62006223}, bertMulti},
	{"zh", "bert-base-chinese", 8, prf{0.54804957, 0.5480091, 0.54755783}, bertChinese},
}

// Languages lists those that OpenBERTScore takes.
func Languages() []string {
	var codes []string
	for _, l := range languages {
		codes = append(codes, l.code)
	}
	return codes
}

func languageOf(code string) (language, error) {
	i := slices.IndexFunc(languages, func(l language) bool { return l.code == code })
	if i < 0 {
		return language{}, omniscope.Invalidf("no baseline for language %q: there are %s", code, strings.Join(Languages(), ", "))
	}
	return languages[i], nil
}

// unlike says in which sizes a model is not the one that was published, if in
// any: what it computes then compares with nothing.
func unlike(name string, published, have encoder.Config) []string {
	have.Pad, have.Eps = published.Pad, published.Eps
	if have == published {
		return nil
	}
	var differs []string
	for _, size := range []struct {
		what             string
		wanted, actually any
	}{
		{"family", published.Family, have.Family},
		{"vocabulary", published.Vocab, have.Vocab},
		{"width", published.Hidden, have.Hidden},
		{"layers", published.Layers, have.Layers},
		{"heads", published.Heads, have.Heads},
		{"inner width", published.Inner, have.Inner},
		{"positions", published.Positions, have.Positions},
		{"types", published.Types, have.Types},
	} {
		if size.wanted != size.actually {
			differs = append(differs, fmt.Sprintf("%s %v instead of %v", size.what, size.actually, size.wanted))
		}
	}
	return []string{fmt.Sprintf("this is not the published %s (%s): its scores compare with no published ones", name, strings.Join(differs, ", "))}
}

// doubts are the warnings of a model in the place of a published one. One of its
// sizes whose tokenizer has other ids is refused: a vocabulary that was cut off
// would make unlike texts alike.
func (n *network) doubts(name string, published encoder.Config) ([]string, error) {
	ids, warnings := n.tokenizer.Size(), unlike(name, published, n.config)
	switch {
	case warnings == nil && ids != published.Vocab:
		return nil, omniscope.Invalidf("%s: the tokenizer has %d ids, and that of %s has %d: its files are cut off or another model's", n.folder, ids, name, published.Vocab)
	case warnings == nil && !readModelFile(n.folder).fromHub():
		warnings = append(warnings, fmt.Sprintf("the weights in the place of %s were imported: nothing says that they are the published ones", name))
	case ids < n.config.Vocab:
		warnings = append(warnings, fmt.Sprintf("the tokenizer has %d ids, and the network %d: part of it may be missing", ids, n.config.Vocab))
	}
	return warnings, nil
}
