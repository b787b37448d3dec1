// Package logtest is the suite that every people.Log passes.
package logtest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// Run checks every promise of people.Log. open opens the log of a test again, which was closed
// before.
func Run(t *testing.T, open func(t *testing.T) people.Log) {
	for name, check := range map[string]func(*testing.T, people.Log) []*people.Event{
		"keeps events in their order":         keepsOrder,
		"adds all or none":                    allOrNone,
		"finds the events of a task":          findsTask,
		"knows events by their ids":           knowsIDs,
		"refuses who does not know the last":  refusesOthers,
		"keeps bodies to the byte":            keepsBodies,
		"ends reading when the context ended": ends,
	} {
		t.Run(name, func(t *testing.T) {
			reopen := open
			l := open(t)
			want := check(t, l)
			fixture.OK(t, l.Close())
			l = reopen(t)
			defer func() {
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}()
			if diff := cmp.Diff(want, all(t, l.Events(t.Context(), 0))); diff != "" {
				t.Errorf("after it was opened again (-want +got):\n%s", diff)
			}
		})
	}
}

func all(t *testing.T, events iter.Seq2[*people.Event, error]) (out []*people.Event) {
	t.Helper()
	for e, err := range events {
		fixture.OK(t, err)
		out = append(out, e)
	}
	return out
}

func event(n int) *people.Event {
	e := people.NewEvent(people.Set, "ann", &people.Answer{Key: fmt.Sprint("k", n), Value: people.Value{"n": n}})
	e.ActiveMS = int64(10 * n)
	e.Task = people.TaskID{Item: fmt.Sprint("i", n%3), Stage: "s", Person: "ann"}
	e.Base = int64(n)
	return e
}

// add adds events after those that are there.
func add(t *testing.T, l people.Log, events ...*people.Event) []*people.Event {
	t.Helper()
	last := int64(len(all(t, l.Events(t.Context(), 0))))
	for i, e := range events {
		e.Seq = last + int64(i) + 1
	}
	fixture.OK(t, l.Append(t.Context(), events))
	return events
}

func keepsOrder(t *testing.T, l people.Log) (events []*people.Event) {
	for n := range 10 {
		events = append(events, add(t, l, event(3*n), event(3*n+1), event(3*n+2))...)
	}
	if diff := cmp.Diff(events[20:], all(t, l.Events(t.Context(), 20))); diff != "" {
		t.Errorf("from the middle (-want +got):\n%s", diff)
	}
	one, err := l.At(t.Context(), 5)
	if err != nil || !cmp.Equal(one, events[4]) {
		t.Errorf("event 5 is %+v (%v)", one, err)
	}
	if _, err := l.At(t.Context(), 1000); err == nil {
		t.Error("there is an event 1000")
	}
	return events
}

func allOrNone(t *testing.T, l people.Log) []*people.Event {
	events := add(t, l, event(1))
	next, again, gap := event(2), *events[0], event(4)
	next.Seq, again.Seq, gap.Seq = 2, 3, 4
	if err := l.Append(t.Context(), []*people.Event{next, &again}); err == nil {
		t.Error("two events have one id")
	}
	if err := l.Append(t.Context(), []*people.Event{next, gap}); err == nil {
		t.Error("a place is left out")
	}
	return append(events, add(t, l, event(3))...)
}

func findsTask(t *testing.T, l people.Log) []*people.Event {
	events := add(t, l, event(0), event(1), event(2), event(3), people.NewEvent(people.ItemAdd, "", &people.Item{ID: "i0"}), event(6))
	got := all(t, l.OfTask(t.Context(), events[0].Task))
	if diff := cmp.Diff([]*people.Event{events[0], events[3], events[5]}, got); diff != "" {
		t.Errorf("of a task (-want +got):\n%s", diff)
	}
	if n := len(all(t, l.OfTask(t.Context(), people.TaskID{}))); n != 0 {
		t.Errorf("%d events are of no task", n)
	}
	return events
}

func knowsIDs(t *testing.T, l people.Log) []*people.Event {
	events := add(t, l, event(1), event(2))
	known, err := l.Known(t.Context(), []string{events[1].ID, "another"})
	if err != nil || len(known) != 1 || known[events[1].ID] != 2 {
		t.Errorf("known %v (%v)", known, err)
	}
	return events
}

func refusesOthers(t *testing.T, l people.Log) []*people.Event {
	events := add(t, l, event(1), event(2))
	late := event(3)
	late.Seq = 2 // of a process that does not know the last one
	if err := l.Append(t.Context(), []*people.Event{late}); err == nil {
		t.Error("two events have one place")
	}
	return events
}

func keepsBodies(t *testing.T, l people.Log) []*people.Event {
	e := event(1)
	e.Body = json.RawMessage("{\"key\": \"a\", \"value\":  \"\u65e5\u672c \\u0000 \xf0\x9f\x98\x80\"}")
	bare := event(2)
	bare.Body = nil
	return add(t, l, e, bare)
}

func ends(t *testing.T, l people.Log) []*people.Event {
	events := add(t, l, event(1), event(2), event(3))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range l.Events(ctx, 0) {
		if err != nil {
			return events
		}
	}
	t.Error("it went on")
	return events
}
