package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/metric/ngram"
	"omniscope/results/score"
	"omniscope/results/score/measures"
)

// manyReferences is the most that BLEU and chrF take.
const manyReferences = 1000

// bleuOptions are the flags of score bleu.
type bleuOptions struct {
	scoreOptions
	Tokenize    string
	Smooth      string
	SmoothValue float64
	Lowercase   bool
	MaxOrder    int
	Width       int
}

func newScoreBLEU() *cobra.Command {
	o := &bleuOptions{}
	cmd := &cobra.Command{
		Use:   "bleu --hyp FILE --ref FILE",
		Short: "BLEU, as sacrebleu counts it",
		Long: `BLEU from 0 to 100, equal to that of sacrebleu 2.4.3: its tokenizers 13a, zh, intl, char and none,
its smoothings, any number of references. --lang zh takes the tokenizer zh; Japanese and Korean
need MeCab, which is not part of this program. Scores of single segments have effective order, as
there.

An empty reference counts as one. The signature is sacrebleu's but for the version, which names
this program and the one whose numbers it gives.

--format python prints sacrebleu's JSON, python-text its line; with --per-segment both print a line
for each segment.`,
		Example: `  omniscope score bleu --hyp out.zh.txt --ref ref.zh.txt --lang zh
  omniscope score bleu --hyp out.txt --ref ref-a.txt --ref ref-b.txt --format python
  omniscope score bleu --data rows.jsonl --hyp-field base --hyp-field ours --ref-field target`,
		Args: noArguments,
		RunE: o.runE(manyReferences, o.measure),
	}
	f := cmd.Flags()
	o.addFlags(f)
	o.addLanguage(f)
	f.StringVar(&o.Tokenize, "tokenize", "", "13a, zh, intl, char or none (default zh for --lang zh, else 13a)")
	f.StringVar(&o.Smooth, "smooth", "exp", "what an order without a match counts: exp, floor, add-k or none")
	f.Float64Var(&o.SmoothValue, "smooth-value", 0, "value of floor or add-k (default 0.1 and 1)")
	f.BoolVar(&o.Lowercase, "lowercase", false, "compare in lower case")
	f.IntVar(&o.MaxOrder, "max-order", ngram.BLEUOrder, "longest n-gram in words")
	addWidth(f, &o.Width)
	return cmd
}

func addWidth(f *pflag.FlagSet, width *int) {
	f.IntVar(width, "width", 1, "digits behind the point that --format python prints")
}

// measure checks the flags one by one, so that an error names the one to mend.
func (o *bleuOptions) measure() (*score.Measure, error) {
	t, err := ngram.ParseTokenizer(o.Tokenize)
	if err != nil {
		return nil, asUsage("--tokenize", err)
	}
	if o.Tokenize == "" {
		if t, err = ngram.TokenizerFor(o.Lang); err != nil {
			return nil, asUsage("--lang "+o.Lang, err)
		}
	}
	if _, err := ngram.NewBLEU(ngram.BLEUOptions{Smoothing: ngram.Smoothing(o.Smooth)}); err != nil {
		return nil, asUsage("--smooth", err)
	}
	switch {
	case o.MaxOrder < 1 || o.MaxOrder > 10:
		return nil, omniscope.Usagef("--max-order is from 1 to 10")
	case o.Width < 0 || o.Width > 15:
		return nil, omniscope.Usagef("--width is from 0 to 15")
	}
	b, err := ngram.NewBLEU(ngram.BLEUOptions{Tokenizer: t, Smoothing: ngram.Smoothing(o.Smooth), SmoothValue: o.SmoothValue, Lowercase: o.Lowercase, MaxOrder: o.MaxOrder})
	if err != nil {
		return nil, asUsage("--smooth-value", err)
	}
	language := o.Lang
	if o.Tokenize != "" {
		language = ""
	}
	return measures.BLEU(b, language, o.Width), nil
}

// chrfOptions are the flags of score chrf.
type chrfOptions struct {
	scoreOptions
	ngram.ChrFOptions
	Width int
}

func newScoreChrF() *cobra.Command {
	o := &chrfOptions{}
	cmd := &cobra.Command{
		Use:   "chrf --hyp FILE --ref FILE",
		Short: "chrF and chrF++, as sacrebleu counts them",
		Long: `chrF from 0 to 100, equal to that of sacrebleu 2.4.3: the F score of n-grams of characters up to 6,
in which recall counts twice as much as precision. --word-order 2 adds words and makes chrF++ of it.
Of several references each segment is compared with the one that suits it best.

--format python prints sacrebleu's JSON, python-text its line; with --per-segment both print a line
for each segment.`,
		Example: `  omniscope score chrf --hyp out.txt --ref ref.txt
  omniscope score chrf --hyp out.txt --ref ref.txt --word-order 2 --per-segment --format tsv`,
		Args: noArguments,
		RunE: o.runE(manyReferences, o.measure),
	}
	f := cmd.Flags()
	o.addFlags(f)
	f.IntVar(&o.CharOrder, "char-order", 6, "longest n-gram in characters")
	f.IntVar(&o.WordOrder, "word-order", 0, "longest n-gram in words: 0, or 2 for chrF++")
	f.IntVar(&o.Beta, "beta", 2, "how many times as much recall counts as precision")
	f.BoolVar(&o.Lowercase, "lowercase", false, "compare in lower case")
	f.BoolVar(&o.Spaces, "whitespace", false, "count white space as characters")
	f.BoolVar(&o.EpsSmoothing, "eps-smoothing", false, "smooth as chrF++.py, NLTK and Moses do")
	addWidth(f, &o.Width)
	return cmd
}

func (o *chrfOptions) measure() (*score.Measure, error) {
	if err := checkRules([]rule{
		{o.CharOrder < 1 || o.CharOrder > 20 || o.WordOrder < 0 || o.WordOrder > 10, "--char-order is from 1 to 20, --word-order from 0 to 10"},
		{o.Beta < 1 || o.Beta > 100, "--beta is from 1 to 100"},
		{o.Width < 0 || o.Width > 15, "--width is from 0 to 15"},
	}); err != nil {
		return nil, err
	}
	c, err := ngram.NewChrF(o.ChrFOptions)
	if err != nil {
		return nil, err
	}
	return measures.ChrF(c, o.Width), nil
}

// asUsage is an error of options, for who can mend the command line.
func asUsage(flags string, err error) error {
	return &omniscope.Error{Kind: omniscope.Usage, Op: flags, Err: err}
}
