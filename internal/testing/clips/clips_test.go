package clips

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

const grey = "-f lavfi -i color=gray:s=32x32:r=5 -frames:v 2"

func kept(t *testing.T) int {
	t.Helper()
	dir, err := folder()
	fixture.OK(t, err)
	entries, err := os.ReadDir(dir)
	fixture.OK(t, err)
	return len(entries)
}

// TestMadeOnce makes clips from nothing and from another clip, twice, the second time without ffmpeg.
func TestMadeOnce(t *testing.T) {
	dir := t.TempDir()
	a, b, copied := filepath.Join(dir, "new", "a.mkv"), filepath.Join(dir, "b.mkv"), filepath.Join(dir, "copied.mkv")
	Make(t, a, Fields(grey)...)
	Make(t, copied, "-i", a, "-c", "copy")
	n := kept(t)
	t.Setenv("PATH", dir)
	fixture.OK(t, MakeFile(b, Fields(grey)...))
	fixture.OK(t, MakeFile(copied, "-i", "file:"+b, "-c", "copy"))
	if read(t, a) != read(t, b) || read(t, a) == "" {
		t.Error("the second clip is another one")
	}
	if kept(t) != n {
		t.Errorf("%d clips are kept, then %d", n, kept(t))
	}
	for name, args := range map[string]string{"a.mkv": grey + " -r 10", "a.mp4": grey} {
		if err := MakeFile(filepath.Join(dir, name), Fields(args)...); err == nil {
			t.Errorf("%s %s: made without ffmpeg", name, args)
		}
	}
}

// TestChangedCopy changes a clip, which must not change the clip that is kept.
func TestChangedCopy(t *testing.T) {
	a := Made(t, "a.mkv", grey)
	want := read(t, a)
	fixture.OK(t, os.WriteFile(a, nil, 0o666))
	if got := read(t, Made(t, "a.mkv", grey)); got != want {
		t.Errorf("the kept clip has %d bytes, want %d", len(got), len(want))
	}
}

// TestFilesInFilters keeps no clip of a file that only a filter names.
func TestFilesInFilters(t *testing.T) {
	need.FFmpeg(t)
	n := kept(t)
	text := filepath.Join(t.TempDir(), "metadata.txt")
	for _, content := range []string{"0 drawbox color black;", "0 drawbox color white;"} {
		fixture.OK(t, os.WriteFile(text, []byte(content), 0o666))
		Made(t, "a.mkv", grey+" -vf sendcmd=f="+strings.ReplaceAll(text, ":", `\:`)+",drawbox")
	}
	if kept(t) != n {
		t.Errorf("%d clips are kept, then %d", n, kept(t))
	}
}

func TestFailure(t *testing.T) {
	need.FFmpeg(t)
	path := filepath.Join(t.TempDir(), "a.mkv")
	for range 2 {
		if err := MakeFile(path, "-f", "lavfi", "-i", "nosuchfilter"); err == nil || !strings.Contains(err.Error(), "nosuchfilter") {
			t.Errorf("error %v, want one that names the filter", err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	fixture.OK(t, err)
	return string(data)
}
