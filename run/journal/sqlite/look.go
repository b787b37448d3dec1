package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/run/journal"
)

// OpenToLook opens a journal for reading alone, while others may write to it. Nothing
// in the folder changes, and one of an older version is an error.
func OpenToLook(dir string) (*Store, error) {
	if err := missing(dir); err != nil {
		return nil, err
	}
	s := &Store{dir: dir}
	if err := s.openToLook(); err != nil {
		return nil, errors.Join(s.fail("open", err), s.Close())
	}
	return s, nil
}

func (s *Store) openToLook() (err error) {
	if s.read, err = s.connect(4, 8<<10); err != nil {
		return err
	}
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	version, err := version(s.read, s.dir, len(steps))
	if err == nil && version < len(steps) {
		err = omniscope.Usagef(
			"%s was written by an older omniscope: `omniscope journal show` with that --work-dir brings it up to date", databasePath(s.dir))
	}
	return err
}

// List lists the runs, oldest first, without counting their calls.
func (s *Store) List(ctx context.Context) ([]journal.Run, error) {
	var runs []journal.Run
	err := each(ctx, s.read, func(rows *sql.Rows) error {
		var r journal.Run
		var created string
		if err := rows.Scan(&r.Name, &created, &r.Kind, &r.Manifest); err != nil {
			return &brokenRow{err}
		}
		r.Created, _ = time.Parse(time.RFC3339, created) // only a damaged journal has another
		runs = append(runs, r)
		return nil
	}, "SELECT name, created, kind, manifest FROM run ORDER BY id")
	return runs, s.fail("list runs", err)
}

// HasRun reports whether the journal knows a run.
func (s *Store) HasRun(ctx context.Context, name string) (has bool, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM run WHERE name = ?)", name).Scan(&has)
	return has, s.fail("find run "+name, err)
}

// InWork reports whether a process of this machine works on a run.
func InWork(dir, name string) bool {
	path := filepath.Join(dir, "locks", name+".lock")
	text, err := os.ReadFile(path)
	pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || bad != nil || !alive(pid) {
		return false
	}
	// The number may have gone to another process since. The lock tells, and is only
	// tried where it is most likely held: a run that began just now would be refused it.
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	got, err := lock.TryRLock()
	lock.Close()
	return err == nil && !got
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

const columnsOfCall = `call.id, run.name, key, step, attempt, call.kind, source, outcome, started, request_at, request_bytes, result, checksum, request_checksum,
	tokens_in, tokens_out, cost_usd, tries, rate_limited, lost_tries, lost_tokens_in, lost_tokens_out, lost_cost_usd`

// About returns the calls that a run rests on about one unit: those whose step is called
// as it, and those of steps below it, such as "clip/turn-1" of clip.
func (s *Store) About(ctx context.Context, run, unit string) ([]*journal.Call, error) {
	const these = `WITH this AS (SELECT id FROM run WHERE name = ?1) SELECT ` + columnsOfCall + `
		FROM call JOIN run ON run.id = call.run
		WHERE call.id IN (SELECT id FROM call WHERE run = (SELECT id FROM this) AND step = ?2
				UNION SELECT id FROM call WHERE run = (SELECT id FROM this) AND step = ?2 || ' (blind)'
				UNION SELECT id FROM call WHERE run = (SELECT id FROM this) AND step >= ?2 || '/' AND step < ?2 || '0'
				UNION SELECT call FROM used WHERE run = (SELECT id FROM this))
			AND (step = ?2 OR step = ?2 || ' (blind)' OR step >= ?2 || '/' AND step < ?2 || '0')
		ORDER BY call.id`
	return s.pick(ctx, run, these, run, unit)
}

// Latest returns n calls of a run, the newest first, that are older than before; 0 is
// from the newest on. failed leaves out those with a usable answer.
func (s *Store) Latest(ctx context.Context, run string, before int64, n int, failed bool) ([]*journal.Call, error) {
	const these = `SELECT ` + columnsOfCall + ` FROM call JOIN run ON run.id = call.run
		WHERE call.run = (SELECT id FROM run WHERE name = ?1) AND (?2 = 0 OR call.id < ?2) AND (?4 = 0 OR outcome <> 1)
		ORDER BY call.id DESC LIMIT ?3`
	return s.pick(ctx, run, these, run, before, n, failed)
}

// pick reads the calls of a run that a query returns.
func (s *Store) pick(ctx context.Context, run, query string, args ...any) (calls []*journal.Call, err error) {
	err = s.calls(ctx, func(c *journal.Call) error {
		calls = append(calls, c)
		return nil
	}, query, args...)
	return calls, s.fail("read run "+run, err)
}
