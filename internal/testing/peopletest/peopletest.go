// Package peopletest makes projects for tests, and people who do what a test says.
package peopletest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
	"omniscope/people/sqlite"
)

// Open makes a project of a plan in a new folder, and opens it.
func Open(t testing.TB, kind *people.Kind, p *people.Plan) *people.Workplace {
	t.Helper()
	log, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	if p.Project.Name == "" {
		p.Project.Name = "test"
	}
	fixture.OK(t, people.Begin(t.Context(), log, p))
	return Reopen(t, kind, log)
}

// Reopen opens the project of a log.
func Reopen(t testing.TB, kind *people.Kind, log people.Log) *people.Workplace {
	t.Helper()
	w, err := people.Open(t.Context(), log, func(string) (*people.Kind, error) { return kind, nil })
	fixture.OK(t, err)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Make makes a plan, which is closed when the test ends.
func Make(t testing.TB, m people.Maker) *people.Plan {
	t.Helper()
	p, err := m.Make(t.Context())
	fixture.OK(t, err)
	if p.Close != nil {
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return p
}

// Export returns what a project's export of a name writes.
func Export(t testing.TB, w *people.Workplace, name string) string {
	t.Helper()
	for _, e := range w.Kind().Exports {
		if e.Name == name {
			var out strings.Builder
			fixture.OK(t, e.Write(t.Context(), w, &out))
			return out.String()
		}
	}
	t.Fatalf("no export is called %q", name)
	return ""
}

// Items are the items of a list.
func Items(items ...*people.Item) iter.Seq2[*people.Item, error] {
	return func(yield func(*people.Item, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// Invite invites people into one role.
func Invite(t testing.TB, w *people.Workplace, role people.ProjectRole, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if _, err := w.Invite(t.Context(), id, id, role); err != nil {
			t.Fatal(err)
		}
	}
}

// Save saves an event of a task, and fails the test if it is refused.
func Save(t testing.TB, w *people.Workplace, id people.TaskID, kind people.EventKind, body any) people.Receipt {
	t.Helper()
	got := Try(t, w, id, kind, 0, body)
	if got.Err != nil {
		t.Fatalf("%s %s: %v", kind, id, got.Err)
	}
	return got
}

// Try saves an event of a task. base is the last event that its author knew. Before a Submit it shows
// the clips of the item.
func Try(t testing.TB, w *people.Workplace, id people.TaskID, kind people.EventKind, base int64, body any) people.Receipt {
	t.Helper()
	if kind == people.Submit {
		Show(t, w, id)
	}
	e := people.NewEvent(kind, id.Person, body)
	e.Task, e.Base = id, base
	got, err := w.Save(context.WithoutCancel(t.Context()), e)
	fixture.OK(t, err)
	return got[0]
}

// Show shows the clips of an item to the person of a task, as a server does. If no file of a clip was found
// yet, it first notes one, with the SHA-256 that items name, or that of the name.
func Show(t testing.TB, w *people.Workplace, id people.TaskID) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	project := w.Project()
	if stage := project.Stage(id.Stage); stage == nil || stage.Sound == people.NoMedia {
		return
	}
	for n, m := range w.MediaOf(id.Item) {
		digest := w.Clip(m.Clip()).SHA256
		if digest == "" {
			digest = sha256hex.Of(m.File)
			if m.SHA256 != "" {
				digest = m.SHA256
			}
			fixture.OK(t, w.NoteClips(ctx, people.ClipNote{File: m.File, Wanted: m.SHA256, SHA256: digest}))
		}
		fixture.OK(t, w.NoteShown(ctx, id, n, digest))
	}
}

// Do has a person do the next item of a stage; false = there is none. answer says what they
// answer, by key.
func Do(t testing.TB, w *people.Workplace, person, stage string, answer func(*people.WorkItem, *people.Form) map[string]people.Value) bool {
	t.Helper()
	id, ok := w.Next(person, stage)
	if !ok {
		return false
	}
	Save(t, w, id, people.Take, nil)
	c, err := w.WorkItem(t.Context(), id.Item, stage)
	fixture.OK(t, err)
	form, err := w.Kind().Form(c)
	fixture.OK(t, err)
	answers := answer(c, form)
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		Save(t, w, id, people.Set, &people.Answer{Key: key, Value: answers[key]})
	}
	Save(t, w, id, people.Submit, nil)
	return true
}

// DoAll has people take turns until nothing is left for any of them, and returns how many tasks
// they did.
func DoAll(t testing.TB, w *people.Workplace, stage string, persons []string, answer func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value) (n int) {
	t.Helper()
	for more := true; more; {
		more = false
		for _, person := range persons {
			if Do(t, w, person, stage, func(c *people.WorkItem, f *people.Form) map[string]people.Value { return answer(person, c, f) }) {
				n, more = n+1, true
			}
		}
	}
	return n
}

var words = regexp.MustCompile(`[\pL\pN]+`)

// NobodyIsNamed reports tables that name a person and are not marked as personal: those are published.
func NobodyIsNamed(t testing.TB, w *people.Workplace, tables []omniscope.Table) {
	t.Helper()
	for _, table := range tables {
		if table.Personal {
			continue
		}
		text := fmt.Sprint(table.Title, table.Note, table.Columns, table.Rows)
		for _, person := range w.People() {
			if slices.Contains(words.FindAllString(text, -1), person.ID) {
				t.Errorf("the table %s names %s, and is not marked as personal", table.Name, person.ID)
			}
		}
	}
}
