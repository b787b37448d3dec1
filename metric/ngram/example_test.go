package ngram_test

import (
	"fmt"

	"omniscope/metric/ngram"
)

// The corpus is scored by the sum of its segments' counts.
func ExampleBLEU() {
	bleu, err := ngram.NewBLEU(ngram.BLEUOptions{})
	if err != nil {
		panic(err)
	}
	corpus := make([]float64, len(bleu.Fields()))
	for _, s := range [][2]string{
		{"The dog bit the man.", "The dog had bit the man."},
		{"It wasn't surprising.", "No one was surprised."},
	} {
		for i, n := range bleu.Counts(s[0], s[1]) {
			corpus[i] += n
		}
	}
	score := bleu.Score(corpus)
	fmt.Printf("%.1f %s\n", score.Value, score)
	fmt.Println(bleu.Signature(1))
	// Output:
	// 33.8 70.0/50.0/33.3/25.0 (BP = 0.819 ratio = 0.833 hyp_len = 10 ref_len = 12)
	// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:omniscope-1(sacrebleu-2.4.3)
}

// One segment, by each smoothing and with each tokenizer of this package.
func ExampleNewBLEU() {
	score := func(o ngram.BLEUOptions) float64 {
		o.EffectiveOrder = true
		bleu, err := ngram.NewBLEU(o)
		if err != nil {
			panic(err)
		}
		return bleu.Score(bleu.Counts("The cat sat down.", "The cat lay down.")).Value
	}
	for _, s := range []ngram.Smoothing{ngram.SmoothExp, ngram.SmoothFloor, ngram.SmoothAddK, ngram.SmoothNone} {
		fmt.Printf("%s %.1f\n", s, score(ngram.BLEUOptions{Smoothing: s}))
	}
	for _, t := range []ngram.Tokenizer{ngram.Tok13a, ngram.TokZh, ngram.TokIntl, ngram.TokChar, ngram.TokNone} {
		fmt.Printf("%s %.1f\n", t, score(ngram.BLEUOptions{Tokenizer: t}))
	}
	bleu, _ := ngram.NewBLEU(ngram.BLEUOptions{})
	fmt.Println(bleu.Signature(ngram.Varying))
	// Output:
	// exp 30.2
	// floor 16.1
	// add-k 44.7
	// none 0.0
	// 13a 30.2
	// zh 30.2
	// intl 30.2
	// char 63.0
	// none 35.4
	// nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:omniscope-1(sacrebleu-2.4.3)
}
