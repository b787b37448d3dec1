package release

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

const (
	rowA = `{"uuid":"a","video_path":"./videos/c1.mp4","cloze":{"passage":"One [BLANK_1].","blanks":[{"number":1,"options":["A: x","B: y"],"required_modality":"audio"}]},"score":1,"mixed":1,"big":9007199254740993}`
	rowB = `{"uuid":"b","video_path":"./videos/c2.mp4","cloze":{"passage":"Two three [BLANK_1].","blanks":[]},"score":0.25,"mixed":{"k":[1,"two"]},"none":null}`
	rowC = `{"uuid":"c","video_path":"./videos/c3.mp4","cloze":{"passage":"ü 视","blanks":[{"number":null,"options":[],"required_modality":"visual"},{"number":2,"options":[null,"Z"]}]},"flag":true,"deep":[[1,2],[],[3]],"empty":{}}`

	sourceA = `{"id":"c1","licence":"CC-BY-4.0","url":"https://e.org/1","origin":"Site","sha256":"11","file":"/data/ann/c1.mp4","span":{"start":2,"end":12},"take":7}`
	sourceB = `{"id":"c2","license":"CC0-1.0","url":"https://e.org/2","digest":"22","category":"Life"}`
	sourceC = `{"id":"c3","licence":"https://creativecommons.org/licenses/by-nd/3.0/","origin":"Site"}`

	settingsText = "name: set\npretty_name: A | set\ndescription: What it is.\nversion: 1.0.0\ndate: 2025-01-31\nlicense: cc-by-4.0\nlanguages: [en, no]\n" +
		"task_categories: [video-text-to-text]\nannotations_creators: [machine-generated]\ncreators: [Ann]\nhomepage: https://e.org/set\n"
)

// A bed is a folder with the input of a release.
type bed struct {
	*testing.T
	dir string
	o   Options
}

func newBed(t *testing.T) *bed {
	b := &bed{T: t, dir: t.TempDir()}
	b.o = Options{Rows: b.file("rows.jsonl", rowA, rowB, rowC), Sources: b.file("sources.jsonl", sourceA, sourceB, sourceC), Out: b.path("out")}
	b.settings(settingsText)
	return b
}

func (b *bed) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bed) file(name string, lines ...string) string {
	b.Helper()
	fixture.OK(b, os.MkdirAll(filepath.Dir(b.path(name)), 0o755))
	fixture.OK(b, os.WriteFile(b.path(name), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return b.path(name)
}

func (b *bed) settings(text string) {
	b.Helper()
	var err error
	if b.o.Settings, err = ReadSettings(b.file("release.yaml", text)); err != nil {
		b.Fatal(err)
	}
}

func (b *bed) build() *Result {
	b.Helper()
	r, err := Build(b.Context(), b.o)
	fixture.OK(b, err)
	return r
}

// refused builds, and wants an error that says why, and no folder.
func (b *bed) refused(kind omniscope.Kind, why string) {
	b.Helper()
	_, err := Build(b.Context(), b.o)
	if omniscope.KindOf(err) != kind || !strings.Contains(err.Error(), why) {
		b.Errorf("error %v (%v), want %v with %q", err, omniscope.KindOf(err), kind, why)
	}
	if ondisk.Exists(b.o.Out) {
		b.Errorf("%s was made in spite of the error", b.o.Out)
	}
	if left, _ := filepath.Glob(b.path(".out*")); len(left) > 0 {
		b.Errorf("left: %v", left)
	}
}

func (b *bed) read(name string) string {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(b.o.Out, name))
	fixture.OK(b, err)
	return string(text)
}

// tree are all files of a folder.
func (b *bed) tree(dir string) map[string]string {
	b.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})
	fixture.OK(b, err)
	return files
}

func (b *bed) media() string {
	for _, name := range []string{"c1", "c2", "c3"} {
		b.file("media/videos/"+name+".mp4", "content of "+name)
	}
	return b.path("media")
}
