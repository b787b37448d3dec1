package neural

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/isa"
)

// Pairs with much that is special: empty, of special tokens only, cut, the
// same text twice, and twice the same pair.
var (
	germanHypotheses = []string{"das Haus ist blau.", "", "[CLS] [SEP]", "Meer", "das Meer ist gross, das Haus ist blau", " das Haus ist blau. \u2003", strings.Repeat("a b ", 60), "x", "Haus", "das Haus ist blau."}
	germanReferences = []string{"das Meer ist blau.", "Haus", "das Haus", "", "das Haus ist gross", "das Meer ist blau.", "a b c", "Haus", "[SEP]", "das Haus ist blau."}
)

func TestBERTScoreGreedyMatching(t *testing.T) {
	b := openGerman(t, germanModel(t, nil), Options{})
	for _, official := range []bool{true, false} {
		scores, err := b.Score(context.Background(), germanHypotheses, germanReferences, official)
		fixture.OK(t, err)
		for i, got := range scores {
			want := naive(t, b, i, official)
			for j, g := range []float32{got.Raw.P, got.Raw.R, got.Raw.F} {
				if d := float64(g) - want[j]; !(math.Abs(d) < 1e-6) && !(g != g && want[j] != want[j]) {
					t.Errorf("official %v: pair %d, %q and %q: %c is %v, want %v", official, i, germanHypotheses[i], germanReferences[i], "PRF"[j], g, want[j])
				}
			}
		}
	}
}

// naive is P, R and F of a pair in float64, by the definition.
func naive(t *testing.T, b *BERTScore, i int, official bool) [3]float64 {
	t.Helper()
	var longestH, longestR int
	for j := range germanHypotheses {
		longestH = max(longestH, len(idsOf(b, germanHypotheses[j])))
		longestR = max(longestR, len(idsOf(b, germanReferences[j])))
	}
	h, hCounts := unitRows(t, b, germanHypotheses[i])
	r, rCounts := unitRows(t, b, germanReferences[i])
	if len(h) == 2 || len(r) == 2 {
		return [3]float64{}
	}
	p := meanOfNearest(h, r, hCounts, official && len(r) < longestR)
	q := meanOfNearest(r, h, rCounts, official && len(h) < longestH)
	f := 2 * p * q / (p + q)
	if f != f {
		f = 0
	}
	return [3]float64{p, q, f}
}

func idsOf(b *BERTScore, text string) []int32 {
	return b.tokenizer.Encode(strings.TrimSpace(text), b.maxTokens)
}

func unitRows(t *testing.T, b *BERTScore, text string) (rows [][]float64, counts []bool) {
	t.Helper()
	enc, err := b.loaded()
	fixture.OK(t, err)
	ids := idsOf(b, text)
	err = enc.Forward(context.Background(), [][]int32{ids}, func(layer int, h encoder.Hidden) error {
		if layer != 9 {
			return nil
		}
		for i, id := range ids {
			norm := 0.0
			for _, v := range h.Token(i) {
				norm += float64(v) * float64(v)
			}
			var row []float64
			for _, v := range h.Token(i) {
				row = append(row, float64(v)/math.Sqrt(norm))
			}
			rows = append(rows, row)
			counts = append(counts, germanWords[id] != "[CLS]" && germanWords[id] != "[SEP]")
		}
		return nil
	})
	fixture.OK(t, err)
	return rows, counts
}

func meanOfNearest(from, to [][]float64, counts []bool, zero bool) float64 {
	sum, n := 0.0, 0.0
	for i, a := range from {
		if !counts[i] {
			continue
		}
		best := math.Inf(-1)
		if zero {
			best = 0
		}
		for _, b := range to {
			dot := 0.0
			for k := range a {
				dot += a[k] * b[k]
			}
			best = max(best, dot)
		}
		sum, n = sum+best, n+1
	}
	return sum / n
}

func TestMatchingByHand(t *testing.T) {
	m := newMatcher(isa.Best(), 2)
	of := func(rows ...float32) vectors {
		v := vectors{rows: rows, counts: make([]bool, len(rows)/2)}
		for i := 1; i < len(v.counts)-1; i++ {
			v.counts[i] = true
		}
		return v
	}
	// The two tokens between are opposite to all of the other text, but for one.
	h := of(-1, 0, 1, 0, 0, 1, -1, 0)
	r := of(-1, 0, -1, 0, -1, 0)
	got := m.match(h, r)
	want := Match{HypothesisTokens: 4, ReferenceTokens: 3, P: -0.5, PZero: 0, R: 1, RZero: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := m.match(of(1, 0, 1, 0), r); got != (Match{HypothesisTokens: 2, ReferenceTokens: 3}) {
		t.Errorf("an empty text scores %+v, want 0", got)
	}
	nothing := vectors{rows: []float32{1, 0, 1, 0, 1, 0}, counts: make([]bool, 3)}
	if got := m.match(nothing, r); got.P == got.P || got.R != -1 {
		t.Errorf("a text of special tokens scores %+v, want P NaN and R -1", got)
	}
}

func TestZeroColumnsOfBatch(t *testing.T) {
	b := &BERTScore{lang: languages[0]}
	long := Match{HypothesisTokens: 9, ReferenceTokens: 9, P: -0.5, R: -0.25}
	short := Match{HypothesisTokens: 3, ReferenceTokens: 9, P: -0.5, R: -0.25}
	matches := slices.Repeat([]Match{long}, batchSize-1)
	matches = append(matches, short, short)
	scores := b.Official(matches)
	for i, want := range map[int]prf{
		0:             {-0.5, -0.25, harmonic(-0.5, -0.25)},
		batchSize - 1: {-0.5, 0, 0},
		batchSize:     {-0.5, -0.25, harmonic(-0.5, -0.25)}, // alone in its batch
	} {
		if scores[i].Raw != want {
			t.Errorf("pair %d scores %v, want %v", i, scores[i].Raw, want)
		}
	}
	if got := b.Strict(matches)[batchSize-1].Raw; got != (prf{-0.5, -0.25, harmonic(-0.5, -0.25)}) {
		t.Errorf("strict gives %v", got)
	}
}

// metrics.md of the published behaviour: one empty answer costs this much.
func TestEmptyTextRescaled(t *testing.T) {
	for code, want := range map[string]float32{"en": -4.92507, "de": -1.59562, "it": -1.63201, "zh": -1.21023} {
		l, err := languageOf(code)
		fixture.OK(t, err)
		if got := l.score(0, 0).Rescaled.F; math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}

func TestNoNumberMeansZeroInFAlone(t *testing.T) {
	nan := float32(math.NaN())
	s := languages[0].score(nan, 0.5)
	if s.Raw.F != 0 || s.Raw.P == s.Raw.P || s.Rescaled.P == s.Rescaled.P || s.Rescaled.F >= 0 {
		t.Errorf("got %+v", s)
	}
}

func TestMean32(t *testing.T) {
	if got := Mean32([]float32{1, 2, 6}); got != 3 {
		t.Errorf("got %v", got)
	}
	if got := Mean32(nil); got == got {
		t.Errorf("of nothing: %v", got)
	}
}

func TestScoresIndependentOfBatch(t *testing.T) {
	folder := germanModel(t, nil)
	want, err := openGerman(t, folder, Options{Threads: 1}).Match(context.Background(), germanHypotheses, germanReferences)
	fixture.OK(t, err)
	b := openGerman(t, folder, Options{Threads: 5})
	for i := range want {
		alone, err := b.Match(context.Background(), germanHypotheses[i:i+1], germanReferences[i:i+1])
		fixture.OK(t, err)
		if fmt.Sprint(alone[0]) != fmt.Sprint(want[i]) {
			t.Errorf("pair %d alone: %v, among others: %v", i, alone[0], want[i])
		}
	}
}

func TestWrongModels(t *testing.T) {
	shallow := func(c *encoder.Config, _ checkpoint) { c.Layers = 8 }
	for _, test := range []struct {
		name   string
		folder string
		lang   string
		set    isa.Set
		kind   omniscope.Kind
		says   []string
	}{
		{"a language without a baseline", "", "fr", 0, omniscope.Invalid, []string{`"fr"`, "de, en, it, zh"}},
		{"too few layers", germanModel(t, shallow), "de", 0, omniscope.Invalid, []string{"8 layers", "layer 9", "bert-base-multilingual-cased"}},
		{"another family", germanModel(t, nil), "en", 0, omniscope.Invalid, []string{"roberta-large"}},
		{"no folder", filepath.Join(t.TempDir(), "none"), "de", 0, omniscope.NotFound, []string{"config.json"}},
		{"no tokenizer", without(t, germanModel(t, nil), "vocab.txt"), "de", 0, omniscope.NotFound, []string{"vocab.txt"}},
		{"no weights", without(t, germanModel(t, nil), weightsFile), "de", 0, omniscope.NotFound, []string{weightsFile}},
		{"a tokenizer of another model", with(t, germanModel(t, nil), "vocab.txt", strings.Join(germanWords, "\n")+"\nmehr\n"), "de", 0, omniscope.Invalid, []string{"different models"}},
		{"instructions that are not there", germanModel(t, nil), "de", 77, omniscope.Usage, []string{"instructions"}},
	} {
		b, err := OpenBERTScore(test.folder, test.lang, Options{Set: test.set})
		if err == nil {
			b.Close()
			t.Errorf("%s: no error", test.name)
			continue
		}
		if omniscope.KindOf(err) != test.kind {
			t.Errorf("%s: kind %v, want %v: %v", test.name, omniscope.KindOf(err), test.kind, err)
		}
		for _, part := range test.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", test.name, err, part)
			}
		}
	}
}

func without(t *testing.T, folder, file string) string {
	t.Helper()
	fixture.OK(t, os.Remove(filepath.Join(folder, file)))
	return folder
}

func with(t *testing.T, folder, file, content string) string {
	t.Helper()
	writeFile(t, folder, file, []byte(content))
	return folder
}

func TestUnpublishedModelWarning(t *testing.T) {
	b := openGerman(t, germanModel(t, nil), Options{})
	if w := b.Warnings(); len(w) != 1 || !strings.Contains(w[0], "bert-base-multilingual-cased") || !strings.Contains(w[0], "width 12 instead of 768") {
		t.Errorf("warnings %q", w)
	}
	for _, l := range languages {
		have := l.sizes
		have.Pad, have.Eps = 1, 1e-5
		if w := unlike(l.model, l.sizes, have); w != nil {
			t.Errorf("%s: the published sizes are warned of: %q", l.code, w)
		}
	}
}

func TestNaNScores(t *testing.T) {
	folder := germanModel(t, func(_ *encoder.Config, w checkpoint) {
		row := w["bert."+encoder.WordTable].numbers[slices.Index(germanWords, "Meer")*12:]
		row[3], row[4] = math.MaxFloat32, math.MaxFloat32 // whose sum is infinite
	})
	b := openGerman(t, folder, Options{})
	if _, err := b.Match(context.Background(), []string{"Haus"}, []string{"Haus ist"}); err != nil {
		t.Fatal(err)
	}
	_, err := b.Match(context.Background(), []string{"Haus", "ist", "Haus"}, []string{"Haus ist", "das Meer", "das Meer"})
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "reference 1") {
		t.Errorf("got %v", err)
	}
}

func TestUnequalListsAndClosedModels(t *testing.T) {
	b := openGerman(t, germanModel(t, nil), Options{})
	if _, err := b.Match(context.Background(), []string{"a"}, nil); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("got %v", err)
	}
	if m, err := b.Match(context.Background(), nil, nil); err != nil || len(m) != 0 {
		t.Errorf("nothing to do gives %v, %v", m, err)
	}
	b.Close()
	if _, err := b.Match(context.Background(), []string{"a"}, []string{"b"}); err == nil {
		t.Error("a closed model scores")
	}
}

func TestProgressEndsWithAll(t *testing.T) {
	var seen [][2]int
	b := openGerman(t, germanModel(t, nil), Options{Progress: func(done, total int) { seen = append(seen, [2]int{done, total}) }})
	if _, err := b.Match(context.Background(), germanHypotheses, germanReferences); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 || seen[len(seen)-1][0] != seen[len(seen)-1][1] {
		t.Errorf("progress %v", seen)
	}
}

func TestSignature(t *testing.T) {
	folder := germanModel(t, nil)
	b := openGerman(t, folder, Options{})
	first, err := b.Signature("official")
	fixture.OK(t, err)
	if !strings.HasPrefix(first, "bertscore:0.3.13|model:bert-base-multilingual-cased L9|rescaled:de|weights:") || !strings.HasSuffix(first, "|engine:omniscope/1 fused|official") {
		t.Errorf("signature %q", first)
	}
	other := openGerman(t, germanModel(t, func(_ *encoder.Config, w checkpoint) { w["bert."+encoder.TypeTable].numbers[0]++ }), Options{})
	second, err := other.Signature("official")
	if err != nil || second == first {
		t.Errorf("other weights have the signature %q, %v", second, err)
	}
	without(t, folder, weightsFile)
	gone := &network{folder: folder}
	if _, err := gone.identity(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
