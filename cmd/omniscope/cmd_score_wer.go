package main

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/langcode"
	"omniscope/internal/spelling"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/results/score"
	"omniscope/results/score/filter"
	"omniscope/results/score/measures"
)

// werOptions are the flags of score wer.
type werOptions struct {
	scoreOptions
	Normalizer string
	EmptyRef   string
	EachLine   bool
}

// normalizers are the values of --normalizer. byLanguage chooses one of the schemes, as MCIF does.
var normalizers = slices.Concat([]string{byLanguage, "none"}, schemes)

const byLanguage = "whisper"

func newScoreWER() *cobra.Command {
	o := &werOptions{}
	cmd := &cobra.Command{
		Use:   "wer --hyp FILE --ref FILE --lang LANG",
		Short: "Word error rate, as jiwer counts it",
		Long: `Word error rate, a fraction that may exceed 1, equal to that of jiwer 3.0.5 over all segments: words
replaced, left out and inserted, for each word of the references.

Texts are normalised first. --normalizer is one of

  whisper        whisper-en for English (--lang en), whisper-basic for all other languages, as MCIF does
` + aboutSchemes + `
  none           texts as they are

A reference without words after normalisation is an error, as in jiwer 3.0.5: its rate is
undefined. --empty-ref skip leaves such lines out; --empty-ref count counts the words of the hypothesis as
insertions, as jiwer does since 4.0. The signature has the rule and the number of such lines.

--format python prints the number that the command jiwer prints. That command first drops lines of fewer than
two characters; here every line counts.

With --each-line it is a filter: each line has two lists of strings of the same length, "refs" and "hyps", and gets
its own "wer", "subs", "dels", "ins" and "hits". Words are counted over the two lists. Without --lang, whisper
takes the language from the field "lang" of the line. If jiwer raises an exception, the line gets "error", the
exception in Python, and "message". With --empty-ref it also gets "empty_refs", and "wer" is null if no reference has
words. "refs" may also be pooled as in MCIF: {"sample_ids": ["3", "4"], "reference": "..."}, and "hyps" an object of
hypotheses by id, which are normalised and then joined with a blank.

` + aboutFilters,
		Example: `  omniscope score wer --hyp out.en.txt --ref ref.en.txt --lang en
  omniscope score wer --data rows.jsonl --hyp-field asr --normalizer none --cluster talk
  omniscope score wer --data manifest.jsonl --lang en --empty-ref count
  echo '{"refs": ["so it goes"], "hyps": ["So it went."]}' | omniscope score wer --each-line --lang en`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(checkEmptyRef(o.EmptyRef), spelling.CheckChoice("normalizer", o.Normalizer, normalizers)); err != nil {
				return err
			}
			if o.EachLine {
				return o.eachLine(cmd)
			}
			return o.runE(1, o.measure)(cmd, args)
		},
	}
	f := cmd.Flags()
	o.addFlags(f)
	o.addLanguage(f)
	f.StringVar(&o.Normalizer, "normalizer", byLanguage, "whisper, none, whisper-en or whisper-basic")
	f.StringVar(&o.EmptyRef, "empty-ref", "", aboutEmptyRef)
	f.BoolVar(&o.EachLine, "each-line", false, "read JSON Lines with refs and hyps on standard input, and add the word errors of each line")
	return cmd
}

const aboutEmptyRef = "references without words: skip leaves them out, count takes what was said there for insertions (default refuse)"

func checkEmptyRef(rule string) error {
	if rule == "" {
		return nil
	}
	return spelling.CheckChoice("empty-ref", rule, []string{metric.SkipEmpty, metric.CountEmpty})
}

// scheme returns the name of the scheme that texts are normalised by: "" = they are not. ok is false if it depends on a language
// that is not given.
func (o *werOptions) scheme() (name string, ok bool) {
	switch {
	case o.Normalizer == "none":
		return "", true
	case o.Normalizer != byLanguage:
		return o.Normalizer, true
	}
	return textnorm.SchemeFor(langcode.Base(o.Lang)), o.Lang != ""
}

func (o *werOptions) measure() (*score.Measure, error) {
	scheme, ok := o.scheme()
	if !ok {
		return nil, omniscope.Usagef("texts are normalised by their language: give --lang, such as en, or --normalizer none")
	}
	language := o.Lang
	if o.Normalizer != byLanguage {
		language = "" // no language chose the scheme
	}
	return measures.WER(scheme, language, o.EmptyRef), nil
}

// eachLine filters standard input.
func (o *werOptions) eachLine(cmd *cobra.Command) error {
	if name := firstGiven(cmd.Flags(), "hyp", "ref", "data", "hyp-field", "ref-field", "as", "cluster", "cluster-file", "per-segment", "format", "json"); name != "" {
		return omniscope.Usagef("--each-line reads JSON Lines with \"refs\" and \"hyps\" on standard input and writes them to standard output: leave out --%s", name)
	}
	scheme, ok := o.scheme()
	if !ok {
		scheme = filter.ByLanguage
	}
	return runFilter(cmd, filter.WordErrors(scheme, o.EmptyRef))
}
