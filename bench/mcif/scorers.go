package mcif

import (
	"context"
	"unicode/utf8"

	"omniscope/internal/textnorm"
	"omniscope/metric"
)

// Scorers say how texts are compared. A neural scorer that is nil is not
// available, for the reason in Missing. What a neural scorer says of a pair or
// triple must not depend on the others of a call. It is safe for concurrent use.
type Scorers struct {
	Name      string // for signatures
	Normalize func(lang, text string) (string, error)
	BERTScore func(context.Context, Pairs) ([]Similarity, error)
	COMET     func(context.Context, Triples) ([]float64, error)
	Missing   map[string]string // by name of the score
	Inputs    map[string]string // files that the scores are from, path to SHA-256
	Warnings  []string          // what a reader of their scores should know
	StandIn   bool              // they measure nothing: every report says so
}

// Pairs are texts to compare by BERTScore, rescaled with the baseline. Results
// come back in the order of the texts.
type Pairs struct {
	Lang                   string
	Steps                  []string // a readable name of each pair within the run
	Hypotheses, References []string
}

// Triples are translated lines to score by COMET.
type Triples struct {
	Steps                           []string
	Sources, Hypotheses, References []string
}

// A Similarity is BERTScore's F1 of a pair, as a fraction. bert_score pads a
// text that is shorter than the longest of its batch with zeros, which count
// where cosines are below zero, so official may depend on the batch.
type Similarity struct {
	F1                                [2][2]float64 // with the hypothesis padded (1) or not (0), and the reference likewise
	HypothesisTokens, ReferenceTokens int
}

// SimilarityOf is one that does not depend on the batch.
func SimilarityOf(f1 float64) Similarity {
	return Similarity{F1: [2][2]float64{{f1, f1}, {f1, f1}}}
}

// alone is the F1 of the pair by itself.
func (s Similarity) alone() float64 { return s.F1[0][0] }

// batchMatters reports whether padding changes anything.
func (s Similarity) batchMatters() bool { return s.F1 != SimilarityOf(s.alone()).F1 }

// Published are the scorers of the published program: whisper-normalizer
// 0.0.10 before the word error rate, English for English and Basic for other
// languages.
func Published() *Scorers {
	return &Scorers{
		Name:      "whisper-normalizer:0.0.10|wer:jiwer-3.0.5",
		Normalize: normalize,
		Missing: map[string]string{
			metric.QABERTScore:  missingBERTScore,
			metric.SumBERTScore: missingBERTScore,
			metric.TransCOMET:   missingCOMET,
		},
	}
}

const (
	missingBERTScore = "needs BERTScore's values of the pairs in pairs.jsonl; get them by running bert_score 0.3.13 on it, and give them back with --scored FILE"
	missingCOMET     = "needs COMET's values (Unbabel/wmt22-comet-da) of the triples in pairs.jsonl; get them by running unbabel-comet 2.2.4 on it, and give them back with --scored FILE"
)

// Use notes that scores are computed by a model after all: its signature, and
// what should be known of it.
func (s *Scorers) Use(signature string, warnings []string, scores ...string) {
	for _, name := range scores {
		delete(s.Missing, name)
	}
	s.Name += "|" + signature
	s.Warnings = append(s.Warnings, warnings...)
}

func normalize(lang, text string) (string, error) {
	if lang == "en" {
		return textnorm.English(text)
	}
	return textnorm.Basic(text), nil
}

// StandInWarning says what Lengths are worth.
const StandInWarning = "stand-in scorers (--scorers lengths) compare lengths and take words as they stand: no number here is a word error rate of the paper, COMET or BERTScore"

// Lengths are stand-ins that need no model: a pair scores by how alike its
// texts are in length, and words are compared as they stand. They measure
// nothing; they show that the right texts reach the scorers.
func Lengths() *Scorers {
	return &Scorers{
		Name:      "lengths (stand-ins that measure nothing)",
		StandIn:   true,
		Normalize: func(_, text string) (string, error) { return text, nil },
		BERTScore: func(_ context.Context, p Pairs) ([]Similarity, error) {
			return similarities(alikeInLength(p.Hypotheses, p.References)), nil
		},
		COMET: func(_ context.Context, t Triples) ([]float64, error) {
			return alikeInLength(t.Hypotheses, t.References), nil
		},
	}
}

func similarities(values []float64) []Similarity {
	out := make([]Similarity, len(values))
	for i, v := range values {
		out[i] = SimilarityOf(v)
	}
	return out
}

// alikeInLength is 1 - |h - r| / max(h, r, 1) in code points.
func alikeInLength(hypotheses, references []string) []float64 {
	out := make([]float64, len(hypotheses))
	for i := range out {
		h, r := utf8.RuneCountInString(hypotheses[i]), utf8.RuneCountInString(references[i])
		out[i] = 1 - float64(max(h-r, r-h))/float64(max(h, r, 1))
	}
	return out
}
