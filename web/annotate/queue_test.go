package annotate_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// between puts something between the browser and the server, for requests that save.
func (s *site) between(saves func(w http.ResponseWriter, r *http.Request, server http.Handler)) {
	inner := s.server.Config.Handler
	s.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/save/") {
			saves(w, r, inner)
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// cut has saving fail while it is true.
func (s *site) cut() *atomic.Bool {
	var away atomic.Bool
	s.between(func(w http.ResponseWriter, r *http.Request, server http.Handler) {
		if away.Load() {
			panic(http.ErrAbortHandler)
		}
		server.ServeHTTP(w, r)
	})
	return &away
}

// working is a browser in which ann has the first item open.
func (s *site) working(t *testing.T) *browser.Page {
	t.Helper()
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	return p
}

const offline = `document.getElementById("problem").textContent.includes("does not answer")`

// TestALostReplyLosesNoChange has the server take a change and its reply get lost. What is changed
// then is another event: the server would ignore it under the first one's id.
func TestALostReplyLosesNoChange(t *testing.T) {
	s := serve(t)
	var lost atomic.Bool
	s.between(func(w http.ResponseWriter, r *http.Request, server http.Handler) {
		if lost.Load() {
			server.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		server.ServeHTTP(w, r)
	})
	p := s.working(t)
	lost.Store(true)
	p.Keys("1")
	p.WaitFor(offline)
	p.Keys("2")
	lost.Store(false)
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("the page says that all is saved, and the answer is %q", got)
	}
	lost.Store(true) // and over a reload
	p.Keys("1")
	p.WaitFor(offline)
	p.Reload()
	p.WaitFor(`document.querySelector(".card.current")`)
	p.Keys("2")
	lost.Store(false)
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("after a reload the answer is %q", got)
	}
}

// TestLongWhatIsBetweenAnswersForTheServer has a proxy refuse everything for a while.
func TestLongWhatIsBetweenAnswersForTheServer(t *testing.T) {
	s := serve(t)
	var status atomic.Int64
	s.between(func(w http.ResponseWriter, r *http.Request, server http.Handler) {
		if code := status.Load(); code != 0 {
			http.Error(w, "not here", int(code))
			return
		}
		server.ServeHTTP(w, r)
	})
	p := s.working(t)
	for i, code := range []int64{403, 404} {
		status.Store(code)
		p.Keys([]string{"1", "2"}[i])
		p.WaitFor(offline)
		status.Store(0)
		saved(p)
		if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != []string{"red", "blue"}[i] {
			t.Errorf("after %d the answer is %q", code, got)
		}
	}
}

func TestLongSomebodyElseSignsInInTheSameBrowser(t *testing.T) {
	s := serve(t)
	p := s.working(t)
	ben := p.Tab(s.server.URL + "/join/" + s.links["ben"])
	ben.Click("button")
	ben.WaitFor(`document.querySelector("button.main")`)
	ben.Click("button.main")
	ben.WaitFor(`document.querySelector(".card.current")`)
	p.Keys("1")
	p.WaitFor(`document.getElementById("problem").textContent.includes("somebody else is signed in")`)
	if got := s.answers(t, "i0", "ben"); len(got) > 0 {
		t.Errorf("ann's answers are ben's: %v", got)
	}
	link, err := s.w.Invite(t.Context(), "ann", "", "")
	fixture.OK(t, err)
	again := p.Tab(s.server.URL + "/join/" + link)
	again.Click("button")
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "red" {
		t.Errorf("ann's answer is %q", got)
	}
}

func TestLongSubmitPressedTwice(t *testing.T) {
	s := serve(t)
	p := s.working(t)
	p.Keys("1")
	p.Value(`[1, 2, 3].map(() => dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true})) || document.getElementById("submit").click()).length`, new(int))
	p.WaitFor(`location.pathname === "/task/say/i1" && document.querySelector(".card.current")`)
}

// TestLongATaskDoesNotEndBeforeAConflictIsSeen submits in the same moment in which an answer turns out to
// be another browser's.
func TestLongATaskDoesNotEndBeforeAConflictIsSeen(t *testing.T) {
	s := serve(t)
	p := s.working(t)
	e := people.NewEvent(people.Set, "ann", &people.Answer{Key: "word", Value: people.Value{"colour": "red"}})
	e.Task = people.TaskID{Item: "i0", Stage: "say", Person: "ann"}
	if got, err := s.w.Save(t.Context(), e); err != nil || got[0].Err != nil {
		t.Fatal(got, err)
	}
	p.Keys("2")
	p.Value(`document.getElementById("submit").click()`, nil)
	p.WaitFor(`document.querySelector(".conflict")`)
	p.Value(`document.getElementById("submit").click()`, nil)
	p.WaitFor(`document.getElementById("problem").textContent.includes("choose first")`)
	if task, _ := s.w.Task(e.Task); task.State != people.Started {
		t.Errorf("the task is %s", task.State)
	}
	p.Click(".conflict button:last-child")
	p.Value(`document.getElementById("submit").click()`, nil)
	p.WaitFor(`location.pathname === "/task/say/i1"`)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("the answer is %q", got)
	}
}

func TestLongABrowserThatKeepsNothing(t *testing.T) {
	s := serve(t)
	away := s.cut()
	p := s.working(t)
	p.Value(`(Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }, 1)`, new(int))
	away.Store(true)
	p.Keys("1")
	p.WaitFor(`document.getElementById("problem").textContent.includes("cannot keep")`)
	away.Store(false)
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "red" {
		t.Errorf("the answer is %q", got)
	}
}

// TestLongATabThatWasTakenOverFromWritesNothing has the line come back to both tabs of one item.
func TestLongATabThatWasTakenOverFromWritesNothing(t *testing.T) {
	s := serve(t)
	away := s.cut()
	p := s.working(t)
	away.Store(true)
	p.Keys("1")
	p.WaitFor(offline)
	second := p.Tab(s.server.URL + "/task/say/i0")
	second.WaitFor(`document.getElementById("take-over")`)
	second.Click("#take-over")
	second.WaitFor(`document.body.dataset.mayChange === "true" && document.querySelector(".card.current")`)
	p.WaitFor(`document.body.dataset.mayChange === "false"`)
	second.Keys("2")
	second.WaitFor(`JSON.stringify({...localStorage}).includes("blue")`)
	second.Go(s.server.URL + "/") // it does not write again what it keeps
	p.Value(`dispatchEvent(new Event("online"))`, new(bool))
	time.Sleep(2 * time.Second) // nothing is waited for: nothing may happen
	var kept string
	second.Value(`JSON.stringify({...localStorage})`, &kept)
	if !strings.Contains(kept, "blue") {
		t.Errorf("the first tab wrote %s", kept)
	}
	second.Go(s.server.URL + "/task/say/i0")
	second.WaitFor(`document.body.dataset.mayChange === "true" && document.querySelector(".card.current")`)
	away.Store(false)
	saved(second)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("the answer is %q", got)
	}
}

func TestLongWorkThatIsLeftInTheBrowserIsListed(t *testing.T) {
	s := serve(t)
	away := s.cut()
	p := s.working(t)
	away.Store(true)
	p.Keys("1")
	p.WaitFor(offline)
	home := p.Tab(s.server.URL + "/")
	home.WaitFor(`document.getElementById("unsent")?.textContent.includes("i0")`)
	away.Store(false)
	saved(p)
	home.Reload()
	home.WaitFor(`!document.getElementById("unsent")`)
}
