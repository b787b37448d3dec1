package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestRememberedAnswersNeedNoDecoding gives a command twice, and counts the programs that decode. A changed clip is decoded and
// asked again.
func TestRememberedAnswersNeedNoDecoding(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	clips := []string{q.shortClip("a.mp4"), q.toneClip("b.mp4", 300), q.toneClip("c.mp4", 500)}
	programs, log := q.path("programs"), q.path("decoded")
	fixture.OK(t, os.Mkdir(programs, 0o755))
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *-i*) echo %s >> %s;; esac\nexec %s \"$@\"\n", name, log, need.Program(t, name))
		fixture.OK(t, os.WriteFile(filepath.Join(programs, name), []byte(script), 0o755))
	}
	self, err := exec.LookPath("omniscope")
	fixture.OK(t, err)
	run := func(args ...string) (decoded int) {
		t.Helper()
		fixture.OK(t, os.WriteFile(log, nil, 0o644))
		fixture.OK(t, os.RemoveAll(q.path("work/media"))) // the decoded media of earlier commands
		cmd := exec.Command(self, append(args, "--work-dir", q.path("work"))...)
		cmd.Env = append(os.Environ(), "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return strings.Count(fixture.Read(t, log), "ffmpeg")
	}
	ask := append(append([]string{"caption"}, clips...), "--model", "openai/m,base-url="+c.URL(), "--quiet", "--blind-share", "0", "--out", q.path("captions.jsonl"))

	if n := run(ask...); n == 0 || c.Stats().Answered != 3 {
		t.Fatalf("first: %d decoded, %d answered", n, c.Stats().Answered)
	}
	answers, details := q.read("captions.jsonl"), q.read("captions.details.jsonl")
	if n := run(ask...); n != 0 || c.Stats().Answered != 3 {
		t.Errorf("again: %d decoded, %d answered; want neither", n, c.Stats().Answered-3)
	}
	if q.read("captions.jsonl") != answers || q.read("captions.details.jsonl") != details {
		t.Errorf("the files of the second command differ: %s\n%s", details, q.read("captions.details.jsonl"))
	}

	q.toneClip("d.mp4", 700)
	fixture.OK(t, os.Rename(q.path("d.mp4"), clips[1]))
	if n := run(ask...); n == 0 || c.Stats().Answered != 4 {
		t.Errorf("with another clip in the place of one: %d decoded, %d answered; want one more", n, c.Stats().Answered-3)
	}
}
