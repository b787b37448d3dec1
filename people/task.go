package people

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"omniscope"
)

func read(e *Event, into any) error {
	if err := json.Unmarshal(e.Body, into); err != nil {
		return invalid("event %d (%s) cannot be read: %w", e.Seq, e.Kind, err)
	}
	return nil
}

// task is a person's task; nil = there is none.
func (w *Workplace) task(id TaskID) *Task {
	if one := w.byID[id.Item]; one != nil {
		for _, t := range one.tasks {
			if t.TaskID == id {
				return t
			}
		}
	}
	return nil
}

// applyTask changes the state of a task by an event of it.
func (w *Workplace) applyTask(e *Event) error {
	one := w.byID[e.Task.Item]
	if one == nil {
		return invalid("event %d is of the item %q, which is not there", e.Seq, e.Task.Item)
	}
	t := w.task(e.Task)
	if t == nil {
		t = &Task{TaskID: e.Task, Last: e.At, known: make(map[string]int64)}
		one.tasks = append(one.tasks, t)
	}
	if gap := e.At.Sub(t.Last); gap > 0 && gap <= pause {
		t.Spent += gap
	}
	t.Last = e.At
	if s := w.project.Stage(e.Task.Stage); s != nil {
		t.Until = e.At.Add(s.Lease)
	}
	switch e.Kind {
	case Take, Reopen:
		t.State = Open
	case Submit:
		t.State = Submitted
	case Release:
		t.State = Released
	case Set, Drop:
		var a Answer
		if err := read(e, &a); err != nil {
			return err
		}
		t.known[a.Key] = e.Seq
	}
	return nil
}

// check refuses what may not happen. An answer by somebody who did not know the one that is
// there becomes a conflict.
func (w *Workplace) check(ctx context.Context, e *Event, told *Told) error {
	switch e.Kind {
	case PersonSet, SessionNew:
		return nil
	case Take, Set, Drop, Submit, Reopen, Release:
	default:
		return usage("nobody can tell of the event %q", e.Kind)
	}
	one, stage := w.byID[e.Task.Item], w.project.Stage(e.Task.Stage)
	person := w.people[e.By]
	switch {
	case person == nil || e.Task.Person != e.By:
		return denied("this task is somebody else's")
	case one == nil || stage == nil:
		return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("there is no item %q at a stage %q", e.Task.Item, e.Task.Stage)}
	case !slices.Contains(stage.By, person.Role):
		return denied("%s is not done by %ss", stage.Title, person.Role)
	}
	t := w.task(e.Task)
	if e.Kind == Take {
		if (t == nil || t.State == Released) && w.places(one, stage) == 0 {
			return usage("others have taken %s meanwhile: go on with the next", one.id)
		}
		if t != nil && t.State == Submitted {
			return usage("%s is submitted: open it again to change it", one.id)
		}
		return nil
	}
	if t == nil || e.Kind != Reopen && t.State != Open || e.Kind == Reopen && t.State != Submitted {
		return usage("%s is not open to you: take it first", one.id)
	}
	return w.checkAnswer(ctx, e, t, one, told)
}

func (w *Workplace) checkAnswer(ctx context.Context, e *Event, t *Task, one *work, told *Told) error {
	item, err := w.item(ctx, one)
	if err != nil {
		return err
	}
	switch e.Kind {
	case Set, Drop:
		var a Answer
		if json.Unmarshal(e.Body, &a) != nil || a.Key == "" {
			return usage("the answer cannot be read")
		}
		if e.Kind == Set {
			if err := w.rules.Check(e.Task.Stage, item, &a); err != nil {
				return err
			}
		}
		if at := t.known[a.Key]; at > e.Base {
			e.Kind, told.Base = Conflict, at
			there, err := w.log.At(ctx, at)
			if err != nil {
				return err
			}
			told.Conflict = &Answer{}
			return read(there, told.Conflict)
		}
	case Submit:
		answers, err := w.answers(ctx, e.Task)
		if err != nil {
			return err
		}
		return w.rules.Complete(e.Task.Stage, item, values(answers))
	}
	return nil
}

func denied(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf(format, args...)}
}

// places is how many more people may take an item at a stage.
func (w *Workplace) places(one *work, s *Stage) int {
	most := s.People
	if one.people > 0 {
		most = one.people
	}
	now := w.now()
	for _, t := range one.tasks {
		if t.Stage == s.Name && (t.State == Submitted || t.State == Open && t.Until.After(now)) {
			most--
		}
	}
	return max(0, most)
}

// Item reads an item.
func (w *Workplace) Item(ctx context.Context, id string) (*Item, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.byID[id]
	if one == nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("there is no item %q", id)}
	}
	return w.item(ctx, one)
}

func (w *Workplace) item(ctx context.Context, one *work) (*Item, error) {
	e, err := w.log.At(ctx, one.seq)
	if err != nil {
		return nil, err
	}
	item := &Item{}
	return item, read(e, item)
}

// A Current answer is the one that counts.
type Current struct {
	Answer
	Seq int64     `json:"seq"`
	At  time.Time `json:"at"`
}

// Answers are those of a task that count, by key.
func (w *Workplace) Answers(ctx context.Context, id TaskID) (map[string]Current, error) {
	return w.answers(ctx, id)
}

func (w *Workplace) answers(ctx context.Context, id TaskID) (map[string]Current, error) {
	out := make(map[string]Current)
	for e, err := range w.log.OfTask(ctx, id) {
		if err != nil {
			return nil, err
		}
		if e.Kind != Set && e.Kind != Drop {
			continue
		}
		c := Current{Seq: e.Seq, At: e.At}
		if err := read(e, &c.Answer); err != nil {
			return nil, err
		}
		if out[c.Key] = c; e.Kind == Drop {
			delete(out, c.Key)
		}
	}
	return out, nil
}

func values(answers map[string]Current) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(answers))
	for key, c := range answers {
		out[key] = c.Value
	}
	return out
}

// Next is the task that a person goes on with: one that they left open, else the first item that
// has a place for them. ok is false where there is none.
func (w *Workplace) Next(person, stage string) (id TaskID, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.project.Stage(stage)
	if s == nil {
		return TaskID{}, false
	}
	var free *work
	for _, one := range w.items {
		t := w.task(TaskID{one.id, stage, person})
		switch {
		case t != nil && t.State == Open:
			return t.TaskID, true
		case t == nil && free == nil && w.places(one, s) > 0:
			free = one
		}
	}
	if free == nil {
		return TaskID{}, false
	}
	return TaskID{free.id, stage, person}, true
}

// Tasks are all tasks, by item and in the order in which they were taken.
func (w *Workplace) Tasks() (out []Task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.items {
		for _, t := range one.tasks {
			copied := *t
			copied.known = nil
			out = append(out, copied)
		}
	}
	return out
}

// Items is how many items there are.
func (w *Workplace) Items() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.items)
}

// People are those who work on the project, by their ids.
func (w *Workplace) People() []Person {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Person
	for _, id := range slices.Sorted(maps.Keys(w.people)) {
		out = append(out, *w.people[id])
	}
	return out
}
