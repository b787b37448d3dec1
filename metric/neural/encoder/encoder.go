// Package encoder computes the hidden states of BERT, RoBERTa and XLM-R: ids in,
// one vector for each token and layer out. It knows no texts and no scores;
// metric/neural/tokenizer makes ids, metric/neural uses the vectors.
//
// The transformer is written once, in transform, over a few operations, tensorOps.
// An Encoder does them on the CPU. Nothing is padded, and an element is computed
// the same way whatever is beside it: the vectors of a sentence have the same
// bits in any batch and with any number of threads.
package encoder

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"omniscope"
	"omniscope/metric/neural/isa"
)

// Options say how to compute. Layers and Threads may be zero.
type Options struct {
	Layers  int     // only the first so many, and only their weights are loaded; 0 = all
	Threads int     // goroutines at the same time; 0 = as many as Go uses
	Set     isa.Set // instructions, such as isa.Best(); the zero value is plain Go, which is slow
}

// An Encoder is weights and memory to compute with. Goroutines may share it;
// their calls of Forward wait for each other, as each uses all threads.
type Encoder struct {
	cfg Config
	mu  sync.Mutex
	cpu *cpu
}

// New loads an encoder. Weights that are not there, have another shape than cfg
// says, or are no finite numbers are Invalid. The tables of words, positions and
// types stay with the source; the rest is copied, and the source is not asked
// for it again.
func New(cfg Config, src Source, o Options) (*Encoder, error) {
	if err := cfg.check(); err != nil {
		return nil, omniscope.Invalidf("encoder: %w", err)
	}
	if o.Layers < 0 || o.Layers > cfg.Layers {
		return nil, omniscope.Invalidf("encoder: layer %d is wanted, and the model has %d", o.Layers, cfg.Layers)
	}
	if o.Layers > 0 {
		cfg.Layers = o.Layers
	}
	if !slices.Contains(isa.Available(), o.Set) {
		return nil, omniscope.Invalidf("encoder: this machine has no %s, it has %v", o.Set, isa.Available())
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	c, err := newCPU(cfg, src, o.Threads, o.Set)
	if err != nil {
		return nil, err
	}
	return &Encoder{cfg: cfg, cpu: c}, nil
}

// Config returns the encoder's sizes. Layers is how many it computes.
func (e *Encoder) Config() Config { return e.cfg }

// Hidden is what one layer made of the sentences of a call. It is read only,
// and gone when visit returns.
type Hidden struct {
	Rows  []float32 // [tokens][Width], one sentence behind the other
	Width int
	Start []int // sentence s has the tokens from Start[s] to before Start[s+1]
}

// Sentence returns the rows of sentence s, one behind the other.
func (h Hidden) Sentence(s int) []float32 {
	return h.Rows[h.Start[s]*h.Width : h.Start[s+1]*h.Width]
}

// Token returns the row of token t of all sentences.
func (h Hidden) Token(t int) []float32 { return h.Rows[t*h.Width:][:h.Width] }

// Forward runs sentences, given as ids with their special tokens, through the
// layers. visit sees the output of the embeddings as layer 0, then that of each
// layer, and ends the run by an error, which Forward returns; it must not call
// Forward. ctx is looked at between layers. Sentences without ids, ids out of
// the vocabulary and sentences longer than the model knows positions for are
// Invalid.
//
// Memory is for (Hidden·6 + Inner) numbers a token, kept from call to call.
func (e *Encoder) Forward(ctx context.Context, ids [][]int32, visit func(layer int, h Hidden) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	c := e.cpu
	if err := c.reset(ids); err != nil {
		return err
	}
	return transform(ctx, e.cfg.Layers, c, func(layer int, h matrix) error {
		if c.fault != nil {
			return c.fault
		}
		return visit(layer, Hidden{h.rows, h.width, c.in.Start})
	})
}
