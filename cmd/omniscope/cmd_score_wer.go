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

func (o *werOptions) measure() (*measure, error) {
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
	return &measure{
		name: "wer", title: "WER", fields: []string{"hits", "substitutions", "deletions", "insertions"},
		scores:    []scoreOf{{name: "wer", title: "WER", digits: 4, value: rate}},
		signature: func(int, bool) string { return "norm:" + name + "|version:omniscope-1(jiwer-3.0.5)" },
		detail: func(sum []float64) (title, value string) {
			e := edits(sum)
			return "of words", fmt.Sprintf("%d: subs %d dels %d ins %d", e.Words(), e.Substitutions, e.Deletions, e.Insertions)
		},
		count: func(ctx context.Context, in *scoreInput, system column) ([][]float64, error) {
			return wordErrorsOf(ctx, in.refs[0], system, normalize)
		},
		warn: func(*scoreInput) []string {
			if name != "whisper-basic" {
				return nil
			}
			return oddLanguage(o.Lang, "texts are normalised by whisper-basic, the normaliser of all languages but English")
		},
		python: pythonForm{lines: func(s *scored, _, _ bool) []string {
			value, _ := rate(s.systems[0].sum) // references have words, or counting would have failed
			return []string{pyrepr.Float(value)}
		}},
	}, nil
}

// wordErrorsOf counts the word errors of each segment.
func wordErrorsOf(ctx context.Context, refs, hyps column, normalize scheme) ([][]float64, error) {
	rows := make([][]float64, len(refs.texts))
	err := eachSegment(ctx, len(rows), func(i int) (err error) {
		rows[i], err = segmentErrors(refs, hyps, i, normalize)
		return err
	})
	return rows, err
}

func segmentErrors(refs, hyps column, segment int, normalize scheme) ([]float64, error) {
	ref, err := refs.normal(segment, normalize)
	if err != nil {
		return nil, err
	}
	if len(textnorm.Words(ref)) == 0 {
		err := errors.New("the reference has no words, and so no word error rate")
		if text := refs.texts[segment]; strings.TrimSpace(text) != "" {
			err = quoting(err, text)
		}
		return nil, badLine(refs.path, refs.lines[segment], err)
	}
	hyp, err := hyps.normal(segment, normalize)
	if err != nil {
		return nil, err
	}
	e, err := metric.WER([]string{ref}, []string{hyp})
	if err != nil {
		return nil, badLine(refs.path, refs.lines[segment], errors.New(advice(err)))
	}
	return []float64{float64(e.Hits), float64(e.Substitutions), float64(e.Deletions), float64(e.Insertions)}, nil
}

// normal is a text in normal form, if there is a scheme.
func (c column) normal(segment int, normalize scheme) (string, error) {
	text := c.texts[segment]
	if normalize == nil {
		return text, nil
	}
	normal, err := normalize(text)
	if err != nil {
		return "", badLine(c.path, c.lines[segment], quoting(err, text))
	}
	return normal, nil
}
