package run

import (
	"context"
	"sync"
	"time"
)

// A Tally adds up what the calls under one context took, such as those of one clip. It is safe
// for concurrent use.
type Tally struct {
	began time.Time
	mu    sync.Mutex
	sum   Tallied
}

// NewTally begins a tally now.
func NewTally() *Tally { return &Tally{began: time.Now()} }

// Tallied is what a Tally has added up. Remembered calls of models count with what they took when
// they were made.
type Tallied struct {
	Models int // calls of models
	Cost   Cost
	// Older says that some calls, of models or tools, were answered by what was remembered before
	// the tally began: what those of tools took is not known, nor how long all would have taken.
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

// AddModel adds what a call of a model took.
func (t *Tally) AddModel(c Cost) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Models++
	t.sum.Cost.TokensIn += c.TokensIn
	t.sum.Cost.TokensOut += c.TokensOut
	t.sum.Cost.USD += c.USD
}

// remembered notes that a call was answered by an entry of the journal.
func (t *Tally) remembered(e *Entry) {
	if t == nil || !e.Started.Before(t.began) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Older = true
}
