package people_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// full is a log whose disk is full for a while.
type full struct {
	people.Log
	is bool
}

func (f *full) Append(ctx context.Context, events []*people.Event) error {
	if f.is {
		return errors.New("no space left on device")
	}
	return f.Log.Append(ctx, events)
}

func TestWhatCouldNotBeWrittenHasNotHappened(t *testing.T) {
	log, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	fixture.OK(t, people.Begin(t.Context(), log, plan(1)))
	disk := &full{Log: log}
	w := peopletest.Reopen(t, words, disk)
	peopletest.Invite(t, w, people.Annotator, "ann")
	e := people.NewEvent(people.Take, "ann", nil)
	e.Task = say("i0", "ann")
	again := *e
	disk.is = true
	if _, err := w.Save(t.Context(), e); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Fatalf("%v", err)
	}
	if len(w.Tasks()) != 0 {
		t.Error("the task is there")
	}
	disk.is = false
	if got, err := w.Save(t.Context(), &again); err != nil || got[0].Err != nil || got[0].Seq != 4 {
		t.Errorf("%+v (%v)", got, err)
	}
}

func TestBeginRefuses(t *testing.T) {
	stages := plan(1).Project.Stages
	for says, change := range map[string]func(*people.Plan){
		"two items are called":       func(p *people.Plan) { p.Items = peopletest.Items(&people.Item{ID: "i"}, &people.Item{ID: "i"}) },
		"nothing to work on":         func(p *people.Plan) { p.Items = peopletest.Items() },
		"two stages are called":      func(p *people.Plan) { p.Project.Stages = append(stages, stages[0]) },
		"which is no stage before":   func(p *people.Plan) { p.Project.Stages = []people.Stage{stages[1]} },
		"say who does it":            func(p *people.Plan) { p.Project.Stages = []people.Stage{{Name: "s"}} },
		"a name, a kind and stages":  func(p *people.Plan) { p.Project.Kind = "" },
		`work on "x", which is no`:   func(p *people.Plan) { p.Done = done("x", "say") },
		`at a stage "x", which the`:  func(p *people.Plan) { p.Done = done("i0", "x") },
		"there is a project already": nil,
	} {
		log, err := sqlite.Open(t.TempDir())
		fixture.OK(t, err)
		p := plan(1)
		if change != nil {
			change(p)
		} else if err := people.Begin(t.Context(), log, plan(1)); err != nil {
			t.Fatal(err)
		} else {
			says = "there is a project here already"
		}
		if err := people.Begin(t.Context(), log, p); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
		log.Close()
	}
}

func done(item, stage string) iter.Seq2[*people.Done, error] {
	return func(yield func(*people.Done, error) bool) {
		yield(&people.Done{TaskID: people.TaskID{Item: item, Stage: stage, Person: "import"}, Answers: map[string]people.Value{"word": {"text": "yes"}}}, nil)
	}
}

func TestProjectsNotMadeToTheirEnd(t *testing.T) {
	log, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer log.Close()
	p := plan(0)
	p.Items = func(yield func(*people.Item, error) bool) {
		for i := range 1500 {
			if !yield(&people.Item{ID: fmt.Sprint(i)}, nil) {
				return
			}
		}
		yield(nil, errors.New("the disk is gone"))
	}
	if err := people.Begin(t.Context(), log, p); err == nil {
		t.Fatal("it was made")
	}
	_, err = people.Open(t.Context(), log, func(string) (*people.Kind, error) { return words, nil })
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "not made to its end") {
		t.Errorf("%v", err)
	}
}

func TestWorkDoneElsewhereCounts(t *testing.T) {
	p := plan(1)
	p.Done = done("i0", "say")
	w := peopletest.Open(t, words, p)
	got, err := w.Done(t.Context(), "i0", "say")
	if err != nil || len(got) != 1 || got[0].Person != "import" || got[0].Answers["word"].Text("text") != "yes" {
		t.Errorf("%+v (%v)", got, err)
	}
}
