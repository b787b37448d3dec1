package people

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

// memoryLog keeps events in memory.
type memoryLog struct{ events []*Event }

func (l *memoryLog) Append(_ context.Context, events []*Event) error {
	l.events = append(l.events, events...)
	return nil
}

func (l *memoryLog) Known(_ context.Context, ids []string) (map[string]int64, error) {
	known := make(map[string]int64)
	for _, e := range l.events {
		if slices.Contains(ids, e.ID) {
			known[e.ID] = e.Seq
		}
	}
	return known, nil
}

func (l *memoryLog) where(is func(*Event) bool) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for _, e := range l.events {
			if is(e) && !yield(e, nil) {
				return
			}
		}
	}
}

func (l *memoryLog) Events(_ context.Context, after int64) iter.Seq2[*Event, error] {
	return l.where(func(e *Event) bool { return e.Seq > after })
}

func (l *memoryLog) OfTask(_ context.Context, id TaskID) iter.Seq2[*Event, error] {
	return l.where(func(e *Event) bool { return e.Task == id })
}

func (l *memoryLog) At(_ context.Context, seq int64) (*Event, error) { return l.events[seq-1], nil }
func (l *memoryLog) Close() error                                    { return nil }

// oneWord asks for a word.
var oneWord = &Kind{Form: func(*WorkItem) (*Form, error) {
	return &Form{Sections: []Section{{Name: "word", Cards: []Card{{}}, Fields: []Field{{Name: "text", Type: Words}}}}}, nil
}}

// TestTheClockJumps has the server's clock go back a day and forward a year while somebody works.
// Events keep the order of the log, and the annotator keeps the item.
func TestTheClockJumps(t *testing.T) {
	log := &memoryLog{}
	p := &Plan{Project: Project{Name: "p", Kind: "k", Stages: []Stage{{Name: "s", Title: "S", By: []ProjectRole{Annotator}, People: 1, LeaseMinutes: 60}}},
		Items: func(yield func(*Item, error) bool) { yield(&Item{ID: "i"}, nil) }}
	fixture.OK(t, Begin(t.Context(), log, p))
	w, err := Open(t.Context(), log, func(string) (*Kind, error) { return oneWord, nil })
	fixture.OK(t, err)
	defer w.Close()
	clock := time.Now()
	w.now = func() time.Time { return clock }
	if _, err := w.Invite(t.Context(), "ann", "Ann", Annotator); err != nil {
		t.Fatal(err)
	}
	id := TaskID{"i", "s", "ann"}
	save := func(kind EventKind, base int64, body any) Receipt {
		t.Helper()
		e := NewEvent(kind, "ann", body)
		e.Task, e.Base, e.ActiveMS = id, base, 1000
		got, err := w.Save(t.Context(), e)
		if err != nil || got[0].Err != nil || got[0].Conflict != nil {
			t.Fatalf("%s: %+v (%v)", kind, got, err)
		}
		return got[0]
	}
	last := save(Take, 0, nil)
	base := int64(0)
	for _, jump := range []time.Duration{-24 * time.Hour, time.Second, 365 * 24 * time.Hour, -365 * 24 * time.Hour} {
		clock = clock.Add(jump)
		got := save(Set, base, &Answer{Key: "word", Value: Value{"text": jump.String()}})
		if got.Seq != last.Seq+1 {
			t.Errorf("after a jump of %v the event is at %d, not after %d", jump, got.Seq, last.Seq)
		}
		last, base = got, got.Seq
	}
	answers, err := w.Answers(t.Context(), id)
	if err != nil || answers["word"].Value.Text("text") != "-8760h0m0s" {
		t.Errorf("the answer is %v (%v)", answers, err)
	}
	save(Submit, 0, nil)
	if task, _ := w.Task(id); task.State != Submitted || task.Active < 0 || task.Active > 5*time.Second {
		t.Errorf("the task is %+v", task)
	}
}
