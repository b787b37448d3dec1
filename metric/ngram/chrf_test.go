package ngram_test

import (
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
)

func newChrF(t *testing.T, o ngram.ChrFOptions) *ngram.ChrF {
	t.Helper()
	c, err := ngram.NewChrF(o)
	fixture.OK(t, err)
	return c
}

const (
	riskHyp = "risk assessment must be made of those who are qualified and expertise in the sector - these are the scientists ."
	riskRef = "risk assessment has to be undertaken by those who are qualified and expert in that area - that is the scientists ."
	obama   = "Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich."
	wall    = "Niemand hat die Absicht, eine Mauer zu errichten"
)

// The numbers are those of sacrebleu's own tests, test/test_chrf.py.
func TestCorpusChrFOfThePublishedTests(t *testing.T) {
	smoothed, effective := ngram.ChrFOptions{Beta: 3, EpsSmoothing: true}, ngram.ChrFOptions{Beta: 3}
	spaces := ngram.ChrFOptions{Beta: 3, Spaces: true}
	for _, test := range []struct {
		o          ngram.ChrFOptions
		hyps, refs []string
		want       float64
	}{
		{smoothed, []string{"abcdefg"}, []string{"hijklmnop"}, 0},
		{smoothed, []string{"a"}, []string{"b"}, 0},
		{smoothed, []string{""}, []string{"b"}, 0},
		{smoothed, []string{""}, []string{"ref"}, 0},
		{smoothed, []string{""}, []string{"reference"}, 0},
		{smoothed, []string{"aa"}, []string{"ab"}, 8.3333},
		{smoothed, []string{"a", "b"}, []string{"a", "c"}, 8.3333},
		{smoothed, []string{"a"}, []string{"a"}, 16.6667},
		{smoothed, []string{"a b c"}, []string{"a b c"}, 50},
		{smoothed, []string{"a b c"}, []string{"abc"}, 50},
		{smoothed, []string{" " + riskHyp}, []string{riskRef}, 63.361730},
		{smoothed, []string{" Die    Beziehung zwischen  Obama und Netanjahu ist nicht gerade  freundlich. "}, []string{obama}, 64.1302698},
		{smoothed, []string{wall}, []string{wall}, 100},
		{effective, []string{"a"}, []string{"a"}, 100},
		{effective, []string{""}, []string{"reference"}, 0},
		{effective, []string{"a b c"}, []string{"a b c"}, 100},
		{effective, []string{"a b c"}, []string{"abc"}, 100},
		{effective, []string{""}, []string{"c"}, 0},
		{effective, []string{"a", "b"}, []string{"a", "c"}, 50},
		{effective, []string{"aa"}, []string{"ab"}, 25},
		{spaces, []string{"Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich."}, []string{obama}, 67.3481606},
		{spaces, []string{riskHyp}, []string{riskRef}, 65.2414427},
	} {
		c := newChrF(t, test.o)
		near(t, test.hyps[0], c.Score(sum(c.Counts, test.hyps, [][]string{test.refs})), test.want, 1e-4)
	}
}

// test/test_chrf.py, sentence_chrf.
func TestSentenceChrFOfThePublishedTests(t *testing.T) {
	c := newChrF(t, ngram.ChrFOptions{EpsSmoothing: true})
	for _, test := range []struct {
		hyp, ref string
		want     float64
	}{
		{"Co nás nejvíc trápí, protože lékaři si vybírají, kdo bude žít a kdo zemře.", "Nejvíce smutní jsme z toho, že musíme rozhodovat o tom, kdo bude žít a kdo zemře.", 39.14078509},
		{"Nebo prostě nemají vybavení, které by jim pomohlo, uvedli lékaři.", "A někdy nemáme ani potřebný materiál, abychom jim pomohli, popsali lékaři.", 31.22557079},
		{"Lapali po dechu, jejich životy skončily dřív, než skutečně začaly.", "Lapali po dechu a pak jejich život skončil - dřív, než skutečně mohl začít, připomněli.", 57.15704367},
	} {
		near(t, test.hyp, c.Score(c.Counts(test.hyp, test.ref)), test.want, 1e-4)
	}
}

func TestBestReference(t *testing.T) {
	c := newChrF(t, ngram.ChrFOptions{})
	far, near2 := "nothing alike", "the cat sat"
	if got, want := c.Score(c.Counts("the cat sat", far, near2)), c.Score(c.Counts("the cat sat", near2)); got != want || got != 100 {
		t.Errorf("score is %v, want %v", got, want)
	}
	if got := c.Score(c.Counts("the cat sat")); got != 0 {
		t.Errorf("without a reference the score is %v, want 0", got)
	}
}

func TestNamesAndSignatures(t *testing.T) {
	const version = "|version:omniscope-1(sacrebleu-2.4.3)"
	plain, plus := newChrF(t, ngram.ChrFOptions{}), newChrF(t, ngram.ChrFOptions{WordOrder: 2, Beta: 3, Lowercase: true, Spaces: true, EpsSmoothing: true})
	bleu := newBLEU(t, ngram.BLEUOptions{})
	for _, test := range []struct{ got, want string }{
		{plain.Name(), "chrF2"},
		{plus.Name(), "chrF3++"},
		{plain.Signature(1), "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no" + version},
		{plus.Signature(2), "nrefs:2|case:lc|eff:no|nc:6|nw:2|space:yes" + version},
		{bleu.Signature(1), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" + version},
		{bleu.Signature(ngram.Varying), "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp" + version},
		{bleu.Sentences().Signature(1), "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp" + version},
		{newBLEU(t, ngram.BLEUOptions{Tokenizer: "zh", Lowercase: true, Smoothing: "floor"}).Signature(1), "nrefs:1|case:lc|eff:no|tok:zh|smooth:floor[0.10]" + version},
		{newBLEU(t, ngram.BLEUOptions{Smoothing: "add-k", SmoothValue: 2}).Signature(1), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[2.00]" + version},
		{bleu.Score(bleu.Counts("a b c d e", "a b c d e f")).String(), "100.0/100.0/100.0/100.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)"},
		{bleu.Score(bleu.Counts("a", "")).String(), "0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 1 ref_len = 0)"},
	} {
		if test.got != test.want {
			t.Errorf("got  %s\nwant %s", test.got, test.want)
		}
	}
}
