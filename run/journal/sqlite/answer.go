package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
)

// An answer is a usable answer, and where it lies.
type answer struct {
	*run.Entry
	id, run int64
}

// since limits which answers count: those of one run that were added after a
// call. The zero value is no limit.
type since struct {
	run, call int64
}

// Answer returns the usable answer under key of any run, nil if there is none.
// With a source it only returns one by that source, without one the newest.
// One that was changed after it was written is a *store.DamagedError.
func (s *Store) Answer(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	a, err := s.answer(ctx, key, source, since{})
	return a.Entry, err
}

func (s *Store) answer(ctx context.Context, key run.Key, source string, from since) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	if !s.known.maybe(key) {
		return answer{}, nil
	}
	// A lookup takes microseconds; watching ctx meanwhile would cost as much again.
	if from == (since{}) {
		return s.scanAnswer(key, s.lookup.QueryRowContext(context.Background(), key[:], source))
	}
	return s.scanAnswer(key, s.read.QueryRowContext(context.Background(), lookupSince, key[:], source, from.run, from.call))
}

func (s *Store) scanAnswer(key run.Key, row *sql.Row) (answer, error) {
	a := answer{Entry: &run.Entry{Key: key, Outcome: omniscope.OK}}
	var started int64
	var checksum sql.NullInt64
	err := row.Scan(&a.id, &a.run, &a.Step, &a.Attempt, &a.Kind, &a.Source, &started, &a.Result, &checksum)
	if errors.Is(err, sql.ErrNoRows) {
		return answer{}, nil
	}
	if err != nil {
		return answer{}, s.fail("look up "+key.String(), err)
	}
	a.Started = time.UnixMicro(started).UTC()
	if checksum.Valid && checksum.Int64 != journal.RowChecksum(a.Entry) {
		return answer{}, s.fail("look up "+key.String(), journal.Mismatch(a.id, a.Entry))
	}
	return a, nil
}

// Has reports whether there is a usable answer under key.
func (s *Store) Has(ctx context.Context, key run.Key, source string) (bool, error) {
	a, err := s.answer(ctx, key, source, since{})
	return a.Entry != nil, err
}

// RunAnswer returns the usable answer under key that the named run used, whether
// that run or another one made the call. It returns nil if there is none.
func (s *Store) RunAnswer(ctx context.Context, name string, key run.Key) (*run.Entry, error) {
	a, err := s.scanAnswer(key, s.read.QueryRowContext(ctx, `
		WITH this AS (SELECT id FROM run WHERE name = ?2)
		SELECT id, run, step, attempt, kind, source, started, result, checksum FROM call INDEXED BY call_answer
		WHERE key = ?1 AND outcome = 1
		  AND (run = (SELECT id FROM this) OR id IN (SELECT call FROM used WHERE run = (SELECT id FROM this)))
		ORDER BY id DESC LIMIT 1`, key[:], name))
	return a.Entry, err
}
