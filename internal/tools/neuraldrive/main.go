// Command neuraldrive measures `omniscope score` as people run it: it makes
// networks of random weights in the real shapes, and texts, scores two systems
// on the same references, each by a process of its own, and prints time, tokens
// per second and peak memory. The second finds what the first left in the cache.
//
// Random weights take the same time as trained ones; the scores mean nothing.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"omniscope/internal/ondisk"
	"omniscope/internal/tools/neuralgen"
)

type options struct {
	omniscope string
	dir       string // where networks are made, and kept for another time
	threads   int
	words     int
}

func main() {
	var o options
	flag.StringVar(&o.omniscope, "omniscope", "bin/omniscope", "the program to measure")
	flag.StringVar(&o.dir, "dir", "", "folder for the networks, 3.8 GB, which are kept; without it they are made anew and removed")
	flag.IntVar(&o.threads, "threads", 0, "threads; 0 = all")
	flag.IntVar(&o.words, "words", 12, "words of a text, about")
	triples := flag.Int("triples", 2000, "triples for COMET; 0 = none")
	pairs := flag.Int("pairs", 5000, "pairs for BERTScore; 0 = none")
	flag.Parse()
	if err := run(o, *triples, *pairs); err != nil {
		fmt.Fprintln(os.Stderr, "neuraldrive:", err)
		os.Exit(1)
	}
}

func run(o options, triples, pairs int) error {
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "omniscope-neuraldrive-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	if triples > 0 {
		if err := measure(o, "comet", "comet", triples, "--src", "src.txt"); err != nil {
			return err
		}
	}
	if pairs > 0 {
		return measure(o, "bertscore", "roberta-large", pairs, "--lang", "en")
	}
	return nil
}

// measure scores two systems of n texts by a network, and the first once more,
// alone and without a cache.
func measure(o options, metric, shape string, n int, flags ...string) error {
	model := filepath.Join(o.dir, shape)
	if err := makeNetwork(model, shape); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "omniscope-neuraldrive-texts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := makeTexts(work, n, o.words); err != nil {
		return err
	}
	fmt.Printf("\n%s, %s, random weights: %d texts of about %d words for each system\n", metric, shape, n, o.words)
	var first sample
	for i, system := range []string{"first", "second", "second again"} {
		hyp := strings.TrimSuffix(system, " again") + ".txt"
		args := append([]string{"score", metric, "--hyp", hyp, "--ref", "ref.txt", "--model", model, "--threads", strconv.Itoa(o.threads),
			"--cache-dir", filepath.Join(work, "cache"), "--no-progress", "--json"}, flags...)
		s, err := process(o.omniscope, work, args)
		if err != nil {
			return err
		}
		if i == 0 {
			first = s
		}
		fmt.Printf("  %-13s %7.1f s, %7.1f s of CPU, peak %6.0f MB%s\n", system, s.whole.Seconds(), s.cpu.Seconds(), s.peakMB, s.faster(first))
	}
	return nil
}

func makeNetwork(dir, shape string) error {
	if ondisk.Exists(filepath.Join(dir, "model.json")) {
		return nil
	}
	s, err := neuralgen.Find(shape)
	if err != nil {
		return err
	}
	return neuralgen.Write(dir, s, neuralgen.Options{Seed: 1})
}

// makeTexts writes references, sources, and two systems of the same length
// that share no text.
func makeTexts(dir string, n, words int) error {
	l := neuralgen.Texts(n, words, "en", 1)
	if err := l.Write(dir); err != nil {
		return err
	}
	second := make([]string, n)
	for i, h := range l.Hypotheses {
		w := strings.Fields(h)
		second[i] = strings.Join(append(w[1:], w[0]), " ") + " ."
	}
	if err := os.Rename(filepath.Join(dir, "hyp.txt"), filepath.Join(dir, "first.txt")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "second.txt"), []byte(strings.Join(second, "\n")+"\n"), 0o644)
}

// A sample is what one process took.
type sample struct {
	whole, cpu time.Duration
	peakMB     float64
}

func (s sample) faster(than sample) string {
	if s == than {
		return ""
	}
	return fmt.Sprintf(", %.1f times as fast as the first", float64(than.whole)/float64(s.whole))
}

func process(program, dir string, args []string) (sample, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return sample{}, err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	started := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	s := sample{whole: time.Since(started), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		peakMB: float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024}
	return s, checkScore(out)
}

// checkScore refuses a document without a number.
func checkScore(document []byte) error {
	var d struct {
		Systems []struct {
			Scores map[string]struct{ Value *float64 }
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return err
	}
	for _, s := range d.Systems {
		for name, score := range s.Scores {
			if score.Value == nil || math.IsNaN(*score.Value) {
				return fmt.Errorf("no %s in %.300s", name, document)
			}
		}
	}
	if len(d.Systems) != 1 {
		return fmt.Errorf("%d systems in %.300s", len(d.Systems), document)
	}
	return nil
}
