package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"

	"omniscope/internal/testing/mockllm"
)

// resumption stops a run of 200,000 calls just before its end by its budget,
// starts it again, and says how long it took to make its first new call.
func resumption(o options) error {
	const answers, concurrency = 200000, 500
	dir, err := os.MkdirTemp("", "omniscope-drive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.calls = answers + 100
	w, err := makeCloze(dir, o)
	if err != nil {
		return err
	}
	var first atomic.Int64 // when the first request came, in nanoseconds since 1970
	answer := mockllm.ClozeReply(nil, o.answerBytes)
	server, err := mockllm.Start(mockllm.Config{Reply: func(r *mockllm.Request) mockllm.Reply {
		first.CompareAndSwap(0, time.Now().UnixNano())
		return answer(r)
	}})
	if err != nil {
		return err
	}
	defer server.Close()

	err = evalCommand(o, w, server.URL(), concurrency, "--max-calls", strconv.Itoa(answers)).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 4 {
		return fmt.Errorf("the first run should have been stopped by its budget, with exit code 4: %v", err)
	}
	first.Store(0)
	started := time.Now()
	cmd := evalCommand(o, w, server.URL(), concurrency)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the resumed run: %w", err)
	}
	fmt.Printf("%d answers of %d bytes remembered, input of %d MB: first new call after %.2f s, whole resumed run %.1f s\n",
		answers, o.answerBytes, w.bytes>>20, time.Unix(0, first.Load()).Sub(started).Seconds(), time.Since(started).Seconds())
	return nil
}
