// Package journals opens the journals of runs: SQLite in a folder of this machine, or a PostgreSQL database that machines
// share. A program that asks models hands All to session.Calls. Package session does not import the databases, so that a
// program that only scores does not link them.
package journals

import (
	"context"
	"io"
	"os"
	"time"

	"omniscope/model"
	"omniscope/people/judge"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
)

// All are the journals in folders and in PostgreSQL databases.
var All session.Journals = all{}

type all struct{}

// Open implements session.Journals.
func (all) Open(ctx context.Context, at string, lease time.Duration, warnings io.Writer) (journal.Store, error) {
	if !pg.Is(at) {
		return or(sqlite.Open(at))
	}
	return or(pg.Open(ctx, at, pg.Options{Lease: lease, Warnings: warnings, Rescue: keepHere}))
}

// or is a store of any kind, or none.
func or[S journal.Store](s S, err error) (journal.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// keepHere opens a new journal for answers that a database could not be given.
func keepHere() (journal.Store, error) {
	dir, err := os.MkdirTemp(".", "omniscope-kept-")
	if err != nil {
		return nil, err
	}
	return or(sqlite.Open(dir))
}

// OpenExisting implements session.Journals.
func (a all) OpenExisting(ctx context.Context, at string, warnings io.Writer) (journal.Store, error) {
	if pg.Is(at) {
		return a.Open(ctx, at, 0, warnings)
	}
	return or(sqlite.OpenExisting(at))
}

// MayExist implements session.Journals.
func (all) MayExist(at string) bool { return pg.Is(at) || sqlite.Exists(at) }

// LockRun implements session.Journals. A shared journal needs no lock: processes claim single calls.
func (all) LockRun(at, name string) (unlock func() error, err error) {
	if pg.Is(at) {
		return func() error { return nil }, nil
	}
	return sqlite.LockRun(at, name)
}

// LockCalls implements session.Journals.
func (all) LockCalls(at string) (session.CallLocks, error) {
	if pg.Is(at) {
		return nil, nil
	}
	locks, err := sqlite.OpenCallLocks(at)
	if err != nil {
		return nil, err
	}
	return locks, nil
}

// OpenPeople implements session.Journals.
func (all) OpenPeople(folder string) (m model.Model, source string, err error) {
	return judge.Open(folder)
}
