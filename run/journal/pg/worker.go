package pg

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope/internal/pgtext"
)

// A Worker is a process that does parts of any run.
type Worker struct {
	Name  string        `json:"worker"`
	Facts string        `json:"-"`              // JSON
	Ahead time.Duration `json:"clock_ahead_ns"` // of the server's clock. Nothing goes by it: leases are by the server's
	Jobs  []int64       `json:"jobs"`           // of the queue that it had in hand
	Seen  time.Time     `json:"seen"`           // when it said so, by the server's clock
}

// Register makes a worker known until leave is called, or its process dies. facts are what there is to
// say of it, as JSON, and jobs lists what it has in hand; both are asked for at each renewal.
func (s *Store) Register(ctx context.Context, name string, facts func() string, jobs func() []int64) (leave func(), err error) {
	renew := func(ctx context.Context) error {
		// The time is taken first: what comes to hand meanwhile is younger than that.
		var seen time.Time
		if err := s.loose.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&seen); err != nil {
			return err
		}
		_, err := s.loose.Exec(ctx, `INSERT INTO worker VALUES($1, $2, extract(epoch FROM $4::timestamptz - clock_timestamp()), $5, $6, now() + $3::interval)
			ON CONFLICT (name) DO UPDATE SET facts = excluded.facts, ahead = excluded.ahead, jobs = excluded.jobs, seen = excluded.seen, until = excluded.until`,
			name, facts(), s.lease(), time.Now(), jobs(), seen)
		return err
	}
	if err := s.do(ctx, "register a worker", renew); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(s.options.Lease / renewals)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = renew(ctx) // what fails here shows where parts are done
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		stop()
		done.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), hurry)
		defer cancel()
		_, _ = s.loose.Exec(ctx, "DELETE FROM worker WHERE name = $1 OR until < now() - interval '1 day'", name)
	}, nil
}

func (s *Store) lease() string { return fmt.Sprintf("%d milliseconds", s.options.Lease.Milliseconds()) }

// Workers lists the workers that are alive.
func (s *Store) Workers(ctx context.Context) ([]Worker, error) {
	return collect(ctx, s, "list workers", "SELECT name, facts, ahead, jobs, seen FROM worker WHERE until > now() ORDER BY name", func(row pgx.CollectableRow) (w Worker, err error) {
		var ahead float64
		err = row.Scan(&w.Name, &w.Facts, &ahead, &w.Jobs, &w.Seen)
		w.Ahead = time.Duration(ahead * float64(time.Second))
		return w, err
	})
}

// SetOrder keeps beside a run how workers do its units.
func (s *Store) SetOrder(ctx context.Context, run, order string) error {
	return s.do(ctx, "order run "+run, func(ctx context.Context) error {
		_, err := s.pool.Exec(ctx, "UPDATE run SET work_order = $2 WHERE name = $1", pgtext.Encode(run), order)
		return err
	})
}

// Order returns how workers do a run's units, "" if none do.
func (s *Store) Order(ctx context.Context, run string) (order string, err error) {
	err = s.do(ctx, "read the order of run "+run, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, "SELECT coalesce(work_order, '') FROM run WHERE name = $1", pgtext.Encode(run)).Scan(&order)
	})
	return order, err
}
