package bench

import (
	"context"

	"omniscope/metric"
)

// Networks are the networks that texts can be scored by. Where one is not
// installed, the error is of kind NotFound and says how to get it.
type Networks interface {
	// BERTScore returns the network of a language, which scores hypotheses and
	// references. A language that BERTScore has no network for has none.
	BERTScore(lang string) (*Network[metric.Similarity], error)
	// COMET scores sources, hypotheses and references.
	COMET() (*Network[float64], error)
}

// A Network scores rows of texts.
type Network[V any] struct {
	Signature string   // what must be equal for two scores to be comparable
	Warnings  []string // what a reader of its scores should know

	// Score scores rows of texts, given as columns. steps names the rows for the
	// journal, which remembers their scores. The score of a row does not depend on
	// the others. It is safe for concurrent use.
	Score func(ctx context.Context, steps []string, columns ...[]string) ([]V, error)
}
