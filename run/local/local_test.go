package local_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/local"
)

func TestEngine(t *testing.T) {
	runtest.Engines(t, func(_ *testing.T, workers int) run.Engine {
		return &local.Engine{Workers: workers, Retries: 2}
	})
}

func TestZeroEngineDoesOneAfterAnother(t *testing.T) {
	var order []int // without a lock: the race detector sees two at a time
	err := new(local.Engine).Run(t.Context(), jobs("a", "b", "c"), func(_ context.Context, job run.Job) error {
		order = append(order, job.Seq)
		return nil
	})
	if err != nil || len(order) != 3 {
		t.Errorf("did %v, %v", order, err)
	}
}

func TestPanicTellsWhere(t *testing.T) {
	err := new(local.Engine).Run(t.Context(), jobs("a"), func(context.Context, run.Job) error { panic("oh") })
	for _, want := range []string{"job a: panic: oh", "local_test.go"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func TestGoexitInJob(t *testing.T) {
	err := new(local.Engine).Run(t.Context(), jobs("a", "b"), func(context.Context, run.Job) error {
		runtime.Goexit()
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "job a") {
		t.Errorf("the error is %v, want one that names job a", err)
	}
}

func TestCancelledRunTellsWhatElseFailed(t *testing.T) {
	full := errors.New("disk full")
	ctx, cancel := context.WithCancel(t.Context())
	err := new(local.Engine).Run(ctx, jobs("a"), func(context.Context, run.Job) error {
		cancel()
		return full
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, full) {
		t.Errorf("the error is %v, want both the cancellation and the full disk", err)
	}
}

func TestCancelledRunDoesNotRepeatTheCancellation(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	err := new(local.Engine).Run(ctx, jobs("a"), func(ctx context.Context, _ run.Job) error {
		cancel(errors.New("the user has gone home"))
		return run.Stopping(ctx).Err()
	})
	if err != context.Canceled {
		t.Errorf("the error is %v, want the context's", err)
	}
}

func TestRunWithinAJobStopsWithTheOuterRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	inner := 0
	err := new(local.Engine).Run(ctx, jobs("outer"), func(ctx context.Context, _ run.Job) error {
		return new(local.Engine).Run(ctx, jobs("a", "b", "c"), func(ctx context.Context, _ run.Job) error {
			inner++
			cancel()
			<-run.Stopping(ctx).Done()
			return ctx.Err()
		})
	})
	if !errors.Is(err, context.Canceled) || inner != 1 {
		t.Errorf("%d inner jobs were done, %v; want 1 and a cancellation", inner, err)
	}
}

func TestNoRetryAfterCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	did := 0
	err := (&local.Engine{Retries: 5}).Run(ctx, jobs("a"), func(context.Context, run.Job) error {
		did++
		cancel()
		return &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("busy")}
	})
	if !errors.Is(err, context.Canceled) || did != 1 {
		t.Errorf("did the job %d times, %v; want once and a cancellation", did, err)
	}
}

func jobs(ids ...string) iter.Seq[run.Job] {
	return func(yield func(run.Job) bool) {
		for i, id := range ids {
			if !yield(run.Job{ID: id, Seq: i}) {
				return
			}
		}
	}
}
