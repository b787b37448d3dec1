package session

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"time"

	"omniscope"
	"omniscope/model"
	"omniscope/run"
	"omniscope/run/journal"
)

// Journals open the journals of runs. Package session/journals has the implementation.
type Journals interface {
	// Open opens the journal at an address or in a folder, and makes it if it is not there. A process that is silent for
	// longer than lease loses its calls to others; 0 = a minute.
	Open(ctx context.Context, at string, lease time.Duration, warnings io.Writer) (journal.Store, error)
	// OpenExisting opens a journal that must be there.
	OpenExisting(ctx context.Context, at string, warnings io.Writer) (journal.Store, error)
	// MayExist reports whether there may be a journal, without making one.
	MayExist(at string) bool
	// LockRun keeps other processes of this machine from the run called name until unlock is called.
	LockRun(at, name string) (unlock func() error, err error)
	// LockCalls opens the locks of single calls, after their run was locked; nil = the journal has claims.
	LockCalls(at string) (CallLocks, error)
	// OpenPeople opens a project in which people answer calls. source is the project, however much is answered, so that a run
	// goes on where it was.
	OpenPeople(folder string) (m model.Model, source string, err error)
}

// CallLocks keep several processes from making equal calls at the same time.
type CallLocks interface {
	TryLock(key run.Key) bool
	Unlock(key run.Key)
	// Others reports whether other processes have calls under way in the same folder.
	Others() bool
	Close() error
}

// noJournals is the error of a run that needs a journal in a program without one.
var noJournals = omniscope.Usagef("the run remembers its answers in a journal, and the program names no kind of journal: set Calls.Journals to journals.All of package session/journals")

// journals returns the program's Journals, or an error if it has no Journals.
func (c *Calls) journals() (Journals, error) {
	if c.Journals == nil {
		return nil, noJournals
	}
	return c.Journals, nil
}

// JournalDir is where the journal of a working folder is.
func JournalDir(workDir string) string { return filepath.Join(workDir, "journal") }

// JournalAt is where the journal is: at an address or in a folder that a flag gives, else
// in the working folder.
func JournalAt(workDir, flag string) string { return cmp.Or(flag, JournalDir(workDir)) }

// JournalAt is where the journal of a command is.
func (c *Calls) JournalAt() string { return JournalAt(c.WorkDir, c.Journal) }

// LockFolder locks the name in the journal's folder, so that other processes of this machine are refused until unlock is called.
func (c *Calls) LockFolder(name string) (unlock func() error, err error) {
	j, err := c.journals()
	if err != nil {
		return nil, err
	}
	return j.LockRun(JournalDir(c.WorkDir), name)
}
