package people_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
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

// words is a kind of work at which people say a word, and a senior settles where they differ.
var words = &people.Kind{Info: people.Info{Name: "words"}, Form: wordForm, Complete: completeWord, Skip: sameWord}

func wordForm(c *people.WorkItem) (*people.Form, error) {
	f := &people.Form{Sections: []people.Section{{Name: "word", Title: "Word", Fields: []people.Field{{Name: "text", Label: "Word", Type: people.Words}}, Cards: []people.Card{{}}}}}
	for _, d := range c.Earlier {
		f.Texts = append(f.Texts, people.Text{Title: d.Letter, Body: d.Answers["word"].Text("text")})
	}
	return f, nil
}

func completeWord(_ *people.WorkItem, answers map[string]people.Value) error {
	if answers["word"].Text("text") == "never" {
		return errors.New("never is no word")
	}
	return nil
}

func sameWord(c *people.WorkItem) (bool, error) {
	said := make(map[string]bool)
	for _, d := range c.At("say") {
		said[d.Answers["word"].Text("text")] = true
	}
	return len(said) == 1, nil
}

func plan(items int) *people.Plan {
	return &people.Plan{
		Project: people.Project{Name: "p", Kind: "words", Stages: []people.Stage{
			{Name: "say", Title: "Say", By: []people.ProjectRole{people.Annotator, people.Senior}, People: 2, LeaseMinutes: 60},
			{Name: "settle", Title: "Settle", By: []people.ProjectRole{people.Senior}, People: 1, After: "say", Apart: []string{"say"}, LeaseMinutes: 60},
		}},
		Items: numbered(items),
	}
}

func numbered(n int) iter.Seq2[*people.Item, error] {
	var items []*people.Item
	for i := range n {
		items = append(items, &people.Item{ID: fmt.Sprint("i", i), Payload: []byte("{}")})
	}
	return peopletest.Items(items...)
}

func project(t *testing.T, items int) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, words, plan(items))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sue")
	return w
}

func say(item, person string) people.TaskID {
	return people.TaskID{Item: item, Stage: "say", Person: person}
}

func word(text string) *people.Answer {
	return &people.Answer{Key: "word", Value: people.Value{"text": text}}
}

// does has a person say a word of an item.
func does(t *testing.T, w *people.Workplace, id people.TaskID, text string) {
	t.Helper()
	peopletest.Save(t, w, id, people.Take, nil)
	peopletest.Save(t, w, id, people.Set, word(text))
	peopletest.Save(t, w, id, people.Submit, nil)
}

func said(t *testing.T, w *people.Workplace, id people.TaskID) string {
	t.Helper()
	answers, err := w.Answers(t.Context(), id)
	fixture.OK(t, err)
	return answers["word"].Value.Text("text")
}

func TestItemsGoToAsManyPeopleAsWanted(t *testing.T) {
	w := project(t, 2)
	for _, person := range []string{"ann", "ben"} {
		if id, ok := w.Next(person, "say"); !ok || id.Item != "i0" {
			t.Fatalf("%s goes on with %v", person, id)
		}
		does(t, w, say("i0", person), "yes")
	}
	if id, ok := w.Next("cas", "say"); !ok || id.Item != "i1" {
		t.Errorf("cas goes on with %v", id)
	}
	if got := peopletest.Try(t, w, say("i0", "cas"), people.Take, 0, nil); got.Err == nil {
		t.Error("a third person took an item for two")
	}
}

func TestOpenItemsAreKeptForALease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, 1)
		peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
		peopletest.Save(t, w, say("i0", "ann"), people.Set, word("half"))
		peopletest.Save(t, w, say("i0", "ben"), people.Take, nil)
		if _, ok := w.Next("cas", "say"); ok {
			t.Error("cas gets what two others have open")
		}
		time.Sleep(50 * time.Minute)
		w.Beat(say("i0", "ann"))
		time.Sleep(20 * time.Minute)
		if _, ok := w.Next("cas", "say"); !ok {
			t.Error("ben went away an hour ago, and nobody gets the item")
		}
		does(t, w, say("i0", "cas"), "mine")
		if got := peopletest.Try(t, w, say("i0", "ben"), people.Take, 0, nil); got.Err == nil {
			t.Error("ben goes on where ann and cas are")
		}
		if got := said(t, w, say("i0", "ann")); got != "half" {
			t.Errorf("ann's work is %q", got)
		}
	})
}

func TestManyWhoAskAtTheSameTimeGetItemsOfTheirOwn(t *testing.T) {
	w := project(t, 30)
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprint("p", i))
	}
	peopletest.Invite(t, w, people.Annotator, names...)
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			if _, ok, err := w.TakeNext(t.Context(), name, "say"); !ok || err != nil {
				t.Errorf("%s gets nothing: %v", name, err)
			}
		})
	}
	wg.Wait()
	taken := make(map[string]int)
	for _, task := range w.Tasks() {
		if taken[task.Item]++; taken[task.Item] > 2 {
			t.Errorf("%s is taken by %d", task.Item, taken[task.Item])
		}
	}
}

func TestAssignedItems(t *testing.T) {
	w := project(t, 3)
	assign := people.NewEvent(people.Assign, "", nil)
	assign.Task = say("i2", "ann")
	if got, err := w.Save(t.Context(), assign); err != nil || got[0].Err != nil {
		t.Fatal(got, err)
	}
	if id, _ := w.Next("ann", "say"); id.Item != "i2" {
		t.Errorf("ann goes on with %v", id)
	}
	if got := peopletest.Try(t, w, say("i2", "ben"), people.Take, 0, nil); omniscope.KindOf(got.Err) != omniscope.Denied {
		t.Errorf("ben takes what is ann's: %v", got.Err)
	}
	for _, id := range []people.TaskID{say("i9", "ann"), say("i0", "eve"), {Item: "i0", Stage: "settle", Person: "ann"}} {
		e := people.NewEvent(people.Assign, "", nil)
		e.Task = id
		if got, err := w.Save(t.Context(), e); err != nil || got[0].Err == nil {
			t.Errorf("%v is assigned", id)
		}
	}
}

func TestStagesWaitAndDisputesAloneAreSettled(t *testing.T) {
	w := project(t, 3)
	does(t, w, say("i0", "ann"), "yes")
	if _, ok := w.Next("sue", "settle"); ok {
		t.Error("a half done item is settled")
	}
	does(t, w, say("i0", "ben"), "yes")
	if id, ok := w.Next("sue", "settle"); ok {
		t.Errorf("%v is settled, where both say the same", id)
	}
	does(t, w, say("i1", "ann"), "yes")
	does(t, w, say("i1", "ben"), "no")
	id, ok := w.Next("sue", "settle")
	if !ok || id.Item != "i1" {
		t.Fatalf("sue settles %v", id)
	}
	peopletest.Save(t, w, id, people.Take, nil)
	if got := peopletest.Try(t, w, say("i1", "ann"), people.Reopen, 0, nil); got.Err == nil {
		t.Error("ann changes what is being settled")
	}
	c, err := w.WorkItem(t.Context(), "i1", "settle")
	if err != nil || len(c.Earlier) != 2 || c.Earlier[0].Letter == c.Earlier[1].Letter || !strings.Contains("AB", c.Earlier[0].Letter) {
		t.Errorf("%+v (%v)", c, err)
	}
	does(t, w, say("i2", "sue"), "yes")
	does(t, w, say("i2", "ann"), "no")
	if got := peopletest.Try(t, w, people.TaskID{Item: "i2", Stage: "settle", Person: "sue"}, people.Take, 0, nil); omniscope.KindOf(got.Err) != omniscope.Denied {
		t.Errorf("sue settles her own work: %v", got.Err)
	}
	p := w.Progress()
	if p[0].Done != 3 || p[1].Skipped != 1 || p[1].Items != 2 || p[1].Ready != 2 || len(p[1].Working) != 1 {
		t.Errorf("progress %+v", p)
	}
}

func TestAnswersThatAreChangedAgreeAfterAll(t *testing.T) {
	w := project(t, 1)
	does(t, w, say("i0", "ann"), "yes")
	does(t, w, say("i0", "ben"), "no")
	peopletest.Save(t, w, say("i0", "ben"), people.Reopen, nil)
	answers, _ := w.Answers(t.Context(), say("i0", "ben"))
	if got := peopletest.Try(t, w, say("i0", "ben"), people.Set, answers["word"].Seq, word("yes")); got.Err != nil || got.Conflict != nil {
		t.Fatalf("%+v", got)
	}
	peopletest.Save(t, w, say("i0", "ben"), people.Submit, nil)
	if _, ok := w.Next("sue", "settle"); ok {
		t.Error("there is something to settle")
	}
}

func TestWithdrawnWorkIsDoneBySomebodyElse(t *testing.T) {
	w := project(t, 1)
	peopletest.Invite(t, w, people.Lead, "lea")
	does(t, w, say("i0", "ann"), "yes")
	does(t, w, say("i0", "ben"), "yes")
	withdraw := func(by string) error {
		e := people.NewEvent(people.Withdraw, by, nil)
		e.Task = say("i0", "ann")
		got, err := w.Save(t.Context(), e)
		return errors.Join(err, got[0].Err)
	}
	if err := withdraw("ben"); omniscope.KindOf(err) != omniscope.Denied {
		t.Errorf("ben withdraws ann's work: %v", err)
	}
	fixture.OK(t, withdraw("lea"))
	if got := peopletest.Try(t, w, say("i0", "ann"), people.Take, 0, nil); got.Err == nil {
		t.Error("ann does again what was withdrawn")
	}
	if id, ok := w.Next("cas", "say"); !ok || id.Item != "i0" {
		t.Errorf("cas goes on with %v", id)
	}
	if done, err := w.Done(t.Context(), "i0", "say"); err != nil || len(done) != 1 {
		t.Errorf("%d count (%v)", len(done), err)
	}
}

func TestAnEventSentTwiceIsThereOnce(t *testing.T) {
	w := project(t, 1)
	peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
	e := people.NewEvent(people.Set, "ann", word("yes"))
	e.Task = say("i0", "ann")
	again, third := *e, *e
	first, err := w.Save(t.Context(), e)
	if err != nil || first[0].Err != nil {
		t.Fatal(first, err)
	}
	both, err := w.Save(t.Context(), &again, &third)
	if err != nil || both[0].Seq != first[0].Seq || both[1].Seq != first[0].Seq {
		t.Errorf("sent again it is at %+v, not %d (%v)", both, first[0].Seq, err)
	}
	if w.Seq() != first[0].Seq {
		t.Errorf("the log ends at %d", w.Seq())
	}
}

func TestConflictsAreKeptAndShown(t *testing.T) {
	w := project(t, 1)
	id := say("i0", "ann")
	peopletest.Save(t, w, id, people.Take, nil)
	first := peopletest.Save(t, w, id, people.Set, word("one tab"))
	got := peopletest.Try(t, w, id, people.Set, 0, word("another tab"))
	if got.Conflict == nil || got.Conflict.Value.Text("text") != "one tab" || got.Base != first.Seq || got.Seq == 0 || got.Err != nil {
		t.Fatalf("%+v", got)
	}
	if text := said(t, w, id); text != "one tab" {
		t.Errorf("the answer is %q", text)
	}
	if got = peopletest.Try(t, w, id, people.Set, got.Base, word("after all")); got.Err != nil || got.Conflict != nil {
		t.Fatalf("%+v", got)
	}
	if text := said(t, w, id); text != "after all" {
		t.Errorf("the answer is %q", text)
	}
}

func TestRefusedEvents(t *testing.T) {
	w := project(t, 1)
	peopletest.Invite(t, w, people.Voter, "vic")
	id := say("i0", "ann")
	peopletest.Save(t, w, id, people.Take, nil)
	for name, c := range map[string]struct {
		id   people.TaskID
		kind people.EventKind
		body any
		want omniscope.Kind
	}{
		"nothing to submit":       {id, people.Submit, nil, omniscope.Usage},
		"not taken":               {say("i0", "ben"), people.Set, word("x"), omniscope.Usage},
		"another role's":          {say("i0", "vic"), people.Take, nil, omniscope.Denied},
		"nobody":                  {say("i0", "eve"), people.Take, nil, omniscope.Denied},
		"no such item":            {say("i9", "ann"), people.Take, nil, omniscope.NotFound},
		"no such stage":           {people.TaskID{Item: "i0", Stage: "x", Person: "ann"}, people.Take, nil, omniscope.NotFound},
		"a conflict":              {id, people.Conflict, word("x"), omniscope.Usage},
		"a person":                {id, people.PersonSet, &people.Person{ID: "ann", Role: people.Owner}, omniscope.Denied},
		"an assignment":           {id, people.Assign, nil, omniscope.Denied},
		"opened before submitted": {id, people.Reopen, nil, omniscope.Usage},
		"no such key":             {id, people.Set, &people.Answer{Key: "other"}, omniscope.Usage},
		"no such field":           {id, people.Set, &people.Answer{Key: "word", Value: people.Value{"colour": "red"}}, omniscope.Usage},
		"no text":                 {id, people.Set, &people.Answer{Key: "word", Value: people.Value{"text": 7}}, omniscope.Usage},
		"two lines":               {id, people.Set, word("a\nb"), omniscope.Usage},
		"too long":                {id, people.Set, word(strings.Repeat("x", 10_001)), omniscope.Usage},
	} {
		if got := peopletest.Try(t, w, c.id, c.kind, 0, c.body); got.Err == nil || omniscope.KindOf(got.Err) != c.want || got.Seq != 0 {
			t.Errorf("%s: %+v, of kind %v", name, got, omniscope.KindOf(got.Err))
		}
	}
	e := people.NewEvent(people.Set, "ben", word("x"))
	e.Task = id
	if got, _ := w.Save(t.Context(), e); omniscope.KindOf(got[0].Err) != omniscope.Denied {
		t.Errorf("ben answers in ann's task: %v", got[0].Err)
	}
	peopletest.Save(t, w, id, people.Set, word("never"))
	if got := peopletest.Try(t, w, id, people.Submit, 0, nil); got.Err == nil || got.Err.Error() != "never is no word" {
		t.Errorf("%v", got.Err)
	}
}

// TestOneRefusedEventKeepsNoOtherBack sends events together, as a page does that was offline.
func TestOneRefusedEventKeepsNoOtherBack(t *testing.T) {
	w := project(t, 1)
	var events []*people.Event
	for _, text := range []string{"", "good", "two\nlines"} {
		e := people.NewEvent(people.Set, "ann", word(text))
		if text == "" {
			e = people.NewEvent(people.Take, "ann", nil)
		}
		e.Task = say("i0", "ann")
		events = append(events, e)
	}
	got, err := w.Save(t.Context(), events...)
	if err != nil || got[0].Err != nil || got[1].Err != nil || got[2].Err == nil {
		t.Errorf("%+v (%v)", got, err)
	}
}

func TestSubmittedWorkIsOpenedAgainFirst(t *testing.T) {
	w := project(t, 1)
	id := say("i0", "ann")
	does(t, w, id, "yes")
	if got := peopletest.Try(t, w, id, people.Set, w.Seq(), word("no")); got.Err == nil {
		t.Error("a submitted answer was changed")
	}
	peopletest.Save(t, w, id, people.Reopen, nil)
	if got := peopletest.Try(t, w, id, people.Set, w.Seq(), word("no")); got.Err != nil || got.Conflict != nil {
		t.Errorf("%+v", got)
	}
}

func TestAProjectOpenedAgainIsTheSame(t *testing.T) {
	dir := t.TempDir()
	log, err := sqlite.Open(dir)
	fixture.OK(t, err)
	fixture.OK(t, people.Begin(t.Context(), log, plan(4)))
	w := peopletest.Reopen(t, words, log)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	peopletest.Invite(t, w, people.Senior, "sue")
	for item, second := range map[string]string{"i0": "yes", "i1": "no"} {
		does(t, w, say(item, "ann"), "yes")
		does(t, w, say(item, "ben"), second)
	}
	peopletest.Save(t, w, say("i2", "ben"), people.Take, nil)
	want := snapshot(w)
	fixture.OK(t, w.Close())
	if log, err = sqlite.Open(dir); err != nil {
		t.Fatal(err)
	}
	if got := snapshot(peopletest.Reopen(t, words, log)); !slices.Equal(want, got) {
		t.Errorf("%q\nand before\n%q", got, want)
	}
}

// snapshot is all that follows from a log.
func snapshot(w *people.Workplace) (out []string) {
	for _, t := range w.Tasks() {
		out = append(out, fmt.Sprintf("%+v", t))
	}
	for _, p := range w.Progress() {
		out = append(out, fmt.Sprintf("%+v", p))
	}
	for _, p := range w.People() {
		id, ok := w.Next(p.ID, "say")
		settle, _ := w.Next(p.ID, "settle")
		out = append(out, fmt.Sprintf("%+v %v %v %v", p, id, ok, settle))
	}
	return append(out, fmt.Sprint(w.Seq()))
}

func TestActiveTimeIsThePagesButNoLongerThanTheClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, 1)
		id := say("i0", "ann")
		peopletest.Save(t, w, id, people.Take, nil)
		for _, c := range []struct{ passed, active, total time.Duration }{
			{40 * time.Second, 30 * time.Second, 30 * time.Second},
			{30 * time.Minute, 20 * time.Second, 50 * time.Second}, // lunch
			{10 * time.Second, time.Hour, time.Minute},             // a page with a strange clock
		} {
			time.Sleep(c.passed)
			e := people.NewEvent(people.Set, "ann", word("yes"))
			e.Task, e.ActiveMS, e.Base = id, c.active.Milliseconds(), w.Seq()
			if got, err := w.Save(t.Context(), e); err != nil || got[0].Err != nil {
				t.Fatal(got, err)
			}
			if task, _ := w.Task(id); task.Active != c.total {
				t.Errorf("%v of work, want %v", task.Active, c.total)
			}
		}
	})
}

func TestLinksSignInOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, 1)
		link, err := w.Invite(t.Context(), "ann", "Ann", people.Annotator)
		fixture.OK(t, err)
		if _, _, err := w.SignIn(t.Context(), "guessed"); omniscope.KindOf(err) != omniscope.Denied {
			t.Errorf("a guessed link: %v", err)
		}
		var sessions []string
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range 8 {
			wg.Go(func() {
				if session, _, err := w.SignIn(context.Background(), link); err == nil {
					mu.Lock()
					defer mu.Unlock()
					sessions = append(sessions, session)
				}
			})
		}
		wg.Wait()
		if len(sessions) != 1 {
			t.Fatalf("the link signed in %d times", len(sessions))
		}
		if p := w.Who(sessions[0]); p == nil || p.ID != "ann" {
			t.Errorf("the session is %v's", p)
		}
		if p := w.Who(link); p != nil {
			t.Errorf("a link is a session of %v", p)
		}
		time.Sleep(31 * 24 * time.Hour)
		if p := w.Who(sessions[0]); p != nil {
			t.Error("the session never ends")
		}
		late, _ := w.Invite(t.Context(), "ann", "Ann", people.Annotator)
		time.Sleep(15 * 24 * time.Hour)
		if _, _, err := w.SignIn(t.Context(), late); err == nil {
			t.Error("a link of two weeks ago signs in")
		}
	})
}

func TestClosedAccountsAndSessionsEnd(t *testing.T) {
	w := project(t, 1)
	sign := func(id string) string {
		link, err := w.Invite(t.Context(), id, id, people.Annotator)
		fixture.OK(t, err)
		session, _, err := w.SignIn(t.Context(), link)
		fixture.OK(t, err)
		return session
	}
	ann, ben := sign("ann"), sign("ben")
	fixture.OK(t, w.CloseAccount(t.Context(), "ann"))
	fixture.OK(t, w.SignOut(t.Context(), ben))
	if w.Who(ann) != nil || w.Who(ben) != nil {
		t.Error("they are still signed in")
	}
	if got := peopletest.Try(t, w, say("i0", "ann"), people.Take, 0, nil); omniscope.KindOf(got.Err) != omniscope.Denied {
		t.Errorf("a closed account works: %v", got.Err)
	}
}
