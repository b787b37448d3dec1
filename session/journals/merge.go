package journals

import (
	"context"
	"errors"
	"io"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/model/wrap"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
)

// Merge copies what other journals have into the one at an address or in a
// folder. progress is called for each with the number of its calls. Each is given by its address, its folder, or the working folder that it is in.
func Merge(ctx context.Context, at string, from []string, warnings io.Writer, progress func(calls int) (done func(int), stop func())) (sum journal.Merged, err error) {
	into, err := All.Open(ctx, at, 0, warnings)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	for _, other := range from {
		one, err := mergeJournal(ctx, at, into, other, warnings, progress)
		sum.Add(one)
		if err != nil {
			return sum, session.About(other, err)
		}
	}
	return sum, nil
}

func mergeJournal(ctx context.Context, at string, into journal.Store, other string, warnings io.Writer, progress func(calls int) (done func(int), stop func())) (sum journal.Merged, err error) {
	if !pg.Is(other) && !sqlite.Exists(other) {
		other = session.JournalDir(other)
	}
	if outfile.SamePath(other, at) {
		return sum, omniscope.Usagef("a journal is not merged into itself")
	}
	from, err := All.OpenExisting(ctx, other, warnings)
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
			unlock, err := All.LockRun(place, r.Name)
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
		unlock, err := All.LockRun(at, name)
		if err != nil {
			return journal.Pruned{}, err
		}
		defer func() { _ = unlock() }()
	}
	return s.Prune(ctx, runs, texts, really)
}
