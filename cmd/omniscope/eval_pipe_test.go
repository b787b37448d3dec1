//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"

	"omniscope/internal/testing/fixture"
)

// An export is written into the file that is there: a pipe stays a pipe.
func TestExportIntoPipe(t *testing.T) {
	d := newDesk(t, "-- judge.json --\n{}\n")
	d.run(3, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json")
	fixture.OK(t, syscall.Mkfifo("pipe", 0o600))
	piped := make(chan string)
	go func() {
		text, _ := os.ReadFile("pipe")
		piped <- string(text)
	}()
	d.run(0, "journal export -o pipe")
	has(t, <-piped, `"step":`)
	if info, err := os.Lstat("pipe"); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is now %v, %v", info, err)
	}
}
