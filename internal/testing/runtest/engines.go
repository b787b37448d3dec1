package runtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
)

// tries is how often an engine under test does a job that ends with a
// Transient error, the first try included.
const tries = 3

// Engines checks that the engines open returns keep what run.Engine promises.
// They have the given number of workers and try a job with a Transient error
// three times in all.
func Engines(t *testing.T, open func(t *testing.T, workers int) run.Engine) {
	checks := []struct {
		name  string
		check func(*testing.T, func(*testing.T, int) run.Engine)
	}{
		{"no jobs are no error", noJobs},
		{"every job is done exactly once", everyJobOnce},
		{"as many at a time as there are workers", noMoreThanWorkers},
		{"jobs start in the order given", startsInOrder},
		{"an endless sequence is read as it is needed", endlessSequence},
		{"an error stops the run and jobs in flight end", errorStops},
		{"a transient error is tried again", transientIsRetried},
		{"a lasting transient error stops the run", transientIsBounded},
		{"other errors are not tried again", othersAreNotRetried},
		{"a cancelled run starts nothing", cancelledBefore},
		{"cancelling lets jobs in flight end", cancelling},
		{"nothing starts after a job has cancelled", nothingAfterCancel},
		{"a panic stops the run and names the job", panicStops},
		{"the results are those of one after another", sameResults},
		{"a killed run resumes without asking again", killAndResume},
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.check(t, open) })
	}
}

func noJobs(t *testing.T, open func(*testing.T, int) run.Engine) {
	fixture.OK(t, open(t, 3).Run(t.Context(), first(0), func(context.Context, run.Job) error { return nil }))
}

func everyJobOnce(t *testing.T, open func(*testing.T, int) run.Engine) {
	var mu sync.Mutex
	done := make(map[run.Job]int)
	err := open(t, 7).Run(t.Context(), first(500), func(_ context.Context, job run.Job) error {
		mu.Lock()
		defer mu.Unlock()
		done[job]++
		return nil
	})
	fixture.OK(t, err)
	for job := range first(500) {
		if done[job] != 1 {
			t.Errorf("%v was done %d times", job, done[job])
		}
	}
	if len(done) != 500 {
		t.Errorf("%d different jobs were done, want 500", len(done))
	}
}

func noMoreThanWorkers(t *testing.T, open func(*testing.T, int) run.Engine) {
	const workers = 4
	var atWork, most atomic.Int64
	met := make(chan struct{}) // closed when all workers are at work together
	err := open(t, workers).Run(t.Context(), first(100), func(ctx context.Context, job run.Job) error {
		now := atWork.Add(1)
		defer atWork.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		if job.Seq < workers {
			if now == workers {
				close(met)
			}
			<-met
		}
		return nil
	})
	fixture.OK(t, err)
	if most.Load() != workers {
		t.Errorf("%d jobs were done at a time, want %d", most.Load(), workers)
	}
}

func startsInOrder(t *testing.T, open func(*testing.T, int) run.Engine) {
	for _, workers := range []int{1, 5} {
		var mu sync.Mutex
		var order []int
		err := open(t, workers).Run(t.Context(), first(200), func(_ context.Context, job run.Job) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, job.Seq)
			return nil
		})
		fixture.OK(t, err)
		for i, seq := range order {
			// Workers that take jobs in order may still overtake each other on the way in.
			if seq-i >= workers {
				t.Errorf("with %d workers job %d started as number %d", workers, seq, i)
			}
		}
	}
}

func endlessSequence(t *testing.T, open func(*testing.T, int) run.Engine) {
	enough := errors.New("enough")
	var taken atomic.Int64
	endless := func(yield func(run.Job) bool) {
		for job := range first(1 << 62) {
			if taken.Add(1); !yield(job) {
				return
			}
		}
	}
	const workers, last = 3, 100
	err := open(t, workers).Run(t.Context(), endless, func(ctx context.Context, job run.Job) error {
		switch {
		case job.Seq == last:
			return enough
		case job.Seq > last: // it overtook the last one
			<-run.Stopping(ctx).Done()
		}
		return nil
	})
	mustTell(t, err, enough.Error())
	if taken.Load() > 10*last { // an engine may read ahead
		t.Errorf("%d jobs were taken from the sequence to do %d", taken.Load(), last+1)
	}
}

// breakOne runs jobs, breaks one while all workers are busy, and checks that the other
// running jobs end well and that no further job starts.
func breakOne(t *testing.T, open func(*testing.T, int) run.Engine, breaks func() error) error {
	t.Helper()
	const workers = 4
	var started, ended atomic.Int64
	allStarted := make(chan struct{})
	err := open(t, workers).Run(t.Context(), first(100), func(ctx context.Context, job run.Job) error {
		if started.Add(1) == workers {
			close(allStarted)
		}
		<-allStarted
		if job.Seq == 1 {
			return breaks()
		}
		<-run.Stopping(ctx).Done()
		if err := ctx.Err(); err != nil {
			t.Errorf("the context of job %d in flight was cancelled: %v", job.Seq, err)
		}
		ended.Add(1)
		return nil
	})
	if started.Load() != workers || ended.Load() != workers-1 {
		t.Errorf("%d jobs started and %d ended well, want %d and %d", started.Load(), ended.Load(), workers, workers-1)
	}
	return err
}

func errorStops(t *testing.T, open func(*testing.T, int) run.Engine) {
	broken := &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("job 1 is broken")}
	err := breakOne(t, open, func() error { return broken })
	mustTell(t, err, "job 1 is broken")
	if kind := omniscope.KindOf(err); kind != omniscope.Budget {
		t.Errorf("the error is of kind %s, want budget", kind)
	}
}

func panicStops(t *testing.T, open func(*testing.T, int) run.Engine) {
	err := breakOne(t, open, func() error { panic("no such blank") })
	mustTell(t, err, "job-1")
	mustTell(t, err, "no such blank")
}

func transientIsRetried(t *testing.T, open func(*testing.T, int) run.Engine) {
	const jobs = 20
	var did [jobs]atomic.Int64
	err := open(t, 3).Run(t.Context(), first(jobs), func(_ context.Context, job run.Job) error {
		if n := int(did[job.Seq].Add(1)); n <= job.Seq%tries {
			return &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("try %d", n)}
		}
		return nil
	})
	fixture.OK(t, err)
	for seq := range did {
		if got, want := int(did[seq].Load()), seq%tries+1; got != want {
			t.Errorf("job %d was done %d times, want %d", seq, got, want)
		}
	}
}

func transientIsBounded(t *testing.T, open func(*testing.T, int) run.Engine) {
	var did atomic.Int64
	err := open(t, 1).Run(t.Context(), first(10), func(context.Context, run.Job) error {
		did.Add(1)
		return &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("still busy")}
	})
	mustTell(t, err, "still busy")
	if did.Load() != tries {
		t.Errorf("the job was done %d times, want %d, and the next not at all", did.Load(), tries)
	}
}

func othersAreNotRetried(t *testing.T, open func(*testing.T, int) run.Engine) {
	for _, kind := range []omniscope.Kind{omniscope.Internal, omniscope.Invalid, omniscope.Exhausted, omniscope.Denied, omniscope.Budget} {
		var did atomic.Int64
		err := open(t, 1).Run(t.Context(), first(10), func(context.Context, run.Job) error {
			did.Add(1)
			return &omniscope.Error{Kind: kind, Err: errors.New("no use")}
		})
		mustTell(t, err, "no use")
		if did.Load() != 1 {
			t.Errorf("after an error of kind %s %d jobs were done, want 1", kind, did.Load())
		}
	}
}

func cancelledBefore(t *testing.T, open func(*testing.T, int) run.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := open(t, 2).Run(ctx, first(10), func(_ context.Context, job run.Job) error {
		t.Errorf("job %d was started", job.Seq)
		return nil
	})
	mustBeCancelled(t, err)
}

func cancelling(t *testing.T, open func(*testing.T, int) run.Engine) {
	const workers = 3
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var started, ended atomic.Int64
	err := open(t, workers).Run(ctx, first(1<<62), func(ctx context.Context, job run.Job) error {
		if started.Add(1) == workers {
			cancel()
		}
		<-run.Stopping(ctx).Done()
		if err := ctx.Err(); err != nil {
			t.Errorf("the context of job %d in flight was cancelled: %v", job.Seq, err)
		}
		ended.Add(1)
		return nil
	})
	mustBeCancelled(t, err)
	if started.Load() != workers || ended.Load() != workers {
		t.Errorf("%d jobs started and %d ended, want %d", started.Load(), ended.Load(), workers)
	}
}

// nothingAfterCancel runs many times, for an engine that picks at random
// between a free worker and a cancelled run passes now and then.
func nothingAfterCancel(t *testing.T, open func(*testing.T, int) run.Engine) {
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		var late atomic.Bool
		err := open(t, 1).Run(ctx, first(1<<62), func(_ context.Context, job run.Job) error {
			if late.Load() {
				t.Errorf("job %d started after the run was cancelled", job.Seq)
			}
			if job.Seq == 3 {
				cancel()
				late.Store(true)
			}
			return nil
		})
		mustBeCancelled(t, err)
		cancel()
	}
}

// first yields n jobs.
func first(n int) iter.Seq[run.Job] {
	return func(yield func(run.Job) bool) {
		for i := range n {
			if !yield(run.Job{ID: fmt.Sprintf("job-%d", i), Seq: i}) {
				return
			}
		}
	}
}

// mustTell checks an error by its text, for it may have travelled between machines.
func mustTell(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), what) {
		t.Errorf("the error is %v, want one that tells of %q", err, what)
	}
}

func mustBeCancelled(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the context's", err)
	}
}
