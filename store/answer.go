package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"omniscope"
	"omniscope/run"
)

// selectAnswer finds a usable answer by key, from one source or, with source
// "", from any.
const selectAnswer = `SELECT step, attempt, kind, source, started, result
	FROM call WHERE key = ? AND outcome = 1 AND (source = ? OR ? = '') LIMIT 1`

// Answer returns the usable answer under key of any run, nil if there is none.
func (s *Store) Answer(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	if !s.known.maybe(key) {
		return nil, nil
	}
	e := &run.Entry{Key: key, Outcome: omniscope.OK}
	var started int64
	err := s.read.QueryRowContext(ctx, selectAnswer, key[:], source, source).
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
