package predict

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestIDsOfMediaFiles(t *testing.T) {
	for _, c := range []struct{ paths, want string }{
		{"/v/a.mp4 /v/b.webm", "a b"},
		{"/v/a.mp4 /v/a.wav /v/b.wav", "a.mp4 a.wav b"},
		{"/v/x/a.mp4 /v/y/a.mp4 /v/y/b.mp4", "x/a.mp4 y/a.mp4 b"},
		{"/v/x/a.mp4 /vy/a.mp4", "v/x/a.mp4 vy/a.mp4"},
		{"/v/x/a.mp4 /v/x/a.wav /v/y/a.mp4", "x/a.mp4 a.wav y/a.mp4"},
		{"/v/A.mp4 /v/a.mp4", "A.mp4 a.mp4"},
		{"/v/.mp4", ".mp4"},
		{"/v/视频 一.mp4", "视频 一"},
	} {
		paths := strings.Split(strings.ReplaceAll(c.paths, " /", "\n/"), "\n")
		if got := strings.Join(mediaIDs(paths), " "); got != c.want {
			t.Errorf("%s: %s; want %s", c.paths, got, c.want)
		}
	}
}

// TestFolderOfMedia stands for the media in it and below, and for nothing else.
func TestFolderOfMedia(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.MP4", "sub dir/a.flac", "notes.txt", ".hidden.mp4", ".cache/c.mp4", "work/d.wav", "other/e.jpg"} {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, nil, 0o644))
	}
	link := filepath.Join(t.TempDir(), "link")
	fixture.OK(t, os.Symlink(dir, link))
	for _, folder := range []string{dir, dir + "/", link} {
		var said bytes.Buffer
		got, err := MediaFiles([]string{"named.xyz", folder, "absent"}, filepath.Join(dir, "work"), &said)
		want := []string{"named.xyz", filepath.Join(folder, "b.MP4"), filepath.Join(folder, "sub dir/a.flac"), "absent"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		if !strings.Contains(said.String(), "2 video and sound files; left out by their endings: 2 files, such as") {
			t.Errorf("%s", &said)
		}
	}
	_, err := MediaFiles([]string{filepath.Join(dir, "other")}, "", &bytes.Buffer{})
	if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "no video or sound file") {
		t.Error(err)
	}
}
