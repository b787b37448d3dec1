package encoder

import "strconv"

// A part is a set of weights within a layer, or those of the embeddings.
type part uint8

// The parts. Query, Key and Value are one product in the CPU's tensorOps.
const (
	Embeddings    part = iota // tables of words, positions and types, and their norm
	QueryKeyValue             // three linear maps, Hidden to Hidden each
	attentionOut              // linear, Hidden to Hidden
	AttentionNorm
	InnerUp   // linear, Hidden to Inner
	InnerDown // linear, Inner to Hidden
	OutputNorm
)

// A Place is one set of weights of the encoder. The Layer of the embeddings is
// 0 and means nothing.
type Place struct {
	Layer int
	Part  part
}

// The tables of the embeddings: [Vocab][Hidden], [Positions][Hidden] and
// [Types][Hidden].
const (
	WordTable     = "embeddings.word_embeddings.weight"
	PositionTable = "embeddings.position_embeddings.weight"
	TypeTable     = "embeddings.token_type_embeddings.weight"
)

// Modules returns the names of the place's modules in a checkpoint of
// transformers, without the prefix of the whole encoder. A linear map or a norm
// has a tensor ".weight" and a tensor ".bias" under each.
func (p Place) Modules() []string {
	layer := "encoder.layer." + strconv.Itoa(p.Layer)
	switch p.Part {
	case Embeddings:
		return []string{"embeddings.LayerNorm"}
	case QueryKeyValue:
		return []string{layer + ".attention.self.query", layer + ".attention.self.key", layer + ".attention.self.value"}
	case attentionOut:
		return []string{layer + ".attention.output.dense"}
	case AttentionNorm:
		return []string{layer + ".attention.output.LayerNorm"}
	case InnerUp:
		return []string{layer + ".intermediate.dense"}
	case InnerDown:
		return []string{layer + ".output.dense"}
	}
	return []string{layer + ".output.LayerNorm"}
}

// size is how many numbers come out of a linear map, for each of its modules,
// and how many go in.
func (p Place) size(c Config) (out, in int) {
	switch p.Part {
	case InnerUp:
		return c.Inner, c.Hidden
	case InnerDown:
		return c.Hidden, c.Inner
	}
	return c.Hidden, c.Hidden
}
