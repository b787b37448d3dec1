package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"

	"omniscope/run/journal"
)

// Prune implements store.Store. A run whose calls others rest on stays with these.
func (s *Store) Prune(ctx context.Context, runs []string, texts, really bool) (sum journal.Pruned, err error) {
	sum, err = s.prune(ctx, runs, texts, really)
	return sum, s.fail("prune", err)
}

func (s *Store) prune(ctx context.Context, runs []string, texts, really bool) (sum journal.Pruned, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return sum, err
	}
	defer tx.Rollback()
	for _, name := range runs { // first of all: these runs may rest on each other
		if texts {
			break
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM used WHERE run = (SELECT id FROM run WHERE name = ?)", name); err != nil {
			return sum, err
		}
	}
	for _, name := range runs {
		if texts {
			err = tx.QueryRowContext(ctx, "SELECT ?1 + count(*) FROM call WHERE run = (SELECT id FROM run WHERE name = ?2) AND request_bytes > 0", sum.Texts, name).Scan(&sum.Texts)
			sum.Runs++
		} else {
			err = pruneRun(ctx, tx, name, &sum)
		}
		if err != nil {
			return sum, err
		}
	}
	if !really {
		return sum, nil
	}
	if err := tx.Commit(); err != nil {
		return sum, err
	}
	for _, name := range runs {
		if err := os.Remove(s.requestsPath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return sum, err
		}
	}
	if !texts {
		_, err = s.write.ExecContext(ctx, "VACUUM")
	}
	return sum, err
}

// pruneRun deletes a run and those of its calls that no other run rests on.
func pruneRun(ctx context.Context, tx *sql.Tx, name string, sum *journal.Pruned) error {
	var id int64
	if err := tx.QueryRowContext(ctx, "SELECT id FROM run WHERE name = ?", name).Scan(&id); err != nil {
		return err
	}
	deleted, err := tx.ExecContext(ctx, "DELETE FROM call WHERE run = ?1 AND id NOT IN (SELECT call FROM used)", id)
	if err != nil {
		return err
	}
	n, err := deleted.RowsAffected()
	if err != nil {
		return err
	}
	var kept int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM call WHERE run = ?", id).Scan(&kept); err != nil {
		return err
	}
	if kept == 0 {
		_, err = tx.ExecContext(ctx, "DELETE FROM run WHERE id = ?", id)
	}
	sum.Runs++
	sum.Calls += int(n)
	sum.Kept += kept
	return err
}
