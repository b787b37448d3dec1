package pg

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// A holder is this process at work on a run: what its claims belong to. It renews its
// lease until it is closed, by the server's clock alone.
type holder struct {
	store *Store
	run   int64
	id    atomic.Int64
	last  atomic.Pointer[time.Time] // when the lease was last renewed
	slept atomic.Int64              // how often that was longer ago than the lease: claims of before may be lost
	stop  context.CancelFunc
	done  sync.WaitGroup
}

// renewals within a lease: one that is missed does no harm.
const renewals = 6

func (s *Store) hold(ctx context.Context, run int64) (*holder, error) {
	h := &holder{store: s, run: run}
	if err := s.retry(ctx, h.join); err != nil {
		return nil, err
	}
	ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	h.done.Go(func() { h.renew(ctx) })
	return h, nil
}

// join registers this process under a new number, and deletes what dead processes left.
func (h *holder) join(ctx context.Context) error {
	var id int64
	now := time.Now()
	err := pgx.BeginFunc(ctx, h.store.loose, func(tx pgx.Tx) error {
		// The lock makes processes join one after another: the first one resets the budget.
		if _, err := tx.Exec(ctx, "SELECT 1 FROM run WHERE id = $1 FOR UPDATE", h.run); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM budget WHERE run = $1 AND NOT EXISTS (SELECT 1 FROM holder WHERE run = $1 AND until > now())", h.run); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "INSERT INTO holder(run, name, until) VALUES($1, $2, now() + $3::interval) RETURNING id",
			h.run, holderName(), h.store.lease()).Scan(&id)
	})
	if err != nil {
		return err
	}
	h.id.Store(id)
	h.last.Store(&now)
	return h.store.bury(ctx)
}

func holderName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

func (h *holder) renew(ctx context.Context) {
	tick := time.NewTicker(h.store.options.Lease / renewals)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		// What fails here shows where answers are looked up and kept.
		_ = h.renewNow(ctx)
	}
}

// renewNow extends the lease. A process that was silent for so long that others deleted
// its row joins again, under a new number: it has lost its earlier claims.
func (h *holder) renewNow(ctx context.Context) error {
	now := time.Now()
	tag, err := h.store.loose.Exec(ctx, "UPDATE holder SET until = now() + $2::interval WHERE id = $1", h.id.Load(), h.store.lease())
	switch {
	case err != nil:
		return err
	case tag.RowsAffected() == 0:
		h.slept.Add(1)
		return h.join(ctx)
	}
	if h.silent(now) > h.store.options.Lease {
		h.slept.Add(1)
	}
	h.last.Store(&now)
	return nil
}

// silent returns how long ago the last renewal was, by the monotonic clock, which stops while a machine
// sleeps, or by the time of day, which may be set: the longer of the two.
func (h *holder) silent(now time.Time) time.Duration {
	last := *h.last.Load()
	return max(now.Sub(last), now.Round(0).Sub(last.Round(0)))
}

func (h *holder) isAwake() bool { return h.silent(time.Now()) < h.store.options.Lease/2 }

// awake renews the lease before a claim if the last renewal is long ago: this process may
// have been frozen, and others would take over at once what it claims.
func (h *holder) awake(ctx context.Context) error {
	if h.isAwake() {
		return nil
	}
	return h.renewNow(ctx)
}

// bury deletes the holders whose lease has ended, and their claims.
func (s *Store) bury(ctx context.Context) error {
	return s.retry(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.loose, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `
				WITH gone AS (SELECT key, source FROM claim c
					WHERE NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = c.holder AND h.until > now()) ORDER BY key, source FOR UPDATE)
				DELETE FROM claim USING gone WHERE claim.key = gone.key AND claim.source = gone.source
					AND NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = claim.holder AND h.until > now())`)
			if err == nil {
				_, err = tx.Exec(ctx, "DELETE FROM receipt WHERE writer IN (SELECT writer FROM receipt WHERE at < now() - interval '30 days' FOR UPDATE SKIP LOCKED)")
			}
			if err == nil {
				_, err = tx.Exec(ctx, "DELETE FROM holder WHERE id IN (SELECT id FROM holder WHERE until <= now() ORDER BY id FOR UPDATE SKIP LOCKED)")
			}
			return err
		})
	})
}

// close deletes the holder and its claims. Where that fails, its lease will end.
func (h *holder) close(ctx context.Context) {
	h.stop()
	h.done.Wait()
	_ = h.store.retry(ctx, func(ctx context.Context) error {
		_, err := h.store.loose.Exec(ctx, "DELETE FROM holder WHERE id = $1", h.id.Load())
		if err == nil {
			err = h.store.bury(ctx)
		}
		return err
	})
}
