package sqlite

import (
	"context"
	"database/sql"
	"time"

	"omniscope/run/journal"
)

// Runs lists the runs, oldest first.
func (s *Store) Runs(ctx context.Context) (runs []journal.Run, err error) {
	err = each(ctx, s.read, func(rows *sql.Rows) (err error) {
		var r journal.Run
		var created string
		if err = rows.Scan(&r.Name, &created, &r.Kind, &r.Manifest, &r.Calls, &r.Answers); err == nil {
			r.Created, err = time.Parse(time.RFC3339, created)
		}
		if err != nil {
			return &brokenRow{err}
		}
		runs = append(runs, r)
		return nil
	}, `SELECT name, created, kind, manifest,
		  (SELECT count(*) FROM call WHERE run = run.id),
		  (SELECT count(*) FROM call WHERE run = run.id AND outcome = 1)
		FROM run ORDER BY id`)
	return runs, s.fail("list runs", err)
}
