package sqlite

import (
	"context"
	"time"

	"omniscope/run/journal"
)

// Runs lists the runs, oldest first.
func (s *Store) Runs(ctx context.Context) ([]journal.Run, error) {
	runs, err := s.runs(ctx)
	if err != nil {
		return nil, s.fail("list runs", err)
	}
	return runs, nil
}

func (s *Store) runs(ctx context.Context) ([]journal.Run, error) {
	rows, err := s.read.QueryContext(ctx, `
		SELECT name, created, kind, manifest,
		  (SELECT count(*) FROM call WHERE run = run.id),
		  (SELECT count(*) FROM call WHERE run = run.id AND outcome = 1)
		FROM run ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var runs []journal.Run
	for rows.Next() {
		var r journal.Run
		var created string
		if err := rows.Scan(&r.Name, &created, &r.Kind, &r.Manifest, &r.Calls, &r.Answers); err != nil {
			return nil, &brokenRow{err}
		}
		if r.Created, err = time.Parse(time.RFC3339, created); err != nil {
			return nil, &brokenRow{err}
		}
		runs = append(runs, r)
	}
	return runs, rows.Err()
}
