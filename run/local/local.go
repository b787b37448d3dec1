// Package local runs jobs in goroutines on one machine.
package local

import (
	"context"
	"iter"
	"sync"

	"omniscope"
	"omniscope/run"
)

// An Engine runs up to Workers jobs at a time. The zero value runs one at a
// time and retries nothing.
type Engine struct {
	Workers int // jobs at a time; 0 = 1
	Retries int // further tries of a job that ends with a Transient error
}

// Run implements run.Engine.
func (e *Engine) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	stop, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := run.WithStop(stop)

	queue := make(chan run.Job)
	var workers sync.WaitGroup
	for range max(e.Workers, 1) {
		workers.Go(func() {
			for job := range queue {
				if err := e.try(work, job, do); err != nil {
					cancel(err)
				}
			}
		})
	}
	feed(stop, jobs, queue)
	workers.Wait()
	if stop.Err() != nil {
		return context.Cause(stop)
	}
	return nil
}

// feed hands out jobs until there are none left or the run stops.
func feed(stop context.Context, jobs iter.Seq[run.Job], queue chan<- run.Job) {
	defer close(queue)
	for job := range jobs {
		if stop.Err() != nil {
			return
		}
		select {
		case queue <- job:
		case <-stop.Done():
			return
		}
	}
}

func (e *Engine) try(ctx context.Context, job run.Job, do run.Func) error {
	for tries := 0; ; tries++ {
		err := do(ctx, job)
		again := err != nil && omniscope.KindOf(err) == omniscope.Transient &&
			tries < e.Retries && run.Stopping(ctx).Err() == nil
		if !again {
			return err
		}
	}
}
