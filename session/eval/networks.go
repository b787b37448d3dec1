package eval

import (
	"context"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/metric/neural"
	"omniscope/metric/neural/installed"
	"omniscope/run"
	"omniscope/session"
)

// networks are the installed networks as one run uses them. What they compute is
// remembered in the run's journal.
type networks struct {
	shared  *session.SharedNetworks
	options installed.Options
	once    func() *run.Once // nil until the journal is open, and where there is none
	used    bool             // the run has one
}

var _ bench.Networks = (*networks)(nil)

// byProfile is how a benchmark treats batches of BERTScore, for its signature:
// each profile in its own way.
const byProfile = "batches:by-profile"

// BERTScore implements bench.Networks.
func (n *networks) BERTScore(lang string) (*bench.Network[metric.Similarity], error) {
	if !slices.Contains(neural.Languages(), lang) {
		return nil, nil
	}
	all, err := n.shared.Open(n.options)
	if err != nil {
		return nil, err
	}
	b, err := all.BERTScore("", lang)
	if err != nil {
		return nil, needs(all, installed.BERTScore(lang), err)
	}
	signature, err := b.Signature(byProfile)
	if err != nil {
		return nil, err
	}
	matches, err := all.Matches(b)
	if err != nil {
		return nil, err
	}
	n.used = true
	score := func(ctx context.Context, steps []string, columns ...[]string) ([]metric.Similarity, error) {
		found, err := matches.Scores(ctx, n.once(), steps, columns...)
		if err != nil {
			return nil, err
		}
		out := make([]metric.Similarity, len(found))
		for i, m := range found {
			out[i] = similarity(b, m)
		}
		return out, nil
	}
	return &bench.Network[metric.Similarity]{Signature: signature, Warnings: b.Warnings(), Score: score}, nil
}

// similarity is a match in every batch that it may be in.
func similarity(b *neural.BERTScore, m neural.Match) metric.Similarity {
	s := metric.Similarity{HypothesisTokens: m.HypothesisTokens, ReferenceTokens: m.ReferenceTokens}
	for hypothesis := range s.F1 {
		for reference := range s.F1[hypothesis] {
			s.F1[hypothesis][reference] = float64(b.Padded(m, hypothesis == 1, reference == 1).Rescaled.F)
		}
	}
	return s
}

// COMET implements bench.Networks.
func (n *networks) COMET() (*bench.Network[float64], error) {
	all, err := n.shared.Open(n.options)
	if err != nil {
		return nil, err
	}
	c, err := all.COMET("")
	if err != nil {
		return nil, needs(all, installed.COMET, err)
	}
	signature, err := c.Signature()
	if err != nil {
		return nil, err
	}
	scores, err := all.Scores(c)
	if err != nil {
		return nil, err
	}
	n.used = true
	score := func(ctx context.Context, steps []string, columns ...[]string) ([]float64, error) {
		return scores.Scores(ctx, n.once(), steps, columns...)
	}
	return &bench.Network[float64]{Signature: signature, Warnings: c.Warnings(), Score: score}, nil
}

// needs says how to get a network that is not installed.
func needs(all *installed.Networks, model string, err error) error {
	if omniscope.KindOf(err) != omniscope.NotFound {
		return err
	}
	return omniscope.NotFoundf("needs the model %s: get it with `%s`", model, all.Install(model))
}
