package people_test

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// votes is a kind of work of one question, which somebody may also say that they cannot judge.
var votes = &people.Kind{Info: words.Info, Complete: completeWord, Skip: sameWord, Form: func(*people.WorkItem) (*people.Form, error) {
	return &people.Form{Sections: []people.Section{{Name: "word", Title: "Vote", Cards: []people.Card{{}}, Fields: []people.Field{
		{Name: "text", Label: "Which?", Type: people.Choose, Choices: []people.Choice{{Value: "yes"}, {Value: "no"}, {Value: "cannot", Label: "Cannot judge", Unseen: true}}}}}}}, nil
}}

// films is a plan of items with these clips, without the stage "settle".
func films(clips ...people.Media) *people.Plan {
	p := plan(0)
	p.Project.Stages = append(p.Project.Stages[:1], people.Stage{Name: "muted", Title: "Muted", By: p.Project.Stages[0].By, People: 2, Sound: people.Muted, LeaseMinutes: 60},
		people.Stage{Name: "texts", Title: "Texts", By: p.Project.Stages[0].By, People: 2, Sound: people.NoMedia, LeaseMinutes: 60})
	p.Items = peopletest.Items(&people.Item{ID: "i0", Media: clips, Payload: []byte("{}")}, &people.Item{ID: "i1", Media: clips, Payload: []byte("{}")})
	return p
}

var film = people.Media{File: "a.mp4"}

func note(t *testing.T, w *people.Workplace, notes ...people.ClipNote) {
	t.Helper()
	fixture.OK(t, w.NoteClips(t.Context(), notes...))
}

func show(t *testing.T, w *people.Workplace, id people.TaskID, n int, digest string) {
	t.Helper()
	fixture.OK(t, w.NoteShown(t.Context(), id, n, digest))
}

// submit submits a task without showing its clips first.
func submit(t *testing.T, w *people.Workplace, id people.TaskID) error {
	t.Helper()
	e := people.NewEvent(people.Submit, id.Person, nil)
	e.Task = id
	got, err := w.Save(t.Context(), e)
	fixture.OK(t, err)
	return got[0].Err
}

func opened(t *testing.T, kind *people.Kind, p *people.Plan) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, kind, p)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	return w
}

// TestOnlyWorkOnShownClipsIsSubmitted has somebody submit an item at each kind of stage, with what the
// server knows of its clips.
func TestOnlyWorkOnShownClipsIsSubmitted(t *testing.T) {
	two := []people.Media{{File: "a.mp4", Title: "Original"}, {File: "b.mp4"}}
	found := people.ClipNote{File: "a.mp4", SHA256: "aa"}
	for name, c := range map[string]struct {
		clips  []people.Media
		stage  string
		notes  []people.ClipNote
		shown  map[int]string
		later  []people.ClipNote // after they were shown
		answer string
		says   string // "" = it is taken
	}{
		"no clips":                         {nil, "say", nil, nil, nil, "yes", ""},
		"a stage without media":            {[]people.Media{film}, "texts", nil, nil, nil, "yes", ""},
		"shown":                            {[]people.Media{film}, "say", []people.ClipNote{found}, map[int]string{0: "aa"}, nil, "yes", ""},
		"shown, then gone":                 {[]people.Media{film}, "say", []people.ClipNote{found}, map[int]string{0: "aa"}, []people.ClipNote{{File: "a.mp4", Trouble: "the disk is away"}}, "yes", ""},
		"found, not shown":                 {[]people.Media{film}, "say", []people.ClipNote{found}, nil, nil, "yes", "the clip of i0 was not shown to you"},
		"found, not shown, at muted":       {[]people.Media{film}, "muted", []people.ClipNote{found}, nil, nil, "yes", "the clip of i0 was not shown to you"},
		"not looked for":                   {[]people.Media{film}, "say", nil, nil, nil, "no", `choose "Cannot judge", or give the item back`},
		"it cannot be shown":               {[]people.Media{film}, "say", []people.ClipNote{{File: "a.mp4", Trouble: "the disk is full"}}, nil, nil, "no", "the clip of i0 cannot be shown now"},
		"one of two shown":                 {two, "say", []people.ClipNote{found, {File: "b.mp4", SHA256: "bb"}}, map[int]string{0: "aa"}, nil, "yes", "clip 2 of i0 was not shown"},
		"both shown":                       {two, "say", []people.ClipNote{found, {File: "b.mp4", SHA256: "bb"}}, map[int]string{0: "aa", 1: "bb"}, nil, "yes", ""},
		"shown, then replaced":             {[]people.Media{film}, "say", []people.ClipNote{found}, map[int]string{0: "aa"}, []people.ClipNote{{File: "a.mp4", SHA256: "cc"}}, "yes", "has been replaced by another file since it was shown to you"},
		"not shown, and says so":           {[]people.Media{film}, "say", nil, nil, nil, "cannot", ""},
		"not shown, nothing answered":      {[]people.Media{film}, "say", nil, nil, nil, "", "was not shown to you"},
		"shown, and cannot judge anyway":   {[]people.Media{film}, "say", []people.ClipNote{found}, map[int]string{0: "aa"}, nil, "cannot", ""},
		"named by its digest, and shown":   {[]people.Media{{File: "a.mp4", SHA256: "aa"}}, "say", []people.ClipNote{{File: "a.mp4", Wanted: "aa", SHA256: "aa"}}, map[int]string{0: "aa"}, nil, "yes", ""},
		"named by its digest, and missing": {[]people.Media{{File: "a.mp4", SHA256: "aa"}}, "say", []people.ClipNote{{File: "a.mp4", Wanted: "aa", Trouble: "another file"}}, nil, nil, "yes", "cannot be shown now"},
	} {
		t.Run(name, func(t *testing.T) {
			w := opened(t, votes, films(c.clips...))
			note(t, w, c.notes...)
			id := people.TaskID{Item: "i0", Stage: c.stage, Person: "ann"}
			peopletest.Save(t, w, id, people.Take, nil)
			for n, digest := range c.shown {
				show(t, w, id, n, digest)
			}
			note(t, w, c.later...)
			if c.answer != "" {
				peopletest.Save(t, w, id, people.Set, word(c.answer))
			}
			err := submit(t, w, id)
			if c.says == "" && err != nil || c.says != "" && (omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%v, want %q", err, c.says)
			}
			peopletest.Try(t, w, id, people.Release, 0, nil) // everyone may give an item back
			if len(w.LeftOut()) > 0 {
				t.Errorf("left out: %v", w.LeftOut())
			}
		})
	}
}

func TestOnlyTheServerSaysWhatWasShown(t *testing.T) {
	w := opened(t, votes, films(film))
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "aa"})
	id := say("i0", "ann")
	show(t, w, id, 0, "aa") // not taken: nothing is noted
	peopletest.Save(t, w, id, people.Take, nil)
	if err := submit(t, w, id); err == nil {
		t.Error("a clip sent before the item was taken counts as shown")
	}
	if err := w.NoteShown(t.Context(), id, 0, "other"); err == nil {
		t.Error("another file than that of the clip is noted")
	}
	if err := w.NoteShown(t.Context(), id, 1, "aa"); err == nil {
		t.Error("a clip that the item does not have is noted")
	}
	if err := w.NoteClips(t.Context(), people.ClipNote{File: "none.mp4", SHA256: "aa"}); err == nil {
		t.Error("a clip that no item has is noted")
	}
	e := people.NewEvent(people.ClipFound, "ann", &people.ClipNote{File: "a.mp4", SHA256: "bb"})
	if got, err := w.Save(t.Context(), e); err != nil || got[0].Err == nil {
		t.Errorf("a person may note a clip's file: %+v (%v)", got, err)
	}
	before := w.Seq()
	for range 3 {
		show(t, w, id, 0, "aa")
		note(t, w, people.ClipNote{File: "a.mp4", SHA256: "aa"})
	}
	if n := w.Seq() - before; n != 1 {
		t.Errorf("%d events say the same thing", n)
	}
}

// TestWorkOnAReplacedClipIsLeftOut replaces the clip of two items, one of them done, and puts it back.
func TestWorkOnAReplacedClipIsLeftOut(t *testing.T) {
	p := films(film)
	p.Project.Stages = p.Project.Stages[:1]
	w := opened(t, votes, p)
	does(t, w, say("i0", "ann"), "yes")
	does(t, w, say("i0", "ben"), "yes")
	first := w.Clip(film.Clip()).SHA256
	counted := func(want int) {
		t.Helper()
		done, err := w.Done(t.Context(), "i0", "say")
		if err != nil || len(done) != want || w.LeftOut()[people.OtherClip] != 2-want {
			t.Errorf("%d count, want %d; left out %v (%v)", len(done), want, w.LeftOut(), err)
		}
		if c := w.Clip(film.Clip()); c.LeftOut != 2-want || c.Items != 2 {
			t.Errorf("the clip is %+v", c)
		}
		if given := w.Progress()[0].Given; given != want {
			t.Errorf("%d tasks are given, want %d", given, want)
		}
	}
	counted(2)
	note(t, w, people.ClipNote{File: "a.mp4", Trouble: "not found"}) // which does not replace the file
	counted(2)
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "other"})
	counted(0)
	table, any := people.LeftOutTable(w)
	clips, replaced := people.ClipTable(w)
	if !any || table.Rows[0][1] != "2" || !replaced || strings.Join(clips.Rows[0], "|") != "a.mp4|2|replaced by another file|2" {
		t.Errorf("tables %v, %v", table.Rows, clips.Rows)
	}
	if id, ok := w.Next("cas", "say"); !ok || id.Item != "i0" {
		t.Errorf("the item is not given to others: %v", id)
	}
	if id, ok := w.Next("ann", "say"); !ok || id.Item != "i0" {
		t.Errorf("ann does not do it again: %v", id)
	}
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: first})
	counted(2)
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "other"})
	peopletest.Save(t, w, say("i0", "ann"), people.Take, nil)
	if err := submit(t, w, say("i0", "ann")); err == nil || !strings.Contains(err.Error(), "replaced") {
		t.Errorf("answers about the other clip can be submitted again: %v", err)
	}
	peopletest.Save(t, w, say("i0", "ann"), people.Submit, nil) // the new one was shown
	if done, _ := w.Done(t.Context(), "i0", "say"); len(done) != 1 || done[0].Person != "ann" {
		t.Errorf("%+v", done)
	}
}

// TestManyClipsThatCannotBeShown: the table lists the first hundred and the total.
func TestManyClipsThatCannotBeShown(t *testing.T) {
	var clips []people.Media
	var notes []people.ClipNote
	for i := range 250 {
		clips = append(clips, people.Media{File: fmt.Sprint(i)})
		notes = append(notes, people.ClipNote{File: fmt.Sprint(i), Trouble: "the disk is full"})
	}
	w := opened(t, votes, films(clips...))
	note(t, w, notes...)
	if table, any := people.ClipTable(w); !any || len(table.Rows) != 100 || !strings.Contains(table.Note, "The first 100 of 250 clips") {
		t.Errorf("%d rows, %s", len(table.Rows), table.Note)
	}
}

// TestAVoteOnAReplacedClipIsNotCastAgain: a voter who has seen the systems' names cannot vote again.
func TestAVoteOnAReplacedClipIsNotCastAgain(t *testing.T) {
	w := opened(t, revealing, films(film))
	does(t, w, say("i0", "ann"), "yes")
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "other"})
	if id, ok := w.Next("ann", "say"); !ok || id.Item != "i1" {
		t.Errorf("ann goes on with %v", id)
	}
	if id, ok := w.Next("ben", "say"); !ok || id.Item != "i0" {
		t.Errorf("ben goes on with %v", id)
	}
}

// history writes a log: a project that says or does not say that shown clips are noted, and two
// people's work without a note of what they were shown.
func history(t *testing.T, notes bool) people.Log {
	t.Helper()
	log, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	p := films(film)
	p.Project.NotesClips = notes
	var events []*people.Event
	add := func(kind people.EventKind, by string, id people.TaskID, body any) {
		e := people.NewEvent(kind, by, body)
		e.Task, e.Seq = id, int64(len(events)+1)
		events = append(events, e)
	}
	for item := range p.Items {
		add(people.ItemAdd, "", people.TaskID{}, item)
	}
	add(people.ProjectSet, "", people.TaskID{}, &p.Project)
	for _, person := range []string{"ann", "ben"} {
		add(people.PersonSet, "", people.TaskID{}, &people.Person{ID: person, Role: people.Annotator})
		add(people.Take, person, say("i0", person), nil)
		add(people.Set, person, say("i0", person), word("yes"))
		add(people.Submit, person, say("i0", person), nil)
	}
	add(people.Take, "", say("i1", "elsewhere"), nil)
	add(people.Set, "", say("i1", "elsewhere"), word("yes"))
	add(people.Submit, "", say("i1", "elsewhere"), nil)
	fixture.OK(t, log.Append(t.Context(), events))
	return log
}

// TestOldProjectsCountAsBefore opens and serves a project without notes on clips, and replaces the clip
// later.
func TestOldProjectsCountAsBefore(t *testing.T) {
	w := peopletest.Reopen(t, votes, history(t, false))
	counted := func(when string, want int) {
		t.Helper()
		done, err := w.Done(t.Context(), "i0", "say")
		other, err2 := w.Done(t.Context(), "i1", "say")
		if err != nil || err2 != nil || len(done) != want || len(other) != want/2 {
			t.Errorf("%s: %d and %d count, want %d and %d (%v, %v)", when, len(done), len(other), want, want/2, err, err2)
		}
	}
	counted("opened", 2)
	if len(w.LeftOut()) > 0 {
		t.Errorf("left out: %v", w.LeftOut())
	}
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "aa"})
	counted("served", 2)
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "bb"})
	counted("replaced", 0)
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "aa"})
	counted("put back", 2)
	peopletest.Save(t, w, say("i1", "ann"), people.Take, nil)
	peopletest.Save(t, w, say("i1", "ann"), people.Set, word("yes"))
	if err := submit(t, w, say("i1", "ann")); err == nil {
		t.Error("new work in an old project counts without a shown clip")
	}
}

// TestWorkWithoutAShownClipIsLeftOut opens a project that notes shown clips, with work without a note.
func TestWorkWithoutAShownClipIsLeftOut(t *testing.T) {
	w := peopletest.Reopen(t, votes, history(t, true))
	done, err := w.Done(t.Context(), "i0", "say")
	if err != nil || len(done) != 0 || w.LeftOut()[people.NotShown] != 2 {
		t.Errorf("%d count, left out %v (%v)", len(done), w.LeftOut(), err)
	}
	if done, err := w.Done(t.Context(), "i1", "say"); err != nil || len(done) != 1 {
		t.Errorf("work that was done elsewhere does not count (%v)", err)
	}
	if id, ok := w.Next("ann", "say"); !ok || id.Item != "i0" {
		t.Errorf("ann is not asked again: %v", id)
	}
}

// TestClipsSurviveAReopening closes a project and opens it again from its log.
func TestClipsSurviveAReopening(t *testing.T) {
	dir := t.TempDir()
	log, err := sqlite.Open(dir)
	fixture.OK(t, err)
	fixture.OK(t, people.Begin(t.Context(), log, films(film)))
	w := peopletest.Reopen(t, votes, log)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	does(t, w, say("i0", "ann"), "yes")
	peopletest.Save(t, w, say("i0", "ben"), people.Take, nil)
	peopletest.Save(t, w, say("i0", "ben"), people.Set, word("cannot"))
	fixture.OK(t, submit(t, w, say("i0", "ben")))
	note(t, w, people.ClipNote{File: "a.mp4", SHA256: "other", Trouble: "cut off"})
	want := w.Clip(film.Clip())
	fixture.OK(t, w.Close())
	if log, err = sqlite.Open(dir); err != nil {
		t.Fatal(err)
	}
	w = peopletest.Reopen(t, votes, log)
	if got := w.Clip(film.Clip()); got != want || got.LeftOut != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if done, _ := w.Done(t.Context(), "i0", "say"); len(done) != 1 || done[0].Person != "ben" {
		t.Errorf("who could not judge counts as before, who saw another clip does not: %+v", done)
	}
}
