package score

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

func TestEachSegmentIsDoneOnce(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		done := make([]int, n)
		if err := EachSegment(t.Context(), n, func(i int) error { done[i]++; return nil }); err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(done, func(times int) bool { return times != 1 }); i >= 0 {
			t.Errorf("of %d segments, that at %d is done %d times", n, i, done[i])
		}
	}
}

// TestFirstBadSegment: the first bad line is always the one reported.
func TestFirstBadSegment(t *testing.T) {
	for range 200 {
		err := EachSegment(t.Context(), 1000, func(i int) error {
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
	err := EachSegment(ctx, 1_000_000, func(i int) error {
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
	err := EachSegment(ctx, 1, func(int) error {
		cancel()
		<-end
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRowsOfOneClusterAreAddedUp(t *testing.T) {
	rows := [][]float64{{1, 10}, {2, 20}, {4, 40}, {8, 80}}
	for _, test := range []struct {
		of   []string
		want []float64
	}{
		{nil, []float64{1, 10, 2, 20, 4, 40, 8, 80}},
		{[]string{"b", "a", "b", "a"}, []float64{5, 50, 10, 100}},
		{[]string{"a", "a", "a", "a"}, []float64{15, 150}},
	} {
		if got := clustered(rows, test.of); !slices.Equal(got.Rows, test.want) || got.Width != 2 {
			t.Errorf("%v: got %v, want %v", test.of, got.Rows, test.want)
		}
	}
}
