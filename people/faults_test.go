package people_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/people/sqlite"
)

func TestAConflictSentAgainIsAConflict(t *testing.T) {
	w := project(t, 1)
	id := say("i0", "ann")
	peopletest.Save(t, w, id, people.Take, nil)
	first := peopletest.Save(t, w, id, people.Set, word("one tab"))
	e := people.NewEvent(people.Set, "ann", word("another tab"))
	e.Task = id
	again := *e
	for _, sent := range []*people.Event{e, &again} { // the first reply was lost
		got, err := w.Save(t.Context(), sent)
		if err != nil || got[0].Err != nil || got[0].Conflict == nil || got[0].Conflict.Value.Text("text") != "one tab" || got[0].Base != first.Seq {
			t.Errorf("%+v (%v)", got, err)
		}
	}
}

func TestAnAnswerAfterOneThatWasTakenBack(t *testing.T) {
	w := project(t, 1)
	id := say("i0", "ann")
	peopletest.Save(t, w, id, people.Take, nil)
	set := peopletest.Save(t, w, id, people.Set, word("yes"))
	if got := peopletest.Try(t, w, id, people.Drop, set.Seq, word("")); got.Err != nil || got.Conflict != nil {
		t.Fatalf("%+v", got)
	}
	if got := peopletest.Try(t, w, id, people.Set, set.Seq, word("late")); got.Conflict == nil {
		t.Errorf("who knew the answer is not told that it was taken back: %+v", got)
	}
	if got := peopletest.Try(t, w, id, people.Set, 0, word("no")); got.Err != nil || got.Conflict != nil { // a page that was opened anew
		t.Errorf("%+v", got)
	}
}

// An unreliable log fails to read while it is down.
type unreliable struct {
	people.Log
	down bool
}

var errDown = errors.New("the line is cut")

func (l *unreliable) At(ctx context.Context, seq int64) (*people.Event, error) {
	if l.down {
		return nil, errDown
	}
	return l.Log.At(ctx, seq)
}

func (l *unreliable) OfTask(ctx context.Context, id people.TaskID) iter.Seq2[*people.Event, error] {
	if l.down {
		return func(yield func(*people.Event, error) bool) { yield(nil, errDown) }
	}
	return l.Log.OfTask(ctx, id)
}

func TestAnEventIsNotRefusedBecauseTheLogCannotBeRead(t *testing.T) {
	inner, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	log := &unreliable{Log: inner}
	fixture.OK(t, people.Begin(t.Context(), log, plan(1)))
	w := peopletest.Reopen(t, words, log)
	peopletest.Invite(t, w, people.Annotator, "ann")
	peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
	e := people.NewEvent(people.Set, "ann", word("typed"))
	e.Task = say("i0", "ann")
	log.down = true
	if got, err := w.Save(t.Context(), e); !errors.Is(err, errDown) {
		t.Errorf("a page would drop the event: %+v, %v", got, err)
	}
	log.down = false
	if got, err := w.Save(t.Context(), e); err != nil || got[0].Err != nil || said(t, w, e.Task) != "typed" {
		t.Errorf("sent again: %+v, %v", got, err)
	}
}

func TestAnEventThatCannotHappenKeepsNoOtherBack(t *testing.T) {
	w := project(t, 1)
	e := people.NewEvent(people.Unassign, "", nil)
	e.Task = say("nothing", "ann")
	if got, err := w.Save(t.Context(), e); err != nil || got[0].Err == nil {
		t.Fatalf("%+v (%v)", got, err)
	}
	peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
}

func TestWorkThatIsNotNeededAnyMoreIsNotSubmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, 2)
		peopletest.Invite(t, w, people.Lead, "lea")
		peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
		time.Sleep(2 * time.Hour) // the page stays open, the lease ends
		does(t, w, say("i0", "ben"), "yes")
		does(t, w, say("i0", "cas"), "no")
		if got := peopletest.Try(t, w, say("i0", "ann"), people.Set, 0, word("late")); got.Err != nil {
			t.Errorf("what was typed is lost: %v", got.Err)
		}
		if got := peopletest.Try(t, w, say("i0", "ann"), people.Submit, 0, nil); got.Err == nil || !strings.Contains(got.Err.Error(), "others have done") {
			t.Errorf("a third person's work counts, where two are wanted: %v", got.Err)
		}
		if id, _ := w.Next("ann", "say"); id.Item != "i1" {
			t.Errorf("ann goes on with %v", id)
		}
		settle := people.TaskID{Item: "i0", Stage: "settle", Person: "sue"}
		peopletest.Save(t, w, settle, people.Take, nil)
		peopletest.Save(t, w, settle, people.Set, word("yes"))
		withdraw := people.NewEvent(people.Withdraw, "lea", nil)
		withdraw.Task = say("i0", "ben")
		if got, err := w.Save(t.Context(), withdraw); err != nil || got[0].Err != nil {
			t.Fatal(got, err)
		}
		if got := peopletest.Try(t, w, settle, people.Submit, 0, nil); got.Err == nil {
			t.Error("what was withdrawn is settled")
		}
		if got := peopletest.Try(t, w, say("i0", "ben"), people.Set, 0, word("x")); got.Err == nil || !strings.Contains(got.Err.Error(), "withdrawn") {
			t.Errorf("ben is not told: %v", got.Err)
		}
	})
}

// revealing is words that show what was hidden, once a task is submitted.
var revealing = &people.Kind{Info: words.Info, Form: wordForm, Complete: completeWord, Skip: sameWord,
	Reveal: func(*people.WorkItem, map[string]people.Value) []people.Text { return nil }}

func TestWhoWasShownWhatWasHiddenChangesNothing(t *testing.T) {
	w := peopletest.Open(t, revealing, plan(1))
	peopletest.Invite(t, w, people.Annotator, "ann")
	does(t, w, say("i0", "ann"), "yes")
	if got := peopletest.Try(t, w, say("i0", "ann"), people.Reopen, 0, nil); got.Err == nil {
		t.Error("a vote can be changed by who knows whose they were")
	}
}

func TestAnAccountClosedWhileItsLinkIsUsedStaysClosed(t *testing.T) {
	w := project(t, 1)
	for range 100 {
		link, err := w.Invite(t.Context(), "ann", "", "")
		fixture.OK(t, err)
		var wg sync.WaitGroup
		wg.Go(func() { w.SignIn(context.Background(), link) })
		wg.Go(func() { w.CloseAccount(context.Background(), "ann") })
		wg.Wait()
		for _, p := range w.People() {
			if p.ID == "ann" && !p.Closed {
				t.Fatal("signing in opened the account again")
			}
		}
	}
}

func TestSessionsOfAClosedAccountDoNotComeBack(t *testing.T) {
	w := project(t, 1)
	link, _ := w.Invite(t.Context(), "sue", "", "")
	session, _, err := w.SignIn(t.Context(), link)
	fixture.OK(t, err)
	fixture.OK(t, w.CloseAccount(t.Context(), "sue"))
	if _, err := w.Invite(t.Context(), "sue", "", ""); err != nil {
		t.Fatal(err)
	}
	if w.Who(session) != nil {
		t.Error("whoever has the old browser is in again")
	}
	for _, p := range w.People() {
		if p.ID == "sue" && (p.Role != people.Senior || p.Name != "sue") {
			t.Errorf("another link changed %+v", p)
		}
	}
}

func TestIDsOfPeople(t *testing.T) {
	w := project(t, 1)
	for _, id := range []string{"", "..", "a b", "a/b", "a:b", "a?b", "a\x00", "a\u202eb", strings.Repeat("x", 65)} {
		if _, err := w.Invite(t.Context(), id, "", people.Annotator); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%q is invited: %v", id, err)
		}
	}
	for _, id := range []string{"ann@example.org", "Zoë", "a.b-c_d+e"} {
		if _, err := w.Invite(t.Context(), id, "", people.Annotator); err != nil {
			t.Error(err)
		}
	}
}

func TestHugeListsAreRefused(t *testing.T) {
	w := project(t, 1)
	peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
	for name, from := range map[string]any{"numbers": []any{1.0}, "a long text": []any{strings.Repeat("x", 501)}, "many": make([]any, 201)} {
		if got := peopletest.Try(t, w, say("i0", "ann"), people.Set, 0, &people.Answer{Key: "word", Value: people.Value{"from": from}}); got.Err == nil {
			t.Errorf("%s are taken", name)
		}
	}
}

func TestAnImportThatWasInterruptedIsCompleted(t *testing.T) {
	w := project(t, 2)
	done := func(yield func(*people.Done, error) bool) {
		for _, item := range []string{"i0", "i2"} {
			if !yield(&people.Done{TaskID: say(item, "elsewhere"), Answers: map[string]people.Value{"word": {"text": "yes"}}}, nil) {
				return
			}
		}
	}
	items := func(yield func(*people.Item, error) bool) {
		for item, err := range numbered(3) {
			if !yield(item, err) {
				return
			}
		}
		yield(nil, errDown) // killed after the items, before the work
	}
	if _, _, err := w.Add(t.Context(), &people.Plan{Items: items, Done: done}); !errors.Is(err, errDown) {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := w.Add(t.Context(), &people.Plan{Items: numbered(3), Done: done}); err != nil {
			t.Fatal(err)
		}
		for _, item := range []string{"i0", "i2"} {
			if got, err := w.Done(t.Context(), item, "say"); err != nil || len(got) != 1 {
				t.Errorf("%s has %d pieces of work (%v)", item, len(got), err)
			}
		}
	}
}

func TestSavingWhileTheProjectIsClosed(t *testing.T) {
	w := project(t, 1)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			e := people.NewEvent(people.Take, "ann", nil)
			e.Task = say("i0", "ann")
			if _, err := w.Save(context.Background(), e); err != nil && omniscope.KindOf(err) != omniscope.Transient {
				t.Error(err)
			}
		})
	}
	w.Close()
	wg.Wait()
}

func TestItemsOfWhoCannotDoThemGoToOthers(t *testing.T) {
	w := project(t, 2)
	peopletest.Invite(t, w, people.Lead, "lea")
	fixture.OK(t, w.Assign(t.Context(), "say", "ann", []string{"i0", "i1"}))
	does(t, w, say("i1", "ann"), "yes")
	withdraw := people.NewEvent(people.Withdraw, "lea", nil)
	withdraw.Task = say("i1", "ann")
	if got, err := w.Save(t.Context(), withdraw); err != nil || got[0].Err != nil {
		t.Fatal(got, err)
	}
	if id, _ := w.Next("ben", "say"); id.Item != "i1" {
		t.Errorf("where ann's work was withdrawn ben goes on with %v", id)
	}
	fixture.OK(t, w.CloseAccount(t.Context(), "ann"))
	if id, _ := w.Next("ben", "say"); id.Item != "i0" {
		t.Errorf("where ann's account is closed ben goes on with %v", id)
	}
	if err := w.Assign(t.Context(), "say", "ann", []string{"i0"}); err == nil {
		t.Error("a closed account gets items")
	}
}

// faulty is a kind with a fault in its code.
var faulty = &people.Kind{Info: words.Info, Form: wordForm,
	Complete: func(*people.WorkItem, map[string]people.Value) error { panic("the code is wrong") }}

func TestAFaultInAKindIsOneEventsTrouble(t *testing.T) {
	w := peopletest.Open(t, faulty, plan(1))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	for _, person := range []string{"ann", "ben"} {
		id := say("i0", person)
		peopletest.Save(t, w, id, people.Take, nil)
		peopletest.Save(t, w, id, people.Set, word("yes"))
		if got := peopletest.Try(t, w, id, people.Submit, 0, nil); omniscope.KindOf(got.Err) != omniscope.Internal || !strings.Contains(got.Err.Error(), "the code is wrong") {
			t.Errorf("%+v", got)
		}
	}
}

func TestProjectsOfOneNameHaveIDsOfTheirOwn(t *testing.T) {
	one, other := project(t, 1), project(t, 1)
	if a, b := one.Project().ID, other.Project().ID; a == "" || a == b {
		t.Errorf("the ids are %q and %q", a, b)
	}
}
