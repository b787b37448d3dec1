package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"iter"
	"os"
	"time"

	"omniscope/run"
)

// A Call is an entry as the journal shows it.
type Call struct {
	run.Entry
	ID int64 // position in the journal
}

// Calls yields the calls of a run in the order they were remembered, with
// their request texts. step limits them to one step; "" means all. After an
// error it yields nothing more.
func (s *Store) Calls(ctx context.Context, runName, step string) iter.Seq2[*Call, error] {
	return func(yield func(*Call, error) bool) {
		wanted := true
		err := s.calls(ctx, runName, step, func(c *Call) bool {
			wanted = yield(c, nil)
			return wanted
		})
		if err != nil && wanted {
			yield(nil, s.fail("read run "+runName, err))
		}
	}
}

// The inner SELECT finds the rows by the index alone and hands on their ids in
// order, so that the results, which are large, need no sorting.
const selectCalls = `SELECT id, key, step, attempt, kind, source, outcome, started, request_at, request_bytes, result
	FROM call WHERE id IN (SELECT id FROM call INDEXED BY call_step
		WHERE run = (SELECT id FROM run WHERE name = ?1) AND (?2 = '' OR step = ?2)) ORDER BY id`

func (s *Store) calls(ctx context.Context, runName, step string, yield func(*Call) bool) error {
	texts, err := os.Open(s.requestsPath(runName))
	if err == nil {
		defer texts.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rows, err := s.read.QueryContext(ctx, selectCalls, runName, step)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		c, err := scanCall(rows, texts)
		if err != nil {
			return err
		}
		if !yield(c) {
			return nil
		}
	}
	return rows.Err()
}

func scanCall(rows *sql.Rows, texts *os.File) (*Call, error) {
	c := &Call{}
	var key []byte
	var started, at, size int64
	if err := rows.Scan(&c.ID, &key, &c.Step, &c.Attempt, &c.Kind, &c.Source, &c.Outcome, &started, &at, &size, &c.Result); err != nil {
		return nil, err
	}
	copy(c.Key[:], key)
	c.Started = time.UnixMicro(started).UTC()
	c.Request = readRequest(texts, at, size)
	return c, nil
}
