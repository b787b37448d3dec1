// Package run does many jobs and remembers what they cost: an Engine runs
// jobs, a Journal keeps every paid answer, Once ties a call to the journal so
// that it is never paid for twice.
//
// It knows nothing of models, captions or scores. The engine for one machine
// is run/local; the journal on SQLite is package store; the suite every engine
// passes is run/runtest.
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

// A Func does one job. A nil error means done, whatever the outcome of the
// calls inside was: failed calls are outcomes and belong in the results. An
// error means the job could not be carried out. Transient errors are retried
// by the engine, bounded; a Budget error, or any other, stops the run.
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

// WithStop returns a context that is not cancelled with soft, but lets Stopping
// see when soft is. Calls already on the wire are paid for, so they are allowed
// to arrive; new ones are not started.
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
