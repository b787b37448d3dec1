package neuralgen

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/models"
	"omniscope/metric/neural/tokenizer"
	"omniscope/metric/neural/weights"
)

func make1(t *testing.T, name string, o Options) (Shape, string) {
	t.Helper()
	s, err := Find(name)
	fixture.OK(t, err)
	dir := t.TempDir()
	fixture.OK(t, Write(dir, s, o))
	return s, dir
}

// digest is of all files of a folder.
func digest(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %d ", d.Name(), len(text))
		h.Write(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestSameSeedSameBytes(t *testing.T) {
	for _, checkpoint := range []bool{false, true} {
		of := func(seed uint64) string {
			_, dir := make1(t, "tiny-comet", Options{Seed: seed, Checkpoint: checkpoint})
			return digest(t, dir)
		}
		first, again, other := of(1), of(1), of(2)
		if first != again || first == other {
			t.Errorf("checkpoint %t: seeds 1, 1, 2 make %s %s %s", checkpoint, first, again, other)
		}
	}
}

func TestLoadTinyFolders(t *testing.T) {
	root := t.TempDir()
	fixture.OK(t, WriteRoot(root, Options{Seed: 1}))
	for _, m := range models.Known {
		if _, err := models.Verify(t.Context(), root, m.Name, models.Options{}); err != nil {
			t.Error(err)
		}
		dir := filepath.Join(root, filepath.FromSlash(m.Name))
		if _, err := models.Import(t.Context(), t.TempDir(), dir, m.Name, models.Options{}); err != nil { // which checks more
			t.Error(err)
		}
	}
}

func TestCheckpointTensors(t *testing.T) {
	for _, name := range []string{"tiny-comet", "tiny-bert_score/zh"} {
		s, safe := make1(t, name, Options{Seed: 3})
		_, torch := make1(t, name, Options{Seed: 3, Checkpoint: true})
		one, err := weights.Open(filepath.Join(safe, models.WeightsFile))
		fixture.OK(t, err)
		defer one.Close()
		other, err := weights.Open(filepath.Join(torch, filepath.FromSlash(s.checkpointName())))
		fixture.OK(t, err)
		defer other.Close()
		if !slices.Equal(one.Names(), other.Names()) {
			t.Errorf("%s: the names differ", name)
		}
		for _, tensor := range s.tensors() {
			a, err := one.Floats(tensor.name, tensor.shape...)
			fixture.OK(t, err)
			b, err := other.Floats(tensor.name, tensor.shape...)
			fixture.OK(t, err)
			if !slices.Equal(a, b) {
				t.Errorf("%s: %s differs", name, tensor.name)
			}
		}
		if has := other.Hyperparameters()["layer_transformation"]; s.Estimator != nil && has != "sparsemax" {
			t.Errorf("hyperparameters: %v", other.Hyperparameters())
		}
	}
}

// The vocabularies have as many entries as the published ones, and know made
// and real words.
func TestTokenizersOfAllShapes(t *testing.T) {
	for _, s := range Shapes {
		t.Run(s.Name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range s.texts(1) {
				fixture.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
			}
			tok, unknown, err := open(s, dir)
			fixture.OK(t, err)
			if tok.Size() != s.Vocab {
				t.Errorf("%d ids, want %d", tok.Size(), s.Vocab)
			}
			lang := map[bool]string{true: "zh", false: "de"}[s.As == "bert_score/zh"]
			lines := Texts(50, 10, lang, 1)
			missed, all := 0, 0
			for _, line := range append(lines.References, "The quick brown fox, 42!", "1,5 Punkte") {
				for _, id := range tok.Encode(line, 0) {
					all++
					if id == unknown {
						missed++
					}
				}
			}
			if missed*20 > all {
				t.Errorf("%d of %d ids are unknown", missed, all)
			}
		})
	}
}

func open(s Shape, dir string) (tok tokenizer.Tokenizer, unknown int32, err error) {
	in := func(name string) string { return filepath.Join(dir, name) }
	switch s.Family {
	case BERT:
		text, err := os.ReadFile(in("vocab.txt"))
		if err != nil {
			return nil, 0, err
		}
		before, _, _ := bytes.Cut(text, []byte("[UNK]"))
		tok, err = tokenizer.OpenWordPiece(in("vocab.txt"))
		return tok, int32(bytes.Count(before, []byte("\n"))), err
	case RoBERTa:
		tok, err = tokenizer.OpenGPT2(in("vocab.json"), in("merges.txt"))
		return tok, 3, err
	}
	tok, err = tokenizer.OpenJSON(in("tokenizer.json"))
	return tok, 3, err
}

func TestTextCountAndLength(t *testing.T) {
	l := Texts(100, 20, "it", 1)
	if len(l.Hypotheses) != 100 || len(l.References) != 100 || len(l.Sources) != 100 {
		t.Fatalf("%d, %d, %d lines", len(l.Hypotheses), len(l.References), len(l.Sources))
	}
	words, same := 0, 0
	for i, ref := range l.References {
		a, b := bytes.Fields([]byte(ref)), bytes.Fields([]byte(l.Hypotheses[i]))
		if len(a) != len(b) {
			t.Fatalf("%q, %q", ref, l.Hypotheses[i])
		}
		for j := range a {
			words++
			if bytes.Equal(a[j], b[j]) {
				same++
			}
		}
	}
	if words < 1700 || words > 2300 || same < words*7/10 || same > words*9/10 {
		t.Errorf("%d words, %d of them the same", words, same)
	}
	dir := t.TempDir()
	fixture.OK(t, l.Write(dir))
	if text, err := os.ReadFile(filepath.Join(dir, "src.txt")); err != nil || bytes.Count(text, []byte("\n")) != 100 {
		t.Errorf("%v", err)
	}
}

// The scores mean nothing, but they are scores: a text is most like itself.
func TestScoresByTinyModels(t *testing.T) {
	root, options := t.TempDir(), neural.Options{Set: isa.Best()}
	fixture.OK(t, WriteRoot(root, Options{Seed: 1}))
	for _, m := range models.Known {
		dir, lines := filepath.Join(root, filepath.FromSlash(m.Name)), Texts(20, 12, m.Language, 1)
		if m.Kind == models.COMET {
			c, err := neural.OpenCOMET(dir, options)
			fixture.OK(t, err)
			defer c.Close()
			scores, err := c.Score(t.Context(), lines.Sources, lines.Hypotheses, lines.References)
			fixture.OK(t, err)
			if slices.Min(scores) == slices.Max(scores) {
				t.Errorf("%s gives all texts %v", m.Name, scores[0])
			}
			continue
		}
		b, err := neural.OpenBERTScore(dir, m.Language, options)
		fixture.OK(t, err)
		defer b.Close()
		scores, err := b.Score(t.Context(), append(lines.References[:1:1], lines.Hypotheses...), append(lines.References[:1:1], lines.References...), false)
		fixture.OK(t, err)
		for i, s := range scores[1:] {
			if !(s.Raw.F < scores[0].Raw.F || lines.Hypotheses[i] == lines.References[i]) {
				t.Errorf("%s: %q is more like %q than a text like itself: %v, %v", m.Name, lines.Hypotheses[i], lines.References[i], s, scores[0])
			}
		}
	}
}
