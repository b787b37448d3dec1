package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"omniscope/run"
)

// A fresh run ignores older answers: it uses only those added since it began.
// The journal stores this mark, so a fresh run that was stopped by a budget, a
// kill or a power cut resumes as a fresh run until it ends.

// StartFresh makes the run ignore answers from before the fresh run began. If an
// unfinished fresh run exists, it resumes that one; else it begins one now and
// returns begun true.
func (j *Journal) StartFresh(ctx context.Context) (begun bool, err error) {
	from, err := j.store.freshFrom(ctx, j.name)
	if err == nil && from == (since{}) {
		begun = true
		_, err = j.store.write.ExecContext(ctx,
			"UPDATE run SET fresh_from = (SELECT coalesce(max(id), 0) FROM call), fresh_ended = 0 WHERE id = ?", j.runID)
		if err == nil {
			from, err = j.store.freshFrom(ctx, j.name)
		}
	}
	j.from = from
	return begun && err == nil, j.store.fail("start a fresh run", err)
}

// EndFresh records that the fresh run has ended, so that the next StartFresh
// begins a new one. Without StartFresh it does nothing.
func (j *Journal) EndFresh() error {
	if j.from == (since{}) {
		return nil
	}
	_, err := j.store.write.Exec("UPDATE run SET fresh_ended = 1 WHERE id = ?", j.runID)
	return j.store.fail("end a fresh run", err)
}

// freshFrom returns from where on answers count in a fresh run that has not
// come to its end, zero if there is none.
func (s *Store) freshFrom(ctx context.Context, name string) (from since, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT id, fresh_from FROM run WHERE name = ? AND fresh_ended = 0", name).Scan(&from.run, &from.call)
	if errors.Is(err, sql.ErrNoRows) {
		return since{}, nil
	}
	return from, err
}

// HasFresh reports whether the unfinished fresh run called name has a usable
// answer under key.
func (s *Store) HasFresh(ctx context.Context, name string, key run.Key, source string) (bool, error) {
	from, err := s.freshFrom(ctx, name)
	if err != nil {
		return false, s.fail("read run "+name, err)
	}
	if from == (since{}) {
		return false, nil
	}
	a, err := s.answer(ctx, key, source, from)
	return a.Entry != nil, err
}
