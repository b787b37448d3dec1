package tasktest

import (
	"context"
	"maps"
	"sync"

	"omniscope/internal/testing/fake"
	"omniscope/session"
)

// asked counts requests by what they ask.
type asked map[uint64]int

func (a asked) sum() (n int) {
	for _, times := range a {
		n += times
	}
	return n
}

// without counts the requests that another count does not have.
func (a asked) without(other asked) (n int) {
	for request, times := range a {
		n += max(0, times-other[request])
	}
	return n
}

// An endpoint counts requests.
type endpoint struct {
	reply fake.Responder

	mu    sync.Mutex
	asked asked
	n     int
	at    int // the request at which cut is called; 0 = none
	cut   func()
}

func (e *endpoint) answer(r *fake.Request) fake.Reply {
	e.mu.Lock()
	e.asked[r.Identity]++
	e.n++
	if e.n == e.at {
		e.cut()
	}
	e.mu.Unlock()
	if e.reply == nil {
		return fake.Reply{Content: "Nobody should ask."}
	}
	return e.reply(r)
}

// forget resets the counts.
func (e *endpoint) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked, e.n, e.at = make(asked), 0, 0
}

// soFar are the requests since forget.
func (e *endpoint) soFar() asked {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.asked)
}

// cutAt has cut called at the n-th request from now on; 0 = never.
func (e *endpoint) cutAt(n int, cut func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n, e.at, e.cut = 0, n, cut
}

// changed are units that are done in another way.
type changed struct {
	session.Units
	order []int // nil = as the plan says
	do    func(ctx context.Context, unit int, do doer) (session.Done, error)
	write func() error // instead of writing; nil = they are written
}

type doer func(ctx context.Context, unit int) (session.Done, error)

// Plan implements session.Units.
func (c *changed) Plan() *session.Plan {
	p := c.Units.Plan()
	if c.order != nil {
		p.Order = func() []int { return c.order }
	}
	return p
}

// Do implements session.Units.
func (c *changed) Do(ctx context.Context, unit int) (session.Done, error) {
	if c.do == nil {
		return c.Units.Do(ctx, unit)
	}
	return c.do(ctx, unit, c.Units.Do)
}

// Write implements session.Units.
func (c *changed) Write(ctx context.Context) error {
	if c.write != nil {
		return c.write()
	}
	return c.Units.Write(ctx)
}
