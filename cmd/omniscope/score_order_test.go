package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEachSegmentIsDoneOnce(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		done := make([]int, n)
		if err := eachSegment(t.Context(), n, func(i int) error { done[i]++; return nil }); err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(done, func(times int) bool { return times != 1 }); i >= 0 {
			t.Errorf("of %d segments, that at %d is done %d times", n, i, done[i])
		}
	}
}

// Whoever mends the lines of a file is told of the first, and of the same in each
// run.
func TestOfSeveralBadSegmentsTheFirstIsTold(t *testing.T) {
	for range 200 {
		err := eachSegment(t.Context(), 1000, func(i int) error {
			if i%100 == 99 {
				return fmt.Errorf("segment %d", i)
			}
			if i < 64 {
				runtime.Gosched() // others come first
			}
			return nil
		})
		if err == nil || err.Error() != "segment 99" {
			t.Fatalf("got %v, want that of segment 99", err)
		}
	}
}

func TestInterruptedSegmentsAreLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int64
	err := eachSegment(ctx, 1_000_000, func(i int) error {
		if done.Add(1) == 100 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done.Load() == 1_000_000 {
		t.Errorf("%v after %d segments", err, done.Load())
	}
}

func TestAnInterruptDoesNotWaitForALongSegment(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan struct{})
	defer close(end)
	err := eachSegment(ctx, 1, func(int) error {
		cancel()
		<-end
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Counting at the same time changes no number and no order.
func TestScoresDoNotDependOnProcessors(t *testing.T) {
	var hyps, refs strings.Builder
	for i := range 500 {
		fmt.Fprintf(&hyps, "Row %d has %d birds, and one isn't new.\n", i, i%7)
		fmt.Fprintf(&refs, "Row %d had %d birds; one of them is new.\n", i, i%5)
	}
	dir := t.TempDir()
	hyp, ref := filepath.Join(dir, "hyp.txt"), filepath.Join(dir, "ref.txt")
	for path, text := range map[string]string{hyp: hyps.String(), ref: refs.String()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, metric := range [][]string{{"bleu"}, {"chrf", "--word-order", "2"}, {"wer", "--lang", "en"}} {
		var want string
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			var out, errOut bytes.Buffer
			code := execute(t.Context(), append([]string{"score", "--hyp", hyp, "--ref", ref, "--json", "--per-segment"}, metric...), &out, &errOut)
			runtime.GOMAXPROCS(before)
			if code != exitDone {
				t.Fatalf("%s: exit code %d: %s", metric[0], code, &errOut)
			}
			if want == "" {
				want = out.String()
			}
			if out.String() != want {
				t.Errorf("%s: another result on %d processors", metric[0], processors)
			}
		}
	}
}

// What an interrupted command says of its work is true of it.
func TestInterruptedCommandsSayWhatIsLeft(t *testing.T) {
	const calls = "ending once the calls on the wire are answered"
	for _, test := range []struct{ args, ending, left string }{
		{"eval capricorn", calls, "; run the same command again to go on from here"},
		{"investigate", calls, "; run the same command again to go on from here"},
		{"audit a b", calls, "; run the same command again to go on from here"},
		{"text wer", "ending", "; what was written so far is whole lines"},
		{"score bleu", "ending", ""},
		{"score chrf", "ending", ""},
		{"score wer", "ending", ""},
		{"score bertscore", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet", "ending", "; run the same command again, it takes what was computed from the cache"},
		{"score comet --no-cache", "ending", ""},
		{"models get bert_score/de", "ending", "; run the same command again, it keeps what was received"},
		{"models import x", "ending", ""},
		{"list", "ending", ""},
	} {
		args := strings.Fields(test.args)
		cmd, rest, err := newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Find(args)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Fatal(err)
		}
		if got := ending(args); got != test.ending {
			t.Errorf("%s: at first it says %q, want %q", test.args, got, test.ending)
		}
		if got := goOn(cmd); got != test.left {
			t.Errorf("%s: at last it says %q, want %q", test.args, got, test.left)
		}
	}
}
