package proxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Files that are quickly prepared.
const (
	short = "-f lavfi -i testsrc=s=64x48:r=10 -f lavfi -i sine=440 -t 1 -c:v libx264 -preset ultrafast"
	tone  = "-f lavfi -i sine=440 -t 1"

	// One that takes a while.
	busy = "-f lavfi -i testsrc=s=640x480:r=30 -t 6 -c:v libx264 -preset ultrafast"
)

// ErrNotPrepared is in the chain of errors about a file for which nothing is there, or
// not all of it.
var ErrNotPrepared = errors.New("nothing is prepared for this file")

// Open returns the prepared files of a clip without preparing it, to check the work of Prepare.
func Open(ctx context.Context, path, dir string) (*Prepared, error) {
	id, err := identify(path)
	if err != nil {
		return nil, err
	}
	s := shelf{dir}
	digest, err := s.digest(ctx, id)
	if err != nil {
		return nil, err
	}
	if k := s.known(id.Path); k != nil && k.Digest != digest {
		return nil, changed(path)
	}
	p, err := s.open(digest, false)
	if err != nil {
		return nil, problem(omniscope.NotFound, path, fmt.Errorf("%w, or it is damaged: prepare it", ErrNotPrepared))
	}
	p.Source, p.identity = path, id
	return p, nil
}

func TestLongOpen(t *testing.T) {
	t.Parallel()
	source, dir := clips.Made(t, "-a: %03d b.mp4", short), t.TempDir()
	if _, err := Open(t.Context(), source, dir); !errors.Is(err, ErrNotPrepared) {
		t.Errorf("before it was prepared: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Error("Open has made something")
	}
	p := prepared(t, source, dir, Options{})
	again, err := Open(t.Context(), source, dir)
	if err != nil || again.Digest != p.Digest || again.Frames != 10 || !again.Exact || again.Path(FilmFile) != p.Path(FilmFile) {
		t.Fatalf("%+v, %v", again, err)
	}
	if p.Path(MutedFile) != "" {
		t.Error("a film without its sound was made that nobody asked for")
	}
	when := modified(t, p.Path(FilmFile))
	muted := prepared(t, source, dir, Options{Muted: true})
	if modified(t, p.Path(FilmFile)) != when || muted.Path(MutedFile) == "" {
		t.Error("the film was made again, or the one without sound was not")
	}
	a, b := ffprobe(t, p.Path(FilmFile)), ffprobe(t, muted.Path(MutedFile))
	if strings.Join(a.times, " ") != strings.Join(b.times, " ") {
		t.Errorf("the film without sound has frames at %v, want %v", b.times, a.times)
	}
	if again, err := Open(t.Context(), source, dir); err != nil || again.Path(MutedFile) == "" {
		t.Errorf("the film without sound is not found: %v", err)
	}
	testChanged(t, source, dir, p)
	if left, _ := os.ReadDir(filepath.Join(dir, "partial")); len(left) > 0 {
		t.Errorf("%d folders are left half made", len(left))
	}
}

// testChanged replaces the source.
func testChanged(t *testing.T, source, dir string, p *Prepared) {
	t.Helper()
	later := time.Now().Add(time.Hour)
	fixture.OK(t, os.Chtimes(source, later, later))
	if _, err := Open(t.Context(), source, dir); err != nil {
		t.Errorf("the same bytes with another time: %v", err)
	}
	f, err := os.OpenFile(source, os.O_APPEND|os.O_WRONLY, 0)
	fixture.OK(t, err)
	f.WriteString("more")
	f.Close()
	_, err = Open(t.Context(), source, dir)
	fixture.WantError(t, err, omniscope.Invalid, "changed since it was prepared")
	if !errors.Is(err, errChanged) {
		t.Errorf("%v is not ErrChanged", err)
	}
	if _, err := p.Frame(t.Context(), 3); !errors.Is(err, errChanged) {
		t.Errorf("a frame of another file: %v", err)
	}
	other := prepared(t, source, dir, Options{})
	if other.Digest == p.Digest {
		t.Error("another file has the same digest")
	}
	if again, err := Open(t.Context(), source, dir); err != nil || again.Digest != other.Digest {
		t.Errorf("prepared again: %v", err)
	}
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	fixture.OK(t, err)
	return info.ModTime()
}

func TestLongDamagedFolderIsMadeAgain(t *testing.T) {
	t.Parallel()
	source, dir := clips.Made(t, "a.wav", tone), t.TempDir()
	p := prepared(t, source, dir, Options{})
	sound, err := os.ReadFile(p.Path(SoundFile))
	fixture.OK(t, err)
	for what, damage := range map[string]func() error{
		"cut off":       func() error { return os.Truncate(p.Path(SoundFile), 100) },
		"without peaks": func() error { return os.Remove(p.Path(PeaksFile)) },
		"a wrong byte": func() error {
			bad := append([]byte(nil), sound...)
			bad[len(bad)/2]++
			return os.WriteFile(p.Path(SoundFile), bad, 0o600)
		},
	} {
		fixture.OK(t, damage())
		if _, err := Open(t.Context(), source, dir); what != "a wrong byte" && !errors.Is(err, ErrNotPrepared) { // which costs too much to look for at each opening
			t.Errorf("%s: %v", what, err)
		}
		prepared(t, source, dir, Options{})
		if _, err := (shelf{dir}).open(p.Digest, true); err != nil {
			t.Errorf("%s: made again, but %v", what, err)
		}
	}
}

func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	source, dir := clips.Made(t, "a.wav", tone), t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := Prepare(t.Context(), source, dir, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	p, err := Open(t.Context(), source, dir)
	fixture.OK(t, err)
	if first, last := modified(t, p.Path(SoundFile)), modified(t, filepath.Join(p.Folder, recordFile)); last.Before(first) {
		t.Error("the record is older than the sound: it was made twice")
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	source, dir := clips.Made(t, "a.mp4", busy), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { _, err := Prepare(ctx, source, dir, Options{}); done <- err }()
	waitForPartial(t, dir)
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on although it was cancelled")
	}
	nothingThere(t, source, dir)
	if left, _ := os.ReadDir(filepath.Join(dir, "partial")); len(left) > 0 {
		t.Error("a half-made folder is left")
	}
}

// waitForPartial waits until ffmpeg writes.
func waitForPartial(t *testing.T, dir string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(dir, "partial", "*", FilmFile+".partial")); len(found) > 0 {
			return
		}
	}
	t.Fatal("nothing is being made")
}

func nothingThere(t *testing.T, source, dir string) {
	t.Helper()
	if _, err := Open(t.Context(), source, dir); !errors.Is(err, ErrNotPrepared) {
		t.Errorf("something half made is found: %v", err)
	}
}

// killedDir, in the environment, has TestLongKilled prepare a file and be killed.
const killedDir = "OMNISCOPE_TEST_PROXY_DIR"

func TestLongKilled(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		_, err := Prepare(t.Context(), os.Getenv(killedDir+"_FILE"), dir, Options{})
		t.Fatalf("it was not killed: %v", err)
	}
	t.Parallel()
	source, dir := clips.Made(t, "a.mp4", busy), t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLongKilled$")
	cmd.Env = append(os.Environ(), killedDir+"="+dir, killedDir+"_FILE="+source)
	fixture.OK(t, cmd.Start())
	waitForPartial(t, dir)
	cmd.Process.Kill()
	cmd.Wait()
	nothingThere(t, source, dir)
	// The next one, of any file, removes what is left.
	other := clips.Made(t, "b.wav", tone)
	prepared(t, other, dir, Options{})
	if left, _ := os.ReadDir(filepath.Join(dir, "partial")); len(left) > 0 {
		t.Errorf("%d folders are left half made", len(left))
	}
}

func TestTroubleInWords(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	dir := t.TempDir()
	film, err := os.ReadFile(clips.Made(t, "a.mp4", short))
	fixture.OK(t, err)
	write := func(name string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		fixture.OK(t, os.WriteFile(path, data, 0o600))
		return path
	}
	for _, c := range []struct {
		path string
		kind omniscope.Kind
		says string
	}{
		{filepath.Join(dir, "none.mp4"), omniscope.NotFound, "no such file"},
		{dir, omniscope.Invalid, "not a regular file"},
		{write("empty.mp4", nil), omniscope.Invalid, "empty"},
		{write("text.mp4", []byte("this is text")), omniscope.Invalid, "text"},
		{write("list.m3u8", []byte("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n")), omniscope.Invalid, "playlist"},
		{write("cut.mp4", film[:len(film)/3]), omniscope.Invalid, "cut off"},
	} {
		_, err := Prepare(t.Context(), c.path, dir, Options{})
		fixture.WantError(t, err, c.kind, c.says)
	}
	file := write("file", nil)
	_, err = Prepare(t.Context(), write("a.mp4", film), file, Options{})
	fixture.WantError(t, err, omniscope.Usage, "name a folder")
}

func TestLongDamagedInTheMiddle(t *testing.T) {
	source := clips.Made(t, "a.ts", "-f lavfi -i testsrc=s=320x240:r=25 -t 8 -c:v libx264 -g 25 -bf 2")
	data, err := os.ReadFile(source)
	fixture.OK(t, err)
	for i := len(data) / 3; i < len(data)/2; i++ {
		data[i] = byte(i * 7)
	}
	fixture.OK(t, os.WriteFile(source, data, 0o600))
	p := prepared(t, source, t.TempDir(), Options{})
	if len(p.Warnings) == 0 || p.Frames < 50 {
		t.Errorf("%d frames, warnings %q", p.Frames, p.Warnings)
	}
	if times := timesOf(t, p); len(times) != p.Frames {
		t.Errorf("%d times", len(times))
	}
}
