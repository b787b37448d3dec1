package cache

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media"
)

// The test binary is its own second process: with childEnv set to a cache's
// folder it asks for frames and sound of the clip that its argument names.
const childEnv = "OMNISCOPE_CACHE_TEST_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := child(dir, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func child(dir, path string) error {
	c, err := Open(dir, Options{Warn: func(text string) { fmt.Println("warning:", text) }})
	if err != nil {
		return err
	}
	sum, err := sumOf(context.Background(), c, path)
	fmt.Println(sum)
	return err
}

// sumOf is a digest of the frames and the sound of a clip.
func sumOf(ctx context.Context, c *Cache, path string) (string, error) {
	k, err := c.Clip(ctx, path)
	if err != nil {
		return "", err
	}
	frames, err := k.Frames(ctx, fewFrames, omniscope.Span{})
	if err != nil {
		return "", err
	}
	sound, err := k.Sound(ctx, SoundPolicy{}, omniscope.Span{})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for i := range frames.Frames {
		h.Write(frames.Frames[i].JPEG)
	}
	h.Write(sound.Data)
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// startChild starts a process that uses the cache. Its lines come through the
// channel, which is closed when it ends.
func startChild(t *testing.T, dir, path string) (*exec.Cmd, <-chan string) {
	t.Helper()
	need.Processes(t)
	cmd := exec.Command(os.Args[0], path)
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	fixture.OK(t, err)
	fixture.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := make(chan string, 10)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return cmd, lines
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestGoroutinesExtractOnce(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	c, w := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	g.close(t)
	const many = 8
	results := make([]*media.SampledFrames, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			var err error
			if results[i], err = k.Frames(t.Context(), fewFrames, omniscope.Span{}); err != nil {
				t.Error(err)
			}
		})
	}
	waitFor(t, "the start of ffmpeg", func() bool { return g.started("ffmpeg") > 0 })
	g.open(t)
	all.Wait()
	for _, r := range results {
		if !reflect.DeepEqual(r, results[0]) {
			t.Error("goroutines got different frames")
		}
	}
	if n := g.started("ffmpeg"); n != 1 {
		t.Errorf("%d starts of ffmpeg for %d equal requests, want 1", n, many)
	}
	w.are(t)
}

func TestProcessesExtractOnce(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	dir := t.TempDir()
	g.close(t)
	var lines []<-chan string
	for range 3 {
		_, out := startChild(t, dir, path)
		lines = append(lines, out)
	}
	waitFor(t, "the start of ffmpeg", func() bool { return g.started("ffmpeg") > 0 })
	g.open(t)
	c, w := opened(t, dir, Options{})
	want, err := sumOf(t.Context(), c, path)
	fixture.OK(t, err)
	for _, out := range lines {
		for line := range out {
			if line != want {
				t.Errorf("a process says %q, want %q", line, want)
			}
		}
	}
	// Frames and sound, and one probe, which lists the packets, too. Where another process than that extracts the frames, it
	// lists them once more: packets are not kept.
	if n, m := g.started("ffmpeg"), g.started("ffprobe"); n != 2 || m < 1 || m > 2 {
		t.Errorf("%d starts of ffmpeg and %d of ffprobe by 4 processes, want 2 and 1 or 2", n, m)
	}
	w.are(t)
}

func TestProcessKilledWhileItExtracts(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	dir := t.TempDir()
	g.close(t)
	cmd, out := startChild(t, dir, path)
	waitFor(t, "the start of ffmpeg", func() bool { return g.started("ffmpeg") > 0 })
	fixture.OK(t, cmd.Process.Kill())
	for line := range out {
		t.Errorf("the killed process says %q", line)
	}
	cmd.Wait()
	g.open(t)
	c, w := opened(t, dir, Options{})
	if _, err := sumOf(t.Context(), c, path); err != nil {
		t.Fatal(err)
	}
	if n := len(files(t, c, entryFolder)); n != 3 {
		t.Errorf("%d entries, want facts, frames and sound", n)
	}
	w.are(t)
}

func TestPartsOfKilledProcessesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	c, _ := opened(t, dir, Options{})
	part := filepath.Join(dir, partFolder, "123")
	fixture.OK(t, os.WriteFile(part, []byte("half"), 0o644))
	unlock, err := c.lockKeeping(t.Context())
	fixture.OK(t, err)
	opened(t, dir, Options{})
	if len(files(t, c, partFolder)) != 1 {
		t.Error("a part was removed while its writer holds the lock")
	}
	unlock()
	opened(t, dir, Options{})
	if len(files(t, c, partFolder)) != 0 {
		t.Error("the part of a killed process is still there")
	}
}

func TestCancelledRequestEndsAndLeavesNothing(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	c, w := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	g.close(t)
	defer g.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := k.Frames(ctx, fewFrames, omniscope.Span{})
		failed <- err
	}()
	waitFor(t, "the start of ffmpeg", func() bool { return g.started("ffmpeg") > 0 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := k.Frames(ctx, fewFrames, omniscope.Span{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after that: error %v, want that of the context", err)
	}
	if n := len(files(t, c, entryFolder)) + len(files(t, c, partFolder)); n != 1 {
		t.Errorf("%d files, want the facts alone", n)
	}
	w.are(t)
}

func TestRequestOutlivesTheOneThatStartedItsExtraction(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	g.close(t)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := k.Frames(ctx, fewFrames, omniscope.Span{})
		first <- err
	}()
	waitFor(t, "the start of ffmpeg", func() bool { return g.started("ffmpeg") > 0 })
	go func() {
		_, err := k.Frames(t.Context(), fewFrames, omniscope.Span{})
		second <- err
	}()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: error %v, want that of its context", err)
	}
	g.open(t)
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
}

func TestWaitForOtherProcessEndsWithContext(t *testing.T) {
	path := talkie(t)
	dir := t.TempDir()
	c, _ := opened(t, dir, Options{})
	k := clipOf(t, c, path)
	other, _ := opened(t, dir, Options{})
	unlock, err := other.lockKey(t.Context(), k.key(framesVersion, fewFrames.Hash(), omniscope.Span{}))
	fixture.OK(t, err)
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := k.Frames(ctx, fewFrames, omniscope.Span{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestWaitForWriterEndsWithContext(t *testing.T) {
	dir := t.TempDir()
	c, w := opened(t, dir, Options{})
	other, _ := opened(t, dir, Options{})
	unlock, err := other.lockKeeping(t.Context())
	fixture.OK(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			parts, err := c.get(ctx, numbered(i), func(context.Context) (extracted, error) {
				cancel()
				return extracted{parts: someParts(), keep: true}, nil
			})
			if err == nil && !reflect.DeepEqual(parts, someParts()) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%q, %v", parts, err)
			}
		})
	}
	all.Wait()
	w.are(t) // not that the lock was waited for in vain
	unlock()
	if _, err := c.get(t.Context(), numbered(0), func(context.Context) (extracted, error) {
		return extracted{parts: someParts(), keep: true}, nil
	}); err != nil || len(there(c, 3)) != 1 {
		t.Errorf("afterwards %d entries are kept, want 1 (%v)", len(there(c, 3)), err)
	}
}

func TestClipThatChangesWhileItIsRead(t *testing.T) {
	original, replacement := talkie(t), clips.Made(t, "other.mp4", "-f lavfi -i testsrc=s=128x96:r=10 "+encoded)
	for _, test := range []struct {
		name   string
		change func(path string) error
		says   string
	}{
		{"replaced", func(path string) error { return os.Rename(replacement, path) }, "changed while it was read"},
		{"appended to", func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more")
			return errors.Join(err, f.Close())
		}, "changed while it was read"},
		{"touched", func(path string) error { return os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clip.mp4")
			content, err := os.ReadFile(original)
			if err == nil {
				err = os.WriteFile(path, content, 0o644)
			}
			fixture.OK(t, err)
			c, _ := opened(t, t.TempDir(), Options{})
			k := clipOf(t, c, path)
			fixture.OK(t, test.change(path))
			_, frames := k.Frames(t.Context(), fewFrames, omniscope.Span{})
			_, plan := k.Plan(t.Context(), fewFrames, someSpan)
			entries := len(files(t, c, entryFolder))
			if test.says == "" {
				if frames != nil || plan != nil || entries != 3 {
					t.Errorf("errors %v, %v; %d entries, want 3", frames, plan, entries)
				}
				return
			}
			fixture.WantError(t, frames, omniscope.Invalid, test.says)
			fixture.WantError(t, plan, omniscope.Invalid, test.says)
			if entries != 1 {
				t.Errorf("%d entries, want the facts alone", entries)
			}
		})
	}
}

func TestClipThatIsDeletedIsServedFromTheCacheOnly(t *testing.T) {
	path := talkie(t)
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	if _, err := k.Frames(t.Context(), fewFrames, omniscope.Span{}); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, os.Remove(path))
	if _, err := k.Frames(t.Context(), fewFrames, omniscope.Span{}); err != nil {
		t.Errorf("frames that are kept: %v", err)
	}
	if _, err := k.Sound(t.Context(), SoundPolicy{}, omniscope.Span{}); err == nil {
		t.Error("sound of a deleted file")
	}
	_, err := c.Clip(t.Context(), path)
	fixture.WantError(t, err, omniscope.NotFound, "no such file")
}

func TestAtMostSoManyExtractionsAtATime(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	var all sync.WaitGroup
	var running, most atomic.Int64
	for i := range 10 * cap(c.slots) {
		all.Go(func() {
			_, err := c.get(t.Context(), numbered(i), func(context.Context) (extracted, error) {
				defer running.Add(-1)
				if n := running.Add(1); n > most.Load() {
					most.Store(n)
				}
				time.Sleep(time.Millisecond)
				return extracted{}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := most.Load(); n > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d extractions at a time, want at most %d", n, runtime.GOMAXPROCS(0))
	}
	if len(c.slots) != 0 {
		t.Errorf("%d slots were not released", len(c.slots))
	}
}

func TestWaitForOtherProcessHoldsUpNoOtherClip(t *testing.T) {
	dir := t.TempDir()
	c, _ := opened(t, dir, Options{})
	c.slots = make(chan struct{}, 1)
	other, _ := opened(t, dir, Options{})
	unlock, err := other.lockKey(t.Context(), numbered(1))
	fixture.OK(t, err)
	made := func(context.Context) (extracted, error) { return extracted{parts: someParts(), keep: true}, nil }
	waited := make(chan error, 1)
	go func() {
		_, err := c.get(t.Context(), numbered(1), made)
		waited <- err
	}()
	for i := 2; i < 5; i++ {
		if _, err := c.get(t.Context(), numbered(i), made); err != nil {
			t.Fatal(err)
		}
	}
	if len(waited) > 0 {
		t.Error("the locked entry was made")
	}
	unlock()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	if len(c.slots) != 0 {
		t.Error("the slot was not released")
	}
}

func TestProcessesKilledAtAnyMoment(t *testing.T) {
	path := talkie(t)
	dir := t.TempDir()
	c, w := opened(t, t.TempDir(), Options{})
	want, err := sumOf(t.Context(), c, path)
	fixture.OK(t, err)
	for i := range 12 {
		cmd, out := startChild(t, dir, path)
		time.Sleep(time.Duration(i) * 25 * time.Millisecond)
		cmd.Process.Kill()
		for line := range out {
			if line != want {
				t.Errorf("a process says %q, want %q", line, want)
			}
		}
		cmd.Wait()
	}
	c, w2 := opened(t, dir, Options{})
	if got, err := sumOf(t.Context(), c, path); err != nil || got != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	if list := files(t, c, partFolder); len(list) > 0 {
		t.Errorf("left: %v", list)
	}
	w.are(t)
	w2.are(t)
}
