package people

import (
	"context"
	"iter"
)

// A Log keeps events for good. One process at a time has it open for writing.
type Log interface {
	// Append adds events, all or none, and returns once they are on the disk. Their Seq go on from
	// the last one in the log; no two events have the same ID. Anything else is an error, and so is
	// another process that writes.
	Append(ctx context.Context, events []*Event) error
	// Known returns the places of those of the events that are there already, by their IDs.
	Known(ctx context.Context, ids []string) (map[string]int64, error)
	// Events reads events in order, from the one after a place.
	Events(ctx context.Context, after int64) iter.Seq2[*Event, error]
	// OfTask reads the events of one task, in order.
	OfTask(ctx context.Context, task TaskID) iter.Seq2[*Event, error]
	// At reads one event. An event that is not there is an error of kind NotFound.
	At(ctx context.Context, seq int64) (*Event, error)
	Close() error
}
