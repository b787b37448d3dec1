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
// installed, unless their values are given. What is not installed stays missing,
// with the command that would get it.
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
	known := make(map[string]neural.Match)
	s.BERTScore = func(ctx context.Context, p mcif.Pairs) ([]float64, error) {
		matches, err := onceEach(known, func(texts [][]string) ([]neural.Match, error) {
			e.progress.what = bertScoreModel(lang)
			defer e.progress.stop()
			return b.Match(ctx, texts[0], texts[1])
		}, p.Hypotheses, p.References)
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

// onceEach returns the values of texts, row by row of the columns, and computes
// those that are not known: both profiles ask for nearly the same ones.
func onceEach[V any](known map[string]V, compute func(texts [][]string) ([]V, error), columns ...[]string) ([]V, error) {
	keys, fresh := make([]string, len(columns[0])), make([][]string, len(columns))
	var asked []string
	for i := range keys {
		var row []string
		for _, c := range columns {
			row = append(row, c[i])
		}
		keys[i] = fmt.Sprintf("%q", row)
		if _, ok := known[keys[i]]; ok {
			continue
		}
		asked = append(asked, keys[i])
		for c, text := range row {
			fresh[c] = append(fresh[c], text)
		}
	}
	values, err := compute(fresh)
	if err != nil {
		return nil, err
	}
	for i, key := range asked {
		known[key] = values[i]
	}
	all := make([]V, len(keys))
	for i, key := range keys {
		all[i] = known[key]
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
	known := make(map[string]float64)
	s.COMET = func(ctx context.Context, t mcif.Triples) ([]float64, error) {
		return onceEach(known, func(texts [][]string) ([]float64, error) {
			e.progress.what = cometModel
			defer e.progress.stop()
			return c.Score(ctx, texts[0], texts[1], texts[2])
		}, t.Sources, t.Hypotheses, t.References)
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
