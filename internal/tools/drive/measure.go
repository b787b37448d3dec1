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

	"omniscope/bench/document"
)

// A measurement is what one run took.
type measurement struct {
	calls   int
	judging time.Duration // from the first sample to the last
	whole   time.Duration // of the process
	cpu     time.Duration
	peakMB  float64
	bare    float64 // calls per second of the bare client just before
}

// rate is calls per second.
func (m measurement) rate() float64 { return float64(m.calls) / m.judging.Seconds() }

// bareCalls is as many calls as the bare client needs to tell its rate.
const bareCalls = 10000

// measure makes one run from nothing against a server in its own process.
func measure(o options, concurrency int) (measurement, error) {
	dir, err := os.MkdirTemp("", "omniscope-drive-")
	if err != nil {
		return measurement{}, err
	}
	defer os.RemoveAll(dir)
	w, err := makeWork(dir, o)
	if err != nil {
		return measurement{}, err
	}
	url, stop, err := startMock(o, w)
	if err != nil {
		return measurement{}, err
	}
	defer stop()

	bare, err := bareRate(url, min(w.fewest, bareCalls), concurrency, w.body)
	if err != nil {
		return measurement{}, err
	}
	cmd := evalCommand(o, w, url, concurrency)
	started := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return measurement{}, fmt.Errorf("omniscope eval: %w", err)
	}
	m := measurement{bare: bare, whole: time.Since(started), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	var r document.Results
	if err := json.Unmarshal(out, &r); err != nil {
		return m, err
	}
	if err := w.check(&r); err != nil {
		return m, err
	}
	m.calls = r.Usage.Calls
	m.judging = time.Duration(r.Usage.Seconds * float64(time.Second))
	m.peakMB = float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return m, nil
}

func evalCommand(o options, w *work, url string, concurrency int, more ...string) *exec.Cmd {
	args := append([]string{"eval"}, w.args...)
	args = append(args, "--judge", "openai/mock", "--judge-base-url", url, "-j", strconv.Itoa(concurrency),
		"--work-dir", filepath.Join(w.dir, "work"), "--json", "--no-progress")
	cmd := exec.Command(o.omniscope, append(args, more...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// startMock starts the server and returns its address.
func startMock(o options, w *work) (url string, stop func(), err error) {
	cmd := exec.Command(o.mock, "-latency", o.latency.String(), "-reply", w.reply, "-answer-bytes", strconv.Itoa(o.answerBytes))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // it ends by the signal
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("mockllm: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}
