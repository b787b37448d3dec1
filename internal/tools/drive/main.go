// Command drive measures how omniscope drives a judge: it makes a benchmark,
// starts the mock server, runs `omniscope eval` against it as a process of its
// own, and prints calls per second and peak memory.
//
//	drive                    calls per second at several concurrencies
//	drive -grow              growth of memory from 20,000 calls to 200,000
//	drive -resume            time to the first new call with 200,000 answers remembered
//	drive -capricorn         calls per second on 1,000 videos of 36 keypoints
//	drive -capricorn -grow   growth of memory to four times as many videos
//	drive -vdc FILE          calls per second on the questions of VDC, an answer and a verdict each
//	drive -vdc FILE -grow    growth of memory from a quarter of the videos to all
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

type options struct {
	omniscope, mock string
	calls, blanks   int
	words           int
	answerBytes     int
	latency         time.Duration

	capricorn         bool // CapRiCorn-1K instead of Omni-Cloze
	videos, keypoints int
	vdc               string // VDC instead: its questions
}

// shape says in words what is made.
func (o options) shape() string {
	if o.vdc != "" {
		return fmt.Sprintf("the questions of %s about %d videos, captions of %d words", o.vdc, o.videos, o.words)
	}
	if o.capricorn {
		return fmt.Sprintf("%d videos of %d keypoints, captions of %d words, answers of %d bytes", o.videos, o.keypoints, o.words, o.answerBytes)
	}
	return fmt.Sprintf("%d blanks, captions of %d words, answers of %d bytes", o.blanks, o.words, o.answerBytes)
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
	flag.BoolVar(&o.capricorn, "capricorn", false, "measure CapRiCorn-1K: a call for each keypoint, then one for each subject")
	flag.StringVar(&o.vdc, "vdc", "", "measure VDC on this `file` of questions: two calls for each")
	flag.IntVar(&o.videos, "videos", 1000, "videos of -capricorn, and of -vdc at most")
	flag.IntVar(&o.keypoints, "keypoints", 36, "keypoints of each video")
	concurrency := flag.String("concurrency", "", "calls at a time, several runs; without it 100,500,1000, and 200 for -capricorn and -vdc;\n-grow takes the first (500)")
	grow := flag.Bool("grow", false, "measure the growth of memory")
	resume := flag.Bool("resume", false, "measure the time to the first new call of a resumed run")
	bareURL := flag.String("bare", "", "only make calls to this `address`, with a bare client")
	body := flag.Int("body", 0, "length of the bare client's bodies")
	flag.Parse()

	usual, usualGrowing := "100,500,1000", "500"
	if o.capricorn || o.vdc != "" {
		usual, usualGrowing = "200", "200"
	}
	if o.vdc != "" {
		o.videos = max(o.videos, 2000) // all there are
	}
	var err error
	switch {
	case *bareURL != "":
		n, _ := strconv.Atoi(*concurrency)
		err = bare(*bareURL, o.calls, n, *body)
	case *grow:
		err = growth(o, cmp.Or(*concurrency, usualGrowing))
	case *resume:
		err = resumption(o)
	default:
		err = speed(o, strings.Split(cmp.Or(*concurrency, usual), ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
}

// speed prints a line for each concurrency.
func speed(o options, concurrencies []string) error {
	calls := fmt.Sprintf("%d calls", o.calls)
	if o.capricorn || o.vdc != "" {
		calls = "calls"
	}
	fmt.Printf("%s of %s, %s\n", calls, o.latency, o.shape())
	fmt.Printf("%12s %10s %12s %12s %12s %12s %10s %10s %6s\n", "concurrency", "calls", "calls/s", "of ceiling", "of bare", "whole run s", "cpu s", "peak MB", "load")
	for _, c := range concurrencies {
		n, err := strconv.Atoi(c)
		if err != nil {
			return err
		}
		load := loadAverage()
		m, err := measure(o, n)
		if err != nil {
			return err
		}
		ceiling := float64(n) / o.latency.Seconds()
		fmt.Printf("%12d %10d %12.0f %11.0f%% %11.0f%% %12.2f %10.2f %10.0f %6s\n",
			n, m.calls, m.rate(), 100*m.rate()/ceiling, 100*m.rate()/m.bare, m.whole.Seconds(), m.cpu.Seconds(), m.peakMB, load)
	}
	return nil
}

// loadAverage is that of the last minute, to tell quiet runs from others.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "?"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// growth compares the peak memory of a long run with that of a short one.
func growth(o options, concurrencies string) error {
	first, _, _ := strings.Cut(concurrencies, ",")
	concurrency, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	short, long := o, o
	short.calls, long.calls = 20000, 200000
	if long.videos = 4 * o.videos; o.vdc != "" {
		short.videos, long.videos = 256, o.videos
	}
	fmt.Printf("peak memory at %d calls at a time, %s\n", concurrency, o.shape())
	var peaks []float64
	for _, o := range []options{short, long} {
		m, err := measure(o, concurrency)
		if err != nil {
			return err
		}
		peaks = append(peaks, m.peakMB)
		fmt.Printf("%10d calls: %6.0f MB, %6.0f calls/s, whole run %.1f s\n", m.calls, m.peakMB, m.rate(), m.whole.Seconds())
	}
	fmt.Printf("growth: %.0f MB\n", peaks[1]-peaks[0])
	return nil
}
