// Package journal defines a journal of paid answers, in any place, and does
// what is the same for all of them: lists, exports, checks. run/journal/sqlite keeps one in
// a folder of this machine, run/journal/pg one in a database that many machines share.
//
// A journal keeps calls as bytes and makes none: run.Once decides whether a call is
// needed, model/wrap and session know what results contain.
package journal

import (
	"context"
	"iter"

	"omniscope/run"
)

// A Store is an open journal with the runs in it. It is safe for concurrent use, and
// several processes may have the same journal open. Its errors are of type Error.
type Store interface {
	// Run opens a run, adding it if it is new.
	Run(ctx context.Context, d Description) (Journal, error)
	// Runs lists the runs, oldest first; List does without counting their calls.
	Runs(ctx context.Context) ([]Run, error)
	List(ctx context.Context) ([]Run, error)
	HasRun(ctx context.Context, name string) (bool, error)

	// Calls yields the calls that a run rests on, its own and those of other runs it
	// was given, in the order they were remembered, with their request texts. step
	// limits them to one step; "" means all. After an error it yields nothing more.
	Calls(ctx context.Context, run, step string) iter.Seq2[*Call, error]
	// About returns the calls that a run rests on about one unit: those whose step is
	// called as it, and those of steps below it, such as "clip/turn-1" of clip.
	About(ctx context.Context, run, unit string) ([]*Call, error)
	// Latest returns n calls of a run, the newest first, that are older than before; 0
	// is from the newest on. failed leaves out those with a usable answer.
	Latest(ctx context.Context, run string, before int64, n int, failed bool) ([]*Call, error)

	// Has reports whether there is a usable answer under key of any run. With a source
	// it asks for one by that source.
	Has(ctx context.Context, key run.Key, source string) (bool, error)
	// HasFresh is Has for the answers that count in the unfinished fresh run called name.
	HasFresh(ctx context.Context, name string, key run.Key, source string) (bool, error)
	// RunAnswer returns the usable answer under key that the named run used, whether
	// that run or another one made the call; nil if there is none.
	RunAnswer(ctx context.Context, name string, key run.Key) (*run.Entry, error)
	// Usage adds up what the run called name took.
	Usage(ctx context.Context, name string, old CostOf) (Usage, error)
	// Prune deletes runs with their calls, but those that other runs rest on, and with
	// texts the texts of all requests of these runs, whose answers stay. Without really it
	// only says what it would delete.
	Prune(ctx context.Context, runs []string, texts, really bool) (Pruned, error)
	// Damage says what is damaged in the file or database as a whole.
	Damage(ctx context.Context) []string

	// Where says where the journal is, for people; nothing secret is in it.
	Where() string
	// Close closes the store. Journals of its runs must be closed before.
	Close() error
}

// A Journal is a run's view of a Store: it finds the answers of all runs and adds
// calls to its own.
type Journal interface {
	run.Journal
	// Steps returns the steps of this run that have a usable answer that counts.
	Steps(ctx context.Context) (map[string]bool, error)
	// Usage adds up what the run took, what this process did included.
	Usage(ctx context.Context, old CostOf) (Usage, error)
	// Bills adds up what answers of a source took, if their result begins with a text. It reads
	// the last 100,000 calls of all runs.
	Bills(ctx context.Context, begins, source string) (run.Bills, error)
	// Reserve makes sure that the journal can be written, and that there is room for as
	// many answers as may be under way. Call it before anything is paid for.
	Reserve(inFlight int) error
	// CheckFailures returns a *DamagedError where one of the run's failed calls was
	// changed after it was written: it may have been a usable answer.
	CheckFailures(ctx context.Context) error

	// StartFresh makes the run ignore answers from before the fresh run began. If an
	// unfinished fresh run exists, it resumes that one; else it begins one now and
	// returns begun true. The journal keeps this mark, so that a fresh run that was
	// stopped by a budget, a kill or a power cut resumes as a fresh run until it ends.
	StartFresh(ctx context.Context) (begun bool, err error)
	// EndFresh records that the fresh run has ended, so that the next StartFresh begins
	// a new one. Without StartFresh it does nothing.
	EndFresh() error

	// Close writes the answers under way, and closes the run. Appends after Close fail,
	// and closing twice is harmless.
	Close() error
}

// An Error is trouble with the journal itself, which concerns the whole run.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }
