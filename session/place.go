package session

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"omniscope/internal/environ"
	"omniscope/store"
	"omniscope/store/pg"
	"omniscope/store/sqlite"
)

// JournalVariable is the setting that says where the journal is, unless a flag does.
const JournalVariable = "OMNISCOPE_JOURNAL"

// JournalDir is where the journal of a working folder is.
func JournalDir(workDir string) string { return filepath.Join(workDir, "journal") }

// JournalAt is where the journal is: at an address or in a folder that a flag gives, or
// OMNISCOPE_JOURNAL, else in the working folder.
func JournalAt(workDir, flag string) string {
	_, set := environ.First([]string{JournalVariable})
	return cmp.Or(flag, set, JournalDir(workDir))
}

// journalAt is where the journal of a command is.
func (c *Calls) journalAt() string { return JournalAt(c.WorkDir, c.Journal) }

// OpenStore opens the journal at an address or in a folder; it is made if it is not there.
func OpenStore(ctx context.Context, at string, warnings io.Writer) (store.Store, error) {
	if !pg.Is(at) {
		return sqlite.Open(at)
	}
	return pg.Open(ctx, at, pg.Options{Warnings: warnings, Rescue: func() (store.Store, error) {
		dir, err := os.MkdirTemp(".", "omniscope-kept-")
		if err != nil {
			return nil, err
		}
		return sqlite.Open(dir)
	}})
}

// OpenJournal opens a journal that must be there.
func OpenJournal(ctx context.Context, at string, warnings io.Writer) (store.Store, error) {
	if pg.Is(at) {
		return OpenStore(ctx, at, warnings)
	}
	return sqlite.OpenExisting(at)
}

// lockRun sees to it that no two processes of one machine pay for the same run at once.
// Where the journal is shared, claims do.
func lockRun(at, name string) (unlock func() error, err error) {
	if pg.Is(at) {
		return func() error { return nil }, nil
	}
	return sqlite.LockRun(at, name)
}

// hasJournal reports whether there may be a journal, without making one.
func hasJournal(at string) bool { return pg.Is(at) || sqlite.Exists(at) }
