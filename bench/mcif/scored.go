package mcif

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/metric"
)

// UseValues makes neural scorers of files in the form of pairs.jsonl whose
// values somebody else has filled in. They know the texts of those files and no
// others.
func (s *Scorers) UseValues(ctx context.Context, paths []string) error {
	known := make(map[pairLine]givenValue)
	scorers := make(map[string]bool)
	s.Inputs = make(map[string]string)
	for _, path := range paths {
		digest, err := readValues(ctx, path, known, scorers)
		if err != nil {
			return &omniscope.Error{Kind: omniscope.KindOf(err), Op: "read values", Err: err}
		}
		s.Inputs[path] = digest
	}
	missing := make(map[string]string)
	maps.Copy(missing, s.Missing)
	if scorers["bertscore"] {
		s.BERTScore = func(_ context.Context, p Pairs) ([]metric.Similarity, error) { return p.from(known) }
		delete(missing, metric.QABERTScore)
		delete(missing, metric.SumBERTScore)
	}
	if scorers["comet"] {
		s.COMET = func(_ context.Context, t Triples) ([]float64, error) { return t.from(known) }
		delete(missing, metric.TransCOMET)
	}
	s.Missing = missing
	s.Name += "|neural:values-from-files"
	return nil
}

// key is what makes two lines the same pair: all but where it is from.
func (l pairLine) key() pairLine {
	l.Unit, l.Value = "", nil
	if l.Scorer == "comet" {
		l.Lang = "" // one model for all languages
	}
	return l
}

// A givenValue is a value and where it was given.
type givenValue struct {
	value float64
	path  string
	line  int
}

// mostSimilar is the highest F1 of BERTScore, which rescaling leaves at 1, with
// room for the rounding of 32-bit numbers.
const mostSimilar = 1 + 1e-4

// check refuses values that the scorer cannot have given, and a pair with two.
func (l pairLine) check(path string, line int, text []byte, known map[pairLine]givenValue) error {
	before, twice := known[l.key()]
	switch {
	case math.IsInf(*l.Value, 0) || math.IsNaN(*l.Value):
		return badValue(path, line, text, "value is not finite")
	case l.Scorer == "bertscore" && *l.Value > mostSimilar:
		return badValue(path, line, text, fmt.Sprintf("value is %g, but an F1 of BERTScore is at most 1: give fractions, not percents", *l.Value))
	case twice && before.value != *l.Value:
		return badValue(path, line, text, fmt.Sprintf("value is %g, but %s:%d gives the same texts %g: leave one of them out", *l.Value, before.path, before.line, before.value))
	}
	return nil
}

// readValues reads a file of values and returns its SHA-256.
func readValues(ctx context.Context, path string, known map[pairLine]givenValue, scorers map[string]bool) (digest string, err error) {
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return "", err
	}
	defer f.Close()
	filled := make(map[string]bool) // by scorer; a file may have the values of one only
	var open []openValue
	form, err := rows.JSONFormOf(f)
	if err != nil {
		return "", err
	}
	err = rows.Each(f, form, func(n int, line []byte) error {
		var l pairLine
		if err := json.Unmarshal(line, &l); err != nil {
			return badValue(path, n, line, err.Error())
		}
		if l.Scorer != "bertscore" && l.Scorer != "comet" {
			return badValue(path, n, line, "scorer is neither bertscore nor comet")
		}
		if l.Value != nil {
			if err := l.check(path, n, line, known); err != nil {
				return err
			}
			known[l.key()] = givenValue{*l.Value, path, n}
			scorers[l.Scorer], filled[l.Scorer] = true, true
		} else if !slices.ContainsFunc(open, func(o openValue) bool { return o.scorer == l.Scorer }) {
			open = append(open, openValue{l.Scorer, badValue(path, n, line, "value is not filled in")})
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return f.Digest(), unfilled(filled, open)
}

// An openValue is a line whose value is not filled in.
type openValue struct {
	scorer string
	err    error
}

// unfilled is an error if a scorer's values are there in part, or no scorer's
// are.
func unfilled(filled map[string]bool, open []openValue) error {
	for _, o := range open {
		if filled[o.scorer] || len(filled) == 0 {
			return o.err
		}
	}
	return nil
}

func badValue(path string, line int, text []byte, what string) error {
	text = bytes.TrimSpace(text)
	return omniscope.Invalidf("%s:%d: %s: %.120q", path, line, what, text)
}

func (p Pairs) from(known map[pairLine]givenValue) ([]metric.Similarity, error) {
	return valuesOf(len(p.Hypotheses), metric.SimilarityOf, known, func(i int) pairLine {
		return pairLine{Scorer: "bertscore", Lang: p.Lang, Hypothesis: p.Hypotheses[i], Reference: p.References[i]}
	})
}

func (t Triples) from(known map[pairLine]givenValue) ([]float64, error) {
	return valuesOf(len(t.Hypotheses), func(v float64) float64 { return v }, known, func(i int) pairLine {
		return pairLine{Scorer: "comet", Source: t.Sources[i], Hypothesis: t.Hypotheses[i], Reference: t.References[i]}
	})
}

// valuesOf are the known values of n lines, each as a scorer returns it.
func valuesOf[V any](n int, as func(float64) V, known map[pairLine]givenValue, line func(i int) pairLine) ([]V, error) {
	out := make([]V, n)
	for i := range out {
		l := line(i)
		v, ok := known[l.key()]
		if !ok {
			return nil, omniscope.NotFoundf(
				"--scored has no value of %s for the hypothesis %.80q and the reference %.80q: score the pairs.jsonl of these very files", l.Scorer, l.Hypothesis, l.Reference)
		}
		out[i] = as(v.value)
	}
	return out, nil
}
