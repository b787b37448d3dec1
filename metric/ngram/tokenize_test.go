package ngram_test

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/ngram"
	"omniscope/metric/textnorm"
)

var tokenizers = []ngram.Tokenizer{ngram.Tok13a, ngram.TokZh, ngram.TokIntl, ngram.TokChar, ngram.TokNone}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		tokenizer ngram.Tokenizer
		line      string
		want      string // words, with a bar between
	}{
		{"", "Hello, world.", "Hello|,|world|."},
		{ngram.Tok13a, "It costs 1,250.50 (approx.).", "It|costs|1,250.50|(|approx|.|)|."},
		{ngram.Tok13a, "don't well-known 3-day", "don't|well-known|3|-|day"},
		{ngram.Tok13a, "&quot;a&quot; &amp;lt; b<skipped>c", `"|a|"|<|bc`},
		{ngram.Tok13a, "end-\nless and\nmore", "endless|and|more"},
		{ngram.Tok13a, "...", ".|.|."},
		{ngram.Tok13a, "In 1999. Then", "In|1999|.|Then"},
		{ngram.Tok13a, "«Hola»", "«Hola»"}, // ASCII alone is looked at
		{ngram.TokZh, "今天3.5度，好。", "今|天|3.5|度|，|好|。"},
		{ngram.TokZh, "a—b “c”", "a|—|b|“|c|”"}, // by the range that was meant for U+20000
		{ngram.TokZh, "𠀀𠀁", "𠀀𠀁"},               // which holds none of those
		{ngram.TokZh, "In 1999.", "In|1999."},   // where 13a has a blank behind the line,
		{ngram.TokIntl, "«Hola», dijo.", "«|Hola|»|,|dijo|."},
		{ngram.TokIntl, "In 1999.", "In|1999."}, // the fault of mteval-v14 that sacrebleu keeps
		{ngram.TokIntl, "3,5 € + 2½", "3,5|€|+|2½"},
		{ngram.TokChar, "ab \tç\u3000字", "a|b|ç|字"},
		{ngram.TokNone, " a, b.\u00a0c ", "a,|b.|c"},
		{ngram.Tok13a, "", ""},
		{ngram.TokZh, " \t ", ""},
	} {
		if got := strings.Join(test.tokenizer.Words(test.line), "|"); got != test.want {
			t.Errorf("%s of %q: got %s, want %s", test.tokenizer, test.line, got, test.want)
		}
	}
}

func TestTokenizersByName(t *testing.T) {
	for lang, want := range map[string]ngram.Tokenizer{"": "13a", "de": "13a", "en-GB": "13a", "zh": "zh", "zh_TW": "zh", "ZH": "zh"} {
		if got, err := ngram.TokenizerFor(lang); got != want || err != nil {
			t.Errorf("%q: got %s, %v; want %s", lang, got, err, want)
		}
	}
	for _, lang := range []string{"ja", "ko-KR"} {
		if _, err := ngram.TokenizerFor(lang); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "MeCab") {
			t.Errorf("%s: error is %v", lang, err)
		}
	}
	for name, what := range map[string]string{"flores200": "SentencePiece", "moses": "there are 13a, zh, intl, char and none"} {
		if _, err := ngram.ParseTokenizer(name); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	for _, name := range tokenizers {
		if got, err := ngram.ParseTokenizer(string(name)); got != name || err != nil {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
}

func TestInvalidOptions(t *testing.T) {
	for want, o := range map[string]ngram.BLEUOptions{
		"no tokenizer":        {Tokenizer: "moses"},
		"no smoothing":        {Smoothing: "laplace"},
		"takes no value":      {SmoothValue: 1},
		"a number above 0":    {Smoothing: "floor", SmoothValue: -1},
		"at least 1 word":     {MaxOrder: -1},
		"exp takes no value;": {Smoothing: "exp", SmoothValue: 0.5},
	} {
		if _, err := ngram.NewBLEU(o); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error is %v, want %q", o, err, want)
		}
	}
	if _, err := ngram.NewChrF(ngram.ChrFOptions{CharOrder: -1}); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("error is %v", err)
	}
}

// Whatever the text, words have no white space in them, and a text compared with
// itself has every n-gram in common.
func FuzzScores(f *testing.F) {
	f.Add("It costs 1,250.50 (approx.).")
	f.Add("今天3.5度，&amp;好。\x00\xff \u2028")
	f.Fuzz(func(t *testing.T, line string) {
		for _, name := range tokenizers {
			for _, w := range name.Words(line) {
				if w == "" || strings.ContainsFunc(w, textnorm.IsSpace) {
					t.Fatalf("%s of %q has the word %q", name, line, w)
				}
			}
			b := newBLEU(t, ngram.BLEUOptions{Tokenizer: name, EffectiveOrder: true})
			counts := b.Counts(line, line)
			for n := range ngram.BLEUOrder {
				if counts[2+n] != counts[2+ngram.BLEUOrder+n] {
					t.Fatalf("%s of %q: counts with itself are %v", name, line, counts)
				}
			}
		}
		c := newChrF(t, ngram.ChrFOptions{WordOrder: 2})
		if got := c.Score(c.Counts(line, line)); got != 0 && !(got > 100-1e-9 && got < 100+1e-9) {
			t.Fatalf("chrF of %q with itself is %v", line, got)
		}
	})
}

func BenchmarkCounts(b *testing.B) {
	const hyp = "The committee decided on Tuesday, after 3.5 hours of talks, to leave the rules as they were (for now)."
	const ref = "After talks of 3.5 hours the committee decided on Tuesday that the rules should stay as they are for the time being."
	bleu, err := ngram.NewBLEU(ngram.BLEUOptions{})
	fixture.OK(b, err)
	chrf, err := ngram.NewChrF(ngram.ChrFOptions{WordOrder: 2})
	fixture.OK(b, err)
	b.Run("BLEU", func(b *testing.B) {
		b.SetBytes(int64(len(hyp) + len(ref)))
		for b.Loop() {
			bleu.Counts(hyp, ref)
		}
	})
	b.Run("chrF++", func(b *testing.B) {
		b.SetBytes(int64(len(hyp) + len(ref)))
		for b.Loop() {
			chrf.Counts(hyp, ref)
		}
	})
}
