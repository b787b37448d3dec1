package pg

import (
	"context"
	"database/sql"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgtext"
	"omniscope/run"
	"omniscope/run/journal"
)

// Runs implements store.Store.
func (s *Store) Runs(ctx context.Context) ([]journal.Run, error) {
	return s.runs(ctx, `SELECT name, created, run.kind, manifest, count(call.id), count(call.id) FILTER (WHERE outcome = 1)
		FROM run LEFT JOIN call ON call.run = run.id GROUP BY run.id ORDER BY run.id`)
}

// List implements store.Store.
func (s *Store) List(ctx context.Context) ([]journal.Run, error) {
	return s.runs(ctx, "SELECT name, created, kind, manifest, 0::bigint, 0::bigint FROM run ORDER BY id")
}

func (s *Store) runs(ctx context.Context, query string) ([]journal.Run, error) {
	return collect(ctx, s, "list runs", query, func(row pgx.CollectableRow) (r journal.Run, err error) {
		err = row.Scan(&r.Name, &r.Created, &r.Kind, &r.Manifest, &r.Calls, &r.Answers)
		r.Name, r.Manifest, r.Created = pgtext.Decode(r.Name), pgtext.Decode(r.Manifest), r.Created.UTC().Truncate(time.Second)
		return r, err
	})
}

// HasRun implements store.Store.
func (s *Store) HasRun(ctx context.Context, name string) (has bool, err error) {
	err = s.do(ctx, "find run "+name, func(ctx context.Context) error {
		return s.loose.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM run WHERE name = $1)", pgtext.Encode(name)).Scan(&has)
	})
	return has, err
}

// Damage implements store.Store. What the server's pages hold is its operator's business
// (pg_amcheck); each call carries a checksum.
func (s *Store) Damage(ctx context.Context) []string {
	if err := s.pool.Ping(ctx); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// selectCalls reads whole calls; what follows it says which.
const selectCalls = `SELECT call.id, run.name, call.key, step, attempt, call.kind, source, outcome, late, started, result, request_bytes, checksum, request_checksum, body,
		tokens_in, tokens_out, cost_usd, tries, rate_limited, lost_tries, lost_tokens_in, lost_tokens_out, lost_cost_usd
	FROM call JOIN run ON run.id = call.run LEFT JOIN request ON request.key = call.key `

// ofRun finds the calls that the run called $1 rests on.
const ofRun = `call.id IN (SELECT id FROM call WHERE run = (SELECT id FROM run WHERE name = $1)
	UNION SELECT call FROM used WHERE run = (SELECT id FROM run WHERE name = $1))`

// Calls implements store.Store.
func (s *Store) Calls(ctx context.Context, name, step string) iter.Seq2[*journal.Call, error] {
	return func(yield func(*journal.Call, error) bool) {
		rows, _ := s.loose.Query(ctx, selectCalls+"WHERE "+ofRun+" AND ($2 = '' OR step = $2) ORDER BY call.id", pgtext.Encode(name), pgtext.Encode(step))
		defer rows.Close()
		for rows.Next() {
			c, err := scanCall(rows)
			if err != nil {
				yield(nil, s.fail("read run "+name, err))
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil { // of the query, too
			yield(nil, s.fail("read run "+name, err))
		}
	}
}

// About implements store.Store.
func (s *Store) About(ctx context.Context, name, unit string) ([]*journal.Call, error) {
	return collect(ctx, s, "read run "+name, selectCalls+`WHERE `+ofRun+` AND (step = $2 OR step = $2 || ' (blind)' OR step >= $2 || '/' AND step < $2 || '0')
		ORDER BY call.id`, scanCall, pgtext.Encode(name), pgtext.Encode(unit))
}

// Latest implements store.Store.
func (s *Store) Latest(ctx context.Context, name string, before int64, n int, failed bool) ([]*journal.Call, error) {
	return collect(ctx, s, "read run "+name, selectCalls+`WHERE call.run = (SELECT id FROM run WHERE name = $1) AND ($2 = 0 OR call.id < $2) AND (NOT $4 OR outcome <> 1)
		ORDER BY call.id DESC LIMIT $3`, scanCall, pgtext.Encode(name), before, n, failed)
}

func scanCall(row pgx.CollectableRow) (*journal.Call, error) {
	c := &journal.Call{Entry: run.Entry{}}
	var started int64
	var outcome int16
	var size int
	var checksum, requestChecksum sql.NullInt64
	cost, lost := &c.Cost, &c.Cost.Lost
	err := row.Scan(&c.ID, &c.Run, (*[16]byte)(&c.Key), &c.Step, &c.Attempt, &c.Kind, &c.Source, &outcome, &c.Late, &started, &c.Result, &size, &checksum, &requestChecksum, &c.Request,
		&cost.TokensIn, &cost.TokensOut, &cost.USD, &cost.Tries, &cost.RateLimited, &lost.Tries, &lost.TokensIn, &lost.TokensOut, &lost.USD)
	if err != nil {
		return nil, err
	}
	c.Run, c.Step, c.Kind, c.Source = pgtext.Decode(c.Run), pgtext.Decode(c.Step), pgtext.Decode(c.Kind), pgtext.Decode(c.Source)
	c.Outcome, c.Started = omniscope.Outcome(outcome), time.UnixMicro(started).UTC()
	c.RequestLost = c.Request == nil && size > 0
	if size == 0 {
		c.Request = nil // another call with this key had a text
	}
	c.Check(checksum, requestChecksum)
	return c, nil
}
