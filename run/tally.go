package run

import (
	"context"
	"sync"
)

// A Tally adds up what the calls under one context took, such as those of one clip. It is safe
// for concurrent use.
type Tally struct {
	mu  sync.Mutex
	sum Tallied
}

// Tallied is what a Tally has added up. Remembered calls count with what they took when they
// were made.
type Tallied struct {
	Made       int // calls of models and tools that were made
	Remembered int // and those that were answered from the journal
	Models     int // calls of models, of both kinds
	Cost       Cost
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

func (t *Tally) addCall(remembered bool) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if remembered {
		t.sum.Remembered++
	} else {
		t.sum.Made++
	}
}
