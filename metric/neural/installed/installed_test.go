package installed_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/installed"
)

func open(t *testing.T, o installed.Options) *installed.Networks {
	t.Helper()
	n, err := installed.Open(o)
	fixture.OK(t, err)
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func TestOpenOnce(t *testing.T) {
	root, cache := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	var heard []string
	n := open(t, installed.Options{Root: root, CacheDir: cache, Progress: func(network string, done, total int) { heard = append(heard, network) }})
	c, err := n.COMET("")
	fixture.OK(t, err)
	if again, err := n.COMET(installed.COMET); err != nil || again != c {
		t.Errorf("the network is opened again: %v", err)
	}
	inFolder, err := n.BERTScore(filepath.Join(root, "bert_score", "de"), "de")
	fixture.OK(t, err)
	named, err := n.BERTScore("", "de")
	if err != nil || named == inFolder {
		t.Errorf("a folder is taken for a name: %v", err)
	}
	if _, err := c.Score(t.Context(), []string{"one"}, []string{"eins"}, []string{"ein"}); err != nil {
		t.Fatal(err)
	}
	if len(heard) == 0 || slices.ContainsFunc(heard, func(name string) bool { return name != installed.COMET }) {
		t.Errorf("progress names %q", heard)
	}
	if files, err := os.ReadDir(cache); err != nil || len(files) == 0 {
		t.Errorf("nothing is remembered: %v", err)
	}
	if w := n.Warnings(); len(w) == 0 || !slices.IsSorted(w) || len(slices.Compact(slices.Clone(w))) != len(w) {
		t.Errorf("warnings %q", w)
	}
}

func TestMissingNetworks(t *testing.T) {
	root := t.TempDir()
	n := open(t, installed.Options{Root: root, NoCache: true})
	if _, err := n.BERTScore("", "de"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("got %v", err)
	}
	if _, err := n.COMET("comet/wmt22"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "did you mean comet/wmt22-comet-da?") {
		t.Errorf("got %v", err)
	}
	if get := n.Install(installed.COMET); get != "omniscope data get comet/wmt22-comet-da --models-dir "+root {
		t.Errorf("install by %q", get)
	}
}

func TestCacheFolders(t *testing.T) {
	root := t.TempDir()
	fixture.OK(t, neuralgen.WriteRoot(root, neuralgen.Options{Seed: 1}))
	file := filepath.Join(t.TempDir(), "file")
	fixture.OK(t, os.WriteFile(file, nil, 0o600))
	n := open(t, installed.Options{Root: root, CacheDir: filepath.Join(file, "below")})
	if _, err := n.COMET(""); err == nil || !strings.HasPrefix(err.Error(), "--cache-dir: ") {
		t.Errorf("a folder that was named and cannot be made: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	n = open(t, installed.Options{Root: root})
	if _, err := n.COMET(""); err != nil {
		t.Fatal(err)
	}
	if w := n.CacheWarnings(); len(w) != 1 || !strings.Contains(w[0], "--cache-dir") {
		t.Errorf("warnings %q", w)
	}
	if err := (installed.Options{NoCache: true, CacheDir: file}).Check(); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("got %v", err)
	}
}
