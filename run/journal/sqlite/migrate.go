package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/run/journal"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a database as a journal of ours ("omni"). The first
// migration sets it.
const applicationID = 0x6f6d6e69

// longestSetup is how long other processes may take to set the journal up.
const longestSetup = time.Minute

// migrate brings the database to the newest schema. It writes nothing before
// it knows that the file is a journal, or empty.
func (s *Store) migrate() error {
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	// SQLite does not wait for its turn when a file becomes a write-ahead log
	// for the first time, so processes that open the folder take turns here.
	turn := flock.New(filepath.Join(s.dir, "setup.lock"))
	ctx, cancel := context.WithTimeout(context.Background(), longestSetup)
	defer cancel()
	if _, err := turn.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("another process has held %s for %s: end it, and run the same command again", turn.Path(), longestSetup)
		}
		return fmt.Errorf("set up: %w", err)
	}
	defer turn.Unlock()
	version, err := version(s.write, s.dir, len(steps))
	if err != nil || version == len(steps) {
		return err
	}
	if _, err := s.write.Exec("PRAGMA journal_mode = wal"); err != nil {
		return err
	}
	tx, err := s.write.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range steps[version:] {
		text, err := migrations.ReadFile("migrations/" + step.Name())
		if err != nil {
			return err
		}
		if _, err := tx.Exec(string(text)); err != nil {
			return fmt.Errorf("migration %s: %w", step.Name(), err)
		}
	}
	if _, err := tx.Exec(journal.KindsOfEarlierRuns); err != nil {
		return err
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}

// version returns the schema's version, 0 for a file that is new, and refuses
// a file that is no journal, or a newer one than this program knows.
func version(db *sql.DB, dir string, newest int) (int, error) {
	var version, application, tables int
	err := db.QueryRow("SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) "+
		"FROM pragma_user_version, pragma_application_id").Scan(&version, &application, &tables)
	switch {
	case err != nil:
		return 0, err
	case application != applicationID && (tables > 0 || application != 0):
		return 0, notOurs(dir, errors.New("it is a database of another program"))
	case version > newest:
		return 0, omniscope.Usagef(
			"%s was written by a newer omniscope (version %d, this one knows %d): update omniscope, or name another folder",
			databasePath(dir), version, newest)
	}
	return version, nil
}
