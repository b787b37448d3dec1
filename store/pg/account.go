package pg

import (
	"context"

	"github.com/jackc/pgx/v5"

	"omniscope/run"
)

var _ run.Account = (*Journal)(nil)

// Draw implements run.Account.
func (j *Journal) Draw(ctx context.Context, need, want, limit run.Amount) (granted run.Amount, err error) {
	err = j.store.retry(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, j.store.loose, func(tx pgx.Tx) error {
			drawn, err := j.drawn(ctx, tx)
			if err != nil {
				return err
			}
			granted = grant(need, want, limit, drawn)
			return add(ctx, tx, j.id, granted)
		})
	})
	if err != nil {
		return run.Amount{}, j.store.fail("draw on the budget", err)
	}
	return granted, nil
}

// Settle implements run.Account.
func (j *Journal) Settle(ctx context.Context, unspent run.Amount) error {
	err := j.store.retry(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, j.store.loose, func(tx pgx.Tx) error {
			return add(ctx, tx, j.id, run.Amount{}.Minus(unspent))
		})
	})
	if err != nil {
		return j.store.fail("settle the budget", err)
	}
	return nil
}

// drawn returns what has been drawn, and locks it.
func (j *Journal) drawn(ctx context.Context, tx pgx.Tx) (a run.Amount, err error) {
	if _, err := tx.Exec(ctx, "INSERT INTO budget VALUES($1, 0, 0, 0) ON CONFLICT DO NOTHING", j.id); err != nil {
		return a, err
	}
	err = tx.QueryRow(ctx, "SELECT nano_usd, tokens, calls FROM budget WHERE run = $1 FOR UPDATE", j.id).Scan(&a.NanoUSD, &a.Tokens, &a.Calls)
	return a, err
}

func add(ctx context.Context, tx pgx.Tx, id int64, a run.Amount) error {
	_, err := tx.Exec(ctx, "UPDATE budget SET nano_usd = nano_usd + $2, tokens = tokens + $3, calls = calls + $4 WHERE run = $1", id, a.NanoUSD, a.Tokens, a.Calls)
	return err
}

// grant decides what may be drawn.
func grant(need, want, limit, drawn run.Amount) run.Amount {
	granted := want
	for _, d := range []struct {
		need, limit, drawn int64
		granted            *int64
	}{
		{need.NanoUSD, limit.NanoUSD, drawn.NanoUSD, &granted.NanoUSD},
		{need.Tokens, limit.Tokens, drawn.Tokens, &granted.Tokens},
		{need.Calls, limit.Calls, drawn.Calls, &granted.Calls},
	} {
		if d.limit == 0 {
			continue
		}
		left := d.limit - d.drawn
		if d.need > 0 && left < d.need {
			return run.Amount{}
		}
		*d.granted = max(0, min(*d.granted, left))
	}
	return granted
}
