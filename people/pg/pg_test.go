package pg

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/logtest"
	"omniscope/internal/testing/peopletest"
	"omniscope/internal/testing/pgtest"
	"omniscope/people"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestLog(t *testing.T) {
	address := pgtest.New(t) // all projects of the suite share a database
	logtest.Run(t, func(t *testing.T) people.Log { return opened(t, address, t.Name()) })
}

func opened(t testing.TB, address, project string) *Log {
	t.Helper()
	l, err := Open(t.Context(), address, project)
	fixture.OK(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// item makes an event at a place.
func item(seq int64) *people.Event {
	e := people.NewEvent(people.ItemAdd, "", &people.Item{ID: fmt.Sprint("i", seq)})
	e.Seq = seq
	return e
}

func count(t *testing.T, l *Log) (n int64) {
	t.Helper()
	for e, err := range l.Events(t.Context(), 0) {
		fixture.OK(t, err)
		if n++; e.Seq != n {
			t.Fatalf("event %d is at the place %d", n, e.Seq)
		}
	}
	return n
}

func TestOneWriterAtATime(t *testing.T) {
	address := pgtest.New(t)
	l := opened(t, address, "p")
	fixture.OK(t, l.Append(t.Context(), []*people.Event{item(1)}))
	if _, err := Open(t.Context(), address, "p"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "another process works on this project") {
		t.Errorf("%v", err)
	}
	opened(t, address, "another").Close()
	reader, err := OpenToRead(t.Context(), address, "p")
	fixture.OK(t, err)
	defer reader.Close()
	fixture.OK(t, l.Append(t.Context(), []*people.Event{item(2)}))
	if n := count(t, reader); n != 2 {
		t.Errorf("a reader finds %d events", n)
	}
	if err := reader.Append(t.Context(), []*people.Event{item(3)}); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("a reader writes: %v", err)
	}
	fixture.OK(t, l.Close())
	if n := count(t, opened(t, address, "p")); n != 2 {
		t.Errorf("%d events", n)
	}
}

// TestWhoWasOvertakenWritesNoMore has the connection of a writer break while another one opens
// the project.
func TestWhoWasOvertakenWritesNoMore(t *testing.T) {
	address := pgtest.New(t)
	first := opened(t, address, "p")
	fixture.OK(t, first.Append(t.Context(), []*people.Event{item(1)}))
	first.conn.Close(t.Context())
	var second *Log
	for second == nil { // the server notices after a moment
		second, _ = Open(t.Context(), address, "p")
	}
	for range 2 {
		if err := first.Append(t.Context(), []*people.Event{item(2)}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "another process has opened this project") {
			t.Errorf("%v", err)
		}
	}
	second.Close()
	if err := first.Append(t.Context(), []*people.Event{item(2)}); err == nil {
		t.Error("the first process writes again")
	}
	if n := count(t, opened(t, address, "p")); n != 1 {
		t.Errorf("%d events", n)
	}
}

// TestTheNumberHoldsWithoutTheLock takes the lock away from a writer whose connection stands.
func TestTheNumberHoldsWithoutTheLock(t *testing.T) {
	address := pgtest.New(t)
	l := opened(t, address, "p")
	if _, err := l.conn.Exec(t.Context(), "SELECT pg_advisory_unlock_all()"); err != nil {
		t.Fatal(err)
	}
	opened(t, address, "p")
	if err := l.Append(t.Context(), []*people.Event{item(1)}); !errors.Is(err, errTaken) {
		t.Errorf("%v", err)
	}
}

func TestAppendsThatAreRepeated(t *testing.T) {
	l := opened(t, pgtest.New(t), "p")
	events := []*people.Event{item(1), item(2)}
	for range 2 { // the second time as after a commit whose acknowledgement was lost
		fixture.OK(t, l.Append(t.Context(), events))
	}
	if n := count(t, l); n != 2 {
		t.Errorf("%d events", n)
	}
}

func TestProjects(t *testing.T) {
	address := pgtest.New(t)
	if names, err := Projects(t.Context(), address); err != nil || len(names) != 0 {
		t.Errorf("%q (%v)", names, err)
	}
	if _, err := OpenToRead(t.Context(), address, "p"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"b", "a", "empty"} {
		l := opened(t, address, name)
		if name != "empty" {
			fixture.OK(t, l.Append(t.Context(), []*people.Event{item(1)}))
		}
	}
	if names, err := Projects(t.Context(), address); err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("%q (%v)", names, err)
	}
	if _, err := Open(t.Context(), "postgres://u:secret@%zz/x", "p"); omniscope.KindOf(err) != omniscope.Usage || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	u, _ := url.Parse(address)
	u.Path = "/nosuch"
	if _, err := Open(t.Context(), u.String(), "p"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("%v", err)
	}
}

func TestAnyBytes(t *testing.T) {
	l := opened(t, pgtest.New(t), "a\x00b")
	e := item(1)
	e.ID, e.Task.Person = "\x00\xff\x01ü", "\x01"
	fixture.OK(t, l.Append(t.Context(), []*people.Event{e}))
	got, err := l.At(t.Context(), 1)
	if err != nil || got.ID != e.ID || got.Task.Person != e.Task.Person {
		t.Errorf("%+v (%v)", got, err)
	}
	if known, err := l.Known(t.Context(), []string{e.ID}); err != nil || known[e.ID] != 1 {
		t.Errorf("%v (%v)", known, err)
	}
}

func TestEventsAreOnlyAdded(t *testing.T) {
	address := pgtest.New(t)
	l := opened(t, address, "p")
	fixture.OK(t, l.Append(t.Context(), []*people.Event{item(1)}))
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	for _, change := range []string{"UPDATE omniscope_people.event SET by = 'me'", "DELETE FROM omniscope_people.event"} {
		if _, err := conn.Exec(t.Context(), change); err == nil || !strings.Contains(err.Error(), "events are only added") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// votes is a kind of work with one choice.
var votes = &people.Kind{Info: people.Info{Name: "votes"}, Form: func(*people.WorkItem) (*people.Form, error) {
	return &people.Form{Sections: []people.Section{{Name: "text", Title: "Text", Fields: []people.Field{{Name: "text", Label: "Text", Type: people.Prose}}, Cards: []people.Card{{}}}}}, nil
}}

// project makes a project of one item for many people, who have all taken it.
func project(t *testing.T, l people.Log, persons int) *people.Workplace {
	t.Helper()
	p := &people.Plan{Project: people.Project{Name: "p", Kind: "votes", Stages: []people.Stage{{Name: "s", Title: "S", By: []people.ProjectRole{people.Annotator}, People: persons, LeaseMinutes: 60}}},
		Items: peopletest.Items(&people.Item{ID: "i", Payload: []byte("{}")})}
	fixture.OK(t, people.Begin(t.Context(), l, p))
	w := peopletest.Reopen(t, votes, l)
	for n := range persons {
		peopletest.Invite(t, w, people.Annotator, fmt.Sprint("a", n))
		peopletest.Save(t, w, people.TaskID{Item: "i", Stage: "s", Person: fmt.Sprint("a", n)}, people.Take, nil)
	}
	return w
}

// saveThrough has people save while disturb goes on. Each sends an event again, as pages do, until
// it is acknowledged. In the end each acknowledged event is there, once.
func saveThrough(t *testing.T, w *people.Workplace, disturb func(saved func() int)) {
	t.Helper()
	const persons = 20
	var mu sync.Mutex
	acknowledged := make(map[string]int64)
	saved := func() int { mu.Lock(); defer mu.Unlock(); return len(acknowledged) }
	stop := make(chan struct{})
	var all sync.WaitGroup
	for n := range persons {
		all.Go(func() {
			id := people.TaskID{Item: "i", Stage: "s", Person: fmt.Sprint("a", n)}
			base := int64(0)
			for k := 0; ; k++ {
				select {
				case <-stop:
					return
				default:
				}
				e := people.NewEvent(people.Set, id.Person, &people.Answer{Key: "text", Value: people.Value{"text": fmt.Sprint(k)}})
				e.Task, e.Base = id, base
				seq, ok := saveUntil(t, w, e)
				if !ok {
					return
				}
				base = seq
				mu.Lock()
				acknowledged[e.ID] = seq
				mu.Unlock()
			}
		})
	}
	disturb(saved)
	for before := saved(); saved() < before+100 && !t.Failed(); { // it goes on
		time.Sleep(10 * time.Millisecond)
	}
	close(stop)
	all.Wait()
	places := make(map[string]int64)
	last := int64(0)
	for e, err := range w.Events(context.Background(), 0) {
		fixture.OK(t, err)
		if last++; e.Seq != last {
			t.Fatalf("event %d is at the place %d", last, e.Seq)
		}
		if e.Kind == people.Conflict {
			t.Errorf("event %d is a conflict", e.Seq)
		}
		places[e.ID] = e.Seq
	}
	for id, seq := range acknowledged {
		if places[id] != seq {
			t.Errorf("%s was acknowledged at %d and is at %d", id, seq, places[id])
		}
	}
	if w.Seq() != last {
		t.Errorf("the state is that of event %d, the log ends at %d", w.Seq(), last)
	}
	t.Logf("%d events saved", len(acknowledged))
}

// saveUntil sends an event until it is acknowledged.
func saveUntil(t *testing.T, w *people.Workplace, e *people.Event) (seq int64, ok bool) {
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		again := *e
		got, err := w.Save(context.Background(), &again)
		switch {
		case err != nil && omniscope.KindOf(err) != omniscope.Transient:
			t.Errorf("an error that does not pass: %v", err)
			return 0, false
		case err != nil:
		case got[0].Err != nil || got[0].Conflict != nil:
			t.Errorf("refused: %+v", got[0])
			return 0, false
		default:
			return got[0].Seq, true
		}
	}
	t.Error("nothing is saved any more")
	return 0, false
}

func TestLongServerGoesAndComesBack(t *testing.T) {
	server := pgtest.Own(t)
	address, err := server.Database(t.Context())
	fixture.OK(t, err)
	saveThrough(t, project(t, opened(t, address, "p"), 20), func(saved func() int) {
		for _, end := range []func() error{server.Stop, server.Kill, server.Kill} {
			for before := saved(); saved() < before+200 && !t.Failed(); {
				time.Sleep(10 * time.Millisecond)
			}
			if err := errors.Join(end(), server.Start()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestLongConnectionsAreCut(t *testing.T) {
	server := pgtest.Own(t)
	direct, err := server.Database(t.Context())
	fixture.OK(t, err)
	proxy, address := pgtest.NewProxy(t, server, direct)
	saveThrough(t, project(t, opened(t, address, "p"), 20), func(func() int) {
		for range 60 {
			time.Sleep(time.Duration(20+rand.IntN(60)) * time.Millisecond)
			proxy.Cut()
		}
	})
}
