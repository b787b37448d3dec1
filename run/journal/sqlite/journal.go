package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
)

// A Journal is a run's view of the store: it finds the answers of all runs and
// adds calls to its own. It implements run.Journal.
//
// Answers that another process adds to the same folder while this one has it
// open may go unseen until it is opened again.
type Journal struct {
	store    *Store
	name     string
	runID    int64
	from     since // which answers count, see StartFresh
	requests *requests

	mu     sync.RWMutex // held for reading while an append enters the queue
	closed bool
	queue  chan *pending
	writer sync.WaitGroup
	full   error // of the writer: the disk was full, and the reserved space was used

	usedMu sync.Mutex
	used   map[int64]struct{} // calls of other runs this one was given answers of
}

var (
	_ journal.Store   = (*Store)(nil)
	_ journal.Journal = (*Journal)(nil)

	errClosed = errors.New("the journal is closed")
)

// Run opens a run, adding it if it is new.
// Two processes must not work on the same run at once: see LockRun.
func (s *Store) Run(ctx context.Context, d journal.Description) (journal.Journal, error) {
	j, err := s.openRun(ctx, d)
	if err != nil {
		return nil, s.fail("open run "+d.Name, err)
	}
	return j, nil
}

func (s *Store) openRun(ctx context.Context, d journal.Description) (*Journal, error) {
	name := d.Name
	if err := checkName(name); err != nil {
		return nil, err
	}
	j := &Journal{store: s, name: name, queue: make(chan *pending, 2*batchMost), used: make(map[int64]struct{})}
	const find = "SELECT id FROM run WHERE name = ?"
	err := s.read.QueryRowContext(ctx, find, name).Scan(&j.runID)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.write.ExecContext(ctx,
			"INSERT INTO run(name, created, kind, manifest) VALUES(?, ?, ?, ?) ON CONFLICT(name) DO NOTHING",
			name, time.Now().UTC().Format(time.RFC3339), d.Kind, d.Manifest); err != nil {
			return nil, err
		}
		err = s.read.QueryRowContext(ctx, find, name).Scan(&j.runID)
	}
	if err != nil {
		return nil, err
	}
	// The same run from files that lie elsewhere by now: replay must find them.
	if _, err := s.write.ExecContext(ctx, "UPDATE run SET kind = ?1, manifest = ?2 WHERE id = ?3 AND (kind <> ?1 OR manifest <> ?2)", d.Kind, d.Manifest, j.runID); err != nil {
		return nil, err
	}
	if j.requests, err = openRequests(s.requestsPath(name)); err != nil {
		return nil, err
	}
	j.writer.Go(j.writeLoop)
	return j, nil
}

// checkName refuses names that are not plain file names, for the run's request
// texts and its lock are files of that name.
func checkName(name string) error {
	if name == "" || name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." {
		return omniscope.Usagef("%q cannot name a run: it is no plain file name", name)
	}
	return nil
}

// Steps returns the steps of this run that have a usable answer that counts.
func (j *Journal) Steps(ctx context.Context) (map[string]bool, error) {
	steps := make(map[string]bool)
	err := each(ctx, j.store.read, func(rows *sql.Rows) error {
		var step string
		err := rows.Scan(&step)
		steps[step] = true
		return err
	}, "SELECT step FROM call INDEXED BY call_step WHERE run = ? AND outcome = 1 AND id > ?", j.runID, j.from.call)
	return steps, j.store.fail("read steps", err)
}

// Lookup implements run.Journal.
func (j *Journal) Lookup(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	a, err := j.store.answer(ctx, key, source, j.from)
	if a.Entry != nil && a.run != j.runID {
		j.usedMu.Lock()
		j.used[a.id] = struct{}{}
		j.usedMu.Unlock()
	}
	return a.Entry, err
}

// Expect has Lookup read the disk for a key, which another process may have added since the journal was opened.
func (j *Journal) Expect(key run.Key) { j.store.known.add(key) }

// writeUsed records which answers of other runs this run used. A run that was
// killed before this looks them up again when it resumes, and records them then.
func (j *Journal) writeUsed() error {
	if len(j.used) == 0 {
		return nil
	}
	tx, err := j.store.write.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for id := range j.used {
		if _, err := tx.Exec("INSERT INTO used(run, call) VALUES(?, ?) ON CONFLICT DO NOTHING", j.runID, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Append implements run.Journal. It is not cut short by ctx: an answer that
// arrived is kept.
func (j *Journal) Append(_ context.Context, e *run.Entry) error {
	if err := j.append(e); err != nil {
		return j.store.fail("append "+e.Step, err)
	}
	return nil
}

func (j *Journal) append(e *run.Entry) error {
	if len(e.Result) > resultMost {
		return fmt.Errorf("a result of %d bytes is more than %d", len(e.Result), resultMost)
	}
	p := &pending{entry: e, done: make(chan error, 1)}
	if !j.enqueue(p) {
		return errClosed
	}
	return <-p.done
}

// enqueue reports false when the journal is closed. What it lets in, the
// writer will answer: Close closes the queue only when no call is entering it.
func (j *Journal) enqueue(p *pending) bool {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if j.closed {
		return false
	}
	j.queue <- p
	return true
}

// Close writes the answers under way, and closes the run. Appends after Close
// fail, and closing twice is harmless.
func (j *Journal) Close() error {
	j.mu.Lock()
	again := j.closed
	j.closed = true
	j.mu.Unlock()
	if again {
		return nil
	}
	close(j.queue)
	j.writer.Wait()
	err := j.writeUsed()
	if j.full != nil {
		err = nil // which answers of other runs were used is noted again by the next command
	}
	return j.store.fail("close run", errors.Join(err, j.requests.close()))
}
