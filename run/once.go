package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"omniscope"
)

// Once does calls at most once: those the journal remembers are not done
// again, and of equal calls at the same time one is done and the others wait
// for it. The zero value is not usable; set Journal. It is safe for concurrent
// use.
type Once struct {
	Journal   Journal
	AnySource bool // reuse answers whoever gave them, such as a cluster that moved

	mu       sync.Mutex
	inFlight map[call]*flight
}

// A call is what may be answered by one and the same entry.
type call struct {
	key    Key
	source string // "" = whoever answers
}

// A flight is a call that is being made. Its result may be read once done is closed.
type flight struct {
	done        chan struct{}
	entry       *Entry
	err         error
	interrupted bool // the one who made the call was stopped: others may still make it
}

// Do returns the remembered entry for e.Key, with remembered true, or calls
// fn, which completes e, and makes e durable before returning it. fn reports a
// failed call through e.Outcome and its error: the failure is written down,
// and never reused. One that was merely stopped or held back by a budget is not
// written down, unless e.Cost says that tries were lost.
//
// Of equal calls at the same time one calls fn. The others get its entry, with
// remembered true and only to be read, or its error; but where it was merely
// stopped, another makes the call. Once the run winds down (see Stopping) fn
// is no longer called.
func (o *Once) Do(ctx context.Context, e *Entry, fn func(context.Context, *Entry) error) (entry *Entry, remembered bool, err error) {
	c := call{e.Key, e.Source}
	if o.AnySource {
		c.source = ""
	}
	for {
		f, leader := o.join(c)
		if leader {
			return o.lead(ctx, c, f, e, fn)
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
		if !f.interrupted {
			return f.entry, f.err == nil, f.err
		}
	}
}

func (o *Once) join(c call) (f *flight, leader bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f, ok := o.inFlight[c]; ok {
		return f, false
	}
	if o.inFlight == nil {
		o.inFlight = make(map[call]*flight)
	}
	f = &flight{done: make(chan struct{})}
	o.inFlight[c] = f
	return f, true
}

// lead makes the call for all who wait for it. They are let go even if fn panics.
func (o *Once) lead(ctx context.Context, c call, f *flight, e *Entry, fn func(context.Context, *Entry) error) (entry *Entry, remembered bool, err error) {
	f.err = fmt.Errorf("call %s: crashed where the same call was made first", e.Step)
	defer func() {
		o.mu.Lock()
		delete(o.inFlight, c)
		o.mu.Unlock()
		close(f.done)
	}()
	entry, remembered, err = o.do(ctx, c, e, fn)
	f.entry, f.err, f.interrupted = entry, err, interrupted(ctx, err)
	return entry, remembered, err
}

func (o *Once) do(ctx context.Context, c call, e *Entry, fn func(context.Context, *Entry) error) (*Entry, bool, error) {
	known, err := o.Journal.Lookup(ctx, c.key, c.source)
	if err != nil {
		return nil, false, err
	}
	if known != nil {
		return known, true, nil
	}
	if err := Stopping(ctx).Err(); err != nil {
		return nil, false, err
	}
	inFlight.Add(1)
	defer inFlight.Add(-1)
	callErr := fn(ctx, e)
	if callErr != nil && e.Outcome == omniscope.OK {
		e.Outcome = omniscope.Failed
	}
	if e.Cost.Lost.Tries == 0 && (heldBack(callErr) || interrupted(ctx, callErr)) {
		return nil, false, callErr // there is nothing to remember
	}
	// What arrived is kept, even if nobody waits for it any more.
	if err := o.Journal.Append(context.WithoutCancel(ctx), e); err != nil {
		return nil, false, errors.Join(err, callErr)
	}
	return e, false, callErr
}

var inFlight atomic.Int64

// InFlight is how many calls of this process are being made, or their answers
// kept: what ends the process now may lose what was paid for.
func InFlight() int64 { return inFlight.Load() }

// heldBack reports whether err says that a call was not made, or that it has no
// answer yet. That is no failure of the call.
func heldBack(err error) bool {
	kind := omniscope.KindOf(err)
	return kind == omniscope.Budget || kind == omniscope.Unreachable || kind == omniscope.Unusable || kind == omniscope.Unanswered
}

// interrupted reports whether err came of the end of ctx or of the run: the
// call was cut short, held back, or not tried again.
func interrupted(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() == nil && Stopping(ctx).Err() == nil {
		return false
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		omniscope.KindOf(err) == omniscope.Transient
}
