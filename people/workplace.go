package people

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/google/uuid"

	"omniscope"
)

// Rules are what a kind of work knows: what an answer looks like, and when a task is done. Their
// errors are in words for the person who answers.
type Rules interface {
	Check(stage string, item *Item, a *Answer) error
	Complete(stage string, item *Item, answers map[string]json.RawMessage) error
}

// A State is how far a task is.
type State string

// The states.
const (
	Open      State = "open"
	Submitted State = "submitted"
	Released  State = "released"
)

// A Task is how far one person is with an item at a stage.
type Task struct {
	TaskID
	State State
	Until time.Time     // the item is kept for the person till then
	Spent time.Duration // between events that follow each other within a minute
	Last  time.Time     // when something last happened

	known map[string]int64 // the last event of each answer
}

// pause is the longest time between two events that is still work.
const pause = time.Minute

// A Workplace is a project, opened: all that happened so far, and the rules for what may happen
// next. It is safe for concurrent use; one process at a time has it open.
type Workplace struct {
	log   Log
	rules Rules
	now   func() time.Time

	mu       sync.Mutex
	seq      int64
	project  Project
	items    []*work // in order
	byID     map[string]*work
	people   map[string]*Person
	sessions map[string]*Session // by secret
}

// A work is an item and its tasks. Its payload stays in the log.
type work struct {
	id, clip string
	people   int
	seq      int64 // of the event that added it
	tasks    []*Task
}

// OpenWorkplace reads what happened. rules makes the rules of the project's kind of work.
func OpenWorkplace(ctx context.Context, log Log, rules func(*Project) (Rules, error)) (*Workplace, error) {
	w := &Workplace{log: log, now: time.Now, byID: make(map[string]*work), people: make(map[string]*Person), sessions: make(map[string]*Session)}
	for e, err := range log.Events(ctx, 0) {
		if err == nil {
			err = w.apply(e)
		}
		if err != nil {
			return nil, err
		}
	}
	if w.seq == 0 {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New("there is no project here: make one with `omniscope people new`")}
	}
	var err error
	w.rules, err = rules(&w.project)
	return w, err
}

// Begin makes a project with its items in an empty log.
func Begin(ctx context.Context, log Log, p *Project, items iter.Seq2[*Item, error]) error {
	for _, err := range log.Events(ctx, 0) {
		if err != nil {
			return err
		}
		return usage("there is a project here already: name another folder")
	}
	batch := []*Event{NewEvent(ProjectSet, "", p)}
	for item, err := range items {
		if err != nil {
			return err
		}
		if batch = append(batch, NewEvent(ItemAdd, "", item)); len(batch) == itemsAtOnce {
			if err := log.Append(ctx, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return log.Append(ctx, batch)
}

// itemsAtOnce is how many items are added in one step.
const itemsAtOnce = 1000

// NewEvent makes an event of the program, or of a person.
func NewEvent(kind Kind, by string, body any) *Event {
	e := &Event{ID: uuid.Must(uuid.NewV7()).String(), Kind: kind, By: by, At: time.Now().UTC().Truncate(time.Microsecond)}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err) // bodies are plain data
		}
		e.Body = text
	}
	return e
}

// Close closes the log.
func (w *Workplace) Close() error { return w.log.Close() }

// Project is what people are asked to do.
func (w *Workplace) Project() Project {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.project
}

// A Told is what became of an event.
type Told struct {
	ID  string `json:"id"`
	Seq int64  `json:"seq"` // where it is; an event that was told before is where it was
	// Conflict is the answer that was there already, which the author did not know. Theirs is kept
	// and does not count, until they say it again.
	Conflict *Answer `json:"conflict,omitempty"`
	Base     int64   `json:"base,omitempty"` // of that answer
}

// Tell adds what happened and returns once it is on the disk. An event that was told before is
// not added again.
func (w *Workplace) Tell(ctx context.Context, e *Event) (Told, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, err := w.log.Known(ctx, []string{e.ID})
	if err != nil {
		return Told{}, err
	}
	if seq, ok := known[e.ID]; ok {
		return Told{ID: e.ID, Seq: seq}, nil
	}
	e.At = w.now().UTC().Truncate(time.Microsecond) // as logs keep it
	told := Told{ID: e.ID}
	if err := w.check(ctx, e, &told); err != nil {
		return Told{}, err
	}
	if err := w.log.Append(ctx, []*Event{e}); err != nil {
		return Told{}, err
	}
	told.Seq = e.Seq
	return told, w.apply(e)
}

// apply changes the state by an event.
func (w *Workplace) apply(e *Event) error {
	w.seq = e.Seq
	switch e.Kind {
	case ProjectSet:
		return read(e, &w.project)
	case ItemAdd:
		var item Item
		if err := read(e, &item); err != nil {
			return err
		}
		if w.byID[item.ID] == nil {
			one := &work{id: item.ID, clip: item.Clip, people: item.People, seq: e.Seq}
			w.items, w.byID[item.ID] = append(w.items, one), one
		}
		return nil
	case PersonSet:
		p := &Person{}
		if err := read(e, p); err != nil {
			return err
		}
		w.people[p.ID] = p
		return nil
	case SessionNew:
		s := &Session{}
		if err := read(e, s); err != nil {
			return err
		}
		w.sessions[string(s.Secret)] = s
		return nil
	}
	return w.applyTask(e)
}
