package hubfolder

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// made is a folder with the files, of which those called README.md hold the card.
func made(t *testing.T, card string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if card != "" {
		names = append(names, "README.md")
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text := ""
		if name == "README.md" {
			text = card
		}
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// The layouts are those that the hub's manual shows: docs/hub/datasets-file-names-and-splits.md and
// datasets-manual-configuration.md of huggingface/hub-docs.
func TestFilesOfLayouts(t *testing.T) {
	twoConfigs := "---\nlicense: mit\nconfigs:\n- config_name: main_data\n  data_files: \"main_data.csv\"\n- config_name: additional_data\n  data_files: \"additional_data.csv\"\n---\n# Title\n"
	for _, c := range []struct {
		name, card string
		files      []string
		choice     string
		want       string // the files with spaces between, or the error after "error: "
	}{
		{"one file", "# A title\n", []string{"data.csv"}, "", "data.csv"},
		{"one file by its split", "", []string{"data.csv"}, "#train", "data.csv"},
		{"files called after splits", "", []string{"train.csv", "test.csv", "validation.csv"}, "#validation", "validation.csv"},
		{"names with the split in them", "", []string{"my_train_file.csv", "test1.csv", "latest.csv"}, "#test", "test1.csv"},
		{"folders called after splits", "", []string{"data/train/data.csv", "data/test/more_data.csv", "data/validation/x.csv"}, "#test", "data/test/more_data.csv"},
		{"other words for splits", "", []string{"data/training.csv", "data/eval.csv", "data/valid.csv"}, "#validation", "data/valid.csv"},
		{"several files in order", "", []string{"train_1.csv", "train_0.csv", "test_0.csv", "train_10.csv"}, "#train", "train_0.csv train_1.csv train_10.csv"},
		{"shards of a split of any name", "", []string{"data/train-00000-of-00001.parquet", "data/random-00001-of-00002.parquet", "data/random-00000-of-00002.parquet"}, "#random",
			"data/random-00000-of-00002.parquet data/random-00001-of-00002.parquet"},
		{"a shard that is missing", "", []string{"data/train-00000-of-00003.parquet", "data/train-00002-of-00003.parquet"}, "", "error: data/train-00001-of-00003.parquet is missing"},
		{"several splits", "", []string{"train.csv", "test.csv"}, "", "error: it holds several parts: add one of them to its name, #train, #test"},
		{"a split that is not there", "", []string{"train.csv", "test.csv"}, "#tset", "error: it has no #tset but #train, #test; did you mean test?"},
		{"no files of rows", "", []string{"a.mp4"}, "", "error: is a folder: name a file"},
		{"two forms", "", []string{"a.csv", "a.jsonl.gz"}, "", "error: its rows are in files of several forms, which may be the same rows again: a.csv (CSV), a.jsonl.gz (JSON)"},
		{"hidden files", "", []string{".a/a.csv", "__pycache__/b.csv", "c.csv"}, "", "c.csv"},
		{"Arrow of save_to_disk", "", []string{"data-00000-of-00001.arrow", "state.json", "dataset_info.json"}, "", "error: to_parquet"},

		{"a card's splits", "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: \"data.csv\"\n  - split: test\n    path: \"holdout.csv\"\n---\n", []string{"data.csv", "holdout.csv"}, "#test", "holdout.csv"},
		{"a list of paths", "---\r\nconfigs:\r\n- config_name: default\r\n  data_files:\r\n  - split: train\r\n    path:\r\n    - \"data/def.csv\"\r\n    - \"data/abc.csv\"\r\n---\r\n", []string{"data/abc.csv", "data/def.csv"}, "", "data/def.csv data/abc.csv"},
		{"patterns", "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: \"data/*.csv\"\n  - split: test\n    path: \"holdout/**/*.csv\"\n---\n", []string{"data/a.csv", "data/x/b.csv", "holdout/g.csv", "holdout/y/h.csv"}, "#default/test", "holdout/g.csv holdout/y/h.csv"},
		{"splits as names", "---\nconfigs:\n- config_name: default\n  data_files:\n    train: a.csv\n    dev: [b.csv]\n---\n", []string{"a.csv", "b.csv"}, "#dev", "b.csv"},
		{"two configurations", twoConfigs, []string{"main_data.csv", "additional_data.csv"}, "", "error: it holds several parts: add one of them to its name, #main_data/train, #additional_data/train"},
		{"one of two configurations", twoConfigs, []string{"main_data.csv", "additional_data.csv"}, "#additional_data", "additional_data.csv"},
		{"one of which the other is not downloaded", twoConfigs, []string{"main_data.csv"}, "#main_data", "main_data.csv"},
		{"one that is not downloaded", twoConfigs, []string{"main_data.csv"}, "#additional_data", `error: README.md: configs: additional_data: data_files: no file of rows fits "additional_data.csv": get all files`},
		{"the one marked default", strings.Replace(twoConfigs, "\"main_data.csv\"", "\"main_data.csv\"\n  default: true", 1), []string{"main_data.csv", "additional_data.csv"}, "", "main_data.csv"},
		{"a folder of a configuration", "---\nconfigs:\n- config_name: a\n  data_dir: a\n- config_name: b\n  data_dir: b\n---\n", []string{"a/train.csv", "b/train.csv", "b/test.csv"}, "#b/test", "b/test.csv"},
		{"a separator of its own", "---\nconfigs:\n- config_name: tab\n  data_files: a.csv\n  sep: \"\\t\"\n---\n", []string{"a.csv"}, "", `error: the setting "sep"`},
		{"a path that leaves the folder", "---\nconfigs:\n- config_name: x\n  data_files: ../a.csv\n---\n", []string{"a.csv"}, "", `error: "../a.csv" is no path within the folder`},
		{"an address", "---\nconfigs:\n- config_name: x\n  data_files: https://example.org/a.csv\n---\n", []string{"a.csv"}, "", "error: downloaded first"},
		{"no name", "---\nconfigs:\n- data_files: a.csv\n---\n", []string{"a.csv"}, "", "error: the entry 1 has no config_name"},
		{"aliases", "---\nconfigs:\n- config_name: &a x\n  data_files: *a\n---\n", []string{"a.csv"}, "", "error: aliases"},
		{"settings without an end", "---\nconfigs:\n", []string{"a.csv"}, "", "error: have no end"},
		{"a form that is not read", "---\nconfigs:\n- config_name: x\n  data_files: a.txt\n---\n", []string{"a.txt"}, "", "error: a.txt is none of the forms that are read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := made(t, c.card, c.files...)
			f, err := Find(dir + c.choice)
			if want, ok := strings.CutPrefix(c.want, "error: "); ok {
				if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
					t.Fatalf("got %v, want %s", err, want)
				}
				return
			}
			fixture.OK(t, err)
			if got := strings.Join(f.Names, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if paths := f.Paths(); paths[0] != filepath.Join(dir, filepath.FromSlash(f.Names[0])) {
				t.Errorf("paths: %q", paths)
			}
		})
	}
}

// A folder of the hub's cache holds links to its blobs; a split that was not downloaded may be links to nothing.
func TestFolderOfTheCache(t *testing.T) {
	dir := made(t, "", "blobs/1", "refs/x")
	commit := strings.Repeat("a", 40)
	data := filepath.Join(dir, "snapshots", commit, "data")
	fixture.OK(t, os.MkdirAll(data, 0o700))
	for name, blob := range map[string]string{"test-00000-of-00001.parquet": "1", "train-00000-of-00001.parquet": "gone"} {
		fixture.OK(t, os.Symlink(filepath.Join("..", "..", "..", "blobs", blob), filepath.Join(data, name)))
	}
	for _, name := range []string{filepath.Dir(data), dir, dir + "#test"} {
		f, err := Find(name)
		if err != nil || !slices.Equal(f.Names, []string{"data/test-00000-of-00001.parquet"}) || f.Split != "test" {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	fixture.OK(t, os.MkdirAll(filepath.Join(dir, "snapshots", strings.Repeat("b", 40)), 0o700))
	if _, err := Find(dir); err == nil || !strings.Contains(err.Error(), "2 snapshots") {
		t.Errorf("two snapshots: %v", err)
	}
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "refs", "main"), []byte(commit), 0o600))
	if f, err := Find(dir); err != nil || f.Split != "test" {
		t.Errorf("the snapshot of main: %v, %v", f, err)
	}
}

// A split that configurations have which are not the default is not offered as its own spelling.
func TestSplitOfNoDefaultConfig(t *testing.T) {
	dir := made(t, "---\nconfigs:\n- config_name: a\n  data_files: a.csv\n- config_name: b\n  data_files:\n  - split: test\n    path: b.csv\n---\n", "a.csv", "b.csv")
	_, err := Find(dir + "#test")
	if err == nil || !strings.Contains(err.Error(), "it has no #test but #a/train, #b/test") || strings.Contains(err.Error(), "mean test?") {
		t.Errorf("%v", err)
	}
}

// A split of which one file is a link to nothing is refused: its rows would be missed.
func TestSplitOfWhichAFileIsGone(t *testing.T) {
	dir := made(t, "", "test_0.jsonl")
	fixture.OK(t, os.Symlink("gone", filepath.Join(dir, "test_1.jsonl")))
	for _, name := range []string{dir, dir + "#test"} {
		if f, err := Find(name); err == nil || !strings.Contains(err.Error(), "test_1.jsonl is a link to a file that is not there") {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func TestPathsThatAreNoFolders(t *testing.T) {
	dir := made(t, "", "a#b.csv")
	for _, name := range []string{"-", filepath.Join(dir, "a#b.csv"), filepath.Join(dir, "a"), filepath.Join(dir, "nothing#train"), "#train"} {
		if f, err := Find(name); f != nil || err != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
