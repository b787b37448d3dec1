package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgtext"
	"omniscope/run"
	"omniscope/run/journal"
)

// A call is what an answer is looked up by. source "" is any.
type call struct {
	key    run.Key
	source string
}

// An answer is a usable answer, and where it lies. Entry is nil where there is none.
type answer struct {
	*run.Entry
	id, run int64
	damaged error
}

// since limits which answers count: those of one run that were added after a call. The
// zero value is no limit.
type since struct {
	run, call int64
}

const columnsOfAnswer = "id, run, key, step, attempt, kind, source, outcome, started, result, checksum"

// lookupAll finds an answer for each of several calls, which are numbered from 1.
const lookupAll = `SELECT k.n, c.* FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k(asked, by, n),
	LATERAL (SELECT ` + columnsOfAnswer + ` FROM call WHERE key = k.asked AND outcome = 1 AND NOT late AND (k.by = '' OR source = k.by)
		AND ($3 = 0 OR run = $3 AND id > $4) ORDER BY id DESC LIMIT 1) c`

// lookup finds answers, in the order asked.
func (s *Store) lookup(ctx context.Context, asked []call, from since) (found []answer, err error) {
	keys, sources := columns(asked)
	err = s.retry(ctx, func(ctx context.Context) error {
		rows, _ := s.loose.Query(ctx, lookupAll, keys, sources, from.run, from.call)
		found, err = scanAnswers(rows, len(asked))
		return err
	})
	return found, err
}

// columns are calls as a query takes them.
func columns(asked []call) (keys [][16]byte, sources []string) {
	for _, c := range asked {
		keys, sources = append(keys, c.key), append(sources, pgtext.Encode(c.source))
	}
	return keys, sources
}

// scanAnswers reads rows that begin with the number of the call they answer, of n calls.
func scanAnswers(rows pgx.Rows, n int) ([]answer, error) {
	defer rows.Close()
	found := make([]answer, n)
	for rows.Next() {
		var at int
		var a answer
		if err := a.scan(rows, &at); err != nil {
			return nil, err
		}
		found[at-1] = a
	}
	return found, rows.Err()
}

// scan reads columnsOfAnswer behind others.
func (a *answer) scan(row pgx.Row, before ...any) error {
	a.Entry = &run.Entry{}
	var started, checksum int64
	var outcome int16
	err := row.Scan(append(before, &a.id, &a.run, (*[16]byte)(&a.Key), &a.Step, &a.Attempt, &a.Kind, &a.Source, &outcome, &started, &a.Result, &checksum)...)
	if err != nil {
		return err
	}
	a.Step, a.Source, a.Outcome, a.Started = pgtext.Decode(a.Step), pgtext.Decode(a.Source), omniscope.Outcome(outcome), time.UnixMicro(started).UTC()
	if checksum != journal.RowChecksum(a.Entry) {
		a.damaged = journal.Mismatch(a.id, a.Entry)
	}
	return nil
}

// Has implements store.Store.
func (s *Store) Has(ctx context.Context, key run.Key, source string) (bool, error) {
	return s.has(ctx, call{key, source}, since{})
}

func (s *Store) has(ctx context.Context, c call, from since) (bool, error) {
	found, err := s.lookup(ctx, []call{c}, from)
	if err == nil {
		err = found[0].damaged
	}
	if err != nil {
		return false, s.fail("look up "+c.key.String(), err)
	}
	return found[0].Entry != nil, nil
}

// HasFresh implements store.Store.
func (s *Store) HasFresh(ctx context.Context, name string, key run.Key, source string) (bool, error) {
	from, err := s.freshFrom(ctx, name)
	if err != nil {
		return false, s.fail("read run "+name, err)
	}
	if from == (since{}) {
		return false, nil
	}
	return s.has(ctx, call{key, source}, from)
}

// RunAnswer implements store.Store.
func (s *Store) RunAnswer(ctx context.Context, name string, key run.Key) (*run.Entry, error) {
	var a answer
	err := s.retry(ctx, func(ctx context.Context) error {
		return a.scan(s.loose.QueryRow(ctx, `SELECT `+columnsOfAnswer+` FROM call
			WHERE key = $1 AND outcome = 1 AND NOT late AND (run = (SELECT id FROM run WHERE name = $2)
				OR id IN (SELECT call FROM used WHERE run = (SELECT id FROM run WHERE name = $2)))
			ORDER BY id DESC LIMIT 1`, [16]byte(key), pgtext.Encode(name)))
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err == nil:
		err = a.damaged
	}
	if err != nil {
		return nil, s.fail("look up "+key.String(), err)
	}
	return a.Entry, nil
}
