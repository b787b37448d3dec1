package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// TestLongKilledExport exports 24 stretches of a film, undisturbed and killed again and again: all files are the same, and pass the
// check, which is killed, too.
func TestLongKilledExport(t *testing.T) {
	dir := t.TempDir()
	clips.Make(t, filepath.Join(dir, "film.mp4"), clips.Fields("-f lavfi -i testsrc2=d=30:s=320x180:r=25 -f lavfi -i anoisesrc=d=30:r=16000:a=0.3 -c:v libx264 -c:a aac")...)
	var rows strings.Builder
	for i := range 24 {
		caption := fmt.Sprintf("Stretch %d: squares and numbers of colour %d move over a dark ground %d times, while noise number %d is heard without a pause.", i, i*7, i*13, i*17)
		fmt.Fprintln(&rows, fixture.JSON(map[string]any{"id": fmt.Sprint("clip", i), "url": fmt.Sprintf("film.mp4#t=%d,%d", i, i+4), "caption": caption}))
	}
	writeFiles(t, dir, map[string]string{"captions.jsonl": rows.String()})
	command := func(out string) []string {
		return []string{"train", "export", filepath.Join(dir, "captions.jsonl"), "--modality", "audio-visual", "--for", "ms-swift,llama-factory", "--as", "webdataset,parquet", "--rule", "alike=1", "--out", out, "--quiet", "-j", "2"}
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	start := time.Now()
	runProgram(t, 0, command(whole)...)
	kills := untilDone(t, time.Since(start)/8, 0, command(killed)...)
	if kills < 3 {
		t.Errorf("the program was killed %d times only", kills)
	}
	a, b := shownFiles(t, whole), shownFiles(t, killed)
	if len(a) < 24*2+10 || len(a) != len(b) {
		t.Errorf("%d files, and %d after %d kills", len(a), len(b), kills)
	}
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s differs after %d kills", name, kills)
		}
	}
	check := []string{"train", "check", filepath.Join(killed, "ms-swift", "train.jsonl"), "--for", "ms-swift", "--work-dir", filepath.Join(dir, "work"), "--quiet"}
	untilDone(t, time.Since(start)/20, 0, check...)
}

// untilDone runs the program, killed after a while that grows, until it exits by itself with a code. It returns how often it was
// killed.
func untilDone(t *testing.T, step time.Duration, code int, args ...string) (kills int) {
	t.Helper()
	for wait := step; ; wait += step {
		cmd := exec.Command(built.Program(t), args...)
		timer := time.AfterFunc(wait, func() { cmd.Process.Kill() })
		out, err := cmd.CombinedOutput()
		timer.Stop()
		switch got := cmd.ProcessState.ExitCode(); {
		case got == code && (err == nil) == (code == 0):
			return kills
		case got >= 0:
			t.Fatalf("omniscope %q: exit code %d, want %d\n%s", args, got, code, out)
		}
		kills++
	}
}

// shownFiles are the files below a folder whose names do not begin with a dot, by their path there.
func shownFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})
	fixture.OK(t, err)
	return files
}
