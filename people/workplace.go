package people

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"omniscope"
)

// A Workplace is a project, opened: its log, and the state that follows from it. It is safe for
// concurrent use; one process at a time has it open.
type Workplace struct {
	log  Log
	kind *Kind
	now  func() time.Time

	requests chan *request // to the one goroutine that writes
	closed   chan struct{} // it is to end
	stopped  chan struct{} // it has ended
	closing  sync.Once
	closeErr error

	taking   sync.Mutex // of TakeNext
	accounts sync.Mutex // of who reads a person and saves them changed

	mu      sync.Mutex
	state   *state
	broken  error         // the state is not that of the log, and could not be read again
	changed chan struct{} // closed when something was saved
	beats   map[TaskID]time.Time
	forms   map[TaskID]*Form // of open tasks, to check answers by
}

// ErrUnfinished is what Open returns of a project that was not made to its end. Nobody worked in it yet.
var ErrUnfinished = errors.New("this project was not made to its end: remove it and make it again with `omniscope people new`")

// Open reads the log of a project. kindOf finds the project's kind of work by its name.
func Open(ctx context.Context, log Log, kindOf func(name string) (*Kind, error)) (*Workplace, error) {
	w := &Workplace{log: log, now: time.Now, requests: make(chan *request), closed: make(chan struct{}), stopped: make(chan struct{}), changed: make(chan struct{}),
		beats: make(map[TaskID]time.Time), forms: make(map[TaskID]*Form)}
	s, err := readState(ctx, log)
	if err != nil {
		return nil, err
	}
	switch {
	case s.seq == 0:
		return nil, omniscope.NotFoundf("there is no project here: make one with `omniscope people new`")
	case s.project.Kind == "":
		return nil, omniscope.Invalidf("%w", ErrUnfinished)
	}
	if w.kind, err = kindOf(s.project.Kind); err != nil {
		return nil, err
	}
	w.state = s
	go w.write()
	return w, nil
}

// readState computes the state from the log.
func readState(ctx context.Context, log Log) (*state, error) {
	s := newState()
	for e, err := range log.Events(ctx, 0) {
		if err == nil {
			err = s.apply(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Begin makes a project in an empty log. The event with the project comes last: without it the
// project was not made to its end.
func Begin(ctx context.Context, log Log, p *Plan) error {
	if err := p.Project.Check(); err != nil {
		return err
	}
	for _, err := range log.Events(ctx, 0) {
		if err != nil {
			return err
		}
		return omniscope.Usagef("there is a project here already: name another place, or remove this one")
	}
	b := &beginning{log: log}
	ids := make(map[string]bool)
	for item, err := range p.Items {
		switch {
		case err != nil:
			return err
		case item.ID == "" || ids[item.ID]:
			return omniscope.Usagef("two items are called %q", item.ID)
		}
		ids[item.ID] = true
		if err := b.add(ctx, NewEvent(ItemAdd, "", item)); err != nil {
			return err
		}
	}
	if len(ids) == 0 && !p.ItemsLater {
		return omniscope.Usagef("there is nothing to work on: no item could be made of the files")
	}
	if err := b.done(ctx, p, ids); err != nil {
		return err
	}
	p.Project.ID, p.Project.NotesClips = uuid.NewString(), true
	b.batch = append(b.batch, NewEvent(ProjectSet, "", &p.Project))
	return b.flush(ctx)
}

// A beginning writes the first events of a project.
type beginning struct {
	log   Log
	seq   int64
	batch []*Event
}

// atOnce is how many events are written in one step.
const atOnce = 1000

func (b *beginning) add(ctx context.Context, e *Event) error {
	if b.batch = append(b.batch, e); len(b.batch) < atOnce {
		return nil
	}
	return b.flush(ctx)
}

func (b *beginning) flush(ctx context.Context) error {
	for _, e := range b.batch {
		b.seq++
		e.Seq = b.seq
	}
	err := b.log.Append(ctx, b.batch)
	b.batch = b.batch[:0]
	return err
}

// done writes work that was done elsewhere, as that of its person.
func (b *beginning) done(ctx context.Context, p *Plan, items map[string]bool) error {
	if p.Done == nil {
		return nil
	}
	for d, err := range p.Done {
		switch {
		case err != nil:
			return err
		case !items[d.Item]:
			return omniscope.Usagef("work on %q, which is not an item", d.Item)
		case p.Project.Stage(d.Stage) == nil:
			return omniscope.Usagef("work at a stage %q, which the project does not have", d.Stage)
		}
		for _, e := range d.events() {
			if err := b.add(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// events are those of work that was done elsewhere.
func (d *Done) events() []*Event {
	events := []*Event{NewEvent(Take, "", nil)}
	for _, key := range slices.Sorted(maps.Keys(d.Answers)) {
		events = append(events, NewEvent(Set, "", &Answer{Key: key, Value: d.Answers[key]}))
	}
	events = append(events, NewEvent(Submit, "", nil))
	for _, e := range events {
		e.Task = d.TaskID
	}
	return events
}

// addDone saves work that was done elsewhere. It does not change the events.
func (w *Workplace) addDone(ctx context.Context, d *Done) error {
	if !w.Has(d.Item) {
		return omniscope.Usagef("work on %q, which is not an item", d.Item)
	}
	return w.saveAll(ctx, d.events()...)
}

// NewEvent makes an event of the program (by = "") or of a person.
func NewEvent(kind EventKind, by string, body any) *Event {
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

// Close ends writing and closes the log. It may be called again.
func (w *Workplace) Close() error {
	w.closing.Do(func() {
		close(w.closed)
		<-w.stopped
		w.closeErr = w.log.Close()
	})
	return w.closeErr
}

// Kind is the project's kind of work.
func (w *Workplace) Kind() *Kind { return w.kind }

// Project is what people are asked to do.
func (w *Workplace) Project() Project {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.project
}

// Seq is the place of the last event that was saved.
func (w *Workplace) Seq() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.seq
}

// Changed is closed when something is saved.
func (w *Workplace) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// Events reads the events after a place, in order.
func (w *Workplace) Events(ctx context.Context, after int64) func(yield func(*Event, error) bool) {
	return w.log.Events(ctx, after)
}
