package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// script puts a program of this name first in PATH.
func script(t *testing.T, name, text string) {
	t.Helper()
	folder := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text), 0o755))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestProgramWithoutProgress(t *testing.T) {
	script(t, "ffmpeg", "echo 'reading [info] frame 12' >&2\nsleep 1000\n")
	p := program{name: "ffmpeg", asked: true, path: "film.mp4", patience: 200 * time.Millisecond, readers: []func(io.Reader) error{collect(&bytes.Buffer{}, 10)}}
	_, err := p.run(context.Background())
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "film.mp4") ||
		!strings.Contains(err.Error(), "no progress for 200ms and was ended; its last words: reading [info] frame 12") {
		t.Errorf("a program that sleeps ends with: %v", err)
	}
	if !notOfFile(context.Background(), err) {
		t.Error("the file is taken for damaged")
	}
}

// A program that is slow because we are is not ended: here its output waits
// for a reader that takes longer than the patience.
func TestSlowReaderIsNoStall(t *testing.T) {
	script(t, "ffmpeg", "head -c 1000000 /dev/zero\n")
	read := 0
	p := program{name: "ffmpeg", asked: true, patience: 50 * time.Millisecond, readers: []func(io.Reader) error{func(r io.Reader) error {
		if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond)
		rest, err := io.ReadAll(r)
		read = 1 + len(rest)
		return err
	}}}
	if _, err := p.run(context.Background()); err != nil || read != 1000000 {
		t.Errorf("read %d bytes, %v", read, err)
	}
}

// A program with late input is not ended.
func TestSlowInputIsNoStall(t *testing.T) {
	script(t, "ffmpeg", "cat\n")
	from, to := io.Pipe()
	go func() {
		time.Sleep(300 * time.Millisecond)
		_, err := to.Write([]byte("late"))
		to.CloseWithError(err)
	}()
	var out bytes.Buffer
	p := program{name: "ffmpeg", asked: true, input: from, patience: 50 * time.Millisecond, readers: []func(io.Reader) error{collect(&out, 10)}}
	if _, err := p.run(context.Background()); err != nil || out.String() != "late" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Times are read when frames ask for them: a program that sends neither is ended, too.
func TestProgramWithoutFrames(t *testing.T) {
	script(t, "ffmpeg", "sleep 1000\n")
	times := newStamps("pick")
	p := program{name: "ffmpeg", asked: true, patience: 200 * time.Millisecond, readers: []func(io.Reader) error{(&frameExtraction{}).reader(times), times.read}}
	if _, err := p.run(context.Background()); !errors.Is(err, errStalled) {
		t.Errorf("ends with: %v", err)
	}
}

// Each frame, here a byte, gets its time; times after the last frame that is read, more than a
// pipe holds, do not keep the program waiting.
func TestTimesOfFrames(t *testing.T) {
	script(t, "ffmpeg", `printf 'frame:0 pts:512 pts_time:0.5\nt=1\nframe:1 pts:1024' >&3
printf a
printf ' pts_time:1\nt=1\n' >&3
printf b
yes 'frame:2 pts:2048 pts_time:2' | head -c 3000000 >&3
`)
	times := newStamps("pick")
	var found []int64
	p := program{name: "ffmpeg", asked: true, readers: []func(io.Reader) error{func(r io.Reader) error {
		defer times.close()
		for range 2 {
			if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
				return err
			}
			at, ok := times.next()
			if !ok {
				return errStamps
			}
			found = append(found, at)
		}
		return nil
	}, times.read}}
	if _, err := p.run(context.Background()); err != nil || !slices.Equal(found, []int64{512, 1024}) {
		t.Errorf("times %v, %v", found, err)
	}
}

func TestVariablesThatChangeTheLog(t *testing.T) {
	for _, setting := range []string{"AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR", "FFREPORT"} {
		t.Setenv(setting, "1")
	}
	script(t, "ffmpeg", `printf "$AV_LOG_FORCE_COLOR$AV_LOG_FORCE_256COLOR$FFREPORT"`)
	var out bytes.Buffer
	p := program{name: "ffmpeg", asked: true, readers: []func(io.Reader) error{collect(&out, 10)}}
	if _, err := p.run(context.Background()); err != nil || out.Len() > 0 {
		t.Errorf("a child is started with %q, %v", out.String(), err)
	}
}

func TestLinesOfFrameTimes(t *testing.T) {
	for _, line := range []string{
		"[showinfo@pick @ 0x55] [info] n:   0 pts:    512 pts_time:0.04 ",
		"[pick @ 0x55] [info] n: 0 pts: 512 pts_time:0.04", // ffmpeg 6.0
	} {
		s := newStamps("pick")
		taken := s.line(line)
		s.close()
		if at, ok := s.next(); !taken || !ok || at != 512 {
			t.Errorf("%s: %d, %v", line, at, ok)
		}
	}
}
