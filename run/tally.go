package run

import (
	"context"
	"sync"
	"time"
)

// A Tally adds up what the calls under one context took, such as those of one clip. It is safe
// for concurrent use.
type Tally struct {
	since time.Time
	mu    sync.Mutex
	sum   Tallied
}

// NewTally makes a tally of a command that began at a time.
func NewTally(since time.Time) *Tally { return &Tally{since: since} }

// Tallied is what a Tally has added up.
type Tallied struct {
	Models int  // calls of models that were made
	Cost   Cost // of those
	// Older says that some calls, of models or tools, were answered by what was remembered before the
	// command began: how much and how long all would have taken is not known. A call that the
	// command made for another clip, and that is the same for this one, took nothing.
	Older bool
}

type tallyKey struct{}

// WithTally returns a context whose calls are added up.
func WithTally(ctx context.Context, t *Tally) context.Context {
	return context.WithValue(ctx, tallyKey{}, t)
}

// TallyOf is the tally of a context; nil where there is none, which adds nothing up.
func TallyOf(ctx context.Context) *Tally {
	t, _ := ctx.Value(tallyKey{}).(*Tally)
	return t
}

// Sum is what was added up so far.
func (t *Tally) Sum() Tallied {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum
}

// AddModel adds what a call of a model took that was made.
func (t *Tally) AddModel(c Cost) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Models++
	t.sum.Cost = t.sum.Cost.Plus(c)
}

// remembered notes that a call was answered by an entry of the journal.
func (t *Tally) remembered(e *Entry) {
	if t == nil || !e.Started.Before(t.since) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Older = true
}
