package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"omniscope"
	"omniscope/internal/clozegen"
)

// A measurement is what one run took.
type measurement struct {
	judging time.Duration // from the first sample to the last
	whole   time.Duration // of the process
	cpu     time.Duration
	peakMB  float64
	bare    float64 // calls per second of the bare client just before
}

// measure makes one run from nothing against a server in its own process.
func measure(o options, concurrency int) (measurement, error) {
	dir, err := os.MkdirTemp("", "omniscope-drive-")
	if err != nil {
		return measurement{}, err
	}
	defer os.RemoveAll(dir)
	rows := filepath.Join(dir, "rows.jsonl")
	if err := writeRows(rows, o); err != nil {
		return measurement{}, err
	}
	url, stop, err := startMock(o)
	if err != nil {
		return measurement{}, err
	}
	defer stop()

	info, err := os.Stat(rows)
	if err != nil {
		return measurement{}, err
	}
	bare, err := bareRate(o, url, concurrency, int(info.Size())/o.calls)
	if err != nil {
		return measurement{}, err
	}
	cmd := evalCommand(o, dir, rows, url, concurrency)
	started := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return measurement{}, fmt.Errorf("omniscope eval: %w", err)
	}
	m := measurement{bare: bare, whole: time.Since(started), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	var r omniscope.Results
	if err := json.Unmarshal(out, &r); err != nil {
		return m, err
	}
	if r.Usage.Calls != o.calls || r.Usage.Failed > 0 {
		return m, fmt.Errorf("%d calls made, %d failed, wanted %d", r.Usage.Calls, r.Usage.Failed, o.calls)
	}
	m.judging = time.Duration(r.Usage.Seconds * float64(time.Second))
	m.peakMB = float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return m, nil
}

func evalCommand(o options, dir, rows, url string, concurrency int, more ...string) *exec.Cmd {
	args := append([]string{"eval", "omni-cloze", "-p", rows, "--judge", "openai/mock", "--judge-base-url", url,
		"-j", strconv.Itoa(concurrency), "--work-dir", filepath.Join(dir, "work"), "--json", "--no-progress"}, more...)
	cmd := exec.Command(o.omniscope, args...)
	cmd.Stderr = os.Stderr
	return cmd
}

func writeRows(path string, o options) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return clozegen.Write(f, clozegen.Options{Rows: o.calls, Blanks: o.blanks, Words: o.words})
}

// startMock starts the server and returns its address.
func startMock(o options) (url string, stop func(), err error) {
	cmd := exec.Command(o.mock, "-latency", o.latency.String(), "-reply", "cloze", "-answer-bytes", strconv.Itoa(o.answerBytes))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("mockllm: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}
