package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"omniscope/internal/mockllm"
	"omniscope/judge"
	"omniscope/model/wrap"
	"omniscope/session"
)

// TestProgressLines shows what a log gets: a line every ten seconds.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		j := &session.Model{Judge: &judge.Judge{}, Meter: &wrap.Meter{}, Limiter: wrap.NewLimiter(8)}
		p := startProgress(&log, false, 200, j)
		time.Sleep(5 * time.Second)
		p.done(50)
		time.Sleep(6 * time.Second)
		j.Meter.Remembered.Store(7)
		j.Meter.Retries.Store(3)
		j.Meter.RateLimited.Store(2)
		j.Meter.Failed.Store(1)
		p.done(100)
		time.Sleep(10 * time.Second)
		p.stop()
		want := "50/200 (25%) 5/s, ETA 30s, 0 of 8 calls\n" +
			"100/200 (50%) 5/s, ETA 20s, 7 remembered, 3 retries, 2 429s, 1 failed, 0 of 8 calls\n"
		if log.String() != want {
			t.Errorf("got\n%swant\n%s", log.String(), want)
		}
	})
}

// TestProgressOfOffline has no calls to tell of, and --no-progress nothing.
func TestProgressOfOffline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := startProgress(&log, false, 10, nil)
		silent := startProgress(&log, true, 10, nil)
		time.Sleep(plainEvery + time.Second)
		p.stop()
		silent.stop()
		if want := "0/10 (0%) 0/s\n"; log.String() != want {
			t.Errorf("got %q, want %q", log.String(), want)
		}
	})
}

// TestProgressNotes tells what was done last where units take long.
func TestProgressNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := startProgress(&log, false, 2, nil)
		p.note("clip turn 2: ocr")
		time.Sleep(plainEvery + time.Second)
		p.stop()
		if want := "0/2 (0%) clip turn 2: ocr\n"; log.String() != want {
			t.Errorf("got %q, want %q", log.String(), want)
		}
	})
}

// TestProgressBar runs on a terminal, which the program script provides.
func TestProgressBar(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("needs the program script")
	}
	t.Parallel()
	server := serve(t, mockllm.Config{Latency: 150 * time.Millisecond})
	tr := newTrial(t, 12)
	command := "stty cols 120 rows 30 && omniscope eval omni-cloze -p rows.jsonl --judge openai/mock -j 4 --judge-base-url " + server.URL()
	cmd := exec.Command(script, "--quiet", "--return", "--command", command, os.DevNull)
	cmd.Dir, cmd.Env = tr.dir, append(os.Environ(), "TERM=xterm", "NO_COLOR=1")
	shown, err := cmd.CombinedOutput()
	if err != nil {
		if strings.Contains(string(shown), "unrecognized option") || strings.Contains(string(shown), "illegal option") {
			t.Skipf("another script: %s", shown)
		}
		t.Fatalf("%v\n%s", err, shown)
	}
	for _, want := range []string{`12/12 +\[=+\]`, `\d+/s`, `\d of \d+ calls`, `samples +12: 12 ok`} {
		if !regexp.MustCompile(want).Match(shown) {
			t.Errorf("the terminal does not show %s:\n%q", want, shown)
		}
	}
}
