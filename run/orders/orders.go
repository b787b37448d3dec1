// Package orders keeps a ledger of orders for servers that charge for an order at once and deliver
// later: video generators, batch APIs. The ledger is an append-only file. Each line is on the disk before
// the next step, so that a crash at any time neither loses an order nor pays for it twice.
//
// States of an order: ordering (about to be sent); then ordered (the server accepted it) or not taken;
// then arrived (its result is stored) or ended (another final outcome). If no reply comes, the order stays
// in ordering: its State is Uncertain. It is sent again only if the user asks for it, with the same key.
package orders

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
	"omniscope/internal/outfile"
	"omniscope/internal/rows"
	"omniscope/run"
)

// A Ledger is an open ledger file. T describes the result of an order. It is safe for concurrent use
// within one process; two processes must not open the same file.
type Ledger[T any] struct {
	mu    sync.Mutex
	f     *os.File
	name  string
	size  int64 // of complete lines, in bytes
	known map[string]State[T]
}

// An event is a line of a ledger.
type event[T any] struct {
	Order   string `json:"job"` // its name
	Event   kind   `json:"event"`
	Attempt int    `json:"attempt,omitempty"` // of ordering, from 1: a new one after a final outcome
	ID      string `json:"id,omitempty"`      // at the server
	Server  string `json:"server,omitempty"`  // where it was ordered, without anything secret
	Outcome string `json:"outcome,omitempty"`
	Why     string `json:"why,omitempty"`
	Brought *T     `json:"made,omitempty"`
}

// A kind is the kind of an event.
type kind string

const (
	ordering kind = "ordering"
	notTaken kind = "not taken"
	ordered  kind = "ordered"
	ended    kind = "ended"
	arrived  kind = "arrived"
)

// A State is the state of an order. The zero value is the state of an order that was never sent.
type State[T any] struct {
	Attempt   int
	Uncertain bool // it may have been sent, and no reply was recorded
	ID        string
	Server    string // where it is
	Outcome   string // final outcome, as given to End; "" = not ended
	Why       string
	Brought   *T  // the result; nil = not arrived
	Taken     int // how often the server accepted it, over all attempts
}

// Paid returns how many times the order may have to be paid for.
func (s *State[T]) Paid() int {
	if s.Uncertain {
		return s.Taken + 1
	}
	return s.Taken
}

// An UncertainError reports that no reply to an order came: the server may have accepted it.
type UncertainError struct{ Err error }

func (e *UncertainError) Error() string { return e.Err.Error() }
func (e *UncertainError) Unwrap() error { return e.Err }

// Open opens a ledger, or creates it. It cuts off an incomplete last line, which a killed process leaves.
// A line that cannot be parsed is an Invalid error with its line number.
func Open[T any](path string) (*Ledger[T], error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	l := &Ledger[T]{f: f, name: filepath.Base(path), known: make(map[string]State[T])}
	text, err := io.ReadAll(f)
	if err == nil {
		l.size, err = l.replay(path, text)
	}
	if err == nil {
		err = errors.Join(l.cut(), outfile.SyncFolder(filepath.Dir(path)))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// Peek reads a ledger without changing it. It returns nil if the file does not exist.
func Peek[T any](path string) (map[string]State[T], error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &Ledger[T]{known: make(map[string]State[T])}
	_, err = l.replay(path, text)
	return l.known, err
}

// cut truncates the file after the last complete line.
func (l *Ledger[T]) cut() error {
	if err := l.f.Truncate(l.size); err != nil {
		return err
	}
	_, err := l.f.Seek(l.size, io.SeekStart)
	return err
}

// replay applies the complete lines of a ledger, and returns their size in bytes.
func (l *Ledger[T]) replay(path string, text []byte) (whole int64, err error) {
	for number := 1; ; number++ {
		end := bytes.IndexByte(text[whole:], '\n')
		if end < 0 {
			return whole, nil
		}
		line := text[whole : whole+int64(end)]
		var e event[T]
		if err := json.Unmarshal(line, &e); err != nil || e.Order == "" {
			return whole, omniscope.Invalidf("%s:%d: the line is damaged: %s: it may record a paid order; repair it or, if nothing was ordered, name another folder with --out", path, number, rows.Quote(line))
		}
		l.apply(&e)
		whole += int64(end) + 1
	}
}

func (l *Ledger[T]) apply(e *event[T]) {
	s := l.known[e.Order]
	switch e.Event {
	case ordering:
		s = State[T]{Attempt: e.Attempt, Uncertain: true, Taken: s.Taken}
	case notTaken:
		s.Uncertain = false
	case ordered:
		s.Uncertain, s.ID, s.Server, s.Taken = false, e.ID, e.Server, s.Taken+1
	case ended:
		s.Uncertain, s.Outcome, s.Why = false, e.Outcome, e.Why
	case arrived:
		s.Brought, s.Outcome, s.Why = e.Brought, "", ""
	}
	l.known[e.Order] = s
}

// Of returns the state of an order.
func (l *Ledger[T]) Of(order string) State[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[order]
}

// Place sends an order once. send gets the idempotency key, which is the same for the same attempt in any process, and returns the
// server's id of the order. send returns an *UncertainError if the server may have accepted the order; after any other error it did
// not. Place waits for the reply even if the run is stopping.
func (l *Ledger[T]) Place(order string, attempt int, server string, send func(key string) (id string, err error)) (id string, err error) {
	if err := l.add(event[T]{Order: order, Event: ordering, Attempt: attempt}); err != nil {
		return "", &LedgerError{err}
	}
	run.Await(func() {
		if id, err = send(fmt.Sprintf("omniscope-%s-%d", order, attempt)); err != nil {
			return
		}
		if noted := l.add(event[T]{Order: order, Event: ordered, ID: id, Server: server}); noted != nil {
			err = &LedgerError{noted}
		}
	})
	if _, uncertain := errors.AsType[*UncertainError](err); err == nil || uncertain {
		return id, err
	}
	if _, disk := errors.AsType[*LedgerError](err); disk {
		return id, err
	}
	if noted := l.add(event[T]{Order: order, Event: notTaken}); noted != nil {
		return "", &LedgerError{errors.Join(err, noted)}
	}
	return "", err
}

// A LedgerError reports that the ledger cannot be written. The caller must not place further orders.
type LedgerError struct{ Err error }

func (e *LedgerError) Error() string { return e.Err.Error() }
func (e *LedgerError) Unwrap() error { return e.Err }

// End records a final outcome of an order without a result.
func (l *Ledger[T]) End(order, outcome, why string) error {
	return l.add(event[T]{Order: order, Event: ended, Outcome: outcome, Why: why})
}

// Arrive records that the result of an order is stored.
func (l *Ledger[T]) Arrive(order string, brought T) error {
	return l.add(event[T]{Order: order, Event: arrived, Brought: &brought})
}

// add appends an event. The event is on the disk when add returns nil.
func (l *Ledger[T]) add(e event[T]) error {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	if err := out.Encode(&e); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.f.Write(line.Bytes()); err != nil { // as on a full disk: half a line would spoil the next one
		return errors.Join(fmt.Errorf("%s cannot be written: %w", l.name, err), l.cut())
	}
	if err := l.f.Sync(); err != nil {
		return err
	}
	l.size += int64(line.Len())
	l.apply(&e)
	return nil
}

// Close closes the file.
func (l *Ledger[T]) Close() error { return l.f.Close() }
