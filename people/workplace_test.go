package people_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// simple are rules of a kind of work whose only answer is a word.
type simple struct{}

func (simple) Check(_ string, _ *people.Item, a *people.Answer) error {
	var word string
	if json.Unmarshal(a.Value, &word) != nil {
		return errors.New("say a word")
	}
	return nil
}

func (simple) Complete(_ string, _ *people.Item, answers map[string]json.RawMessage) error {
	if len(answers) == 0 {
		return errors.New("say something first")
	}
	return nil
}

func rules(*people.Project) (people.Rules, error) { return simple{}, nil }

// project makes a project of so many items, each of which two people do, in a folder.
func project(t *testing.T, dir string, items int) *people.Workplace {
	t.Helper()
	log, err := sqlite.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &people.Project{Name: "p", Stages: []people.Stage{{Name: "s", Title: "Say", By: []people.Role{people.Annotator}, People: 2, Lease: time.Hour}}}
	err = people.Begin(t.Context(), log, p, func(yield func(*people.Item, error) bool) {
		for i := range items {
			if !yield(&people.Item{ID: fmt.Sprint("i", i), Payload: json.RawMessage(`{}`)}, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, log)
}

func open(t *testing.T, log people.Log) *people.Workplace {
	t.Helper()
	w, err := people.OpenWorkplace(t.Context(), log, rules)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return w
}

func invite(t *testing.T, w *people.Workplace, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if _, err := w.Invite(t.Context(), id, id, people.Annotator); err != nil {
			t.Fatal(err)
		}
	}
}

// tell tells of an event of a task and returns what became of it.
func tell(t *testing.T, w *people.Workplace, kind people.Kind, item, person string, base int64, word string) (people.Told, error) {
	t.Helper()
	return w.Tell(t.Context(), of(kind, item, person, base, word))
}

func of(kind people.Kind, item, person string, base int64, word string) *people.Event {
	e := people.NewEvent(kind, person, nil)
	if kind == people.Set || kind == people.Drop {
		value, _ := json.Marshal(word)
		e = people.NewEvent(kind, person, &people.Answer{Key: "word", Value: value})
	}
	e.Task, e.Base = people.TaskID{Item: item, Stage: "s", Person: person}, base
	return e
}

func must(t *testing.T, w *people.Workplace, kind people.Kind, item, person, word string) people.Told {
	t.Helper()
	told, err := tell(t, w, kind, item, person, 0, word)
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// word is the answer of a task that counts.
func word(t *testing.T, w *people.Workplace, item, person string) string {
	t.Helper()
	answers, err := w.Answers(t.Context(), people.TaskID{Item: item, Stage: "s", Person: person})
	if err != nil {
		t.Fatal(err)
	}
	var said string
	if a, ok := answers["word"]; ok {
		if err := json.Unmarshal(a.Value, &said); err != nil {
			t.Fatal(err)
		}
	}
	return said
}

func TestEachItemIsDoneByTwo(t *testing.T) {
	w := project(t, t.TempDir(), 2)
	invite(t, w, "ann", "ben", "cas")
	for _, person := range []string{"ann", "ben"} {
		id, ok := w.Next(person, "s")
		if !ok || id.Item != "i0" {
			t.Fatalf("%s gets %v", person, id)
		}
		must(t, w, people.Take, "i0", person, "")
	}
	if id, ok := w.Next("cas", "s"); !ok || id.Item != "i1" {
		t.Errorf("a third gets %v", id)
	}
	if _, err := tell(t, w, people.Take, "i0", "cas", 0, ""); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("a third takes what two have: %v", err)
	}
	if id, ok := w.Next("ann", "s"); !ok || id.Item != "i0" {
		t.Errorf("who left something open gets %v", id)
	}
	must(t, w, people.Set, "i0", "ann", "yes")
	must(t, w, people.Submit, "i0", "ann", "")
	if id, ok := w.Next("ann", "s"); !ok || id.Item != "i1" {
		t.Errorf("who has submitted gets %v", id)
	}
	must(t, w, people.Release, "i0", "ben", "")
	must(t, w, people.Take, "i0", "cas", "")
}

func TestItemsThatNobodyGoesOnWithGoToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, t.TempDir(), 1)
		invite(t, w, "ann", "ben", "cas")
		must(t, w, people.Take, "i0", "ann", "")
		must(t, w, people.Set, "i0", "ann", "half")
		must(t, w, people.Take, "i0", "ben", "")
		if _, ok := w.Next("cas", "s"); ok {
			t.Error("there is something to do, though two have it")
		}
		time.Sleep(61 * time.Minute)
		if id, ok := w.Next("cas", "s"); !ok || id.Item != "i0" {
			t.Errorf("after the lease there is nothing to do: %v", id)
		}
		if got := word(t, w, "i0", "ann"); got != "half" {
			t.Errorf("what was done is %q", got)
		}
	})
}

func TestWhatIsToldTwiceIsThereOnce(t *testing.T) {
	w := project(t, t.TempDir(), 1)
	invite(t, w, "ann")
	must(t, w, people.Take, "i0", "ann", "")
	e := of(people.Set, "i0", "ann", 0, "yes")
	first, err := w.Tell(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	again := *e
	second, err := w.Tell(t.Context(), &again)
	if err != nil || second.Seq != first.Seq {
		t.Errorf("told again it is at %d, not %d (%v)", second.Seq, first.Seq, err)
	}
}

func TestConflictsAreKeptAndShown(t *testing.T) {
	w := project(t, t.TempDir(), 1)
	invite(t, w, "ann")
	must(t, w, people.Take, "i0", "ann", "")
	first := must(t, w, people.Set, "i0", "ann", "one tab")
	told, err := tell(t, w, people.Set, "i0", "ann", 0, "another tab")
	if err != nil || told.Conflict == nil || string(told.Conflict.Value) != `"one tab"` || told.Base != first.Seq || told.Seq == 0 {
		t.Fatalf("%+v, %v", told, err)
	}
	if got := word(t, w, "i0", "ann"); got != "one tab" {
		t.Errorf("the answer is %q", got)
	}
	if told, err = tell(t, w, people.Set, "i0", "ann", told.Base, "after all"); err != nil || told.Conflict != nil {
		t.Fatalf("%+v, %v", told, err)
	}
	if got := word(t, w, "i0", "ann"); got != "after all" {
		t.Errorf("the answer is %q", got)
	}
}

func TestRefusals(t *testing.T) {
	w := project(t, t.TempDir(), 1)
	invite(t, w, "ann", "ben")
	if _, err := w.Invite(t.Context(), "vic", "Vic", people.Voter); err != nil {
		t.Fatal(err)
	}
	must(t, w, people.Take, "i0", "ann", "")
	for name, c := range map[string]struct {
		event *people.Event
		kind  omniscope.Kind
	}{
		"no word":                         {of(people.Submit, "i0", "ann", 0, ""), omniscope.Internal},
		"not taken":                       {of(people.Set, "i0", "ben", 0, "x"), omniscope.Usage},
		"another's role":                  {of(people.Take, "i0", "vic", 0, ""), omniscope.Denied},
		"nobody":                          {of(people.Take, "i0", "eve", 0, ""), omniscope.Denied},
		"no such item":                    {of(people.Take, "i9", "ann", 0, ""), omniscope.NotFound},
		"an event of the program's":       {of(people.Conflict, "i0", "ann", 0, ""), omniscope.Usage},
		"reopened before it is submitted": {of(people.Reopen, "i0", "ann", 0, ""), omniscope.Usage},
	} {
		if _, err := w.Tell(t.Context(), c.event); err == nil || omniscope.KindOf(err) != c.kind {
			t.Errorf("%s: %v, of kind %v", name, err, omniscope.KindOf(err))
		}
	}
	others := of(people.Set, "i0", "ann", 0, "x")
	others.By = "ben"
	if _, err := w.Tell(t.Context(), others); omniscope.KindOf(err) != omniscope.Denied {
		t.Errorf("ben answers in ann's task: %v", err)
	}
	bad := of(people.Set, "i0", "ann", 0, "x")
	bad.Body = json.RawMessage(`{"key": "word", "value": 7}`)
	if _, err := w.Tell(t.Context(), bad); err == nil {
		t.Error("an answer against the rules is taken")
	}
}

func TestSubmittedWorkIsOpenedAgainFirst(t *testing.T) {
	w := project(t, t.TempDir(), 1)
	invite(t, w, "ann")
	must(t, w, people.Take, "i0", "ann", "")
	first := must(t, w, people.Set, "i0", "ann", "yes")
	must(t, w, people.Submit, "i0", "ann", "")
	if _, err := tell(t, w, people.Set, "i0", "ann", first.Seq, "no"); err == nil {
		t.Error("a submitted answer was changed")
	}
	must(t, w, people.Reopen, "i0", "ann", "")
	if _, err := tell(t, w, people.Set, "i0", "ann", first.Seq, "no"); err != nil {
		t.Error(err)
	}
}

func TestAProjectOpenedAgainIsTheSame(t *testing.T) {
	dir := t.TempDir()
	log, err := sqlite.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
	w := project(t, dir, 3)
	invite(t, w, "ann", "ben")
	for _, item := range []string{"i0", "i1"} {
		must(t, w, people.Take, item, "ann", "")
		must(t, w, people.Set, item, "ann", "yes")
		must(t, w, people.Submit, item, "ann", "")
	}
	must(t, w, people.Take, "i0", "ben", "")
	want := w.Tasks()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if log, err = sqlite.Open(dir); err != nil {
		t.Fatal(err)
	}
	again := open(t, log)
	if got := again.Tasks(); !slices.Equal(summary(want), summary(got)) {
		t.Errorf("%v, and before %v", summary(got), summary(want))
	}
	if id, ok := again.Next("ann", "s"); !ok || id.Item != "i2" {
		t.Errorf("ann goes on with %v", id)
	}
}

func summary(tasks []people.Task) (out []string) {
	for _, t := range tasks {
		out = append(out, fmt.Sprintf("%s %s %s %s", t.TaskID, t.State, t.Spent, t.Last.Format(time.RFC3339Nano)))
	}
	return out
}

func TestTimeSpentLeavesPausesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, t.TempDir(), 1)
		invite(t, w, "ann")
		must(t, w, people.Take, "i0", "ann", "")
		time.Sleep(40 * time.Second)
		first := must(t, w, people.Set, "i0", "ann", "yes")
		time.Sleep(30 * time.Minute) // lunch
		if _, err := tell(t, w, people.Set, "i0", "ann", first.Seq, "no"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		must(t, w, people.Submit, "i0", "ann", "")
		if got := w.Tasks()[0].Spent; got != time.Minute {
			t.Errorf("%v of work, want 1m", got)
		}
	})
}

func TestLinksSignInOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, t.TempDir(), 1)
		link, err := w.Invite(t.Context(), "ann", "Ann", people.Annotator)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.SignIn(t.Context(), "guessed"); omniscope.KindOf(err) != omniscope.Denied {
			t.Errorf("a guessed link: %v", err)
		}
		session, _, err := w.SignIn(t.Context(), link)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.SignIn(t.Context(), link); omniscope.KindOf(err) != omniscope.Denied {
			t.Errorf("the link works twice: %v", err)
		}
		if p := w.Who(session); p == nil || p.ID != "ann" {
			t.Errorf("the session is %v's", p)
		}
		if p := w.Who(link); p != nil {
			t.Errorf("a link is a session of %v", p)
		}
		time.Sleep(31 * 24 * time.Hour)
		if p := w.Who(session); p != nil {
			t.Error("the session never ends")
		}
	})
}
