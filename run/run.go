// Package run runs many jobs and remembers their calls: an Engine runs jobs, a
// Journal keeps every paid answer, and Once looks a call up in the journal so
// that it is never paid twice.
//
// It knows nothing of models, captions or scores. The engine for one machine
// is run/local; the journal on SQLite is package store; the suite every engine
// passes is internal/testing/runtest.
package run

import (
	"context"
	"iter"
)

// A Job is one unit of work that is done or redone as a whole, usually one
// scoring unit of a benchmark. It is plain data: an engine on another machine
// finds the work again from it.
type Job struct {
	ID  string // unique within the run
	Seq int    // position in the input
}

// A Func does one job. It returns nil if the job is done, even if calls inside
// failed: failed calls are outcomes and belong in the results. It returns an
// error if the job could not be done. The engine retries Transient errors a
// bounded number of times; any other error, such as Budget, stops the run.
type Func func(ctx context.Context, job Job) error

// An Engine runs jobs.
//
// Run starts jobs in the order given, several at a time, and returns when all
// have ended. It returns the first error that stopped it, after the jobs in
// flight have finished. When ctx is cancelled it starts nothing more, lets the
// jobs in flight end (see Stopping), and returns ctx's error. A job that panics
// stops the run like one that returns an error, which names the job. A job may
// run again after a crash, so Func must be safe to repeat.
type Engine interface {
	Run(ctx context.Context, jobs iter.Seq[Job], do Func) error
}

type stopKey struct{}

// WithStop returns a context that is not cancelled when soft is, but whose
// Stopping context is. Calls already sent must be paid, so they may finish; new
// ones are not started.
func WithStop(soft context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(soft), stopKey{}, soft)
}

// Stopping returns the context to watch before starting something new: it ends
// when the run should wind down. Without WithStop it is ctx itself.
func Stopping(ctx context.Context) context.Context {
	if soft, ok := ctx.Value(stopKey{}).(context.Context); ok {
		return soft
	}
	return ctx
}
