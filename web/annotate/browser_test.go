package annotate_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// opened is a browser in which somebody signed in with their link, by keyboard.
func (s *site) opened(t *testing.T, id string) *browser.Page {
	t.Helper()
	p := browser.Open(t, s.server.URL+"/join/"+s.links[id], 1200, 800)
	p.WaitFor(`document.activeElement.tagName === "BUTTON"`)
	p.Press(kb.Enter, `document.querySelector("button.main") === document.activeElement`)
	return p
}

func (s *site) answers(t *testing.T, item, person string) map[string]people.Current {
	t.Helper()
	answers, err := s.w.Answers(t.Context(), people.TaskID{Item: item, Stage: "say", Person: person})
	fixture.OK(t, err)
	return answers
}

// saved waits until the page says that the server has all.
func saved(p *browser.Page) {
	p.WaitFor(`document.getElementById("state").dataset.unsent === "0"`)
}

// TestATaskByKeyboard goes from the invitation to a submitted task, without a pointer.
func TestATaskByKeyboard(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	p.Keys("2")  // blue
	p.Keys("ja") // the card below is a proposal: accept it
	p.WaitFor(`document.querySelectorAll(".card.draft").length === 0`)
	p.Keys(kb.Enter) // a new card, in its first field
	p.Keys("Ben" + kb.Escape + "j" + kb.Enter + "Cas" + kb.Escape)
	saved(p)
	var counter string
	p.Value(`document.querySelectorAll(".counter")[1].textContent`, &counter)
	if counter != "3 of 3" {
		t.Errorf("the counter says %q", counter)
	}
	p.Keys("m") // Cas is Ben
	saved(p)
	p.Keys("s") // no, two
	saved(p)
	p.Keys(kb.Backspace) // take back: put Cas back, and the change of Ben
	p.Keys(kb.Backspace)
	p.Keys(kb.Backspace)
	p.Keys(kb.Backspace)
	saved(p)
	p.Keys("kkke") // the text of the first card
	p.Keys("seen <B" + kb.Enter + kb.Escape)
	saved(p)
	answers := s.answers(t, "i0", "ann")
	if got := answers["word"].Value; got.Text("colour") != "blue" || got.Text("text") != "seen <Ben>" {
		t.Errorf("the word is %v", got)
	}
	if got := answers["who/d1"].Value; !strings.HasPrefix(got.Text("name"), "Ann") || len(got.From()) != 1 {
		t.Errorf("the proposal is %v", got)
	}
	names := make(map[string]int)
	for key, a := range answers {
		if strings.HasPrefix(key, "who/") && !a.Value.Struck() {
			names[strings.Fields(a.Value.Text("name"))[0]]++
		}
	}
	if fmt.Sprint(names) != "map[Ann:1 Ben:1 Cas:1]" {
		t.Errorf("after taking back there are %v", names)
	}
	p.Keys("?")
	p.WaitFor(`document.getElementById("keys").open`)
	p.Keys("?")
	p.WaitFor(`!document.getElementById("keys").open`)
	submit(p)
	p.WaitFor(`location.pathname === "/task/say/i1" && document.querySelector(".card.current")`)
	if task, _ := s.w.Task(people.TaskID{Item: "i0", Stage: "say", Person: "ann"}); task.State != people.Submitted {
		t.Errorf("the task is %v", task.State)
	}
	var title string
	p.Value(`document.title`, &title)
	if title == "broken" {
		t.Error("a script of others ran")
	}
	p.Quiet(s.server.URL)
}

// submit presses Ctrl+Enter.
func submit(p *browser.Page) {
	p.Value(`dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true})) || document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true}))`, new(bool))
}

// TestOfflineForAWhile has the server away while somebody works, and the page closed and opened
// again meanwhile.
func TestOfflineForAWhile(t *testing.T) {
	s := serve(t)
	var away atomic.Bool
	inner := s.server.Config.Handler
	s.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() && r.Method == http.MethodPost {
			panic(http.ErrAbortHandler) // the line is cut
		}
		inner.ServeHTTP(w, r)
	})
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	away.Store(true)
	p.Keys("1e")
	p.Keys("first" + kb.Escape)
	p.WaitFor(`document.getElementById("problem").textContent.includes("does not answer")`)
	p.Value(`onbeforeunload = null, localStorage.length`, new(int))
	p.Reload()
	p.WaitFor(`document.querySelector(".card.current")`)
	var text string
	p.Value(`document.querySelector("textarea").value`, &text)
	if text != "first" {
		t.Errorf("after the page was opened again the text is %q", text)
	}
	p.Keys("e" + kb.End + " and second" + kb.Escape)
	away.Store(false)
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value; got.Text("text") != "first and second" || got.Text("colour") != "red" {
		t.Errorf("the answer is %v", got)
	}
}

// TestLongTwoTabs opens one task twice in a browser.
func TestLongTwoTabs(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	p.Keys("1")
	saved(p)
	second := p.Tab(s.server.URL + "/task/say/i0")
	second.WaitFor(`document.getElementById("take-over")`)
	second.Click("#take-over")
	second.WaitFor(`document.body.dataset.mayChange === "true" && document.querySelector(".card.current")`)
	p.WaitFor(`document.body.dataset.mayChange === "false"`)
	second.Keys("2")
	saved(second)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("the answer is %q", got)
	}
}

// TestLongTwoBrowsers has one person work on one task in two browsers, which know nothing of each
// other: the second is shown what the first saved, and decides.
func TestLongTwoBrowsers(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	link, err := s.w.Invite(t.Context(), "ann", "Ann", people.Annotator)
	fixture.OK(t, err)
	s.links["ann"] = link
	other := s.opened(t, "ann")
	other.Press(kb.Enter, `document.querySelector(".card.current")`)
	p.Keys("1")
	saved(p)
	other.Keys("2")
	other.WaitFor(`document.querySelector(".conflict")`)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "red" {
		t.Errorf("before anybody decides the answer is %q", got)
	}
	other.Click(".conflict button:last-child")
	saved(other)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "blue" {
		t.Errorf("the answer is %q", got)
	}
}

// TestLongSignedOutInMidWork ends the session while somebody works. What they do is kept, and sent when
// they are signed in again.
func TestLongSignedOutInMidWork(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	link, err := s.w.Invite(t.Context(), "ann", "Ann", people.Annotator)
	fixture.OK(t, err)
	second := p.Tab(s.server.URL + "/")
	second.Click("form.leave button")
	second.WaitFor(`document.body.textContent.includes("not signed in")`)
	p.Keys("1")
	p.WaitFor(`document.getElementById("problem").textContent.includes("signed out")`)
	third := p.Tab(s.server.URL + "/join/" + link)
	third.Click("button")
	saved(p)
	if got := s.answers(t, "i0", "ann")["word"].Value.Text("colour"); got != "red" {
		t.Errorf("the answer is %q", got)
	}
}

func TestLongPagesOnAPhone(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "olga")
	for _, path := range []string{"/", "/overview", "/results"} {
		p.Go(s.server.URL + path)
		p.Resize(360, 740)
		var wide int
		p.Value(`document.documentElement.scrollWidth`, &wide)
		if wide > 360 {
			t.Errorf("%s is %d pixels wide", path, wide)
		}
	}
	p.Quiet(s.server.URL)
}

// TestLongAClipThatComesLater opens an item with a missing clip. The page reports it and submits nothing; once the file
// exists, it shows the clip without a reload, and submits. For another clip, which stays missing, a person chooses "Cannot judge".
func TestLongAClipThatComesLater(t *testing.T) {
	s := serve(t, item("i0", people.Media{File: "one.mp4"}), item("i1", people.Media{File: "two.mp4"}), item("i2"))
	s.media.RetryAfter(50 * time.Millisecond)
	s.prepare()
	p := s.opened(t, "ann")
	p.Press(kb.Enter, `document.querySelector(".card.current")`)
	p.WaitFor(`document.querySelector(".player p.trouble")?.textContent.includes("cannot be shown")`)
	p.Keys("2")
	saved(p)
	submit(p)
	p.WaitFor(`document.getElementById("problem").textContent.includes("Give the item back")`)
	if task, _ := s.w.Task(people.TaskID{Item: "i0", Stage: "say", Person: "ann"}); task.State != people.Started {
		t.Errorf("the task is %s", task.State)
	}
	s.filmOf("one.mp4", 25)
	p.WaitFor(`document.querySelector(".player[data-ready]")`)
	submit(p)
	p.WaitFor(`location.pathname === "/task/say/i1"`)
	if task, _ := s.w.Task(people.TaskID{Item: "i0", Stage: "say", Person: "ann"}); !task.Counts() {
		t.Errorf("the task is %s, left out: %q", task.State, task.LeftOut)
	}
	p.WaitFor(`document.querySelector(".player p.trouble") && document.querySelector(".card.current")`)
	p.Keys("3")
	saved(p)
	submit(p)
	p.WaitFor(`location.pathname === "/task/say/i2"`)
}

// TestLongOverviewFollows watches the overview while somebody works.
func TestLongOverviewFollows(t *testing.T) {
	s := serve(t)
	p := s.opened(t, "olga")
	p.Go(s.server.URL + "/overview")
	p.WaitFor(`document.getElementById("live")`)
	time.Sleep(100 * time.Millisecond) // until the page listens: it shows no sign of it
	ann := s.signIn("ann")
	ann.post("/next/say", "", nil)
	p.WaitFor(`document.getElementById("live").textContent.includes("ann: i0")`)
	p.Quiet(s.server.URL)
}
