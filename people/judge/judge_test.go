package judge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/people"
	"omniscope/people/sqlite"
	"omniscope/run"
	"omniscope/run/journal"
	storesqlite "omniscope/run/journal/sqlite"
)

// newProject makes a project in a folder.
func newProject(t *testing.T, m *maker) string {
	t.Helper()
	dir := t.TempDir()
	log, err := sqlite.Open(dir)
	fixture.OK(t, err)
	p := peopletest.Make(t, m)
	p.Project.Name = "jury"
	fixture.OK(t, errors.Join(people.Begin(t.Context(), log, p), log.Close()))
	return dir
}

// serve opens the project as a server would.
func serve(t *testing.T, dir string) *people.Workplace {
	t.Helper()
	log, err := sqlite.Open(dir)
	fixture.OK(t, err)
	return peopletest.Reopen(t, Kind, log)
}

func opened(t *testing.T, dir string) (model.Model, string) {
	t.Helper()
	m, source, err := Open(dir)
	fixture.OK(t, err)
	return m, source
}

func request(step, text string) *model.Request {
	return &model.Request{Step: step, Attempt: 1, Messages: []model.Message{model.Text(model.System, "Be fair."), model.Text(model.User, text)}}
}

// replies has a person answer all that is open to them.
func replies(t *testing.T, w *people.Workplace, person string, say func(text string) string) int {
	t.Helper()
	return peopletest.DoAll(t, w, stage, []string{person}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		return map[string]people.Value{replyKey: {replyField: say(f.Texts[1].Body)}}
	})
}

func TestCallsWaitForPeople(t *testing.T) {
	dir := newProject(t, newMaker())
	m, source := opened(t, dir)
	for range 2 {
		for n := range 3 {
			if _, err := m.Generate(t.Context(), request(fmt.Sprint("s", n), "Which JSON object?")); omniscope.KindOf(err) != omniscope.Unanswered || omniscope.OutcomeOf(err) != omniscope.Pending {
				t.Fatalf("%v", err)
			}
		}
	}
	w := serve(t, dir)
	peopletest.Invite(t, w, people.Annotator, "ann")
	if n, err := Import(t.Context(), w, dir); err != nil || n != 3 {
		t.Fatalf("%d calls (%v)", n, err)
	}
	if n, err := Import(t.Context(), w, dir); err != nil || n != 0 {
		t.Errorf("%d calls the second time (%v)", n, err)
	}
	said := 0
	replies(t, w, "ann", func(string) string {
		if said++; said == 1 {
			return "1 A\n2. E: not given\n"
		}
		return `{"1": "B"}`
	})
	again, sameSource := opened(t, dir) // while the project is served
	if source != sameSource || !strings.HasPrefix(source, "people/jury@") {
		t.Errorf("source %q, before %q", sameSource, source)
	}
	for n, want := range []string{`{"1": "A", "2": "E: not given"}`, `{"1": "B"}`, `{"1": "B"}`} {
		got, err := again.Generate(t.Context(), request(fmt.Sprint("s", n), "Which JSON object?"))
		if err != nil || got.Text != want || got.Model != "people/jury" {
			t.Errorf("step %d: %+v (%v)", n, got, err)
		}
	}
	if _, err := again.Generate(t.Context(), request("s0", "Another question")); omniscope.KindOf(err) != omniscope.Unanswered {
		t.Errorf("another question of the same step: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, pendingFile)); err != nil {
		t.Error(err)
	}
}

// TestAJournalAsksAgain has a journal between the run and people: what was pending is asked again.
func TestAJournalAsksAgain(t *testing.T) {
	dir := newProject(t, newMaker())
	s, err := storesqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer s.Close()
	kept, err := s.Run(t.Context(), journal.Description{Name: "run", Manifest: "{}"})
	fixture.OK(t, err)
	defer kept.Close()
	meter := &wrap.Meter{}
	ask := func() (*model.Response, error) {
		m, source := opened(t, dir)
		stacked := wrap.Stack(m, wrap.Options{Name: "people/" + dir, Source: source, ByStep: true, Meter: meter, Once: &run.Once{Journal: kept}})
		return stacked.Generate(t.Context(), request("s", "What?"))
	}
	if _, err := ask(); omniscope.OutcomeOf(err) != omniscope.Pending {
		t.Fatal(err)
	}
	w := serve(t, dir)
	peopletest.Invite(t, w, people.Annotator, "ann")
	if _, err := Import(t.Context(), w, dir); err != nil {
		t.Fatal(err)
	}
	replies(t, w, "ann", func(string) string { return "That." })
	for range 2 {
		if got, err := ask(); err != nil || got.Text != "That." {
			t.Errorf("%+v (%v)", got, err)
		}
	}
	if n := meter.Failed.Load(); n != 0 {
		t.Errorf("%d calls failed", n)
	}
}

func TestTheReplyOfMostCounts(t *testing.T) {
	m := newMaker()
	m.People = 3
	dir := newProject(t, m)
	judge, _ := opened(t, dir)
	for n := range 12 {
		judge.Generate(t.Context(), request(fmt.Sprint("s", n), "Reply in JSON."))
	}
	w := serve(t, dir)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	if _, err := Import(t.Context(), w, dir); err != nil {
		t.Fatal(err)
	}
	for _, person := range []string{"ann", "ben", "cas"} {
		letter := "B"
		if person == "ann" {
			letter = "A: the first to answer"
		}
		replies(t, w, person, func(string) string { return `{"1": "` + letter + `", "2": "C"}` })
	}
	judge, _ = opened(t, dir)
	if got, err := judge.Generate(t.Context(), request("s3", "Reply in JSON.")); err != nil || got.Text != `{"1": "B", "2": "C"}` {
		t.Errorf("%+v (%v)", got, err)
	}
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// Of each call's three pairs all agree on entry 2, and one on entry 1.
	if got := tables[0].Rows[3]; got[1] != "0.667" || got[3] != "12 calls" {
		t.Errorf("%q", got)
	}
	var out strings.Builder
	if err := Kind.Exports[0].Write(t.Context(), w, &out); err != nil || strings.Count(out.String(), "\n") != 36 {
		t.Errorf("%d lines (%v)", strings.Count(out.String(), "\n"), err)
	}
}

// TestRepliesWithoutACommonEntryHaveNoAgreement has two people answer other entries of each call.
func TestRepliesWithoutACommonEntryHaveNoAgreement(t *testing.T) {
	m := newMaker()
	m.People = 2
	dir := newProject(t, m)
	judge, _ := opened(t, dir)
	for n := range 10 {
		judge.Generate(t.Context(), request(fmt.Sprint("s", n), "Reply in JSON."))
	}
	w := serve(t, dir)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	if _, err := Import(t.Context(), w, dir); err != nil {
		t.Fatal(err)
	}
	replies(t, w, "ann", func(string) string { return `{"1": "A"}` })
	replies(t, w, "ben", func(string) string { return `{"2": "A"}` })
	tables, err := Kind.Tables(t.Context(), w)
	fixture.OK(t, err)
	if got := strings.Join(tables[0].Rows[3], " | "); got != "raw agreement | not known |  | 10 calls" {
		t.Error(got)
	}
}

func TestReplies(t *testing.T) {
	c := &pendingCall{JSON: true}
	for text, want := range map[string]string{
		`{"1": "A"}`:        `{"1": "A"}`,
		"1 A\n\n 2: B: car": `{"1": "A", "2": "B: car"}`,
		`score "quoted"`:    `{"score": "\"quoted\""}`,
		`{"1": "A"`:         "",
		"A":                 "",
		" \n":               "",
		"null":              "",
	} {
		if got, err := c.reply(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
	if got, err := (&pendingCall{}).reply("any words"); got != "any words" || err != nil {
		t.Errorf("%q (%v)", got, err)
	}
}

func TestManyProcessesNoteCalls(t *testing.T) {
	dir := newProject(t, newMaker())
	var all sync.WaitGroup
	for range 4 {
		m, _ := opened(t, dir)
		all.Go(func() {
			for n := range 50 {
				m.Generate(t.Context(), request(fmt.Sprint("s", n), "What?"))
			}
		})
	}
	w := serve(t, dir)
	total := 0
	for done := false; !done; {
		all.Wait()
		n, err := Import(t.Context(), w, dir)
		fixture.OK(t, err)
		total, done = total+n, n == 0
	}
	if total != 50 || len(w.Items()) != 50 {
		t.Errorf("%d calls were added", total)
	}
	// A line that was not written to its end is left out.
	fixture.OK(t, os.WriteFile(filepath.Join(dir, pendingFile), []byte(`{"id": "call-1", "payl`), 0o600))
	if n, err := Import(t.Context(), w, dir); err != nil || n != 0 {
		t.Errorf("%d calls (%v)", n, err)
	}
}

func TestRefusals(t *testing.T) {
	dir := newProject(t, newMaker())
	m, _ := opened(t, dir)
	picture := request("s", "What?")
	picture.Messages[1].Parts = append(picture.Messages[1].Parts, model.Part{Kind: model.ImagePart})
	vector := request("s", "What?")
	vector.Embed = true
	for _, r := range []*model.Request{picture, vector} {
		if _, err := m.Generate(t.Context(), r); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := Open(t.TempDir()); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := (&maker{People: 1, Pending: "nosuch"}).Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("%v", err)
	}
}
