package session

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/model/wrap"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
	"omniscope/run/journal/sqlite"
)

// JournalDir is where the journal of a working folder is.
func JournalDir(workDir string) string { return filepath.Join(workDir, "journal") }

// JournalAt is where the journal is: at an address or in a folder that a flag gives, else
// in the working folder.
func JournalAt(workDir, flag string) string { return cmp.Or(flag, JournalDir(workDir)) }

// JournalAt is where the journal of a command is.
func (c *Calls) JournalAt() string { return JournalAt(c.WorkDir, c.Journal) }

// openJournalStore opens the journal at an address or in a folder; it is made if it is not there.
func openJournalStore(ctx context.Context, at string, warnings io.Writer) (journal.Store, error) {
	return openStore(ctx, at, 0, warnings)
}

func openStore(ctx context.Context, at string, lease time.Duration, warnings io.Writer) (journal.Store, error) {
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

// OpenJournal opens a journal that must be there.
func OpenJournal(ctx context.Context, at string, warnings io.Writer) (journal.Store, error) {
	if pg.Is(at) {
		return openJournalStore(ctx, at, warnings)
	}
	return or(sqlite.OpenExisting(at))
}

// lockRun sees to it that no two processes of one machine pay for the same run at once.
// Where the journal is shared, claims do.
func lockRun(at, name string) (unlock func() error, err error) {
	if pg.Is(at) {
		return func() error { return nil }, nil
	}
	return sqlite.LockRun(at, name)
}

// openCallLocks opens the locks of a folder's calls, after its run was locked; nil = the journal is shared, and has claims.
func openCallLocks(at string) (*sqlite.CallLocks, error) {
	if pg.Is(at) {
		return nil, nil
	}
	return sqlite.OpenCallLocks(at)
}

// hasJournal reports whether there may be a journal, without making one.
func hasJournal(at string) bool { return pg.Is(at) || sqlite.Exists(at) }

// MergeJournals copies what other journals have into the one at an address or in a
// folder. progress is called for each with the number of its calls. Each is given by its address, its folder, or the working folder that it is in.
func MergeJournals(ctx context.Context, at string, from []string, warnings io.Writer, progress func(calls int) (done func(int), stop func())) (sum journal.Merged, err error) {
	into, err := openJournalStore(ctx, at, warnings)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	for _, other := range from {
		one, err := mergeJournal(ctx, at, into, other, warnings, progress)
		sum.Add(one)
		if err != nil {
			return sum, About(other, err)
		}
	}
	return sum, nil
}

func mergeJournal(ctx context.Context, at string, into journal.Store, other string, warnings io.Writer, progress func(calls int) (done func(int), stop func())) (sum journal.Merged, err error) {
	if !pg.Is(other) && !sqlite.Exists(other) {
		other = JournalDir(other)
	}
	if outfile.SamePath(other, at) {
		return sum, omniscope.Usagef("a journal is not merged into itself")
	}
	from, err := OpenJournal(ctx, other, warnings)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	runs, err := from.Runs(ctx)
	if err != nil {
		return sum, err
	}
	calls := 0
	for _, r := range runs {
		calls += r.Calls
		// What is being written would be copied in part.
		for _, place := range []string{other, at} {
			unlock, err := lockRun(place, r.Name)
			if err != nil {
				return sum, err
			}
			defer func() { _ = unlock() }()
		}
	}
	done, stop := progress(calls)
	defer stop()
	return journal.Merge(ctx, into, from, wrap.CostOf, done)
}

// Prune deletes runs of a journal: see store.Store. It refuses those that somebody works on.
func Prune(ctx context.Context, at string, s journal.Store, runs []string, texts, really bool) (journal.Pruned, error) {
	for _, name := range runs {
		unlock, err := lockRun(at, name)
		if err != nil {
			return journal.Pruned{}, err
		}
		defer func() { _ = unlock() }()
	}
	return s.Prune(ctx, runs, texts, really)
}
