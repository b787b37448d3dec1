package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
)

// batchOf makes entries with these numbers as keys.
func batchOf(numbers ...byte) (entries []*run.Entry) {
	for _, n := range numbers {
		entries = append(entries, &run.Entry{Key: run.Key{n}, Step: fmt.Sprint("step ", n), Attempt: 1, Kind: "metric", Source: "a"})
	}
	return entries
}

// answering completes entries and notes which it was given.
func answering(asked *[]byte) func(context.Context, []*run.Entry) error {
	return func(_ context.Context, entries []*run.Entry) error {
		for _, e := range entries {
			*asked = append(*asked, e.Key[0])
			e.Outcome, e.Result = omniscope.OK, fmt.Append(nil, e.Key[0])
		}
		return nil
	}
}

func results(entries []*run.Entry) (texts []string) {
	for _, e := range entries {
		texts = append(texts, string(e.Result))
	}
	return texts
}

func TestBatchMakesMissingCalls(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	for _, c := range []struct {
		name         string
		batch, asked []byte
	}{
		{"all are new", []byte{1, 2}, []byte{1, 2}},
		{"some are remembered", []byte{2, 3, 1, 4}, []byte{3, 4}},
		{"equal ones are one call", []byte{5, 5, 1, 5}, []byte{5}},
		{"all are remembered", []byte{5, 4, 3}, nil},
		{"there are none", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked []byte
			got, err := once.DoAll(t.Context(), batchOf(c.batch...), answering(&asked))
			fixture.OK(t, err)
			var want []string
			for _, n := range c.batch {
				want = append(want, fmt.Sprint(n))
			}
			if !slices.Equal(asked, c.asked) || !slices.Equal(results(got), want) {
				t.Errorf("asked %v, got %v; want %v and %v", asked, results(got), c.asked, want)
			}
		})
	}
	if n := len(journal.Entries()); n != 5 {
		t.Errorf("the journal has %d entries, want 5", n)
	}
}

func TestBatchesAtTheSameTimeShareTheirCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		once := &run.Once{Journal: runtest.NewMemory()}
		var mu sync.Mutex
		asked := make(map[byte]int)
		proceed := make(chan struct{})
		var all sync.WaitGroup
		for _, batch := range [][]byte{{1, 2, 3}, {3, 4, 1}, {4, 2, 5}} {
			all.Go(func() {
				got, err := once.DoAll(t.Context(), batchOf(batch...), func(ctx context.Context, entries []*run.Entry) error {
					<-proceed
					mu.Lock()
					defer mu.Unlock()
					var numbers []byte
					defer func() {
						for _, n := range numbers {
							asked[n]++
						}
					}()
					return answering(&numbers)(ctx, entries)
				})
				if err != nil || len(got) != 3 || slices.Contains(got, nil) {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		synctest.Wait()
		close(proceed)
		all.Wait()
		for n := byte(1); n <= 5; n++ {
			if asked[n] != 1 {
				t.Errorf("call %d was made %d times", n, asked[n])
			}
		}
	})
}

func TestFailedBatch(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	burnt := errors.New("burnt")
	if _, err := once.DoAll(t.Context(), batchOf(1, 2), func(context.Context, []*run.Entry) error { return burnt }); !errors.Is(err, burnt) {
		t.Errorf("the error is %v", err)
	}
	if _, err := once.DoAll(t.Context(), batchOf(1), func(context.Context, []*run.Entry) error { return nil }); err == nil {
		t.Error("a call that was not completed is taken for done")
	}
	if n := len(journal.Entries()); n != 0 {
		t.Errorf("the journal has %d entries", n)
	}
	var asked []byte
	if _, err := once.DoAll(t.Context(), batchOf(1, 2), answering(&asked)); err != nil || len(asked) != 2 {
		t.Errorf("afterwards %v are asked, %v", asked, err)
	}
}

func TestBatchInStoppingRun(t *testing.T) {
	once := &run.Once{Journal: runtest.NewMemory()}
	var asked []byte
	if _, err := once.DoAll(t.Context(), batchOf(1), answering(&asked)); err != nil {
		t.Fatal(err)
	}
	soft, stop := context.WithCancel(t.Context())
	stop()
	ctx := run.WithStop(soft)
	if _, err := once.DoAll(ctx, batchOf(1), answering(&asked)); err != nil {
		t.Errorf("what is remembered is not given any more: %v", err)
	}
	if _, err := once.DoAll(ctx, batchOf(1, 2), answering(&asked)); !errors.Is(err, context.Canceled) || len(asked) != 1 {
		t.Errorf("%v were asked, the error is %v", asked, err)
	}
}

func TestBatchOfStoppedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		once := &run.Once{Journal: runtest.NewMemory()}
		first, cancel := context.WithCancel(t.Context())
		go once.DoAll(first, batchOf(1, 2), func(ctx context.Context, _ []*run.Entry) error {
			<-ctx.Done()
			return ctx.Err()
		})
		synctest.Wait()
		var asked []byte
		done := make(chan error)
		go func() {
			_, err := once.DoAll(t.Context(), batchOf(2, 3), answering(&asked))
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; err != nil || !slices.Equal(asked, []byte{3, 2}) {
			t.Errorf("%v were asked, %v", asked, err)
		}
	})
}

func TestBatchJournalError(t *testing.T) {
	full := errors.New("disk full")
	once := &run.Once{Journal: &fullJournal{runtest.NewMemory(), full}}
	var asked []byte
	if _, err := once.DoAll(t.Context(), batchOf(1, 2), answering(&asked)); !errors.Is(err, full) {
		t.Errorf("the error is %v, want %v", err, full)
	}
}
