package ngram_test

import (
	"math"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
)

// sum adds up the counts of segments; refs are streams, as sacrebleu takes them.
func sum(counts func(string, ...string) []float64, hyps []string, refs [][]string) []float64 {
	var total []float64
	for i, hyp := range hyps {
		var own []string
		for _, stream := range refs {
			own = append(own, stream[i])
		}
		row := counts(hyp, own...)
		if total == nil {
			total = make([]float64, len(row))
		}
		for j, v := range row {
			total[j] += v
		}
	}
	return total
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.10f, want %.10f", what, got, want)
	}
}

func newBLEU(t *testing.T, o ngram.BLEUOptions) *ngram.BLEU {
	t.Helper()
	b, err := ngram.NewBLEU(o)
	fixture.OK(t, err)
	return b
}

// The numbers are those of sacrebleu's own tests, test/test_bleu.py: the README's
// three sentences with two references.
func TestCorpusBLEUOfThePublishedTests(t *testing.T) {
	hyps := []string{"The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."}
	refs := [][]string{
		{"The dog bit the man.", "It was not unexpected.", "The man bit him first."},
		{"The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."},
	}
	for _, test := range []struct {
		name string
		hyps []string
		o    ngram.BLEUOptions
		want float64
	}{
		{"defaults", hyps, ngram.BLEUOptions{}, 48.530827},
		{"empty hypotheses", []string{"", "", ""}, ngram.BLEUOptions{}, 0},
		{"no tokenizer", hyps, ngram.BLEUOptions{Tokenizer: "none"}, 49.1919566},
		{"13a", hyps, ngram.BLEUOptions{Tokenizer: "13a"}, 48.530827},
		{"intl", hyps, ngram.BLEUOptions{Tokenizer: "intl"}, 43.91623493},
		{"no smoothing", hyps, ngram.BLEUOptions{Smoothing: "none"}, 48.530827},
	} {
		b := newBLEU(t, test.o)
		near(t, test.name, b.Score(sum(b.Counts, test.hyps, refs)).Value, test.want, 1e-6)
	}
}

// test/test_bleu.py, raw_corpus_bleu: tokenizer none, floor 0.01, effective order.
func TestRawBLEUOfThePublishedTests(t *testing.T) {
	b := newBLEU(t, ngram.BLEUOptions{Tokenizer: "none", Smoothing: "floor", SmoothValue: 0.01, EffectiveOrder: true})
	for _, test := range []struct {
		hyps, refs []string
		want       float64
	}{
		{[]string{"this is a test", "another test"}, []string{"ref1", "ref2"}, 0}, // 0.0038 before sacrebleu 2.0, which stops without a match
		{[]string{"this is a test"}, []string{"this is a test"}, 1},
		{[]string{"this is a fest"}, []string{"this is a test"}, 0.223606797749979},
		{[]string{"test"}, []string{"a test"}, 0.3678794411714425},
		{[]string{"a test"}, []string{"a test"}, 1},
		{[]string{"a little test"}, []string{"a test"}, 0.03218297948685433},
	} {
		near(t, test.hyps[0], b.Score(sum(b.Counts, test.hyps, [][]string{test.refs})).Value/100, test.want, 1e-8)
	}
	counts := b.Counts("am I am a character sequence", "I am a symbol string sequence a a")
	for i, want := range []float64{6, 8, 4, 2, 1, 0, 6, 5, 4, 3} {
		if counts[i] != want {
			t.Fatalf("counts are %v; %s should be %v", counts, b.Fields()[i], want)
		}
	}
	// Without a value of its own the floor is 0.1.
	tenth := newBLEU(t, ngram.BLEUOptions{Tokenizer: "none", Smoothing: "floor"})
	near(t, "floor 0.1", tenth.Score(counts).Value/100, 0.1555722182, 1e-8)
}

// test/test_bleu.py, compute_bleu: from counts alone.
func TestBLEUOfCounts(t *testing.T) {
	none := ngram.BLEUOptions{Smoothing: "none"}
	for _, test := range []struct {
		name string
		o    ngram.BLEUOptions
		sum  []float64
		want float64
	}{
		{"all orders", none, []float64{11, 11, 9, 7, 5, 3, 10, 8, 6, 4}, 83.75922397},
		{"an empty hypothesis", none, []float64{0, 1, 0, 0, 0, 0, 4, 4, 2, 1}, 0},
		{"no match", none, []float64{14, 10, 0, 0, 0, 0, 10, 11, 12, 0}, 0},
		{"nothing at all", none, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{"no match of the longest", none, []float64{6, 6, 6, 5, 4, 0, 6, 5, 4, 3}, 0},
		{"nothing, with a floor", ngram.BLEUOptions{Smoothing: "floor"}, []float64{1, 5, 0, 0, 0, 0, 0, 0, 0, 0}, 0},
	} {
		near(t, test.name, newBLEU(t, test.o).Score(test.sum).Value, test.want, 1e-8)
	}
}

// The numbers are those of sacrebleu's test/test_sentence_bleu.py.
func TestSentenceBLEUOfThePublishedTests(t *testing.T) {
	const hyp = "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"
	const ref = "producţia de zahăr brut se exprimă în zahăr alb;"
	for _, test := range []struct {
		o    ngram.BLEUOptions
		want float64
	}{
		{ngram.BLEUOptions{Smoothing: "exp"}, 8.493},
		{ngram.BLEUOptions{Smoothing: "none"}, 0},
		{ngram.BLEUOptions{Smoothing: "floor"}, 4.51688},
		{ngram.BLEUOptions{Smoothing: "floor", SmoothValue: 0.1}, 4.51688},
		{ngram.BLEUOptions{Smoothing: "floor", SmoothValue: 0.5}, 10.10},
		{ngram.BLEUOptions{Smoothing: "add-k"}, 14.882},
		{ngram.BLEUOptions{Smoothing: "add-k", SmoothValue: 1}, 14.882},
		{ngram.BLEUOptions{Smoothing: "add-k", SmoothValue: 2}, 21.389},
		{ngram.BLEUOptions{Tokenizer: "none"}, 7.347},
		{ngram.BLEUOptions{Tokenizer: "intl"}, 8.493},
		{ngram.BLEUOptions{Tokenizer: "char"}, 40.8759},
		{ngram.BLEUOptions{Tokenizer: "char", Lowercase: true}, 42.0267},
	} {
		b := newBLEU(t, test.o).Sentences()
		near(t, b.Signature(1), b.Score(b.Counts(hyp, ref)).Value, test.want, 1e-3)
	}
	for _, smoothing := range []ngram.Smoothing{"exp", "none", "floor", "add-k"} {
		b := newBLEU(t, ngram.BLEUOptions{Smoothing: smoothing}).Sentences()
		near(t, "no word in common", b.Score(b.Counts("this is a cat", "okay thanks")).Value, 0, 0)
	}
}
