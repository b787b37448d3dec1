package sqlite

import (
	"context"
	"database/sql"
	"time"

	"omniscope/run"
	"omniscope/run/journal"
)

// Damage asks SQLite whether tables and indexes are whole.
func (s *Store) Damage(ctx context.Context) (found []string) {
	err := each(ctx, s.read, func(rows *sql.Rows) error {
		var what string
		err := rows.Scan(&what)
		if err == nil && what != "ok" {
			found = append(found, what)
		}
		return err
	}, "PRAGMA integrity_check(20)")
	if err != nil {
		found = append(found, err.Error())
	}
	return found
}

// CheckFailures returns a *store.DamagedError where one of the run's failed calls was
// changed after it was written: it may have been a usable answer.
func (j *Journal) CheckFailures(ctx context.Context) error {
	return j.store.fail("check the failed calls", each(ctx, j.store.read, func(rows *sql.Rows) error {
		var id, started, checksum int64
		var key []byte
		e := &run.Entry{}
		if err := rows.Scan(&id, &key, &e.Step, &e.Attempt, &e.Kind, &e.Source, &e.Outcome, &started, &e.Result, &checksum); err != nil {
			return &brokenRow{err}
		}
		copy(e.Key[:], key)
		if e.Started = time.UnixMicro(started); checksum != journal.RowChecksum(e) {
			return journal.Mismatch(id, e)
		}
		return nil
	}, `SELECT id, key, step, attempt, kind, source, outcome, started, result, checksum
		FROM call INDEXED BY call_step WHERE run = ? AND outcome <> 1 AND checksum IS NOT NULL`, j.runID))
}
