package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	"omniscope/run/journal"

	"omniscope"
)

// Calls yields the calls that a run rests on, its own and those of other runs
// it was given, in the order they were remembered, with their request texts. step limits them to one step; "" means all. After an
// error it yields nothing more.
func (s *Store) Calls(ctx context.Context, runName, step string) iter.Seq2[*journal.Call, error] {
	return func(yield func(*journal.Call, error) bool) {
		err := s.calls(ctx, func(c *journal.Call) error {
			if !yield(c, nil) {
				return errEnough
			}
			return nil
		}, selectCalls, runName, step)
		if err != nil && err != errEnough {
			yield(nil, s.fail("read run "+runName, err))
		}
	}
}

var errEnough = errors.New("no more rows are wanted")

// The inner SELECT finds the rows by the indexes alone and hands on their ids in
// order, so that the results, which are large, need no sorting.
const selectCalls = `WITH this AS (SELECT id FROM run WHERE name = ?1)
	SELECT ` + columnsOfCall + `
	FROM call JOIN run ON run.id = call.run
	WHERE call.id IN (SELECT id FROM call INDEXED BY call_step WHERE run = (SELECT id FROM this) AND (?2 = '' OR step = ?2)
			UNION SELECT call FROM used WHERE run = (SELECT id FROM this))
		AND (?2 = '' OR step = ?2)
	ORDER BY call.id`

// calls calls do with the calls that a query returns, up to an error.
func (s *Store) calls(ctx context.Context, do func(*journal.Call) error, query string, args ...any) error {
	texts := texts{store: s, files: make(map[string]*os.File)}
	defer texts.close()
	return each(ctx, s.read, func(rows *sql.Rows) error {
		c, err := scanCall(rows, &texts)
		if err != nil {
			return err
		}
		return do(c)
	}, query, args...)
}

// each calls do with the rows of a query, up to an error.
func each(ctx context.Context, db *sql.DB, do func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanCall(rows *sql.Rows, texts *texts) (*journal.Call, error) {
	c := &journal.Call{}
	var key []byte
	var started, at, size int64
	var checksum, requestChecksum sql.NullInt64
	var numbers [7]sql.NullInt64 // NULL in rows of version 1
	var usd, lostUSD sql.NullFloat64
	if err := rows.Scan(&c.ID, &c.Run, &key, &c.Step, &c.Attempt, &c.Kind, &c.Source, &c.Outcome, &started, &at, &size, &c.Result,
		&checksum, &requestChecksum, &numbers[0], &numbers[1], &usd, &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6], &lostUSD); err != nil {
		return nil, &brokenRow{err}
	}
	if c.Outcome > omniscope.Pending {
		return nil, &brokenRow{fmt.Errorf("call %d has no outcome that there is, %d", c.ID, int(c.Outcome))}
	}
	for i, to := range []*int{&c.Cost.TokensIn, &c.Cost.TokensOut, &c.Cost.Tries, &c.Cost.RateLimited, &c.Cost.Lost.Tries, &c.Cost.Lost.TokensIn, &c.Cost.Lost.TokensOut} {
		*to = int(numbers[i].Int64)
	}
	c.Cost.USD, c.Cost.Lost.USD = usd.Float64, lostUSD.Float64
	copy(c.Key[:], key)
	c.Started = time.UnixMicro(started).UTC()
	file, err := texts.of(c.Run)
	if err != nil {
		return nil, err
	}
	c.Request = readRequest(file, at, size)
	c.RequestLost = c.Request == nil && size > 0
	c.Check(checksum, requestChecksum)
	return c, nil
}

// texts are the files of request texts of the runs whose calls are read.
type texts struct {
	store *Store
	files map[string]*os.File
}

// of returns a run's file, nil where there is none.
func (t *texts) of(runName string) (*os.File, error) {
	if f, ok := t.files[runName]; ok {
		return f, nil
	}
	f, err := os.Open(t.store.requestsPath(runName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	t.files[runName] = f
	return f, nil
}

func (t *texts) close() {
	for _, f := range t.files {
		f.Close() // nothing was written; a nil file only says so
	}
}
