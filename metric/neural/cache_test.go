package neural

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/encoder"
)

func openCache(t *testing.T, folder string) *Cache {
	t.Helper()
	c, err := OpenCache(folder)
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// many are texts enough for some chunks.
func many(n, variant int) (hypotheses, references []string) {
	for i := range n {
		a := fmt.Sprintf("das Haus ist blau %s %d", strings.Repeat("a b, ", i%6), i*variant)
		hypotheses = append(hypotheses, spelled(a))
		references = append(references, spelled(fmt.Sprintf("das Meer %d", i/2)))
	}
	return hypotheses, references
}

// spelled writes digits as letters that are in the vocabulary of the models
// that tests make up.
func spelled(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'a' + (r-'0')%5
		}
		return r
	}, strings.ReplaceAll(text, "5", "1 e"))
}

func TestCachedScoreBits(t *testing.T) {
	folder, remembered := germanModel(t, nil), t.TempDir()
	hypotheses, references := many(60, 1)
	hypotheses, references = append(hypotheses, germanHypotheses...), append(references, germanReferences...)
	want, err := openGerman(t, folder, Options{}).Match(context.Background(), hypotheses, references)
	fixture.OK(t, err)
	for round := range 3 {
		cache := openCache(t, remembered)
		b := openGerman(t, folder, Options{Cache: cache})
		got, err := b.Match(context.Background(), hypotheses, references)
		fixture.OK(t, err)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("round %d: other scores", round)
		}
		if round > 0 && b.encoder != nil {
			t.Errorf("round %d: the encoder was loaded, though all is remembered", round)
		}
		if w := cache.Warnings(); len(w) > 0 {
			t.Errorf("warnings %q", w)
		}
	}
	// Only hypotheses are new: the references' vectors are read.
	tokens := 0
	b := openGerman(t, folder, Options{Cache: openCache(t, remembered), Progress: func(_, total int) { tokens = total }})
	hypotheses[3] = "das Meer ist blau gross"
	got, err := b.Match(context.Background(), hypotheses, references)
	fixture.OK(t, err)
	if tokens != len(idsOf(b, hypotheses[3])) {
		t.Errorf("%d tokens were encoded, want those of one text", tokens)
	}
	fresh, err := openGerman(t, folder, Options{}).Match(context.Background(), hypotheses, references)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(fresh) {
		t.Errorf("with remembered vectors the scores are others, %v", err)
	}
}

func TestDamagedCacheFile(t *testing.T) {
	folder, remembered := germanModel(t, nil), t.TempDir()
	b := openGerman(t, folder, Options{Cache: openCache(t, remembered)})
	want, err := b.Match(context.Background(), germanHypotheses, germanReferences)
	fixture.OK(t, err)
	id, err := b.identity()
	fixture.OK(t, err)
	text, err := os.ReadFile(filepath.Join(remembered, id.file()))
	fixture.OK(t, err)
	start := len(id.header())
	for i := range 40 {
		damaged, elsewhere := []byte(string(text)), t.TempDir()
		at := start + i*(len(text)-start)/40
		if i%2 == 0 { // in a head
			at = start + strings.LastIndex(string(text[start:at+len("OMr1")]), "OMr1") + i
		}
		damaged[at] ^= 4
		writeFile(t, elsewhere, id.file(), damaged)
		for range 2 { // with what is left, and with what was computed again
			cache := openCache(t, elsewhere)
			got, err := openGerman(t, folder, Options{Cache: cache}).Match(context.Background(), germanHypotheses, germanReferences)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("byte %d: other scores, %v; warnings %q", at, err, cache.Warnings())
			}
			cache.Close()
		}
	}
}

func TestCOMETRemembersSentences(t *testing.T) {
	folder, remembered := cometModel(t, nil), t.TempDir()
	want, err := openInvented(t, folder, Options{}).Score(context.Background(), sources, translations, references)
	fixture.OK(t, err)
	for round := range 2 {
		c := openInvented(t, folder, Options{Cache: openCache(t, remembered)})
		got, err := c.Score(context.Background(), sources, translations, references)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("round %d: %v, %v, want %v", round, got, err, want)
		}
		if round > 0 && c.encoder != nil {
			t.Error("the encoder was loaded, though all is remembered")
		}
	}
	// Another model, sizes the same, must not be served.
	other := cometModel(t, func(w checkpoint) { w["encoder.model.embeddings.LayerNorm.bias"].numbers[0] += 0.25 })
	fresh, err := openInvented(t, other, Options{}).Score(context.Background(), sources, translations, references)
	fixture.OK(t, err)
	got, err := openInvented(t, other, Options{Cache: openCache(t, remembered)}).Score(context.Background(), sources, translations, references)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(fresh) || got[0] == want[0] {
		t.Errorf("another model scores %v, %v, want %v", got, err, fresh)
	}
	// Nor another tokenizer or configuration of the same weights.
	for _, change := range [][2]string{{"tokenizer.json", "\n"}, {"hparams.yaml", "# a comment\n"}, {"config.json", "\n"}} {
		text, err := os.ReadFile(filepath.Join(folder, change[0]))
		fixture.OK(t, err)
		writeFile(t, folder, change[0], append(text, change[1]...))
		c := openInvented(t, folder, Options{Cache: openCache(t, remembered)})
		if _, err := c.Score(context.Background(), sources, translations, references); err != nil || c.encoder == nil {
			t.Errorf("with another %s nothing was computed, %v", change[0], err)
		}
	}
}

func TestResumeAfterInterrupt(t *testing.T) {
	folder, remembered := germanModel(t, nil), t.TempDir()
	hypotheses, references := many(900, 7)
	want, err := openGerman(t, folder, Options{}).Match(context.Background(), hypotheses, references)
	fixture.OK(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	all, done := 0, 0
	b := openGerman(t, folder, Options{Cache: openCache(t, remembered), Progress: func(d, total int) {
		if done, all = d, total; 3*d > 2*total {
			cancel()
		}
	}})
	if _, err := b.Match(ctx, hypotheses, references); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	left := 0
	b = openGerman(t, folder, Options{Cache: openCache(t, remembered), Progress: func(_, total int) { left = total }})
	got, err := b.Match(context.Background(), hypotheses, references)
	fixture.OK(t, err)
	t.Logf("of %d tokens %d were done, and %d left", all, done, left)
	if done == 0 || left != all-done {
		t.Errorf("of %d tokens %d were done, and still %d left", all, done, left)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("other scores than in one go")
	}
}

func TestCOMETInterruptedGoesOn(t *testing.T) {
	folder, remembered := cometModel(t, nil), t.TempDir()
	var texts []string
	for i := range 400 {
		texts = append(texts, strings.Repeat(spelled(fmt.Sprint(i))+" ", 1+i%9))
	}
	ctx, cancel := context.WithCancel(context.Background())
	all, done, left := 0, 0, 0
	c := openInvented(t, folder, Options{Cache: openCache(t, remembered), Progress: func(d, total int) {
		done, all = d, total
		cancel()
	}})
	if _, err := c.Score(ctx, texts, texts, texts); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	c = openInvented(t, folder, Options{Cache: openCache(t, remembered), Progress: func(_, total int) { left = total }})
	if _, err := c.Score(context.Background(), texts, texts, texts); err != nil || done == 0 || left != all-done {
		t.Errorf("of %d tokens %d were done and then %d left, %v", all, done, left, err)
	}
}

func TestUnusableCache(t *testing.T) {
	folder, remembered := germanModel(t, nil), t.TempDir()
	cache := openCache(t, remembered)
	b := openGerman(t, folder, Options{Cache: cache})
	id, err := b.identity()
	fixture.OK(t, err)
	fixture.OK(t, os.Mkdir(filepath.Join(remembered, id.file()), 0o755))
	got, err := b.Match(context.Background(), germanHypotheses, germanReferences)
	if err != nil || len(cache.Warnings()) == 0 {
		t.Fatalf("got %v, warnings %q", err, cache.Warnings())
	}
	want, err := openGerman(t, folder, Options{}).Match(context.Background(), germanHypotheses, germanReferences)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("other scores, %v", err)
	}
	file := filepath.Join(remembered, "file")
	writeFile(t, remembered, "file", nil)
	if _, err := OpenCache(file); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("a file as folder gives %v", err)
	}
}

func TestIdentitiesHaveFilesOfTheirOwn(t *testing.T) {
	base := identity{"comet", 24, 510, "m", "t", "a"}
	seen := map[string]bool{base.file(): true}
	for _, change := range []func(*identity){
		func(i *identity) { i.what = "bertscore" },
		func(i *identity) { i.layer = 23 },
		func(i *identity) { i.maxTokens = 512 },
		func(i *identity) { i.model = "n" },
		func(i *identity) { i.tokenizer = "u" },
		func(i *identity) { i.arithmetic = "b" },
	} {
		other := base
		change(&other)
		if seen[other.file()] {
			t.Errorf("%+v has the file of another", other)
		}
		seen[other.file()] = true
	}
	keys := map[key]bool{}
	for _, texts := range [][][]int32{{{1}, {2}}, {{1, 2}}, {{1, 2}, {}}, {{}, {1, 2}}, {{2}, {1}}, {{258}}} {
		for _, kind := range []string{pairValue, tokensValue} {
			k := keyOf(kind, texts...)
			if keys[k] {
				t.Errorf("%s of %v has the key of another", kind, texts)
			}
			keys[k] = true
		}
	}
}

func TestDigestsComputedOnce(t *testing.T) {
	folder := germanModel(t, nil)
	cache := openCache(t, t.TempDir())
	digest := func() string {
		t.Helper()
		sum, err := weightsDigest(folder, cache)
		fixture.OK(t, err)
		return sum
	}
	first := digest()
	path := filepath.Join(folder, weightsFile)
	if hashed, err := hashFiles(path); err != nil || hashed != first {
		t.Errorf("%v, %v, want %v", hashed, err, first)
	}
	// Other bytes under the same size and time are not noticed: it was not read.
	info, err := os.Stat(path)
	fixture.OK(t, err)
	text, _ := os.ReadFile(path)
	text[len(text)-1] ^= 1
	writeFile(t, folder, weightsFile, text)
	fixture.OK(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	if digest() != first {
		t.Error("the digest is not remembered")
	}
	later := info.ModTime().Add(time.Second)
	fixture.OK(t, os.Chtimes(path, later, later))
	second := digest()
	if second == first {
		t.Error("a changed file has the old digest")
	}
	// What model.json says counts for the file as it was then.
	said := strings.Repeat("ab", 32)
	for modified, want := range map[time.Time]string{later: said, info.ModTime(): second} {
		writeFile(t, folder, "model.json", fmt.Appendf(nil, `{"files": [{"name": %q, "bytes": %d, "sha256": %q, "modified": %q}]}`,
			weightsFile, len(text), said, modified.Format(time.RFC3339Nano)))
		if got := digest(); got != want {
			t.Errorf("model.json of %v: digest %v, want %v", modified, got, want)
		}
	}
	if _, err := weightsDigest(t.TempDir(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no weights: %v", err)
	}
}

func TestTwoModelsShareACache(t *testing.T) {
	cache := openCache(t, t.TempDir())
	one, two := germanModel(t, nil), germanModel(t, func(_ *encoder.Config, w checkpoint) { w["bert.embeddings.LayerNorm.bias"].numbers[1]++ })
	var got [2]string
	for range 2 {
		for i, folder := range []string{one, two} {
			m, err := openGerman(t, folder, Options{Cache: cache}).Match(context.Background(), germanHypotheses, germanReferences)
			fixture.OK(t, err)
			if again := fmt.Sprint(m); got[i] != "" && got[i] != again {
				t.Errorf("model %d scores otherwise the second time", i)
			}
			got[i] = fmt.Sprint(m)
		}
	}
	if got[0] == got[1] {
		t.Error("two models score the same")
	}
}
