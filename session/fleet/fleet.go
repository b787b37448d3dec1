// Package fleet has the work of runs done by workers, processes on any machines: the
// command that wants a run's results hands out its units as parts (Ordering.Do), workers
// do them (Serve), and Attach and Check look on. Parts go by the queue of run/river, and
// questions, observations and results by the journal of run/journal/pg, both in one database.
package fleet

import (
	"context"
	"io"
	"time"

	"omniscope"
	"omniscope/run/journal/pg"
	"omniscope/run/river"
	"omniscope/session"
)

// A base is the database that a fleet shares.
type base struct {
	*pg.Store
	queue *river.Queue
}

// openBase opens the database at an address. who needs it is for the error that says how
// to name one.
func openBase(ctx context.Context, who, at string, lease time.Duration, warnings io.Writer) (*base, error) {
	if !pg.Is(at) {
		return nil, omniscope.Usagef("%s a journal that workers share: --journal postgres://user@host/database", who)
	}
	s, err := pg.Open(ctx, at, pg.Options{Lease: lease, Warnings: warnings})
	if err != nil {
		return nil, err
	}
	q, err := river.Open(ctx, at)
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return &base{s, q}, nil
}

// Close closes the database.
func (b *base) Close() error {
	b.queue.Close()
	return b.Store.Close()
}

// unitsOf is how many units a part of a queue has.
func unitsOf(queue string) int {
	if queue == session.CallsQueue {
		return 25
	}
	return 1
}
