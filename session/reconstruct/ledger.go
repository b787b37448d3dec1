package reconstruct

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"omniscope"
	"omniscope/internal/rows"
)

// LedgerFile is the name of the ledger in a folder of results.
const LedgerFile = "jobs.jsonl"

// A ledger says what was ordered and what came of it. Lines are only added, and are on the disk before
// Add returns: an order before it is sent, a job's id before the job is asked for. It is safe for
// concurrent use, by one process at a time.
type ledger struct {
	mu   sync.Mutex
	f    *os.File
	size int64 // of whole lines
	jobs map[string]*JobState
}

// An event is a line of a ledger.
type event struct {
	Job     string     `json:"job"` // the job's name
	Event   eventKind  `json:"event"`
	Attempt int        `json:"attempt,omitempty"` // of ordering, from 1: a new one after a final outcome
	ID      string     `json:"id,omitempty"`      // of the job at the server
	Server  string     `json:"server,omitempty"`  // where it was ordered, without anything secret
	Outcome Outcome    `json:"outcome,omitempty"`
	Why     string     `json:"why,omitempty"`
	Made    *madeVideo `json:"made,omitempty"`
}

// An eventKind says what happened to a job.
type eventKind string

// The events.
const (
	ordering eventKind = "ordering"  // the order is about to be sent
	notTaken eventKind = "not taken" // it was sent, and surely not taken
	ordered  eventKind = "ordered"   // it was taken
	ended    eventKind = "ended"     // with an outcome, and no video
	arrived  eventKind = "arrived"   // its video is there
)

// A JobState is what a ledger knows of a job. The zero value is of one that was never ordered.
type JobState struct {
	Attempt  int
	Ordering bool // the order was sent, or about to be, and nothing is known of its reply
	ID       string
	Server   string  // where the job is
	Outcome  Outcome // final; "" = none
	Why      string
	Made     *madeVideo
	Taken    int // orders that the server took, of all attempts
}

// paid is how many orders of the job may have to be paid for.
func (s *JobState) paid() int {
	if s.Ordering {
		return s.Taken + 1
	}
	return s.Taken
}

// openLedger opens the ledger of a folder, which is made if there is none. What a killed process left of
// its last line is taken off.
func openLedger(dir string) (*ledger, error) {
	path := filepath.Join(dir, LedgerFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	l := &ledger{f: f}
	if err := errors.Join(l.read(path), syncFolder(dir)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// PeekLedger reads the ledger of a folder, which may have none, and changes nothing.
func PeekLedger(dir string) (map[string]JobState, error) {
	path := filepath.Join(dir, LedgerFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &ledger{jobs: make(map[string]*JobState)}
	if _, err := l.replay(path, text); err != nil {
		return nil, err
	}
	out := make(map[string]JobState, len(l.jobs))
	for name, s := range l.jobs {
		out[name] = *s
	}
	return out, nil
}

func (l *ledger) read(path string) error {
	l.jobs = make(map[string]*JobState)
	text, err := io.ReadAll(l.f)
	if err != nil {
		return err
	}
	whole, err := l.replay(path, text)
	if err != nil {
		return err
	}
	l.size = int64(whole)
	return l.cut()
}

// cut takes off what is behind the last whole line.
func (l *ledger) cut() error {
	if err := l.f.Truncate(l.size); err != nil {
		return err
	}
	_, err := l.f.Seek(l.size, io.SeekStart)
	return err
}

// replay reads the lines of a ledger, and returns how many bytes whole lines have.
func (l *ledger) replay(path string, text []byte) (whole int, err error) {
	for number := 1; ; number++ {
		end := bytes.IndexByte(text[whole:], '\n')
		if end < 0 {
			return whole, nil
		}
		line := text[whole : whole+end]
		var e event
		if err := json.Unmarshal(line, &e); err != nil || e.Job == "" {
			return whole, omniscope.Invalidf("%s:%d: the line is damaged: %s: what was ordered is not known without it; mend it or, if nothing was, name another folder with --out", path, number, rows.Quote(line))
		}
		l.apply(&e)
		whole += end + 1
	}
}

func (l *ledger) apply(e *event) {
	s := l.jobs[e.Job]
	if s == nil {
		s = &JobState{}
		l.jobs[e.Job] = s
	}
	switch e.Event {
	case ordering:
		*s = JobState{Attempt: e.Attempt, Ordering: true, Taken: s.Taken}
	case notTaken:
		s.Ordering = false
	case ordered:
		s.Ordering, s.ID, s.Server, s.Taken = false, e.ID, e.Server, s.Taken+1
	case ended:
		s.Ordering, s.Outcome, s.Why = false, e.Outcome, e.Why
	case arrived:
		s.Made, s.Outcome, s.Why = e.Made, "", ""
	}
}

// Of is what is known of a job.
func (l *ledger) Of(job string) JobState {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.jobs[job]; s != nil {
		return *s
	}
	return JobState{}
}

// Add adds an event. It is on the disk when Add returns nil.
func (l *ledger) Add(e event) error {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	if err := out.Encode(&e); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.f.Write(line.Bytes()); err != nil { // as on a full disk: half a line would spoil the next one
		return errors.Join(fmt.Errorf("%s cannot be written: %w", LedgerFile, err), l.cut())
	}
	if err := l.f.Sync(); err != nil {
		return err
	}
	l.size += int64(line.Len())
	l.apply(&e)
	return nil
}

// Close closes the file.
func (l *ledger) Close() error { return l.f.Close() }

// syncFolder has the names in a folder on the disk, where the system can do that.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // Windows cannot
	return d.Close()
}
