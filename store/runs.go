package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/spelling"
)

// A Run is one line of the list of runs.
type Run struct {
	Name     string
	Created  time.Time
	Manifest string // JSON
	Calls    int    // of models and tools
	Answers  int    // calls with a usable answer
	Usage    Usage  // of the calls of models
}

// Runs lists the runs, oldest first.
func (s *Store) Runs(ctx context.Context) ([]Run, error) {
	runs, err := s.runs(ctx)
	if err != nil {
		return nil, s.fail("list runs", err)
	}
	return runs, nil
}

func (s *Store) runs(ctx context.Context) ([]Run, error) {
	rows, err := s.read.QueryContext(ctx, `
		SELECT name, created, manifest,
		  (SELECT count(*) FROM call WHERE run = run.id),
		  (SELECT count(*) FROM call WHERE run = run.id AND outcome = 1)
		FROM run ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var runs []Run
	for rows.Next() {
		var r Run
		var created string
		if err := rows.Scan(&r.Name, &created, &r.Manifest, &r.Calls, &r.Answers); err != nil {
			return nil, &brokenRow{err}
		}
		if r.Created, err = time.Parse(time.RFC3339, created); err != nil {
			return nil, &brokenRow{err}
		}
		runs = append(runs, r)
	}
	return runs, rows.Err()
}

// FindRun returns the run called name, or the only one that starts with it. The
// error where there is none offers the runs whose names start nearly so.
func (s *Store) FindRun(ctx context.Context, name string) (Run, error) {
	runs, err := s.Runs(ctx)
	if err != nil {
		return Run{}, err
	}
	var found []Run
	var names []string
	for _, r := range runs {
		if r.Name == name {
			return r, nil
		}
		if strings.HasPrefix(r.Name, name) {
			found, names = append(found, r), append(names, r.Name)
		}
	}
	switch len(found) {
	case 0:
		return Run{}, &omniscope.Error{Kind: omniscope.NotFound, Op: "find run",
			Err: fmt.Errorf("no run %q in %s; `omniscope journal show` lists the runs%s", name, s.dir, spelling.Offer(nearRuns(name, runs)))}
	case 1:
		return found[0], nil
	}
	return Run{}, &omniscope.Error{Kind: omniscope.Usage, Op: "find run",
		Err: fmt.Errorf("%q fits several runs: %s; give more of the name", name, strings.Join(names, ", "))}
}
