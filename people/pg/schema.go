package pg

import (
	"context"
	_ "embed" // the schema
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"omniscope"
	"omniscope/internal/pgserver"
)

//go:embed schema.sql
var schema string

// version is that of the schema.
const version = 1

// prepared reports whether the tables are there, and refuses those of a newer program.
func prepared(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (bool, error) {
	var there bool
	if err := db.QueryRow(ctx, "SELECT to_regclass('omniscope_people.version') IS NOT NULL").Scan(&there); err != nil || !there {
		return false, err
	}
	var got int
	err := db.QueryRow(ctx, "SELECT max(version) FROM omniscope_people.version").Scan(&got)
	if err == nil && got > version {
		err = omniscope.Usagef("the projects in this database were made by a newer omniscope (version %d, this one knows %d): update omniscope", got, version)
	}
	return err == nil, err
}

// prepare makes the tables if they are not there, on a server that keeps what it acknowledges.
func prepare(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1::int, 0)", lockSpace); err != nil {
			return err
		}
		if there, err := prepared(ctx, tx); there || err != nil {
			return err
		}
		var fsync, encoding string
		err := tx.QueryRow(ctx, "SELECT current_setting('fsync'), current_setting('server_encoding')").Scan(&fsync, &encoding)
		if err == nil {
			err = pgserver.CheckSettings(fsync, encoding)
		}
		if err != nil {
			return err
		}
		if _, err = tx.Exec(ctx, schema); err != nil {
			return errors.Join(errors.New("make the tables"), err)
		}
		return nil
	})
}
