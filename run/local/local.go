// Package local runs jobs in goroutines on one machine. It keeps no state: the
// calls inside jobs are remembered by run.Once and a journal (package store).
package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"

	"omniscope"
	"omniscope/run"
)

// An Engine runs up to Workers jobs at a time. The zero value runs one at a
// time and retries nothing. It is safe for concurrent use.
//
// A job that panics stops the run like a job that returns an error, so that the
// paid jobs in flight can finish. It is not retried.
type Engine struct {
	Workers int // jobs at a time; 0 = 1
	Retries int // further tries of a job that ends with a Transient error
}

// Run implements run.Engine.
func (e *Engine) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	soft, stop := context.WithCancel(ctx)
	defer stop()
	// Within a job of another engine, the outer run's end is ours too.
	defer context.AfterFunc(run.Stopping(ctx), stop)()

	w := &work{outer: ctx, soft: soft, stop: stop, do: do, retries: e.Retries}
	queue := make(chan run.Job)
	var workers sync.WaitGroup
	for range max(e.Workers, 1) {
		// Workers stay for all jobs: a goroutine for each would grow its stack anew
		// each time, which cost 8 % of processor time at 1,000 calls at a time.
		workers.Go(func() {
			for job := range queue {
				w.one(job)
			}
		})
	}
	feed(soft, jobs, queue)
	workers.Wait()
	return w.result()
}

// feed hands out jobs until there are none left or the run stops.
func feed(soft context.Context, jobs iter.Seq[run.Job], queue chan<- run.Job) {
	defer close(queue)
	if soft.Err() != nil {
		return
	}
	for job := range jobs {
		select {
		case queue <- job:
		case <-soft.Done():
			return
		}
	}
}

// work is what the workers of one Run share.
type work struct {
	outer   context.Context
	soft    context.Context // ends when nothing new may start
	stop    func()
	do      run.Func
	retries int

	mu  sync.Mutex
	err error // the first error of a job
}

// one does a job, unless the run has stopped while the job waited for a worker.
func (w *work) one(job run.Job) {
	if w.soft.Err() != nil {
		return
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		if cause := recover(); cause != nil {
			w.fail(fmt.Errorf("job %s: panic: %v\n%s", job.ID, cause, debug.Stack()))
		} else {
			w.fail(fmt.Errorf("job %s: ended its goroutine", job.ID))
		}
	}()
	err := w.try(job)
	returned = true
	if err != nil {
		w.fail(err)
	}
}

func (w *work) try(job run.Job) error {
	ctx := run.WithStop(w.soft)
	for tries := 0; ; tries++ {
		err := w.do(ctx, job)
		again := err != nil && omniscope.KindOf(err) == omniscope.Transient &&
			tries < w.retries && w.soft.Err() == nil
		if !again {
			return err
		}
	}
}

// fail stops the run for err, unless err only says that it was stopped.
func (w *work) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	outer := w.outerErr()
	if w.err == nil && (outer == nil || !errors.Is(err, outer)) {
		w.err = err
	}
	w.stop()
}

// outerErr says why the run was stopped from outside, nil if it was not.
func (w *work) outerErr() error {
	if err := w.outer.Err(); err != nil {
		return err
	}
	return run.Stopping(w.outer).Err()
}

// result returns the error that stopped the run. If the run was cancelled and a
// job also failed, it returns both, because the user may have to act on the
// job's error.
func (w *work) result() error {
	outer := w.outerErr()
	if outer == nil || w.err == nil {
		return cmp.Or(outer, w.err)
	}
	return errors.Join(outer, w.err)
}
