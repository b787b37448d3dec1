package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/mockllm"
	"omniscope/internal/testing/need"
)

// TestProgressBar runs on a terminal, which the program script provides.
func TestProgressBar(t *testing.T) {
	script := need.Program(t, "script")
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
