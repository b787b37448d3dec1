package run

import (
	"context"
	"sync"

	"omniscope"
)

// Once does calls at most once: those the journal remembers are not done
// again, and of equal calls at the same time one is done and the others wait
// for it. The zero value is not usable; set Journal.
type Once struct {
	Journal   Journal
	AnySource bool // reuse answers whoever gave them, such as a cluster that moved

	mu       sync.Mutex
	inFlight map[Key]*flight
}

type flight struct {
	done  chan struct{}
	entry *Entry
	err   error
}

// Do returns the remembered entry for e.Key, with remembered true, or calls
// fn, which completes e, and makes e durable before returning it. fn reports a
// failed call through e.Outcome and its error: the failure is written down,
// and never reused.
func (o *Once) Do(ctx context.Context, e *Entry, fn func(context.Context, *Entry) error) (entry *Entry, remembered bool, err error) {
	f, leader := o.join(e.Key)
	if !leader {
		select {
		case <-f.done:
			return f.entry, f.err == nil, f.err
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	entry, remembered, err = o.do(ctx, e, fn)
	f.entry, f.err = entry, err
	o.mu.Lock()
	delete(o.inFlight, e.Key)
	o.mu.Unlock()
	close(f.done)
	return entry, remembered, err
}

func (o *Once) join(key Key) (f *flight, leader bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f, ok := o.inFlight[key]; ok {
		return f, false
	}
	if o.inFlight == nil {
		o.inFlight = make(map[Key]*flight)
	}
	f = &flight{done: make(chan struct{})}
	o.inFlight[key] = f
	return f, true
}

func (o *Once) do(ctx context.Context, e *Entry, fn func(context.Context, *Entry) error) (*Entry, bool, error) {
	source := e.Source
	if o.AnySource {
		source = ""
	}
	known, err := o.Journal.Lookup(ctx, e.Key, source)
	if err != nil {
		return nil, false, err
	}
	if known != nil {
		return known, true, nil
	}
	callErr := fn(ctx, e)
	if callErr != nil && e.Outcome == omniscope.OK {
		e.Outcome = omniscope.Failed
	}
	if callErr != nil && neverSent(ctx, callErr) {
		return nil, false, callErr
	}
	if err := o.Journal.Append(ctx, e); err != nil {
		return nil, false, err
	}
	return e, false, callErr
}

// neverSent is true for a call that the run's end or its budget held back:
// there is nothing to remember.
func neverSent(ctx context.Context, err error) bool {
	return omniscope.KindOf(err) == omniscope.Budget || ctx.Err() != nil || Stopping(ctx).Err() != nil
}
