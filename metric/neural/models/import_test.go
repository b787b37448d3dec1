package models_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/models"
)

// made makes a folder of a shape.
func made(t *testing.T, shape string, checkpoint bool) string {
	t.Helper()
	s, err := neuralgen.Find(shape)
	fixture.OK(t, err)
	dir := t.TempDir()
	fixture.OK(t, neuralgen.Write(dir, s, neuralgen.Options{Seed: 1, Checkpoint: checkpoint}))
	if err := os.Remove(filepath.Join(dir, models.InfoFile)); err != nil && !checkpoint {
		t.Fatal(err)
	}
	return dir
}

func TestImportTakesFoldersAndFiles(t *testing.T) {
	for _, c := range []struct {
		what, shape string
		checkpoint  bool
		file        string // "" = the folder
		as          string
	}{
		{"a folder with safetensors", "tiny-bert_score/en", false, "", "bert_score/en"},
		{"a folder of torch", "tiny-bert_score/en", true, "", "bert_score/en"},
		{"the other language of a network", "tiny-bert_score/de", false, "", "bert_score/it"},
		{"a file of torch with the rest beside it", "tiny-bert_score/zh", true, "pytorch_model.bin", "bert_score/zh"},
		{"a folder of COMET", "tiny-comet", true, "", "comet/wmt22-comet-da"},
		{"a checkpoint of COMET, the rest in the folder above", "tiny-comet", true, "checkpoints/model.ckpt", "comet/wmt22-comet-da"},
	} {
		t.Run(c.what, func(t *testing.T) {
			root, dir := t.TempDir(), made(t, c.shape, c.checkpoint)
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			f, err := models.Import(t.Context(), root, path, c.as, models.Options{})
			fixture.OK(t, err)
			if f.Info.From != path || f.Info.Licence != "" || f.Info.Name != c.as {
				t.Errorf("%+v", f.Info)
			}
			if _, err := models.Verify(t.Context(), root, c.as, models.Options{}); err != nil {
				t.Error(err)
			}
			fixture.OK(t, os.RemoveAll(dir))
			if _, err := models.Verify(t.Context(), root, c.as, models.Options{}); err != nil {
				t.Errorf("without the files it was imported from: %v", err)
			}
		})
	}
}

func TestImportLinksWhenAsked(t *testing.T) {
	root, dir := t.TempDir(), made(t, "tiny-bert_score/en", false)
	for _, link := range []bool{true, false} {
		f, err := models.Import(t.Context(), root, dir, "bert_score/en", models.Options{Link: link})
		fixture.OK(t, err)
		here, err := os.Stat(f.Weights())
		fixture.OK(t, err)
		if there, err := os.Stat(filepath.Join(dir, models.WeightsFile)); err != nil || os.SameFile(here, there) != link {
			t.Errorf("link %t: one file: %t (%v)", link, os.SameFile(here, there), err)
		}
	}
}

// Somebody may carry a folder to a machine without a connection.
func TestFolderOrigin(t *testing.T) {
	s := newStage(t)
	was := s.mustGet("comet/wmt22-comet-da")
	f, err := models.Import(t.Context(), t.TempDir(), was.Dir, "comet/wmt22-comet-da", models.Options{By: "another"})
	fixture.OK(t, err)
	if f.Info.From != was.Info.From || f.Info.Licence != was.Info.Licence || f.Info.MadeBy != "test" || f.Digest() != was.Digest() {
		t.Errorf("%+v, was %+v", f.Info, was.Info)
	}
}

// edit changes a field of config.json.
func edit(field string, value any) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "config.json")
		text, err := os.ReadFile(path)
		fixture.OK(t, err)
		var fields map[string]any
		fixture.OK(t, json.Unmarshal(text, &fields))
		fields[field] = value
		if text, err = json.Marshal(fields); err != nil {
			t.Fatal(err)
		}
		put(t, path, text)
	}
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	fixture.OK(t, os.WriteFile(path, content, 0o644))
}

// rewrite replaces bytes of a file by as many.
func rewrite(t *testing.T, path, old, with string) {
	t.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	if len(old) != len(with) || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s has no %q to be replaced by %q", path, old, with)
	}
	put(t, path, bytes.ReplaceAll(text, []byte(old), []byte(with)))
}

func TestBrokenImports(t *testing.T) {
	const en, de, comet = "bert_score/en", "bert_score/de", "comet/wmt22-comet-da"
	in := func(name string) func(string) string {
		return func(dir string) string { return filepath.Join(dir, name) }
	}
	weights, vocab := in(models.WeightsFile), in("vocab.txt")
	for _, c := range []struct {
		what, shape, as string
		spoil           func(t *testing.T, dir string)
		kind            omniscope.Kind
		tells           []string
	}{
		{"no tokenizer", "tiny-bert_score/en", en, func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "merges.txt")) }, omniscope.NotFound, []string{"merges.txt (of FacebookAI/roberta-large)", "data get bert_score/en"}},
		{"no weights", "tiny-bert_score/de", de, func(t *testing.T, dir string) { os.Remove(weights(dir)) }, omniscope.NotFound, []string{"pytorch_model.bin"}},
		{"another network's place", "tiny-bert_score/de", "bert_score/zh", edit("model_type", "roberta"), omniscope.Invalid, []string{"config.json", "needs bert"}},
		{"too few layers", "tiny-bert_score/en", en, edit("num_hidden_layers", 16), omniscope.Invalid, []string{"16 layers", "layer 17"}},
		{"another activation", "tiny-bert_score/de", de, edit("hidden_act", "relu"), omniscope.Invalid, []string{"hidden_act"}},
		{"sizes that do not fit", "tiny-bert_score/de", de, edit("intermediate_size", 128), omniscope.Invalid, []string{"intermediate.dense.weight", "[64 32]", "[128 32]"}},
		{"a tensor that is missing", "tiny-bert_score/de", de, func(t *testing.T, dir string) {
			rewrite(t, weights(dir), "bert.encoder.layer.4.output.dense.bias", "bert.encoder.layer.4.output.tense.bias")
		}, omniscope.Invalid, []string{"layer.4.output.dense.bias"}},
		{"a tensor that COMET misses", "tiny-comet", comet, func(t *testing.T, dir string) {
			rewrite(t, weights(dir), "estimator.ff.3.bias", "estimator.ff.9.bias")
		}, omniscope.Invalid, []string{"estimator.ff.3.bias"}},
		{"a layer's factor that COMET misses", "tiny-comet", comet, func(t *testing.T, dir string) {
			rewrite(t, weights(dir), "scalar_parameters.5", "scalar_parameters.9")
		}, omniscope.Invalid, []string{"scalar_parameters.5"}},
		{"weights that are cut off", "tiny-bert_score/de", de, func(t *testing.T, dir string) {
			fixture.OK(t, os.Truncate(weights(dir), 300_000))
		}, omniscope.Invalid, []string{models.WeightsFile}},
		{"a pointer of git-lfs", "tiny-bert_score/de", de, func(t *testing.T, dir string) {
			put(t, weights(dir), []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"))
		}, omniscope.Invalid, []string{"git-lfs"}},
		{"a pickle that runs a program", "tiny-bert_score/de", de, func(t *testing.T, dir string) {
			var b bytes.Buffer
			fixture.OK(t, neuralgen.Hostile(&b))
			put(t, weights(dir), b.Bytes())
		}, omniscope.Invalid, []string{"posix"}},
		{"a vocabulary that is larger than the network's", "tiny-bert_score/de", de, func(t *testing.T, dir string) {
			text, err := os.ReadFile(vocab(dir))
			fixture.OK(t, err)
			put(t, vocab(dir), append(text, "onemoreword\n"...))
		}, omniscope.Invalid, []string{"1201", "1200"}},
		{"a vocabulary without its special words", "tiny-bert_score/de", de, func(t *testing.T, dir string) { put(t, vocab(dir), []byte("a\nb\n")) }, omniscope.Invalid, []string{"vocab.txt"}},
		{"a tokenizer that is not JSON", "tiny-comet", comet, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "tokenizer.json"), []byte("{")) }, omniscope.Invalid, []string{"tokenizer.json"}},
		{"a metric without references", "tiny-comet", comet, func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "hparams.yaml"), "regression_metric", "referenceless_met")
		}, omniscope.Invalid, []string{"hparams.yaml", "referenceless_met", "regression_metric"}},
		{"settings that are no YAML", "tiny-comet", comet, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "hparams.yaml"), []byte("a: [")) }, omniscope.Invalid, []string{"hparams.yaml is no YAML"}},
		{"a folder that is not there", "tiny-comet", comet, func(t *testing.T, dir string) { os.RemoveAll(dir) }, omniscope.NotFound, nil},
		{"a name that nobody knows", "tiny-comet", "comet/mine", func(*testing.T, string) {}, omniscope.Usage, []string{"comet/mine", comet}},
	} {
		t.Run(c.what, func(t *testing.T) {
			root, dir := t.TempDir(), made(t, c.shape, false)
			c.spoil(t, dir)
			_, err := models.Import(t.Context(), root, dir, c.as, models.Options{})
			mustFail(t, err, c.kind, c.tells...)
			if left := below(t, root); len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

func TestBrokenImportKeepsOldFolder(t *testing.T) {
	root, dir := t.TempDir(), made(t, "tiny-bert_score/de", false)
	old, err := models.Import(t.Context(), root, dir, "bert_score/de", models.Options{})
	fixture.OK(t, err)
	edit("intermediate_size", 128)(t, dir)
	_, err = models.Import(t.Context(), root, dir, "bert_score/de", models.Options{})
	mustFail(t, err, omniscope.Invalid)
	if f, err := models.Verify(t.Context(), root, "bert_score/de", models.Options{}); err != nil || f.Digest() != old.Digest() {
		t.Errorf("%v, %v", f, err)
	}
}

// A process that is killed leaves what the next one clears away.
func TestClearLeftovers(t *testing.T) {
	root, dir := t.TempDir(), made(t, "tiny-bert_score/de", false)
	for _, left := range []string{".de.partial", ".de.old"} {
		fixture.OK(t, os.MkdirAll(filepath.Join(root, "bert_score", left, "more"), 0o755))
	}
	if _, err := models.Import(t.Context(), root, dir, "bert_score/de", models.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range below(t, root) {
		if !strings.HasPrefix(name, "bert_score/de/") {
			t.Errorf("%s is left", name)
		}
	}
	if exists, _ := filepath.Glob(filepath.Join(root, "bert_score", ".de.*l*")); len(exists) > 1 { // the lock
		t.Errorf("%q is left", exists)
	}
}

func TestFindTellsHowToGetAModel(t *testing.T) {
	root := t.TempDir()
	_, err := models.Find(root, "bert_score/de")
	mustFail(t, err, omniscope.NotFound, "is not in "+root, "`omniscope data get bert_score/de --models-dir "+root+"`", "714 MB")
	_, err = models.Find(root, "bert_score/fr")
	mustFail(t, err, omniscope.Usage, "bert_score/de")

	if _, err := models.Import(t.Context(), root, made(t, "tiny-bert_score/de", false), "bert_score/de", models.Options{}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "bert_score", "de")
	for _, c := range []struct {
		what, tells string
		spoil       func()
	}{
		{"shorter weights", "300000 bytes", func() { os.Truncate(filepath.Join(dir, models.WeightsFile), 300_000) }},
		{"no vocabulary", "vocab.txt", func() { os.Remove(filepath.Join(dir, "vocab.txt")) }},
		{"a damaged description", "cannot be read", func() { put(t, filepath.Join(dir, models.InfoFile), []byte("{")) }},
		{"another's description", "another use", func() { put(t, filepath.Join(dir, models.InfoFile), []byte(`{"name":"bert_score/zh"}`)) }},
		{"no description", "no such file", func() { os.Remove(filepath.Join(dir, models.InfoFile)) }},
	} {
		c.spoil()
		_, err := models.Find(root, "bert_score/de")
		mustFail(t, err, omniscope.NotFound, "is not whole", c.tells, "data get bert_score/de")
		if e := models.List(root)[1]; e.There || e.Problem == "" {
			t.Errorf("%s: listed as %+v", c.what, e)
		}
	}
	fixture.OK(t, models.Remove(t.Context(), root, "bert_score/de"))
	mustFail(t, models.Remove(t.Context(), root, "bert_score/de"), omniscope.NotFound, "is not in")
}

func TestRootFromEnvironment(t *testing.T) {
	t.Setenv(models.RootEnv, "/somewhere")
	if root, err := models.Root(); err != nil || root != "/somewhere" {
		t.Errorf("%s, %v", root, err)
	}
	t.Setenv(models.RootEnv, "")
	if root, err := models.Root(); err != nil || !strings.HasSuffix(filepath.ToSlash(root), "omniscope/models") {
		t.Errorf("%s, %v", root, err)
	}
}
