package mcif

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// Scorers say how texts are compared. A neural scorer that is nil is not
// available, for the reason in Missing. What a neural scorer says of a pair or
// triple must not depend on the others of a call. It is safe for concurrent use.
type Scorers struct {
	Name      string // for signatures
	Normalize func(lang, text string) (string, error)
	BERTScore func(context.Context, Pairs) ([]metric.Similarity, error)
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

// published are the scorers of the published program: whisper-normalizer
// 0.0.10 before the word error rate, English for English and Basic for other
// languages.
func published() *Scorers {
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

// openScorers makes the scorers that the options name. Those of them that need a
// network have it where it is installed, unless their values are given; else the
// way to get it is noted.
func (b Benchmark) openScorers(ctx context.Context, n bench.Networks) (*Scorers, error) {
	switch {
	case b.Scorers != nil:
		return b.Scorers, nil
	case b.Scorer == lengthScorers:
		return lengths(), nil
	}
	s := published()
	if len(b.Scored) > 0 {
		if err := s.UseValues(ctx, b.Scored); err != nil {
			return nil, err
		}
	}
	if n == nil {
		return s, nil
	}
	if s.BERTScore == nil {
		if err := s.useBERTScore(n, b.Lang); err != nil {
			return nil, err
		}
	}
	if s.COMET == nil && b.Lang != "en" {
		return s, s.useCOMET(n)
	}
	return s, nil
}

func (s *Scorers) useBERTScore(n bench.Networks, lang string) error {
	network, err := n.BERTScore(lang)
	if err != nil || network == nil {
		return s.lacks(err, metric.QABERTScore, metric.SumBERTScore)
	}
	s.BERTScore = func(ctx context.Context, p Pairs) ([]metric.Similarity, error) {
		return network.Score(ctx, p.Steps, p.Hypotheses, p.References)
	}
	s.use(within("bertscore", network.Signature), network.Warnings, metric.QABERTScore, metric.SumBERTScore)
	return nil
}

func (s *Scorers) useCOMET(n bench.Networks) error {
	network, err := n.COMET()
	if err != nil || network == nil {
		return s.lacks(err, metric.TransCOMET)
	}
	s.COMET = func(ctx context.Context, t Triples) ([]float64, error) {
		return network.Score(ctx, t.Steps, t.Sources, t.Hypotheses, t.References)
	}
	s.use(within("comet", network.Signature), network.Warnings, metric.TransCOMET)
	return nil
}

// lacks notes that scores are missing where their network is not installed. Any
// other error it returns.
func (s *Scorers) lacks(err error, scores ...string) error {
	if err == nil || omniscope.KindOf(err) != omniscope.NotFound {
		return err
	}
	for _, name := range scores {
		s.Missing[name] = fmt.Sprintf("%v, or have the pairs in pairs.jsonl scored elsewhere and give the values with --scored FILE", err)
	}
	return nil
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

const (
	missingBERTScore = "needs BERTScore's values of the pairs in pairs.jsonl; get them by running bert_score 0.3.13 on it, and give them back with --scored FILE"
	missingCOMET     = "needs COMET's values (Unbabel/wmt22-comet-da) of the triples in pairs.jsonl; get them by running unbabel-comet 2.2.4 on it, and give them back with --scored FILE"
)

// use notes that scores are computed by a model after all: its signature, and
// what should be known of it.
func (s *Scorers) use(signature string, warnings []string, scores ...string) {
	for _, name := range scores {
		delete(s.Missing, name)
	}
	s.Name += "|" + signature
	s.Warnings = append(s.Warnings, warnings...)
}

func normalize(lang, text string) (string, error) {
	return textnorm.Schemes[textnorm.SchemeFor(lang)](text)
}

// standInWarning warns of scores by lengths.
const standInWarning = "stand-in scorers (--scorers lengths) compare lengths and take words as they stand: no number here is a word error rate of the paper, COMET or BERTScore"

// lengths are stand-ins that need no model: a pair scores by how alike its
// texts are in length, and words are compared as they stand. They measure
// nothing; they show that the right texts reach the scorers.
func lengths() *Scorers {
	return &Scorers{
		Name:      "lengths (stand-ins that measure nothing)",
		StandIn:   true,
		Normalize: func(_, text string) (string, error) { return text, nil },
		BERTScore: func(_ context.Context, p Pairs) ([]metric.Similarity, error) {
			return similarities(alikeInLength(p.Hypotheses, p.References)), nil
		},
		COMET: func(_ context.Context, t Triples) ([]float64, error) {
			return alikeInLength(t.Hypotheses, t.References), nil
		},
	}
}

func similarities(values []float64) []metric.Similarity {
	out := make([]metric.Similarity, len(values))
	for i, v := range values {
		out[i] = metric.SimilarityOf(v)
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
