// Command drive measures how fast omniscope drives a judge: it makes a
// benchmark, starts the mock server as a process of its own, runs `omniscope
// eval` against it, and prints calls per second and peak memory.
//
//	drive -omniscope bin/omniscope -mockllm bin/mockllm
package main

import (
	"bufio"
	"encoding/json"
	"flag"
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

type options struct {
	omniscope, mock string
	calls, blanks   int
	words           int
	answerBytes     int
	latency         time.Duration
	extra           string
}

func main() {
	var o options
	flag.StringVar(&o.omniscope, "omniscope", "bin/omniscope", "the program to measure")
	flag.StringVar(&o.mock, "mockllm", "bin/mockllm", "the mock server")
	flag.IntVar(&o.calls, "calls", 10000, "judge calls, one for each caption")
	flag.IntVar(&o.blanks, "blanks", 30, "blanks in each passage")
	flag.IntVar(&o.words, "words", 300, "words in each caption")
	flag.IntVar(&o.answerBytes, "answer-bytes", 0, "length of the answers; 0 = as short as can be")
	flag.DurationVar(&o.latency, "latency", 50*time.Millisecond, "time the server takes for an answer")
	concurrency := flag.String("concurrency", "100,500,1000", "calls at a time, several runs")
	flag.Parse()

	fmt.Printf("%d calls of %s, %d blanks, captions of %d words, answers of %d bytes\n", o.calls, o.latency, o.blanks, o.words, o.answerBytes)
	fmt.Printf("%12s %12s %12s %12s %10s %10s\n", "concurrency", "calls/s", "of ceiling", "whole run s", "cpu s", "peak MB")
	for _, c := range strings.Split(*concurrency, ",") {
		n, err := strconv.Atoi(c)
		if err == nil {
			err = measure(o, n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "drive:", err)
			os.Exit(1)
		}
	}
}

// measure makes one run from nothing and prints its line.
func measure(o options, concurrency int) error {
	dir, err := os.MkdirTemp("", "omniscope-drive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rows := filepath.Join(dir, "rows.jsonl")
	if err := writeRows(rows, o); err != nil {
		return err
	}
	url, stop, err := startMock(o)
	if err != nil {
		return err
	}
	defer stop()

	cmd := exec.Command(o.omniscope, "eval", "omni-cloze", "-p", rows, "--judge", "openai/mock", "--judge-base-url", url,
		"-j", strconv.Itoa(concurrency), "--work-dir", filepath.Join(dir, "work"), "--json", "--no-progress")
	cmd.Stderr = os.Stderr
	started := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("omniscope eval: %w", err)
	}
	whole := time.Since(started)
	var r omniscope.Results
	if err := json.Unmarshal(out, &r); err != nil {
		return err
	}
	if r.Usage.Calls != o.calls || r.Usage.Failed > 0 {
		return fmt.Errorf("%d calls made, %d failed, wanted %d", r.Usage.Calls, r.Usage.Failed, o.calls)
	}
	rate := float64(o.calls) / r.Usage.Seconds
	ceiling := float64(concurrency) / o.latency.Seconds()
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("%12d %12.0f %11.0f%% %12.2f %10.2f %10.0f\n", concurrency, rate, 100*rate/ceiling, whole.Seconds(), cpu.Seconds(), float64(usage.Maxrss)/1024)
	return nil
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
