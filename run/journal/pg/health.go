package pg

import (
	"context"
	"omniscope/internal/pgtext"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Health is the state of a journal's database and of who works with it.
type Health struct {
	Server      string        `json:"version"`
	Bytes       int64         `json:"bytes"`
	Connections int           `json:"connections"`
	Most        int           `json:"max_connections"`     // that the server allows
	Ahead       time.Duration `json:"this_clock_ahead_ns"` // of this machine's clock, before the server's
	Calls       int64         `json:"calls"`               // about
	Claims      int           `json:"claims"`
	Late        int           `json:"late"` // answers that came when another process had taken the call over
	AtWork      []atWork      `json:"processes"`
}

// An atWork is a process that works on a run.
type atWork struct {
	Run     string    `json:"run"`
	Process string    `json:"process"`
	Since   time.Time `json:"since"`
	Claims  int       `json:"claims"`
	Dead    bool      `json:"dead"` // its lease is over
}

// Health asks the database how it is.
func (s *Store) Health(ctx context.Context) (h Health, err error) {
	err = s.do(ctx, "check", func(ctx context.Context) error {
		var ahead float64
		err := s.loose.QueryRow(ctx, `SELECT current_setting('server_version'), pg_database_size(current_database()),
				(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), current_setting('max_connections')::int,
				extract(epoch FROM $1::timestamptz - clock_timestamp())::float8,
				(SELECT CASE WHEN reltuples < 1e6 THEN (SELECT count(*) FROM call) ELSE reltuples::bigint END FROM pg_class WHERE oid = 'call'::regclass),
				(SELECT count(*) FROM claim), (SELECT count(*) FROM call WHERE late)`, time.Now()).
			Scan(&h.Server, &h.Bytes, &h.Connections, &h.Most, &ahead, &h.Calls, &h.Claims, &h.Late)
		if err != nil {
			return err
		}
		h.Ahead = time.Duration(ahead * float64(time.Second))
		rows, _ := s.loose.Query(ctx, `SELECT coalesce(run.name, ''), holder.name, holder.started, (SELECT count(*) FROM claim WHERE holder = holder.id), until <= now()
			FROM holder LEFT JOIN run ON run.id = holder.run ORDER BY holder.id`)
		h.AtWork, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (w atWork, err error) {
			err = row.Scan(&w.Run, &w.Process, &w.Since, &w.Claims, &w.Dead)
			w.Run = pgtext.Decode(w.Run)
			return w, err
		})
		return err
	})
	return h, err
}
