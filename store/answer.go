package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"omniscope"
	"omniscope/run"
)

// Answer returns the usable answer under key of any run, nil if there is none.
// With a source it only returns one by that source, without one the newest.
func (s *Store) Answer(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !s.known.maybe(key) {
		return nil, nil
	}
	e := &run.Entry{Key: key, Outcome: omniscope.OK}
	var started int64
	// A lookup takes microseconds; watching ctx meanwhile would cost as much again.
	err := s.lookup.QueryRowContext(context.Background(), key[:], source).
		Scan(&e.Step, &e.Attempt, &e.Kind, &e.Source, &started, &e.Result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.fail("look up "+key.String(), err)
	}
	e.Started = time.UnixMicro(started).UTC()
	return e, nil
}

// Has reports whether there is a usable answer under key.
func (s *Store) Has(ctx context.Context, key run.Key, source string) (bool, error) {
	e, err := s.Answer(ctx, key, source)
	return e != nil, err
}
