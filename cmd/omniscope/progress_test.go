package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/need"
)

// onTerminal runs a command on a terminal, which the program script provides, and
// returns what the terminal shows.
func (tr *trial) onTerminal(command string) (shown string, code int) {
	tr.t.Helper()
	script := need.Program(tr.t, "script")
	cmd := exec.Command(script, "--quiet", "--return", "--command", "stty cols 300 rows 30 && "+command, os.DevNull)
	cmd.Dir, cmd.Env = tr.dir, append(os.Environ(), "TERM=xterm", "NO_COLOR=1")
	text, err := cmd.CombinedOutput()
	shown = string(text)
	if strings.Contains(shown, "unrecognized option") || strings.Contains(shown, "illegal option") {
		tr.t.Skipf("another script: %s", shown)
	}
	return shown, exitCodeOf(err)
}

func shows(t *testing.T, shown string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !regexp.MustCompile(want).MatchString(shown) {
			t.Errorf("the terminal does not show %s:\n%q", want, shown)
		}
	}
}

func TestProgressBar(t *testing.T) {
	t.Parallel()
	server, tr := serve(t, fake.Config{Latency: 150 * time.Millisecond}), newTrial(t, 12)
	shown, code := tr.onTerminal("omniscope eval omni-cloze -p rows.jsonl -j 4 --judge openai/mock,base-url=" + server.URL())
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, shown)
	}
	shows(t, shown, `12/12 +\[=+\]`, `\d+/s`, `\d of \d+ calls`, `samples +12: 12 ok`)
}

// TestProgressShowsTheLastError asks a server that is not there.
func TestProgressShowsTheLastError(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 5)
	shown, code := tr.onTerminal("omniscope eval omni-cloze -p rows.jsonl --endpoint-wait 1s --retry-wait 20ms --judge openai/mock,base-url=http://" + unused(t) + "/v1")
	if code != exitFailed {
		t.Fatalf("exit code %d: %s", code, shown)
	}
	shows(t, shown, `last error \d+s ago: connect to http://127.0.0.1`, `connection refused`, `nothing has answered`)
}
