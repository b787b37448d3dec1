package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"omniscope"
)

// Once makes each call at most once. It does not repeat a call that the journal
// remembers. Of equal calls at the same time it makes one, and the others wait
// for it. Set Journal before use. It is safe for concurrent use.
type Once struct {
	Journal   Journal
	AnySource bool    // reuse answers of any source, for example after a cluster moved
	Claimer   Claimer // of the same journal; nil = no other process makes the same calls

	mu       sync.Mutex
	inFlight map[call]*flight
}

// A call identifies calls that one entry can answer.
type call struct {
	key    Key
	source string // "" = any source
}

// A flight is a call that is being made. Its result may be read once done is closed.
type flight struct {
	done        chan struct{}
	entry       *Entry
	err         error
	interrupted bool // the caller was stopped; another caller may make the call again
}

// Do returns the remembered entry for e.Key, with remembered true. If there is
// none it calls fn, which completes e, and makes e durable before it returns. fn
// reports a failed call through e.Outcome and its error; the failure is written
// to the journal and never reused. A call that was only stopped or not made
// because of a budget is not written, unless e.Cost says that tries were lost.
//
// Of equal calls at the same time, one calls fn. The others get its entry, with
// remembered true and read-only, or its error. If that caller was only stopped,
// another one calls fn. When the run winds down (see Stopping), Do no longer
// calls fn.
func (o *Once) Do(ctx context.Context, e *Entry, fn func(context.Context, *Entry) error) (entry *Entry, remembered bool, err error) {
	c := call{e.Key, e.Source}
	if o.AnySource {
		c.source = ""
	}
	defer func() {
		if remembered && entry != nil {
			TallyOf(ctx).remembered(entry)
		}
	}()
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

// lead makes the call for all callers that wait for it. It releases them even if
// fn panics.
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
	if known != nil && !ignores(ctx, known) {
		return known, true, nil
	}
	if err := Stopping(ctx).Err(); err != nil {
		return nil, false, err
	}
	other, err := o.claim(ctx, c)
	if err != nil || other != nil {
		return other, err == nil, err
	}
	inFlight.Add(1)
	defer inFlight.Add(-1)
	kept := false
	defer func() {
		if !kept {
			o.release(c)
		}
	}()
	callErr := fn(o.renewing(ctx, c), e)
	if errors.Is(callErr, ErrTaken) {
		kept = true
		e.Outcome, e.Result = 0, nil
		return o.do(ctx, c, e, fn)
	}
	if callErr != nil && e.Outcome == omniscope.OK {
		e.Outcome = omniscope.Failed
	}
	if e.Cost.Lost.Tries == 0 && (notMade(callErr) || interrupted(ctx, callErr)) {
		return nil, false, callErr // there is nothing to remember
	}
	// Keep the answer even if no caller waits for it any more.
	if err := o.Journal.Append(context.WithoutCancel(ctx), e); err != nil {
		return nil, false, errors.Join(err, callErr)
	}
	kept = true
	return e, false, callErr
}

// claimEvery is how often a call is claimed that another process makes.
const claimEvery = 100 * time.Millisecond

// claim waits until the call is this process's to make, which returns nil, or until
// another process has made it.
func (o *Once) claim(ctx context.Context, c call) (*Entry, error) {
	if o.Claimer == nil {
		return nil, nil
	}
	for {
		claim, err := o.Claimer.Claim(ctx, c.key, c.source)
		switch {
		case err != nil || claim.Mine:
			return nil, err
		case claim.Entry != nil && ignores(ctx, claim.Entry):
			return nil, nil // unclaimed: the other processes take the old answer
		case claim.Entry != nil:
			return claim.Entry, failedElsewhere(claim.Entry)
		}
		select {
		case <-time.After(claimEvery):
		case <-Stopping(ctx).Done():
			return nil, Stopping(ctx).Err()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// ErrTaken is the error of a call that this process had claimed, and that another process took over
// before it was sent. It was not sent.
var ErrTaken = &omniscope.Error{Kind: omniscope.Unanswered, Err: errors.New("another process has taken the call over")}

type renewalKey struct{}

// renewing returns a context in which Sending renews the claim of a call.
func (o *Once) renewing(ctx context.Context, c call) context.Context {
	if o.Claimer == nil {
		return ctx
	}
	return context.WithValue(ctx, renewalKey{}, func(ctx context.Context) error {
		claim, err := o.Claimer.Renew(ctx, c.key, c.source)
		if err == nil && !claim.Mine && (claim.Entry == nil || !ignores(ctx, claim.Entry)) {
			err = ErrTaken
		}
		return err
	})
}

// Sending is called right before a call that Once makes is sent. It returns ErrTaken if another process
// makes it by now.
func Sending(ctx context.Context) error {
	if renew, ok := ctx.Value(renewalKey{}).(func(context.Context) error); ok {
		return renew(ctx)
	}
	return nil
}

func (o *Once) release(c call) {
	if o.Claimer != nil {
		o.Claimer.Release(c.key, c.source)
	}
}

// failedElsewhere is the error of a call that another process has just given up.
func failedElsewhere(e *Entry) error {
	kind := omniscope.Exhausted
	switch e.Outcome {
	case omniscope.OK:
		return nil
	case omniscope.Refused:
		kind = omniscope.Declined
	case omniscope.Unparsed:
		kind = omniscope.Malformed
	case omniscope.Pending:
		kind = omniscope.Unanswered
	}
	return &omniscope.Error{Kind: kind, Err: fmt.Errorf("call %s has just failed in another process (%s): run the same command again to try again", e.Step, e.Outcome)}
}

var inFlight atomic.Int64

// InFlight returns how many calls of this process are being made or written to
// the journal. Ending the process now may lose paid answers.
func InFlight() int64 { return inFlight.Load() }

// Await counts what do does among the calls in flight: something that is paid for, and that no journal
// of calls holds, such as the order of a video.
func Await(do func()) {
	inFlight.Add(1)
	defer inFlight.Add(-1)
	do()
}

// notMade reports whether err says that a call was not made or has no answer
// yet. That is not a failure of the call.
func notMade(err error) bool {
	kind := omniscope.KindOf(err)
	return kind == omniscope.Budget || kind == omniscope.Unreachable || kind == omniscope.Unusable || kind == omniscope.Unanswered
}

// interrupted reports whether err came from the end of ctx or of the run: the
// call was cut short, not made, or not retried.
func interrupted(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() == nil && Stopping(ctx).Err() == nil {
		return false
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		omniscope.KindOf(err) == omniscope.Transient
}
