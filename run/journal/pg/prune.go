package pg

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgtext"
	"omniscope/run/journal"
)

var errNotReally = errors.New("only to see what would be deleted")

// Prune implements store.Store. A run whose calls others rest on stays with these.
func (s *Store) Prune(ctx context.Context, runs []string, texts, really bool) (sum journal.Pruned, err error) {
	err = s.retry(ctx, func(ctx context.Context) error {
		sum = journal.Pruned{}
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := pruneRuns(ctx, tx, runs, texts, &sum); err != nil {
				return err
			}
			if !really {
				return errNotReally // rolls back
			}
			return nil
		})
	})
	if err != nil && !errors.Is(err, errNotReally) {
		return sum, s.fail("prune", err)
	}
	return sum, nil
}

func pruneRuns(ctx context.Context, tx pgx.Tx, runs []string, texts bool, sum *journal.Pruned) error {
	ids := make([]int64, len(runs))
	for i, name := range runs {
		var busy bool
		err := tx.QueryRow(ctx, "SELECT id, EXISTS (SELECT 1 FROM holder WHERE holder.run = run.id AND until > now()) FROM run WHERE name = $1 FOR UPDATE", pgtext.Encode(name)).Scan(&ids[i], &busy)
		if err != nil {
			return err
		}
		if busy {
			return omniscope.Usagef("somebody works on run %s: wait until that has ended (`omniscope worker check` shows who)", name)
		}
	}
	if !texts { // first of all: these runs may rest on each other
		if _, err := tx.Exec(ctx, "DELETE FROM used WHERE run = ANY($1)", ids); err != nil {
			return err
		}
	}
	for _, id := range ids {
		sum.Runs++
		if !texts {
			if err := pruneRun(ctx, tx, id, sum); err != nil {
				return err
			}
			continue
		}
		deleted, err := tx.Exec(ctx, "DELETE FROM request WHERE key IN (SELECT key FROM call WHERE run = $1)", id)
		if err != nil {
			return err
		}
		sum.Texts += int(deleted.RowsAffected())
	}
	if texts {
		return nil
	}
	_, err := tx.Exec(ctx, "DELETE FROM request WHERE NOT EXISTS (SELECT 1 FROM call WHERE call.key = request.key)")
	return err
}

func pruneRun(ctx context.Context, tx pgx.Tx, id int64, sum *journal.Pruned) error {
	deleted, err := tx.Exec(ctx, "DELETE FROM call WHERE run = $1 AND NOT EXISTS (SELECT 1 FROM used WHERE used.call = call.id)", id)
	if err != nil {
		return err
	}
	var kept int
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM call WHERE run = $1", id).Scan(&kept); err != nil {
		return err
	}
	sum.Calls += int(deleted.RowsAffected())
	sum.Kept += kept
	for _, table := range []string{"DELETE FROM done WHERE run = $1", "DELETE FROM budget WHERE run = $1"} {
		if _, err := tx.Exec(ctx, table, id); err != nil {
			return err
		}
	}
	if kept == 0 {
		_, err = tx.Exec(ctx, "DELETE FROM run WHERE id = $1", id)
	}
	return err
}
