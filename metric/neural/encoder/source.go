package encoder

import (
	"strings"

	"omniscope"
)

// A Source has an encoder's tensors by the names of transformers' modules,
// such as "encoder.layer.0.output.dense.weight".
type Source interface {
	// Floats returns a tensor's numbers, row by row. They must not change while
	// the encoder is used: the table of words is not copied. It is an error if
	// the tensor is not there or has another shape.
	Floats(name string, shape ...int) ([]float32, error)
}

// A releaser is a Source that learns which tensors are no longer needed,
// such as one that is mapped and can give back their pages: packed weights need
// not be in memory twice. Calls can come from several goroutines.
type releaser interface {
	Release(name string)
}

// tensorSource are a checkpoint as it is, such as weights.File.Under(""). They may
// be a releaser.
type tensorSource interface {
	Source
	Has(name string) bool
}

// prefixes are what stands before an encoder's names: nothing where it was
// saved alone, the family where it was saved with a head, and encoder.model in
// COMET's checkpoints.
var prefixes = []string{"", "bert.", "roberta.", "encoder.model.", "model."}

// Prefixed is the Source under the first prefix that has a table of words.
// Norms may have their old names, gamma and beta.
func Prefixed(tensors tensorSource) (Source, error) {
	for _, prefix := range prefixes {
		if tensors.Has(prefix + WordTable) {
			return &prefixed{prefix, tensors}, nil
		}
	}
	_, err := tensors.Floats(WordTable, 0) // which knows the file's name
	return nil, omniscope.Invalidf("these are no weights of a BERT, RoBERTa or XLM-R, neither as they are nor behind %s: %w",
		strings.Join(prefixes[1:], " "), err)
}

type prefixed struct {
	prefix  string
	tensors tensorSource
}

func (p *prefixed) Floats(name string, shape ...int) ([]float32, error) {
	return p.tensors.Floats(p.fullName(name), shape...)
}

func (p *prefixed) Release(name string) {
	if r, ok := p.tensors.(releaser); ok {
		r.Release(p.fullName(name))
	}
}

// fullName is what a tensor is called here. Before 2019 transformers called a
// norm's weights gamma and beta.
func (p *prefixed) fullName(name string) string {
	old := name
	if before, ok := strings.CutSuffix(name, ".LayerNorm.weight"); ok {
		old = before + ".LayerNorm.gamma"
	} else if before, ok := strings.CutSuffix(name, ".LayerNorm.bias"); ok {
		old = before + ".LayerNorm.beta"
	}
	if p.tensors.Has(p.prefix + old) {
		return p.prefix + old
	}
	return p.prefix + name
}
