package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/pyrepr"
	"omniscope/internal/textnorm"
	"omniscope/metric"
	"omniscope/record"
	"omniscope/score"
)

// werOptions are the flags of score wer.
type werOptions struct {
	scoreOptions
	Normalizer string
}

func newScoreWER() *cobra.Command {
	o := &werOptions{}
	cmd := &cobra.Command{
		Use:   "wer --hyp FILE --ref FILE --lang LANG",
		Short: "Word error rate, as jiwer counts it",
		Long: `Word error rate, a fraction that may exceed 1, equal to that of jiwer 3.0.5 over all segments: words
put in place of others, left out and too many, for each word of the references.

Texts are normalised first, as MCIF does it: by the EnglishTextNormalizer of whisper-normalizer
0.0.10 for --lang en, by its BasicTextNormalizer for any other language. --normalizer none compares
them as they are. A reference without words, after that, is an error: there is no rate of it.

--format python prints the number that the command jiwer prints. That one drops lines of fewer than
two characters first; here every line counts.`,
		Example: `  omniscope score wer --hyp out.en.txt --ref ref.en.txt --lang en
  omniscope score wer --data rows.jsonl --hyp-field asr --normalizer none --cluster talk`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed("format"), 1); err != nil {
				return err
			}
			m, err := o.measure()
			if err != nil {
				return err
			}
			return o.run(cmd, m)
		},
	}
	o.addFlags(cmd.Flags())
	o.addLanguage(cmd.Flags())
	cmd.Flags().StringVar(&o.Normalizer, "normalizer", "whisper", "whisper or none")
	return cmd
}

func (o *werOptions) measure() (*score.Measure, error) {
	name, normalize := "none", scheme(nil)
	if err := checkChoice("normalizer", o.Normalizer, []string{"whisper", "none"}); err != nil {
		return nil, err
	}
	switch {
	case o.Normalizer == "whisper" && o.Lang == "":
		return nil, usagef("texts are normalised by their language: give --lang, such as en, or --normalizer none")
	case o.Normalizer == "whisper":
		name = "whisper-basic"
		if baseLanguage(o.Lang) == "en" {
			name = "whisper-en"
		}
		normalize = schemes[name]
	}
	edits := func(sum []float64) metric.Edits {
		return metric.Edits{Hits: int(sum[0]), Substitutions: int(sum[1]), Deletions: int(sum[2]), Insertions: int(sum[3])}
	}
	rate := func(sum []float64) (float64, bool) { return edits(sum).Rate() }
	return &score.Measure{
		Name: "wer", Title: "WER", Fields: []string{"hits", "substitutions", "deletions", "insertions"},
		Scores:    []score.Score{{Name: "wer", Title: "WER", Digits: 4, Value: rate}},
		Signature: func(int, bool) string { return "norm:" + name + "|version:omniscope-1(jiwer-3.0.5)" },
		Detail: func(sum []float64) (title, value string) {
			e := edits(sum)
			return "of words", fmt.Sprintf("%d: subs %d dels %d ins %d", e.Words(), e.Substitutions, e.Deletions, e.Insertions)
		},
		Count: func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			return wordErrorsOf(ctx, in.Refs[0], system, normalize)
		},
		Warn: func(*score.Input) []string {
			if name != "whisper-basic" {
				return nil
			}
			return oddLanguage(o.Lang, "texts are normalised by whisper-basic, the normaliser of all languages but English")
		},
		Python: score.Python{Lines: func(s *score.Scored, _, _ bool) []string {
			value, _ := rate(s.Systems[0].Sum) // references have words, or counting would have failed
			return []string{pyrepr.Float(value)}
		}},
	}, nil
}

// wordErrorsOf counts the word errors of each segment.
func wordErrorsOf(ctx context.Context, refs, hyps score.Column, normalize scheme) ([][]float64, error) {
	rows := make([][]float64, len(refs.Texts))
	err := score.EachSegment(ctx, len(rows), func(i int) (err error) {
		rows[i], err = segmentErrors(refs, hyps, i, normalize)
		return err
	})
	return rows, err
}

func segmentErrors(refs, hyps score.Column, segment int, normalize scheme) ([]float64, error) {
	ref, err := normal(refs, segment, normalize)
	if err != nil {
		return nil, err
	}
	if len(textnorm.Words(ref)) == 0 {
		err := errors.New("the reference has no words, and so no word error rate")
		if text := refs.Texts[segment]; strings.TrimSpace(text) != "" {
			err = record.Quoting(err, text)
		}
		return nil, record.BadLine(refs.Path, refs.Lines[segment], err)
	}
	hyp, err := normal(hyps, segment, normalize)
	if err != nil {
		return nil, err
	}
	e, err := metric.WER([]string{ref}, []string{hyp})
	if err != nil {
		return nil, record.BadLine(refs.Path, refs.Lines[segment], errors.New(advice(err)))
	}
	return []float64{float64(e.Hits), float64(e.Substitutions), float64(e.Deletions), float64(e.Insertions)}, nil
}

// normal is a text in normal form, if there is a scheme.
func normal(c score.Column, segment int, normalize scheme) (string, error) {
	text := c.Texts[segment]
	if normalize == nil {
		return text, nil
	}
	normal, err := normalize(text)
	if err != nil {
		return "", record.BadLine(c.Path, c.Lines[segment], record.Quoting(err, text))
	}
	return normal, nil
}
