package main

import (
	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/langcode"
	"omniscope/internal/spelling"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/results/score"
	"omniscope/results/score/measures"
)

// werOptions are the flags of score wer.
type werOptions struct {
	scoreOptions
	Normalizer string
	EmptyRef   string
}

func newScoreWER() *cobra.Command {
	o := &werOptions{}
	cmd := &cobra.Command{
		Use:   "wer --hyp FILE --ref FILE --lang LANG",
		Short: "Word error rate, as jiwer counts it",
		Long: `Word error rate, a fraction that may exceed 1, equal to that of jiwer 3.0.5 over all segments: words
replaced, left out and inserted, for each word of the references.

Texts are normalised first, as MCIF does it: by the EnglishTextNormalizer of whisper-normalizer
0.0.10 for --lang en, by its BasicTextNormalizer for any other language. --normalizer none compares
them as they are. A reference without words after normalisation is an error, as in jiwer 3.0.5: its rate is
undefined. --empty-ref skip leaves such lines out; --empty-ref count counts the words of the hypothesis as
insertions, as jiwer does since 4.0. The signature has the rule and the number of such lines.

--format python prints the number that the command jiwer prints. That one drops lines of fewer than
two characters first; here every line counts.`,
		Example: `  omniscope score wer --hyp out.en.txt --ref ref.en.txt --lang en
  omniscope score wer --data rows.jsonl --hyp-field asr --normalizer none --cluster talk
  omniscope score wer --data manifest.jsonl --lang en --empty-ref count`,
		Args: noArguments,
		RunE: o.runE(1, o.measure),
	}
	o.addFlags(cmd.Flags())
	o.addLanguage(cmd.Flags())
	cmd.Flags().StringVar(&o.Normalizer, "normalizer", "whisper", "whisper or none")
	cmd.Flags().StringVar(&o.EmptyRef, "empty-ref", "", aboutEmptyRef)
	return cmd
}

const aboutEmptyRef = "references without words: skip leaves them out, count takes what was said there for insertions (default refuse)"

func checkEmptyRef(rule string) error {
	if rule == "" {
		return nil
	}
	return spelling.CheckChoice("empty-ref", rule, []string{metric.SkipEmpty, metric.CountEmpty})
}

func (o *werOptions) measure() (*score.Measure, error) {
	if err := checkEmptyRef(o.EmptyRef); err != nil {
		return nil, err
	}
	switch {
	case o.Normalizer != "whisper" && o.Normalizer != "none":
		return nil, spelling.CheckChoice("normalizer", o.Normalizer, []string{"whisper", "none"})
	case o.Normalizer == "none":
		return measures.WER("", "", o.EmptyRef), nil
	case o.Lang == "":
		return nil, omniscope.Usagef("texts are normalised by their language: give --lang, such as en, or --normalizer none")
	}
	return measures.WER(textnorm.SchemeFor(langcode.Base(o.Lang)), o.Lang, o.EmptyRef), nil
}
