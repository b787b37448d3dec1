package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"omniscope"
)

// maxAppends is how many entries of a batch are appended at the same time, so
// that a journal which writes in groups waits for the disk once for all of them.
const maxAppends = 64

// DoAll is Do for a batch of calls. It returns one entry for each. It passes the
// calls that the journal does not remember to fn in one batch, equal calls once,
// and fn completes them. They are durable when DoAll returns. If fn fails,
// nothing is written to the journal.
//
// Of equal calls in several batches at the same time, one is made, as with Do.
func (o *Once) DoAll(ctx context.Context, asked []*Entry, fn func(context.Context, []*Entry) error) ([]*Entry, error) {
	found := make([]*Entry, len(asked))
	for {
		led, followed := o.joinAll(asked, found)
		// Make our own calls before waiting for those of other batches: two batches
		// that each wait for the other first would wait for ever.
		if err := o.leadAll(ctx, led, fn); err != nil {
			return nil, err
		}
		for _, m := range followed {
			if err := m.flight.wait(ctx); err != nil {
				return nil, err
			}
		}
		for _, m := range slices.Concat(led, followed) {
			found[m.at] = m.flight.entry // nil if it was interrupted, or another process makes the call
		}
		isMissing := func(m *member) bool { return m.flight.entry == nil }
		switch {
		case slices.ContainsFunc(led, isMissing): // held by another process
			select {
			case <-time.After(claimEvery):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case !slices.ContainsFunc(followed, isMissing):
			return found, nil
		}
	}
}

// joinAll joins the flights of the calls without an entry: led are the calls of this batch, followed the calls of
// other batches.
func (o *Once) joinAll(asked, found []*Entry) (led, followed []*member) {
	for i, e := range asked {
		if found[i] != nil {
			continue
		}
		m := &member{call: call{e.Key, e.Source}, entry: e, at: i}
		if o.AnySource {
			m.call.source = ""
		}
		var leader bool
		if m.flight, leader = o.join(m.call); leader {
			led = append(led, m)
		} else {
			followed = append(followed, m)
		}
	}
	return led, followed
}

// wait waits for the end of a flight, and returns its error if the call is not to be made again.
func (f *flight) wait(ctx context.Context) error {
	select {
	case <-f.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if f.interrupted {
		return nil
	}
	return f.err
}

// A member is a call of a batch.
type member struct {
	call   call
	entry  *Entry
	at     int // in the batch
	flight *flight
}

// leadAll makes the calls of a batch for all callers that wait for them. It
// releases them even if fn panics.
func (o *Once) leadAll(ctx context.Context, led []*member, fn func(context.Context, []*Entry) error) error {
	if len(led) == 0 {
		return nil
	}
	err := fmt.Errorf("call %s: crashed where the same call was made first", led[0].entry.Step)
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, m := range led {
			if m.flight.entry == nil {
				m.flight.err, m.flight.interrupted = err, interrupted(ctx, err)
			}
			delete(o.inFlight, m.call)
			close(m.flight.done)
		}
	}()
	err = o.doAll(ctx, led, fn)
	return err
}

func (o *Once) doAll(ctx context.Context, led []*member, fn func(context.Context, []*Entry) error) error {
	var missing []*member
	for _, m := range led {
		known, err := o.Journal.Lookup(ctx, m.call.key, m.call.source)
		if err != nil {
			return err
		}
		if m.flight.entry = known; known == nil {
			missing = append(missing, m)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := Stopping(ctx).Err(); err != nil {
		return err
	}
	missing, err := o.claimAll(ctx, missing)
	defer o.releaseAll(missing)
	if err != nil || len(missing) == 0 {
		return err
	}
	entries := make([]*Entry, len(missing))
	for i, m := range missing {
		entries[i] = m.entry
	}
	inFlight.Add(int64(len(missing)))
	defer inFlight.Add(-int64(len(missing)))
	if err := fn(ctx, entries); err != nil {
		return err
	}
	return o.appendAll(context.WithoutCancel(ctx), missing)
}

// claimAll claims calls, and returns those that are this process's to make. Those that
// another process has made meanwhile have their entry then; the others have none.
func (o *Once) claimAll(ctx context.Context, missing []*member) ([]*member, error) {
	if o.Claimer == nil {
		return missing, nil
	}
	claims := make([]Claim, len(missing))
	var group errgroup.Group
	group.SetLimit(maxAppends)
	for i, m := range missing {
		group.Go(func() (err error) {
			claims[i], err = o.Claimer.Claim(ctx, m.call.key, m.call.source)
			return err
		})
	}
	err := group.Wait()
	var mine []*member
	for i, m := range missing {
		switch e := claims[i].Entry; {
		case claims[i].Mine:
			mine = append(mine, m)
		case e != nil && e.Outcome == omniscope.OK:
			m.flight.entry = e
		case e != nil:
			err = errors.Join(err, failedElsewhere(e))
		}
	}
	return mine, err
}

// releaseAll gives up the claims of calls that were not made.
func (o *Once) releaseAll(claimed []*member) {
	for _, m := range claimed {
		if m.flight.entry == nil {
			o.release(m.call)
		}
	}
}

// appendAll makes completed entries durable.
func (o *Once) appendAll(ctx context.Context, missing []*member) error {
	var group errgroup.Group
	group.SetLimit(maxAppends)
	for _, m := range missing {
		group.Go(func() error {
			if m.entry.Outcome != omniscope.OK {
				return fmt.Errorf("call %s was not completed", m.entry.Step)
			}
			if err := o.Journal.Append(ctx, m.entry); err != nil {
				return err
			}
			m.flight.entry = m.entry
			return nil
		})
	}
	return group.Wait()
}
