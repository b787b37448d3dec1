package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/mcif"
	"omniscope/metric"
	"omniscope/metric/neural"
)

// fill gives MCIF's scorers the models that a language needs and that are
// installed, unless their values are given. What is not installed stays missing, with the command that
// would get it.
func (e *encoders) fill(s *mcif.Scorers, lang string) error {
	if s.BERTScore == nil && slices.Contains(neural.Languages(), lang) {
		if err := e.fillBERTScore(s, lang); err != nil {
			return err
		}
	}
	if s.COMET == nil && lang != "en" {
		return e.fillCOMET(s)
	}
	return nil
}

func (e *encoders) fillBERTScore(s *mcif.Scorers, lang string) error {
	b, err := e.bertScore(lang)
	if omniscope.KindOf(err) == omniscope.NotFound {
		for _, name := range []string{metric.QABERTScore, metric.SumBERTScore} {
			s.Missing[name] = e.needs(bertScoreModel(lang))
		}
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := b.Signature("batches:by-profile")
	if err != nil {
		return err
	}
	m := matcher{e: e, b: b, name: bertScoreModel(lang), known: make(map[[2]string]neural.Match)}
	s.BERTScore = func(ctx context.Context, p mcif.Pairs) ([]float64, error) {
		matches, err := m.match(ctx, p.Hypotheses, p.References)
		if err != nil {
			return nil, err
		}
		if p.Official {
			return rescaledF(b.Official(matches)), nil
		}
		return rescaledF(b.Strict(matches)), nil
	}
	s.Use(within("bertscore", signature), b.Warnings(), metric.QABERTScore, metric.SumBERTScore)
	return nil
}

// A matcher compares each pair of a file once, for both profiles.
type matcher struct {
	e     *encoders
	b     *neural.BERTScore
	name  string
	known map[[2]string]neural.Match
}

func (m matcher) match(ctx context.Context, hypotheses, references []string) ([]neural.Match, error) {
	var hyps, refs []string
	for i, h := range hypotheses {
		if _, known := m.known[[2]string{h, references[i]}]; !known {
			hyps, refs = append(hyps, h), append(refs, references[i])
		}
	}
	m.e.progress.what = m.name
	matches, err := m.b.Match(ctx, hyps, refs)
	m.e.progress.stop()
	if err != nil {
		return nil, err
	}
	for i, h := range hyps {
		m.known[[2]string{h, refs[i]}] = matches[i]
	}
	all := make([]neural.Match, len(hypotheses))
	for i, h := range hypotheses {
		all[i] = m.known[[2]string{h, references[i]}]
	}
	return all, nil
}

func (e *encoders) fillCOMET(s *mcif.Scorers) error {
	c, err := e.cometScorer()
	if omniscope.KindOf(err) == omniscope.NotFound {
		s.Missing[metric.TransCOMET] = e.needs(cometModel)
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := c.Signature()
	if err != nil {
		return err
	}
	s.COMET = func(ctx context.Context, t mcif.Triples) ([]float64, error) {
		e.progress.what = cometModel
		scores, err := c.Score(ctx, t.Sources, t.Hypotheses, t.References)
		e.progress.stop()
		return scores, err
	}
	s.Use(within("comet", signature), c.Warnings(), metric.TransCOMET)
	return nil
}

func (e *encoders) needs(model string) string {
	get := "omniscope models get " + model
	if e.o.ModelsDir != "" {
		get += " --models-dir " + e.o.ModelsDir
	}
	return fmt.Sprintf("needs the model %s: get it with `%s`, or have the pairs in pairs.jsonl scored elsewhere and give the values with --scored FILE", model, get)
}

// within puts the name of a score before the parts of its signature, so that
// those of several can stand beside each other.
func within(name, signature string) string {
	parts := strings.Split(signature, "|")
	for i, part := range parts[1:] {
		parts[i+1] = name + "." + part
	}
	return strings.Join(parts, "|")
}

func rescaledF(scores []neural.PairScore) []float64 {
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = float64(s.Rescaled.F)
	}
	return out
}
