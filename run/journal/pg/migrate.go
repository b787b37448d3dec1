package pg

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgserver"
	"omniscope/run/journal"
)

//go:embed migrations/*.sql
var migrations embed.FS

// setup is the advisory lock under which processes set the journal up in turn.
const setup = 0x6f6d6e6973636f70

// migrate brings the database to the newest schema. It writes nothing before it knows
// that the database is a journal, or empty, and that its server keeps what it acknowledges.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(setup)); err != nil {
			return err
		}
		version, err := s.version(ctx, tx, len(steps))
		if err != nil || version == len(steps) {
			return err
		}
		for _, step := range steps[version:] {
			text, err := migrations.ReadFile("migrations/" + step.Name())
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, string(text)); err != nil {
				return fmt.Errorf("migration %s: %w", step.Name(), err)
			}
		}
		if _, err := tx.Exec(ctx, journal.KindsOfEarlierRuns); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM omniscope_journal`)
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO omniscope_journal(version) VALUES($1)`, len(steps))
		}
		return err
	})
}

// version returns the schema's version, 0 for a database that is new.
func (s *Store) version(ctx context.Context, tx pgx.Tx, newest int) (version int, err error) {
	const oldest = 140000 // 14: columns have lz4 from then on
	var fsync, encoding string
	var release int
	var ours, others bool
	err = tx.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('fsync'), current_setting('server_encoding'), to_regclass('omniscope_journal') IS NOT NULL,
		to_regclass('call') IS NOT NULL OR to_regclass('run') IS NOT NULL OR to_regclass('claim') IS NOT NULL`).Scan(&release, &fsync, &encoding, &ours, &others)
	switch {
	case err != nil:
		return 0, err
	case release < oldest:
		return 0, omniscope.Usagef("the server is PostgreSQL %d: 14 or newer is needed", release/10000)
	case pgserver.CheckSettings(fsync, encoding) != nil:
		return 0, pgserver.CheckSettings(fsync, encoding)
	case !ours && others:
		return 0, omniscope.Usagef("the database holds tables of another program: make a database of its own for the journal")
	case !ours:
		_, err := tx.Exec(ctx, `CREATE TABLE omniscope_journal(version integer NOT NULL)`)
		return 0, err
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM omniscope_journal").Scan(&version)
	if err == nil && version > newest {
		err = omniscope.Usagef("the journal was set up by a newer omniscope (version %d, this one knows %d): update omniscope, or name another database", version, newest)
	}
	return version, err
}
