package neuralgen

import "fmt"

// A tensor is a name, a shape, and what its numbers are like: center + spread
// times something like a normal deviate.
type tensor struct {
	name           string
	shape          []int
	center, spread float32
}

func (t tensor) count() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// tensors are those of the network, under the names of the published files.
func (s Shape) tensors() []tensor {
	var all []tensor
	prefix := map[Family]string{BERT: "bert.", RoBERTa: "roberta.", XLMR: "roberta."}[s.Family]
	if s.Estimator != nil {
		prefix = "encoder.model."
	}
	// transformers starts training from a standard deviation of 0.02; trained
	// matrices are about twice as wide.
	matrix := func(name string, spread float32, shape ...int) {
		all = append(all, tensor{prefix + name, shape, 0, spread})
	}
	linear := func(name string, out, in int) {
		matrix(name+".weight", 0.04, out, in)
		matrix(name+".bias", 0.02, out)
	}
	norm := func(name string) {
		all = append(all, tensor{prefix + name + ".weight", []int{s.Hidden}, 1, 0.02})
		matrix(name+".bias", 0.02, s.Hidden)
	}
	matrix("embeddings.word_embeddings.weight", 0.05, s.Vocab, s.Hidden)
	matrix("embeddings.position_embeddings.weight", 0.02, s.Positions, s.Hidden)
	matrix("embeddings.token_type_embeddings.weight", 0.02, s.Types, s.Hidden)
	norm("embeddings.LayerNorm")
	for i := range s.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"query", "key", "value"} {
			linear(layer+"attention.self."+part, s.Hidden, s.Hidden)
		}
		linear(layer+"attention.output.dense", s.Hidden, s.Hidden)
		norm(layer + "attention.output.LayerNorm")
		linear(layer+"intermediate.dense", s.Inner, s.Hidden)
		linear(layer+"output.dense", s.Hidden, s.Inner)
		norm(layer + "output.LayerNorm")
	}
	if s.Estimator != nil {
		all = append(all, s.estimator()...)
	}
	return all
}

// estimator is what COMET has above the encoder: the mix of layers (Rei et al.
// 2022, section 2.1) and a feed-forward network over six vectors.
func (s Shape) estimator() []tensor {
	all := []tensor{{"layerwise_attention.gamma", []int{1}, 1, 0}}
	for i := range s.Layers + 1 {
		// Far enough apart that sparsemax leaves some layers out.
		all = append(all, tensor{fmt.Sprintf("layerwise_attention.scalar_parameters.%d", i), []int{1}, 0, 0.2})
	}
	in := 6 * s.Hidden
	for i, out := range append(append([]int{}, s.Estimator...), 1) {
		name := fmt.Sprintf("estimator.ff.%d", 3*i) // Linear, activation, dropout
		all = append(all,
			tensor{name + ".weight", []int{out, in}, 0, 0.04},
			tensor{name + ".bias", []int{out}, 0, 0.02})
		in = out
	}
	return all
}
