// Command fake runs a fake server of chat completions as a process of its own. It
// prints the base URL on the first line of its output, serves until it gets SIGTERM
// or SIGINT, and then prints its counts as JSON to standard error. With -dialect it
// decodes the media that it is sent, and answers with what it saw.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"omniscope/internal/testing/fake"
)

func main() {
	// One processor answers some 20,000 requests a second. More would mostly
	// look for work, and take the time from the client being measured.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	// Signals are taken from before the URL is out: who reads it may stop the
	// server at once.
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	if err := serve(os.Args[1:], os.Stdout, os.Stderr, stop); err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		os.Exit(1)
	}
}

// serve runs a server until stop has something.
func serve(args []string, out, counts io.Writer, stop <-chan os.Signal) error {
	flags := flag.NewFlagSet("fake", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "`host:port` to listen on")
	latency := flags.Duration("latency", 50*time.Millisecond, "time from request to answer")
	reply := flags.String("reply", "fixed", "what to answer: fixed, cloze, capricorn, detective or vdc")
	answerBytes := flags.Int("answer-bytes", 0, "length of the answers in bytes; 0 is as short as can be")
	rate := flags.Float64("rate", 0, "requests per second above which to answer 429; 0 means no limit")
	failEvery := flags.Int("fail-every", 0, "answer every n-th request with 503; 0 never does")
	key := flags.String("key", "", "the API key to ask for; empty takes any")
	dialect := flags.String("dialect", "", "decode media by the rules of openai, vllm, sglang or dashscope; empty does not decode")
	images := flags.Int("max-images", 0, "most images in a request; 0 is the dialect's own limit")
	root := flags.String("files", "", "`folder` with the files that file:// URLs may name; empty refuses all")
	mixed := flags.Bool("mixed", false, "dashscope: a message may have media of several kinds")
	defects := flags.String("defects", "", fmt.Sprintf("what to perceive wrongly, with commas between, of %q", fake.AllDefects))
	if err := flags.Parse(args); err != nil {
		return err
	}
	config := fake.Config{Addr: *addr, Latency: *latency, APIKey: *key, Faults: faults(*rate, *failEvery)}
	var server interface {
		URL() string
		Stats() fake.Stats
		Close()
	}
	var err error
	if *dialect == "" {
		if config.Reply, err = responderFor(*reply, *answerBytes); err != nil {
			return err
		}
		server, err = fake.Listen(config)
	} else {
		media := &fake.Media{Dialect: fake.Dialect(*dialect), MaxImages: *images, FileRoot: *root, MixedMedia: *mixed}
		for name := range strings.SplitSeq(*defects, ",") {
			if name != "" {
				media.Defects = append(media.Defects, fake.Defect(strings.TrimSpace(name)))
			}
		}
		server, err = media, media.Listen(config)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, server.URL())
	<-stop
	server.Close()
	return json.NewEncoder(counts).Encode(server.Stats())
}

func responderFor(name string, size int) (fake.Responder, error) {
	switch name {
	case "fixed":
		const text = "This is a fixed answer. "
		if size <= 0 {
			size = len(text) - 1
		}
		return fake.FixedReply(strings.Repeat(text, size/len(text)+1)[:size]), nil
	case "cloze":
		return fake.ClozeReply(nil, max(0, size)), nil
	case "detective":
		return fake.DetectiveReply([]string{"observer1", "observer2"}, 5), nil
	case "vdc":
		return fake.VDCReply(), nil
	case "capricorn":
		return fake.CapricornReply(max(0, size)), nil
	}
	return nil, fmt.Errorf("unknown -reply %q: want fixed, cloze, capricorn, detective or vdc", name)
}

func faults(rate float64, failEvery int) []fake.Fault {
	var all []fake.Fault
	if rate > 0 {
		all = append(all, fake.Fault{When: fake.OverRate(rate, 0), Do: fake.RateLimited("1")})
	}
	if failEvery > 0 {
		all = append(all, fake.Fault{When: fake.Every(failEvery), Do: fake.ServerError(503)})
	}
	return all
}
