package neural

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/weights"
)

// tinyModel is a file or folder of what the published programs made of small models
// with random weights.
func tinyModel(t *testing.T, elements ...string) string {
	t.Helper()
	return golden.Path(t, append([]string{"metrics", "tiny_models"}, elements...)...)
}

// rows reads a file of JSON Lines.
func rows[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	f, err := os.Open(tinyModel(t, name))
	fixture.OK(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row T
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &row))
		list = append(list, row)
	}
	if lines.Err() != nil || len(list) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(list), lines.Err())
	}
	return list
}

func document(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(tinyModel(t, name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	fixture.OK(t, err)
}

func TestMatchingEqualsTheOriginal(t *testing.T) {
	type batch struct {
		Dim   int
		Pairs []struct {
			Cand, Ref [][]float32
			P, R, F   float32
		}
	}
	for _, set := range isa.Available() {
		worst := 0.0
		for _, b := range rows[batch](t, "bertscore_greedy.jsonl") {
			m := newMatcher(set, b.Dim)
			var matches []Match
			for _, p := range b.Pairs {
				matches = append(matches, m.match(unitVectors(m, p.Cand), unitVectors(m, p.Ref)))
			}
			for i, s := range new(BERTScore).Official(matches) {
				p := b.Pairs[i]
				for _, d := range []float32{s.Raw.P - p.P, s.Raw.R - p.R, s.Raw.F - p.F} {
					worst = max(worst, math.Abs(float64(d)))
				}
			}
		}
		t.Logf("%v: at most %.2g away", set, worst)
		if worst > 1e-6 {
			t.Errorf("%v: %.2g away", set, worst)
		}
	}
}

func unitVectors(m *matcher, tokens [][]float32) (v vectors) {
	for i, token := range tokens {
		row := append([]float32(nil), token...)
		m.vec.Normalize(row)
		v.rows = append(v.rows, row...)
		v.counts = append(v.counts, i > 0 && i < len(tokens)-1)
	}
	return v
}

func TestBERTScoreEqualsTheOriginal(t *testing.T) {
	type row struct {
		Cand, Ref string
		P, R, F   float32
		PResc     float32 `json:"P_resc"`
		RResc     float32 `json:"R_resc"`
		FResc     float32 `json:"F_resc"`
		F64       float64
	}
	var summary []struct {
		Lang, Model string
		MeanRescF   float64 `json:"mean_F_rescaled"`
	}
	document(t, "bertscore_summary.json", &summary)
	for _, s := range summary {
		t.Run(s.Lang, func(t *testing.T) {
			b, err := OpenBERTScore(tinyModel(t, s.Model), s.Lang, Options{Set: isa.Best()})
			fixture.OK(t, err)
			defer b.Close()
			list := rows[row](t, "bertscore_"+s.Lang+".jsonl")
			var hypotheses, references []string
			for _, r := range list {
				hypotheses, references = append(hypotheses, r.Cand), append(references, r.Ref)
			}
			scores, err := b.Score(context.Background(), hypotheses, references, true)
			fixture.OK(t, err)
			var raw, rescaled, exact far
			var f []float32
			for i, r := range list {
				got := scores[i]
				raw.see(i, got.Raw.P-r.P, got.Raw.R-r.R, got.Raw.F-r.F)
				rescaled.see(i, got.Rescaled.P-r.PResc, got.Rescaled.R-r.RResc, got.Rescaled.F-r.FResc)
				exact.see(i, float32(float64(got.Raw.F)-r.F64))
				f = append(f, got.Rescaled.F)
			}
			t.Logf("raw at most %.2g away (pair %d), from float64 %.2g (pair %d), rescaled %.2g", raw.by, raw.at, exact.by, exact.at, rescaled.by)
			if raw.by > 5e-6 || exact.by > 5e-6 || rescaled.by > 3e-5 {
				t.Error("that is too much")
			}
			if mean := float64(Mean32(f)); math.Abs(mean-s.MeanRescF) > 1e-6 {
				t.Errorf("mean of rescaled F is %v, published %v", mean, s.MeanRescF)
			}
		})
	}
}

// far is the largest of some distances.
type far struct {
	by float64
	at int
}

func (f *far) see(at int, distances ...float32) {
	for _, d := range distances {
		if abs := math.Abs(float64(d)); abs > f.by || abs != abs {
			f.by, f.at = abs, at
		}
	}
}

func openTinyCOMET(t *testing.T, o Options) *COMET {
	t.Helper()
	folder := tinyModel(t, "tiny_comet")
	c, err := OpenCOMET(folder, o)
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCOMETEqualsTheOriginal(t *testing.T) {
	type row struct {
		Src, MT, Ref string
		Score        float64
		Exact        float64 `json:"score_f64"`
	}
	var summary struct {
		Score   float64   `json:"system_score"`
		Exact   float64   `json:"system_score_f64"`
		Weights []float32 `json:"layer_weights_sparsemax"`
	}
	document(t, "tiny_comet/comet_summary.json", &summary)
	c := openTinyCOMET(t, Options{Set: isa.Best()})
	for i, w := range summary.Weights {
		if math.Abs(float64(c.mix[i]-w)) > 1e-7 || (w == 0) != (c.mix[i] == 0) {
			t.Errorf("layer %d weighs %v, in the original %v", i, c.mix[i], w)
		}
	}
	var sources, hypotheses, references []string
	list := rows[row](t, "tiny_comet/comet.jsonl")
	for _, r := range list {
		sources, hypotheses, references = append(sources, r.Src), append(hypotheses, r.MT), append(references, r.Ref)
	}
	scores, err := c.Score(context.Background(), sources, hypotheses, references)
	fixture.OK(t, err)
	var published, exact far
	mean := 0.0
	for i, r := range list {
		published.see(i, float32(scores[i]-r.Score))
		exact.see(i, float32(scores[i]-r.Exact))
		mean += scores[i] / float64(len(list))
	}
	t.Logf("at most %.2g away (segment %d), from float64 %.2g; system %.2g", published.by, published.at, exact.by, mean-summary.Score)
	if published.by > 5e-6 || exact.by > 5e-6 || math.Abs(mean-summary.Score) > 1e-6 {
		t.Error("that is too much")
	}
	sentenceVectors(t, c, sources, hypotheses, references)
}

// The checkpoint holds the same model, and hyperparameters beside it, which
// count.
func TestCheckpointEqualsConversion(t *testing.T) {
	want := openTinyCOMET(t, Options{Set: isa.Best()})
	from, err := weights.Open(tinyModel(t, "tiny_comet", "checkpoints", "model.ckpt"))
	fixture.OK(t, err)
	defer from.Close()
	folder := t.TempDir()
	for _, name := range []string{"config.json", "hparams.yaml", "tokenizer.json"} {
		text, err := os.ReadFile(tinyModel(t, "tiny_comet", name))
		fixture.OK(t, err)
		writeFile(t, folder, name, text)
	}
	fixture.OK(t, weights.Convert(context.Background(), from, filepath.Join(folder, weightsFile), nil))
	c, err := OpenCOMET(folder, Options{Set: isa.Best()})
	fixture.OK(t, err)
	defer c.Close()
	if len(c.file.Hyperparameters()) == 0 {
		t.Error("there are no hyperparameters")
	}
	a, err := want.Score(context.Background(), sources, translations, references)
	fixture.OK(t, err)
	b, err := c.Score(context.Background(), sources, translations, references)
	if err != nil || !slices.Equal(a, b) {
		t.Errorf("got %v, %v, want %v", b, err, a)
	}
}

// sentenceVectors compares the pooled vectors of the first segments.
func sentenceVectors(t *testing.T, c *COMET, sources, hypotheses, references []string) {
	f, err := weights.Open(tinyModel(t, "tiny_comet", "expected_sentence_embeddings.safetensors"))
	fixture.OK(t, err)
	defer f.Close()
	var worst far
	for n, name := range f.Names() {
		var side string
		var i int
		for _, d := range name {
			if d >= '0' && d <= '9' {
				i = i*10 + int(d-'0')
			} else if d != '.' {
				side += string(d)
			}
		}
		text := map[string][]string{"src": sources, "mt": hypotheses, "ref": references}[side][i]
		want, err := f.Floats(name, c.config.Hidden)
		fixture.OK(t, err)
		for j, v := range vectorOf(t, c, text) {
			worst.see(n, v-want[j])
		}
	}
	t.Logf("%d vectors at most %.2g away", len(f.Names()), worst.by)
	if worst.by > 2e-5 {
		t.Error("that is too much")
	}
}

// vectorOf is COMET's vector of one text.
func vectorOf(t *testing.T, c *COMET, text string) []float32 {
	t.Helper()
	p := newPooling(c, nil)
	p.texts.add("text", 0, text)
	fixture.OK(t, p.run(context.Background()))
	return p.vectors[0]
}
