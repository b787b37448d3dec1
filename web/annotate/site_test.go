package annotate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/web"
	"omniscope/web/annotate"
)

// script is what must never run, wherever it is shown.
const script = `<script>document.title='broken'</script><img src=x onerror="document.title='broken'">`

// kind is a kind of work with all types of fields, and texts that try to be more.
var kind = &people.Kind{
	Info: people.Info{Name: "test", About: "a test"},
	Form: testForm,
	Exports: []people.Export{{Name: "words", File: "words.txt", About: "what was said", Write: func(ctx context.Context, w *people.Workplace, to io.Writer) error {
		for _, item := range w.Items() {
			done, err := w.Done(ctx, item, "say")
			if err != nil {
				return err
			}
			for _, d := range done {
				fmt.Fprintln(to, item, d.Person, d.Answers["word"].Text("text"))
			}
		}
		return nil
	}}},
	Tables: func(context.Context, *people.Workplace) ([]omniscope.Table, error) {
		return []omniscope.Table{{Name: "t", Title: script, Columns: []string{"a"}, Rows: [][]string{{script}}}}, nil
	},
}

func testForm(c *people.WorkItem) (*people.Form, error) {
	start, end := 1.0, 2.0
	return &people.Form{
		Texts: []people.Text{{Title: "About " + script, Body: "Look. " + script}},
		Sections: []people.Section{
			{Name: "word", Title: "Word", Cards: []people.Card{{Title: script, Texts: []people.Text{{Body: script, Start: &start, End: &end}}}}, Fields: []people.Field{
				{Name: "colour", Label: "Colour", Type: people.Choose, Choices: []people.Choice{{Value: "red", Label: "red " + script}, {Value: "blue", Label: "blue"}, {Value: "cannot", Label: "cannot judge", Unseen: true}}},
				{Name: "text", Label: "Word", Type: people.Prose, Names: "who.name", Optional: true},
			}},
			{Name: "who", Title: "People", Add: true, Strike: true, Merge: true, Order: true, Want: 3, Fields: []people.Field{
				{Name: "name", Label: "Name", Type: people.Words},
				{Name: "seen", Label: "Seen", Type: people.When, Optional: true},
				{Name: "senses", Label: "Senses", Type: people.Check, Optional: true, Choices: []people.Choice{{Value: "sight", Label: "sight"}, {Value: "sound", Label: "sound"}}},
			}, Cards: []people.Card{{ID: "d1", Draft: people.Value{"name": "Ann " + script, "from": []any{"machine/1"}}, Optional: true}}},
		},
	}, nil
}

// A site is a server of a project, and a folder with its clips.
type site struct {
	t      *testing.T
	server *httptest.Server
	w      *people.Workplace
	media  *annotate.Media
	links  map[string]string
	clips  string // folder
	made   string // folder of what is made of them
}

func serve(t *testing.T, items ...*people.Item) *site {
	t.Helper()
	if len(items) == 0 {
		for i := range 5 {
			items = append(items, &people.Item{ID: fmt.Sprintf("i%d", i)})
		}
	}
	w := peopletest.Open(t, kind, &people.Plan{Project: people.Project{Name: "p", Kind: "test", Title: "Test " + script, Guideline: "Be careful. " + script, Stages: []people.Stage{
		{Name: "say", Title: "Say", By: []people.ProjectRole{people.Annotator}, People: 2, LeaseMinutes: 60},
		{Name: "muted", Title: "Muted", By: []people.ProjectRole{people.Senior}, People: 1, Sound: people.Muted, LeaseMinutes: 60},
	}}, Items: peopletest.Items(items...)})
	s := &site{t: t, w: w, links: make(map[string]string), clips: t.TempDir(), made: filepath.Join(t.TempDir(), "prepared")}
	var err error
	for id, role := range map[string]people.ProjectRole{"olga": people.Owner, "lea": people.Lead, "sue": people.Senior, "ann": people.Annotator, "ben": people.Annotator} {
		if s.links[id], err = w.Invite(t.Context(), id, "Name "+script, role); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	return s
}

// start serves the project, again if it was served before.
func (s *site) start() {
	s.t.Helper()
	var err error
	if s.media, err = annotate.OpenMedia(annotate.MediaOptions{Roots: []string{s.clips}, Folder: s.made}); err != nil {
		s.t.Fatal(err)
	}
	pages := annotate.New(annotate.Options{Workplace: s.w, Media: s.media}).Handler()
	s.server = httptest.NewServer(web.Handler(pages, annotate.Style, []string{"127.0.0.1"}))
	s.t.Cleanup(s.server.Close)
}

// A client is somebody's browser, without its scripts.
type client struct {
	site *site
	http *http.Client
}

func (s *site) client() *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &client{s, &http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

// signIn is the browser of somebody who used their link.
func (s *site) signIn(id string) *client {
	s.t.Helper()
	c := s.client()
	if status, page := c.post("/join/"+s.links[id], "", nil); status != 200 {
		s.t.Fatalf("%s: %d %s", id, status, page)
	}
	return c
}

func (c *client) do(r *http.Request) (status int, body string) {
	c.site.t.Helper()
	answer, err := c.http.Do(r)
	if err != nil {
		c.site.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.site.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func (c *client) request(method, path, kind string, body io.Reader) *http.Request {
	r, err := http.NewRequestWithContext(c.site.t.Context(), method, c.site.server.URL+path, body)
	if err != nil {
		c.site.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

func (c *client) get(path string) (int, string) {
	c.site.t.Helper()
	return c.do(c.request("GET", path, "", nil))
}

func (c *client) post(path, kind string, body io.Reader) (int, string) {
	c.site.t.Helper()
	return c.do(c.request("POST", path, kind, body))
}

// save sends events of a task as its page does.
func (c *client) save(task string, events ...map[string]any) (int, string) {
	c.site.t.Helper()
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		c.site.t.Fatal(err)
	}
	r := c.request("POST", "/save/"+task, "application/json", bytes.NewReader(body))
	r.Header.Set("Accept", "application/json")
	return c.do(r)
}

var ids int

func event(kind, key string, value any) map[string]any {
	ids++
	return map[string]any{"id": fmt.Sprintf("00000000-0000-7000-8000-%012d", ids), "kind": kind, "key": key, "value": value}
}

func wants(t *testing.T, what string, status, want int, page string, parts ...string) {
	t.Helper()
	if status != want {
		t.Errorf("%s: status %d, want %d: %.300s", what, status, want, page)
	}
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("%s: %q is not in %.600s", what, part, page)
		}
	}
}

func TestATaskFromLinkToFile(t *testing.T) {
	s := serve(t)
	ann := s.client()
	status, page := ann.get("/join/" + s.links["ann"])
	wants(t, "link", status, 200, page, "Sign in this browser")
	status, page = ann.post("/join/"+s.links["ann"], "", nil)
	wants(t, "signed in", status, 200, page, "0 of 5 items done; 0 by you", "Take the next item")
	status, page = ann.post("/next/say", "", nil)
	wants(t, "task", status, 200, page, `id="task"`, `"state":"open"`)
	status, page = ann.save("say/i0", event("set", "word", map[string]any{"colour": "red", "text": "yes"}))
	wants(t, "saved", status, 200, page, `"seq":`)
	status, page = ann.save("say/i0", event("submit", "", nil))
	wants(t, "submitted, with a proposal that nobody accepted", status, 200, page, `"seq":`)
	status, page = ann.get("/")
	wants(t, "home", status, 200, page, "1 by you")
	olga := s.signIn("olga")
	status, page = olga.get("/export/words")
	wants(t, "file", status, 200, page, "i0 ann yes")
	status, page = olga.get("/overview")
	wants(t, "overview", status, 200, page, "1 of 10")
	status, page = olga.get("/results")
	wants(t, "results", status, 200, page, "&lt;script&gt;")
}

func TestWhoIsNotSignedInSeesNothing(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/", "/task/say/i0", "/overview", "/results", "/export/words", "/live", "/clip/say/i0/0/proxy.mp4", "/runs"} {
		status, page := s.client().get(path)
		wants(t, path, status, 401, page, "not signed in")
	}
	status, _ := s.client().save("say/i0", event("take", "", nil))
	if status != 401 {
		t.Errorf("saved: %d", status)
	}
}

func TestRolesSeeTheirPagesOnly(t *testing.T) {
	s := serve(t)
	ann, lea := s.signIn("ann"), s.signIn("lea")
	for _, path := range []string{"/overview", "/results", "/export/words", "/live"} {
		status, page := ann.get(path)
		wants(t, "ann "+path, status, 403, page, "this page is for")
	}
	status, page := lea.post("/invite", "application/x-www-form-urlencoded", strings.NewReader("id=eve&role=owner"))
	wants(t, "a lead invites", status, 403, page, "this page is for owners")
	status, page = ann.get("/task/muted/i0")
	wants(t, "another role's stage", status, 403, page, "not for the role annotator")
}

func TestTasksOfOthersAreNotSeen(t *testing.T) {
	s := serve(t)
	ann, ben, lea := s.signIn("ann"), s.signIn("ben"), s.signIn("lea")
	ann.post("/next/say", "", nil)
	ann.save("say/i0", event("set", "word", map[string]any{"text": "secret of ann"}))
	status, page := ben.get("/task/say/i0")
	wants(t, "ben at the same address", status, 200, page, "You have not taken this item")
	if strings.Contains(page, "secret") {
		t.Error("ben sees what ann says")
	}
	status, page = ben.get("/task/say/i0?person=ann")
	wants(t, "ben asks for ann's", status, 403, page, "somebody else")
	status, page = ben.save("say/i0", event("set", "word", map[string]any{"text": "mine"}))
	wants(t, "ben writes without taking", status, 200, page, "take it first")
	status, page = lea.get("/task/say/i0")
	wants(t, "the lead at a stage that is not for leads", status, 403, page, "not for the role lead")
	status, page = s.signIn("olga").get("/task/say/i0?person=ann")
	wants(t, "the owner looks", status, 200, page, "secret of ann", `"mine":false`)
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	for _, path := range []string{"/next/say", "/leave", "/save/say/i0"} {
		for _, header := range [][2]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://elsewhere.example"}} {
			r := ann.request("POST", path, "text/plain", strings.NewReader(`{"events":[]}`))
			r.Header.Set(header[0], header[1])
			if status, page := ann.do(r); status != 403 {
				t.Errorf("%s with %s: %d %s", path, header, status, page)
			}
		}
	}
	r := ann.request("GET", "/", "", nil)
	r.Host = "elsewhere.example" // a name that leads here
	if status, _ := ann.do(r); status != 403 {
		t.Errorf("another host name: %d", status)
	}
}

func TestLinksAndSessions(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	other := s.client()
	status, page := other.post("/join/"+s.links["ann"], "", nil)
	wants(t, "used again", status, 403, page, "was used before")
	// Somebody gives ann's browser a session of their own before she signs in: it ends.
	ben := s.signIn("ben")
	address, _ := url.Parse(s.server.URL)
	fixed := ben.http.Jar.Cookies(address)
	victim := s.client()
	victim.http.Jar.SetCookies(address, fixed)
	victim.post("/join/"+s.links["sue"], "", nil)
	if cookies := victim.http.Jar.Cookies(address); len(cookies) != 1 || cookies[0].Value == fixed[0].Value {
		t.Errorf("after signing in the session is still the one that was given: %v", cookies)
	}
	status, page = ben.get("/")
	wants(t, "the session that was given", status, 401, page)
	ann.post("/leave", "", nil)
	status, page = ann.get("/")
	wants(t, "signed out", status, 401, page)
}

func TestGuessingLinksIsSlow(t *testing.T) {
	s := serve(t)
	eve := s.client()
	refused := 0
	for i := range 30 {
		status, page := eve.post(fmt.Sprintf("/join/guess%d", i), "", nil)
		if status == http.StatusTooManyRequests {
			refused++
		} else {
			wants(t, "a guess", status, 403, page, "not valid")
		}
	}
	if refused != 20 {
		t.Errorf("%d of 30 guesses were not even looked at", refused)
	}
}

func TestHostileTexts(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	ann.post("/next/say", "", nil)
	ann.save("say/i0", event("set", "word", map[string]any{"text": script}))
	for _, path := range []string{"/", "/task/say/i0", "/task/say/" + url.PathEscape(script), "/nothing/" + url.PathEscape(script)} {
		if _, page := ann.get(path); strings.Contains(page, "<script>document") || strings.Contains(page, "<img src=x") {
			t.Errorf("%s has a script of others", path)
		}
	}
	answer, err := ann.http.Get(s.server.URL + "/")
	fixture.OK(t, err)
	answer.Body.Close()
	policy := answer.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy is %q", policy)
		}
	}
}

func TestBadRequests(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	ann.post("/next/say", "", nil)
	long := map[string]any{"text": strings.Repeat("x", 2<<20)}
	status, page := ann.save("say/i0", event("set", "word", long))
	wants(t, "two megabytes", status, 413, page)
	for name, c := range map[string]struct {
		body string
		want string
	}{
		"no JSON":       {`{"events": [`, "cannot be read"},
		"no events":     {`{"events": []}`, "1 to 500 events"},
		"no id":         {`{"events": [{"kind": "set", "key": "word"}]}`, "the id of an event"},
		"a wrong event": {`{"events": [{"id": "0123456789abcdef", "kind": "withdraw"}]}`, "cannot send the event"},
		"a project":     {`{"events": [{"id": "0123456789abcdef", "kind": "project"}]}`, "cannot send the event"},
	} {
		status, page := ann.post("/save/say/i0", "application/json", strings.NewReader(c.body))
		wants(t, name, status, 400, page, c.want)
	}
	status, page = ann.get("/task/say/nothing")
	wants(t, "no item", status, 404, page, "there is no item")
	status, page = ann.get("/nothing")
	wants(t, "no page", status, 404, page, "there is no page")
}

func TestClipsComeFromDeclaredFoldersOnly(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.mp4")
	fixture.OK(t, os.WriteFile(outside, []byte("secret"), 0o600))
	var items []*people.Item
	for i, name := range []string{outside, "../secret.mp4", "..%2fsecret.mp4", "/etc/passwd", "link.mp4"} {
		items = append(items, &people.Item{ID: fmt.Sprintf("i%d", i), Media: []people.Media{{File: name}}})
	}
	s := serve(t, items...)
	fixture.OK(t, os.Symlink(outside, filepath.Join(s.clips, "link.mp4")))
	ann := s.signIn("ann")
	for i := range items {
		ann.post("/next/say", "", nil)
		for _, file := range []string{"proxy.mp4", "ready", "..%2f..%2fpeople.db", "digest/proxy.mp4", "digest/..%2f..%2fpeople.db"} {
			status, page := ann.get(fmt.Sprintf("/clip/say/i%d/0/%s", i, file))
			if status != 404 || strings.Contains(page, "secret\n") || page == "secret" {
				t.Errorf("%s of %s: %d %.200s", file, items[i].Media[0].File, status, page)
			}
		}
		ann.save(fmt.Sprintf("say/i%d", i), event("set", "word", map[string]any{"colour": "red"}))
		status, page := ann.save(fmt.Sprintf("say/i%d", i), event("submit", "", nil))
		wants(t, "work on a clip that is not there", status, 200, page, "was not shown to you")
		ann.save(fmt.Sprintf("say/i%d", i), event("release", "", nil))
	}
	status, page := s.signIn("ben").get("/clip/say/i0/0/ready")
	wants(t, "of an item that was not taken", status, 403, page, "take the item first")
}

func TestConflictsReachThePage(t *testing.T) {
	s := serve(t)
	ann := s.signIn("ann")
	ann.post("/next/say", "", nil)
	ann.save("say/i0", event("set", "word", map[string]any{"text": "one"}))
	status, page := ann.save("say/i0", event("set", "word", map[string]any{"text": "two"}))
	wants(t, "a second tab", status, 200, page, `"conflict":{"value":{"text":"one"}`)
	again := event("set", "who/a", map[string]any{"name": "x"})
	_, first := ann.save("say/i0", again)
	_, second := ann.save("say/i0", again)
	if first != second {
		t.Errorf("sent twice: %s and %s", first, second)
	}
}

func TestOwnersInviteAssignAndWithdraw(t *testing.T) {
	s := serve(t)
	olga := s.signIn("olga")
	form := func(path, values string) (int, string) {
		return olga.post(path, "application/x-www-form-urlencoded", strings.NewReader(values))
	}
	status, page := form("/invite", "id=new&name=New&role=annotator")
	wants(t, "invite", status, 200, page, s.server.URL+"/join/")
	_, after, _ := strings.Cut(page, "/join/")
	link, _, _ := strings.Cut(after, "<")
	s.links["new"] = link
	newcomer := s.signIn("new")
	status, page = form("/assign", "stage=say&person=new&items=2")
	wants(t, "assign", status, 200, page)
	newcomer.post("/next/say", "", nil)
	newcomer.save("say/i0", event("set", "word", map[string]any{"colour": "red"}))
	newcomer.save("say/i0", event("submit", "", nil))
	status, page = form("/withdraw/say/i0/new", "")
	wants(t, "withdraw", status, 200, page)
	if task, _ := s.w.Task(people.TaskID{Item: "i0", Stage: "say", Person: "new"}); task.State != people.Withdrawn {
		t.Errorf("the task is %+v", task)
	}
	status, page = form("/close", "id=new")
	wants(t, "close", status, 200, page, "closed")
	status, page = newcomer.get("/")
	wants(t, "a closed account", status, 401, page)
	status, page = form("/invite", "id=a%2Fb&role=annotator")
	wants(t, "a bad id", status, 400, page, "one word")
}

func TestLiveTellsOfChanges(t *testing.T) {
	s := serve(t)
	olga, ann := s.signIn("olga"), s.signIn("ann")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	answer, err := olga.http.Do(olga.request("GET", "/live", "", nil).WithContext(ctx))
	fixture.OK(t, err)
	defer answer.Body.Close()
	line := make([]byte, 100)
	n, err := answer.Body.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), "data: ") {
		t.Fatalf("%q %v", line[:n], err)
	}
	ann.post("/next/say", "", nil)
	if n, err = answer.Body.Read(line); err != nil || !strings.HasPrefix(string(line[:n]), "data: ") {
		t.Errorf("%q %v", line[:n], err)
	}
}
