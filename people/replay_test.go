package people_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// TestAnyHistoryOpenedAgainIsTheSame has people and the program do random things, allowed and not,
// some sent again, while time passes, and opens the project again.
func TestAnyHistoryOpenedAgainIsTheSame(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { anyHistory(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

func anyHistory(t *testing.T, r *rand.Rand) {
	dir := t.TempDir()
	log, err := sqlite.Open(dir)
	fixture.OK(t, err)
	fixture.OK(t, people.Begin(t.Context(), log, plan(3)))
	w := peopletest.Reopen(t, words, log)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sue", "tom")
	peopletest.Invite(t, w, people.Lead, "lea")
	var sent []*people.Event
	taken := 0
	for range 400 {
		var batch []*people.Event
		for range 1 + r.IntN(4) {
			if e := randomEvent(r, w.Seq()); len(sent) > 0 && r.IntN(10) == 0 {
				again := *pick(r, sent...)
				batch = append(batch, &again)
			} else {
				original := *e
				sent, batch = append(sent, &original), append(batch, e)
			}
		}
		receipts, err := w.Save(t.Context(), batch...)
		fixture.OK(t, err)
		for _, one := range receipts {
			if one.Err == nil {
				taken++
			}
		}
		if r.IntN(5) == 0 {
			time.Sleep(time.Duration(r.IntN(50)) * time.Minute)
		}
	}
	if taken < 50 {
		t.Errorf("only %d events were taken", taken)
	}
	for _, stage := range w.Progress() {
		for _, item := range w.Items() {
			if done, err := w.Done(t.Context(), item, stage.Stage.Name); err != nil || len(done) > stage.Stage.People {
				t.Errorf("%d did the stage %s of %s (%v)", len(done), stage.Stage.Name, item, err)
			}
		}
	}
	want := snapshot(w)
	fixture.OK(t, w.Close())
	if log, err = sqlite.Open(dir); err != nil {
		t.Fatal(err)
	}
	if got := snapshot(peopletest.Reopen(t, words, log)); !slices.Equal(want, got) {
		t.Errorf("%q\nand before\n%q", got, want)
	}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomEvent is one of a person or the program, about what is there or not.
func randomEvent(r *rand.Rand, last int64) *people.Event {
	person := pick(r, "ann", "ben", "cas", "sue", "tom", "lea", "eve")
	kinds := []people.EventKind{people.Take, people.Take, people.Set, people.Set, people.Set, people.Drop, people.Submit, people.Submit,
		people.Reopen, people.Release, people.Withdraw, people.Conflict, people.Assign, people.Unassign, people.StageSkip, people.PersonSet}
	e := people.NewEvent(pick(r, kinds...), person, nil)
	switch e.Kind {
	case people.Set, people.Drop, people.Conflict:
		e = people.NewEvent(e.Kind, person, &people.Answer{Key: pick(r, "word", "word", "word", "none"), Value: people.Value{"text": pick(r, "yes", "no", "never", "")}})
	case people.Assign, people.Unassign:
		e.By = pick(r, "", "", person)
	case people.PersonSet:
		e = people.NewEvent(e.Kind, "", &people.Person{ID: person, Name: person, Role: pick(r, people.Annotator, people.Senior, people.Lead), Closed: r.IntN(5) == 0})
	}
	e.Task = people.TaskID{Item: pick(r, "i0", "i1", "i2", "i9"), Stage: pick(r, "say", "say", "settle", "none"), Person: person}
	if e.Kind == people.Withdraw {
		e.Task.Person = pick(r, "ann", "ben", "sue")
	}
	e.Base, e.ActiveMS = pick(r, 0, last, last-5), pick(r, int64(0), 1000, -7, 1<<62)
	return e
}
