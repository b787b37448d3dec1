package encoder

import "context"

// tensorOps are the operations an encoder is made of. V is a matrix with one
// row for each token of all sentences, one sentence behind the other: numbers
// when the operations are done at once, the name of an edge when they are only
// recorded as a graph for another engine.
//
// tensorOps know the weights and the sentences; one goroutine uses them. A value is
// used until it goes to Free, once. What can fail is remembered by the tensorOps:
// whoever made them asks.
type tensorOps[V any] interface {
	// Embed is the norm of each token's word, first type and position, added up.
	Embed() V
	// Linear is x·Wᵀ + b for the modules of the place, side by side.
	Linear(x V, at Place, then activation) V
	// Attention is softmax(q·kᵀ/√d)·v for each sentence and head, of a matrix
	// that has query, key and value side by side.
	Attention(qkv V) V
	// AddNorm is the norm of x + residual.
	AddNorm(x, residual V, at Place) V
	// Free says that v is not used any more.
	Free(v V)
}

// An activation comes behind a linear map.
type activation uint8

// The activations.
const (
	identity activation = iota
	gelu                // x·Φ(x), with the error function and none of its approximations
)

// transform is the encoder: a transformer with the norm behind each sum
// (Devlin et al. 2019, section 3, after Vaswani et al. 2017, section 3). visit
// sees the output of the embeddings as layer 0 and then that of each of the
// layers; it may look at h until it returns. An error of visit ends it, and so
// does the end of ctx between layers.
func transform[V any](ctx context.Context, layers int, ops tensorOps[V], visit func(layer int, h V) error) error {
	h := ops.Embed()
	for layer := 0; ; layer++ {
		if err := visit(layer, h); err != nil {
			return err
		}
		if layer == layers {
			ops.Free(h)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		h = transformLayer(ops, layer, h)
	}
}

// transformLayer returns the output of one layer, and frees its input.
func transformLayer[V any](ops tensorOps[V], layer int, h V) V {
	at := func(p part) Place { return Place{layer, p} }
	qkv := ops.Linear(h, at(QueryKeyValue), identity)
	mixed := ops.Attention(qkv)
	ops.Free(qkv)
	out := ops.Linear(mixed, at(attentionOut), identity)
	ops.Free(mixed)
	middle := ops.AddNorm(out, h, at(AttentionNorm))
	ops.Free(out)
	ops.Free(h)
	up := ops.Linear(middle, at(InnerUp), gelu)
	down := ops.Linear(up, at(InnerDown), identity)
	ops.Free(up)
	h = ops.AddNorm(down, middle, at(OutputNorm))
	ops.Free(down)
	ops.Free(middle)
	return h
}
