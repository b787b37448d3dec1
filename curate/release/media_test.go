package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

func TestMedia(t *testing.T) {
	b := newBed(t)
	b.o.Media = b.media()
	b.file("media/videos/unused.mp4", "of no row")
	b.build()
	for name, want := range map[string]string{"media/c1.mp4": "content of c1\n", "media/c3.mp4": "content of c3\n"} {
		if got := b.read(name); got != want {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if ondisk.Exists(filepath.Join(b.o.Out, "media/unused.mp4")) {
		t.Error("media of no row are in the release")
	}
	first, _, _ := strings.Cut(b.read("metadata.jsonl"), "\n")
	row := parsed(t, first).(map[string]any)
	if row["file_name"] != "media/c1.mp4" || row["split"] != "test" || row["uuid"] != "a" || row["mixed"] != "1" {
		t.Errorf("metadata %s", first)
	}
	one, err := os.Stat(filepath.Join(b.o.Media, "videos/c1.mp4"))
	fixture.OK(t, err)
	if two, err := os.Stat(filepath.Join(b.o.Out, "media/c1.mp4")); err != nil || !os.SameFile(one, two) {
		t.Errorf("the file was copied where it could be linked: %v", err)
	}
}

func TestMediaThatCannotBeTaken(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *bed)
		why    string
	}{
		"missing": {func(b *bed) { os.Remove(b.path("media/videos/c2.mp4")) }, "1 items have no media in "},
		"two of one name": {func(b *bed) {
			b.file("media/x/c1.mp4", "1")
			b.file("media/y/c1.mp4", "2")
			os.Remove(b.path("media/videos/c1.mp4"))
		}, `item "a" may mean x/c1.mp4 or y/c1.mp4`},
		"a link out of the folder": {func(b *bed) {
			b.file("secret.mp4", "private")
			os.Remove(b.path("media/videos/c1.mp4"))
			fixture.OK(b, os.Symlink(b.path("secret.mp4"), b.path("media/videos/c1.mp4")))
		}, "escapes"},
		"a path out of the folder": {func(b *bed) {
			b.file("c9.mp4", "private")
			b.o.Rows = b.file("rows.jsonl", strings.Replace(rowA, "./videos/c1.mp4", "../c9.mp4", 1))
			b.o.Sources = b.file("sources.jsonl", `{"id":"c9","licence":"MIT"}`)
		}, "1 items have no media in "},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.o.Media = b.media()
			c.change(b)
			_, err := Build(t.Context(), b.o)
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("error %v, want %q", err, c.why)
			}
			if ondisk.Exists(b.o.Out) {
				t.Error("a release was made")
			}
		})
	}
}

func TestMediaOfOneNameFromTwoFolders(t *testing.T) {
	b := newBed(t)
	b.o.Media = b.media()
	b.file("media/more/c1.mp4", "another")
	b.o.Rows = b.file("rows.jsonl", rowA, strings.Replace(rowB, "./videos/c2.mp4", "more/c1.mp4", 1))
	b.refused(omniscope.Invalid, "would both be media/c1.mp4")
}
