package people

import (
	"context"
	"encoding/json"
	"iter"
	"time"
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

// EventColumns are the columns of an event in a table, in the order in which ScanEvent reads them.
const EventColumns = "seq, id, at, by, kind, item, stage, person, base, active_ms, body"

// ScanEvent reads an event from the row of a table. It returns an event with an error, too.
func ScanEvent(row interface{ Scan(to ...any) error }) (*Event, error) {
	e := &Event{}
	var at int64 // microseconds since 1970
	var body []byte
	err := row.Scan(&e.Seq, &e.ID, &at, &e.By, &e.Kind, &e.Task.Item, &e.Task.Stage, &e.Task.Person, &e.Base, &e.ActiveMS, &body)
	e.At = time.UnixMicro(at).UTC()
	if len(body) > 0 {
		e.Body = json.RawMessage(body)
	}
	return e, err
}
