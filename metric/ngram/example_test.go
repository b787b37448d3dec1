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
