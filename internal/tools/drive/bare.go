package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// A bare client is what any harness in Go has to pay: net/http, bodies of the
// same length, answers read and thrown away. It knows no prompt, keeps no
// journal and reads no answer. Its rate tells how fast the machine is just now,
// so that a measurement has something to be compared with.

// bareRate runs the bare client as a process of its own, as omniscope is run.
func bareRate(url string, calls, concurrency, body int) (float64, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(program, "-bare", url, "-calls", strconv.Itoa(calls), "-concurrency", strconv.Itoa(concurrency), "-body", strconv.Itoa(body))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("bare client: %w", err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// bare makes the calls and prints how many it made a second.
func bare(url string, calls, concurrency, size int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}}
	// The server takes it for a prompt of either benchmark.
	const start = "You check what a caption of a video says about one detail of that video. [BLANK_1] [BLANK_2] "
	body := []byte(`{"model":"mock","messages":[{"role":"user","content":"` + start + strings.Repeat("x", size) + `"}]}`)
	var next atomic.Int64
	var workers errgroup.Group
	started := time.Now()
	for range concurrency {
		workers.Go(func() error {
			for next.Add(1) <= int64(calls) {
				if err := bareCall(client, url, body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return err
	}
	fmt.Printf("%.0f\n", float64(calls)/time.Since(started).Seconds())
	return nil
}

func bareCall(client *http.Client, url string, body []byte) error {
	resp, err := client.Post(url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
