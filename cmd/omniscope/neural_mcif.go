package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench/mcif"
	"omniscope/metric"
	"omniscope/metric/neural"
	"omniscope/metric/neural/installed"
	"omniscope/metric/remember"
	"omniscope/run"
)

// encoders are the installed networks as MCIF's scorers use them.
type encoders struct {
	*installed.Networks
	progress *tokenProgress
	busy     sync.Mutex // held while one computes
	inUse    bool       // one of them scores the file of outputs at hand
	once     *run.Once  // remembers the scores of that file; nil = nothing does
}

// openEncoders opens no network yet. Progress goes to errOut.
func openEncoders(o installed.Options, errOut io.Writer, quiet bool) (*encoders, error) {
	e := &encoders{progress: &tokenProgress{w: errOut, quiet: quiet}}
	o.Progress = e.progress.tell
	var err error
	e.Networks, err = installed.Open(o)
	return e, err
}

func (e *encoders) close() error {
	e.progress.stop()
	return e.Close()
}

// fill gives MCIF's scorers the models that a language needs and that are
// installed, unless their values are given. What is not installed stays missing,
// with the command that would get it.
func (e *encoders) fill(s *mcif.Scorers, lang string) error {
	e.inUse = false
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
	b, err := e.BERTScore("", lang)
	if omniscope.KindOf(err) == omniscope.NotFound {
		for _, name := range []string{metric.QABERTScore, metric.SumBERTScore} {
			s.Missing[name] = e.needs(installed.BERTScore(lang))
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
	identity, err := b.Identity()
	if err != nil {
		return err
	}
	e.inUse = true
	matches := remember.Scorer[neural.Match]{Source: metricOf(signature), Identity: identity, Score: func(ctx context.Context, texts [][]string) ([]neural.Match, error) {
		defer e.computing()()
		return b.Match(ctx, texts[0], texts[1])
	}}
	s.BERTScore = func(ctx context.Context, p mcif.Pairs) ([]mcif.Similarity, error) {
		found, err := matches.Scores(ctx, e.once, p.Steps, p.Hypotheses, p.References)
		if err != nil {
			return nil, err
		}
		out := make([]mcif.Similarity, len(found))
		for i, m := range found {
			out[i] = similarity(b, m)
		}
		return out, nil
	}
	s.Use(within("bertscore", signature), b.Warnings(), metric.QABERTScore, metric.SumBERTScore)
	return nil
}

// metricOf is the part of a signature that names the metric and its version.
func metricOf(signature string) string {
	name, _, _ := strings.Cut(signature, "|")
	return name
}

// similarity is a match as MCIF's profiles need it.
func similarity(b *neural.BERTScore, m neural.Match) mcif.Similarity {
	s := mcif.Similarity{HypothesisTokens: m.HypothesisTokens, ReferenceTokens: m.ReferenceTokens}
	for hypothesis := range s.F1 {
		for reference := range s.F1[hypothesis] {
			s.F1[hypothesis][reference] = float64(b.Padded(m, hypothesis == 1, reference == 1).Rescaled.F)
		}
	}
	return s
}

// computing waits until no network computes: each uses all threads.
func (e *encoders) computing() (done func()) {
	e.busy.Lock()
	return func() {
		e.progress.stop()
		e.busy.Unlock()
	}
}

func (e *encoders) fillCOMET(s *mcif.Scorers) error {
	c, err := e.COMET("")
	if omniscope.KindOf(err) == omniscope.NotFound {
		s.Missing[metric.TransCOMET] = e.needs(installed.COMET)
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := c.Signature()
	if err != nil {
		return err
	}
	identity, err := c.Identity()
	if err != nil {
		return err
	}
	e.inUse = true
	scores := remember.Scorer[float64]{Source: metricOf(signature), Identity: identity, Score: func(ctx context.Context, texts [][]string) ([]float64, error) {
		defer e.computing()()
		return c.Score(ctx, texts[0], texts[1], texts[2])
	}}
	s.COMET = func(ctx context.Context, t mcif.Triples) ([]float64, error) {
		return scores.Scores(ctx, e.once, t.Steps, t.Sources, t.Hypotheses, t.References)
	}
	s.Use(within("comet", signature), c.Warnings(), metric.TransCOMET)
	return nil
}

func (e *encoders) needs(model string) string {
	return fmt.Sprintf("needs the model %s: get it with `%s`, or have the pairs in pairs.jsonl scored elsewhere and give the values with --scored FILE", model, e.Install(model))
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
