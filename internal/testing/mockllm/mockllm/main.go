// Command mockllm runs the mock chat completions server as a process of its
// own. It prints the base URL on the first line of its output, serves until
// it gets SIGTERM or SIGINT, and then prints its counts as JSON to standard
// error.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"omniscope/internal/testing/mockllm"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mockllm:", err)
		os.Exit(1)
	}
}

func run() error {
	addr := flag.String("addr", "127.0.0.1:0", "`host:port` to listen on")
	latency := flag.Duration("latency", 50*time.Millisecond, "time from request to answer")
	reply := flag.String("reply", "fixed", "what to answer: fixed, cloze, capricorn, detective or vdc")
	answerBytes := flag.Int("answer-bytes", 0, "length of the answers in bytes; 0 is as short as can be")
	rate := flag.Float64("rate", 0, "requests per second above which to answer 429; 0 is no limit")
	failEvery := flag.Int("fail-every", 0, "answer every n-th request with 503; 0 is none")
	key := flag.String("key", "", "the API key to ask for; empty takes any")
	flag.Parse()

	responder, err := responderFor(*reply, *answerBytes)
	if err != nil {
		return err
	}
	// One processor answers some 20,000 requests a second. More would mostly
	// look for work, and take the time from the client being measured.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	// Signals are taken from before the URL is out: who reads it may stop the
	// server at once.
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)

	server, err := mockllm.Start(mockllm.Config{
		Addr:    *addr,
		Latency: *latency,
		Reply:   responder,
		Faults:  faults(*rate, *failEvery),
		APIKey:  *key,
	})
	if err != nil {
		return err
	}
	fmt.Println(server.URL())
	<-stop
	server.Close()
	return json.NewEncoder(os.Stderr).Encode(server.Stats())
}

func responderFor(name string, size int) (mockllm.Responder, error) {
	switch name {
	case "fixed":
		const text = "This is a fixed answer. "
		if size <= 0 {
			size = len(text) - 1
		}
		return mockllm.FixedReply(strings.Repeat(text, size/len(text)+1)[:size]), nil
	case "cloze":
		return mockllm.ClozeReply(nil, max(0, size)), nil
	case "detective":
		return mockllm.DetectiveReply([]string{"observer1", "observer2"}, 5), nil
	case "vdc":
		return mockllm.VDCReply(), nil
	case "capricorn":
		return mockllm.CapricornReply(max(0, size)), nil
	}
	return nil, fmt.Errorf("unknown -reply %q: want fixed, cloze, capricorn, detective or vdc", name)
}

func faults(rate float64, failEvery int) []mockllm.Fault {
	var all []mockllm.Fault
	if rate > 0 {
		all = append(all, mockllm.Fault{When: mockllm.OverRate(rate, 0), Do: mockllm.RateLimited("1")})
	}
	if failEvery > 0 {
		all = append(all, mockllm.Fault{When: mockllm.Every(failEvery), Do: mockllm.ServerError(503)})
	}
	return all
}
