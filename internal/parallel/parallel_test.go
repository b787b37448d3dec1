package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

func TestEachPieceOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 4} {
		for _, n := range []int{0, 1, 63, 64, 65, 1000} {
			workers := max(1, threads)
			done, each := make([]int, n), make([]int, n)
			Do(threads, n, func(worker, i int) {
				if worker < 0 || worker >= workers {
					t.Errorf("worker %d of %d", worker, workers)
				}
				done[i]++
			})
			if err := Each(t.Context(), threads, n, func(_, i int) error { each[i]++; return nil }); err != nil {
				t.Fatal(err)
			}
			for _, times := range [][]int{done, each} {
				if i := slices.IndexFunc(times, func(times int) bool { return times != 1 }); i >= 0 {
					t.Errorf("%d threads, %d pieces: number %d is done %d times", threads, n, i, times[i])
				}
			}
		}
	}
}

// A worker does one piece at a time, so that it can use its memory again.
func TestWorkersNotShared(t *testing.T) {
	const threads = 4
	var busy [threads]atomic.Bool
	Do(threads, 1000, func(worker, _ int) {
		if busy[worker].Swap(true) {
			t.Errorf("worker %d does two pieces at a time", worker)
		}
		runtime.Gosched()
		busy[worker].Store(false)
	})
}

// TestFirstError: the error of the lowest number is always the one returned.
func TestFirstError(t *testing.T) {
	for range 200 {
		err := Each(t.Context(), 4, 1000, func(_, i int) error {
			if i%100 == 99 {
				return fmt.Errorf("number %d", i)
			}
			if i < 64 {
				runtime.Gosched() // others come first
			}
			return nil
		})
		if err == nil || err.Error() != "number 99" {
			t.Fatalf("got %v, want that of number 99", err)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int64
	err := Each(ctx, 4, 1_000_000, func(int, int) error {
		if done.Add(1) == 100 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done.Load() == 1_000_000 {
		t.Errorf("%v after %d pieces", err, done.Load())
	}
}
