package pg

import (
	"context"

	"github.com/jackc/pgx/v5"

	"omniscope/run"
)

var _ run.Account = (*Journal)(nil)

// Draw implements run.Account.
func (j *Journal) Draw(ctx context.Context, need, want, limit run.Amount) (granted run.Amount, err error) {
	err = j.store.do(ctx, "draw on the budget", func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, j.store.pool, func(tx pgx.Tx) error {
			drawn, err := j.drawn(ctx, tx)
			if err != nil {
				return err
			}
			granted = grant(need, want, limit, drawn)
			return j.add(ctx, tx, granted)
		})
	})
	if err != nil {
		granted = run.Amount{} // it was not kept
	}
	return granted, err
}

// Settle implements run.Account.
func (j *Journal) Settle(ctx context.Context, unspent run.Amount) error {
	return j.store.do(ctx, "settle the budget", func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, j.store.loose, func(tx pgx.Tx) error {
			return j.add(ctx, tx, run.Amount{}.Minus(unspent))
		})
	})
}

const sumSpent = `SELECT coalesce(sum(round(cost_usd * 1e9)), 0)::bigint, coalesce(sum(tokens_in + tokens_out), 0)::bigint,
	coalesce(sum(CASE WHEN outcome = 1 THEN 1 ELSE 0 END + lost_tries), 0)::bigint
	FROM call WHERE run = $1 AND id > $2 AND kind IN ('model', 'transcript')`

// Spent implements run.Account. Money is summed call by call, each rounded to 1e-9 dollars.
func (j *Journal) Spent(ctx context.Context) (a run.Amount, err error) {
	err = j.store.do(ctx, "add up what was spent", func(ctx context.Context) error {
		return j.store.loose.QueryRow(ctx, sumSpent, j.id, j.opened).Scan(&a.NanoUSD, &a.Tokens, &a.Calls)
	})
	return a, err
}

// drawn returns what has been drawn, and locks it.
func (j *Journal) drawn(ctx context.Context, tx pgx.Tx) (a run.Amount, err error) {
	if _, err := tx.Exec(ctx, "INSERT INTO budget(run, nano_usd, tokens, calls) VALUES($1, 0, 0, 0) ON CONFLICT DO NOTHING", j.id); err != nil {
		return a, err
	}
	var id int64
	err = tx.QueryRow(ctx, "SELECT id, nano_usd, tokens, calls FROM budget WHERE run = $1 FOR UPDATE", j.id).Scan(&id, &a.NanoUSD, &a.Tokens, &a.Calls)
	j.budget.Store(id)
	return a, err
}

// BeginBudget begins the budget of the run anew, as for a command of its own.
func (j *Journal) BeginBudget() error {
	return j.exec("begin a budget", "DELETE FROM budget WHERE run = $1")
}

// add adds to what has been drawn, unless the budget has begun anew since this process
// drew of it.
func (j *Journal) add(ctx context.Context, tx pgx.Tx, a run.Amount) error {
	_, err := tx.Exec(ctx, "UPDATE budget SET nano_usd = nano_usd + $3, tokens = tokens + $4, calls = calls + $5 WHERE run = $1 AND id = $2",
		j.id, j.budget.Load(), a.NanoUSD, a.Tokens, a.Calls)
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
