package ocr

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/perceive"
)

// TestPicturesTogether has pictures read by one process as each is by a process of its own: the program
// takes nothing from one picture to the next.
func TestPicturesTogether(t *testing.T) {
	clip := drawn(t, "color=gray:s=640x360:r=25:d=6",
		"text='First of all':y=40:fontsize=40:fontcolor=white:box=1:boxcolor=black:enable='lt(t,3)'",
		"text='and in the end':y=260:fontsize=32:fontcolor=black:box=1:boxcolor=white:enable='gte(t,3)'")
	f, err := media.Probe(t.Context(), clip.Path)
	fixture.OK(t, err)
	folder := t.TempDir()
	frames, err := media.Frames(t.Context(), f, media.Policy{FPS: 2}, omniscope.Span{}, folder)
	fixture.OK(t, err)
	tool := New(Options{})
	var files []string
	for _, frame := range frames.Frames {
		files = append(files, frame.Path)
	}
	if len(files) != 12 {
		t.Fatalf("%d frames", len(files))
	}
	for _, layout := range []string{asPage, asSparse} {
		together, err := tool.words(t.Context(), files, layout)
		fixture.OK(t, err)
		words := 0
		for i, file := range files {
			alone, err := tool.words(t.Context(), []string{file}, layout)
			fixture.OK(t, err)
			if !reflect.DeepEqual(alone[0], together[i]) {
				t.Errorf("picture %d, layout %s: %+v together, %+v alone", i, layout, together[i], alone[0])
			}
			words += len(alone[0])
		}
		if words < 12 {
			t.Errorf("layout %s: %d words", layout, words)
		}
	}
}

// framesOf are so many frames that differ.
func framesOf(t *testing.T, n int) (frames []media.Frame) {
	t.Helper()
	for i := range n {
		picture := image.NewGray(image.Rect(0, 0, 64, 64))
		for at := range picture.Pix {
			picture.Pix[at] = byte(i * 20)
		}
		var file bytes.Buffer
		fixture.OK(t, jpeg.Encode(&file, picture, nil))
		frames = append(frames, media.Frame{JPEG: file.Bytes()})
	}
	return frames
}

// TestFailedReading has each way in which a reading ends early leave no files and no turns taken.
func TestFailedReading(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		frames []media.Frame
		script string // what stands for the program
		says   string
	}{
		{"the reading is told to end", ended, framesOf(t, 3), "sleep 10", "context canceled"},
		{"the program fails", t.Context(), framesOf(t, 12), "echo no network found >&2; exit 1", "no network found"},
		{"the program tells of fewer pictures", t.Context(), framesOf(t, mostPictures), `printf '1\t1\t0\n'`, "given 10 pictures and told of 1"},
		{"a frame's file is gone", t.Context(), append(framesOf(t, 11), media.Frame{Path: "gone.jpg"}), "sleep 10", "gone.jpg"},
	} {
		t.Run(c.name, func(t *testing.T) {
			temp, bin := t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", temp)
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			fixture.OK(t, os.WriteFile(filepath.Join(bin, program), []byte("#!/bin/sh\ncat >/dev/null\n"+c.script+"\n"), 0o755))
			tool := New(Options{Parallel: 2})
			_, err := tool.read(c.ctx, c.frames, perceive.Focus{}, image.Point{})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one of %q", err, c.says)
			}
			if c.ctx == ended && !errors.Is(err, context.Canceled) {
				t.Errorf("error %v is none of the context", err)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 || len(tool.turns) > 0 || len(tool.clips) > 0 {
				t.Errorf("left: %v, %d turns, %d clips", left, len(tool.turns), len(tool.clips))
			}
		})
	}
}
