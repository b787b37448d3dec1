// Command drive measures how omniscope drives a judge: it makes a benchmark,
// starts the mock server, runs `omniscope eval` against it as a process of its
// own, and prints calls per second and peak memory.
//
//	drive                    calls per second at several concurrencies
//	drive -grow              growth of memory from 20,000 calls to 200,000
//	drive -resume            time to the first new call with 200,000 answers remembered
package main

import (
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
	grow := flag.Bool("grow", false, "measure the growth of memory")
	resume := flag.Bool("resume", false, "measure the time to the first new call of a resumed run")
	bareURL := flag.String("bare", "", "only make calls to this `address`, with a bare client")
	body := flag.Int("body", 0, "length of the bare client's bodies")
	flag.Parse()

	var err error
	switch {
	case *bareURL != "":
		n, _ := strconv.Atoi(*concurrency)
		err = bare(*bareURL, o.calls, n, *body)
	case *grow:
		err = growth(o)
	case *resume:
		err = resumption(o)
	default:
		err = speed(o, strings.Split(*concurrency, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(1)
	}
}

// speed prints a line for each concurrency.
func speed(o options, concurrencies []string) error {
	fmt.Printf("%d calls of %s, %d blanks, captions of %d words, answers of %d bytes\n", o.calls, o.latency, o.blanks, o.words, o.answerBytes)
	fmt.Printf("%12s %12s %12s %12s %12s %10s %10s\n", "concurrency", "calls/s", "of ceiling", "of bare", "whole run s", "cpu s", "peak MB")
	for _, c := range concurrencies {
		n, err := strconv.Atoi(c)
		if err != nil {
			return err
		}
		m, err := measure(o, n)
		if err != nil {
			return err
		}
		rate, ceiling := float64(o.calls)/m.judging.Seconds(), float64(n)/o.latency.Seconds()
		fmt.Printf("%12d %12.0f %11.0f%% %11.0f%% %12.2f %10.2f %10.0f\n", n, rate, 100*rate/ceiling, 100*rate/m.bare, m.whole.Seconds(), m.cpu.Seconds(), m.peakMB)
	}
	return nil
}

// growth compares the peak memory of a long run with that of a short one.
func growth(o options) error {
	const concurrency, short, long = 500, 20000, 200000
	fmt.Printf("peak memory at %d calls at a time, %d blanks, captions of %d words, answers of %d bytes\n", concurrency, o.blanks, o.words, o.answerBytes)
	var peaks []float64
	for _, calls := range []int{short, long} {
		o.calls = calls
		m, err := measure(o, concurrency)
		if err != nil {
			return err
		}
		peaks = append(peaks, m.peakMB)
		fmt.Printf("%10d calls: %6.0f MB, %6.0f calls/s, whole run %.1f s\n", calls, m.peakMB, float64(calls)/m.judging.Seconds(), m.whole.Seconds())
	}
	fmt.Printf("growth: %.0f MB\n", peaks[1]-peaks[0])
	return nil
}
