package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
)

// A peopleSite is a project that the program made and serves.
type peopleSite struct {
	t       *testing.T
	dir     string // of the project
	address string
	links   map[string]string
}

// runPeople runs the program, and returns what it prints.
func runPeople(t *testing.T, args ...string) string {
	t.Helper()
	var trouble bytes.Buffer
	cmd := exec.Command(built.Program(t), append([]string{"people"}, args...)...)
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("people %q: %v\n%s%s", args, err, out, &trouble)
	}
	return string(out)
}

// newPeopleSite makes a project of a kind, invites people (role:id ...) and serves it.
func newPeopleSite(t *testing.T, kind, media string, options []string, persons ...string) *peopleSite {
	t.Helper()
	s := &peopleSite{t: t, dir: filepath.Join(t.TempDir(), kind), links: make(map[string]string)}
	out := runPeople(t, append([]string{"new", kind, s.dir}, options...)...)
	s.links["owner"] = linkIn(t, out)
	for _, p := range persons {
		role, id, _ := strings.Cut(p, ":")
		s.links[id] = linkIn(t, runPeople(t, "invite", s.dir, id, "--role", role))
	}
	s.serve(media)
	return s
}

// linkIn is the secret of the link in an output.
func linkIn(t *testing.T, out string) string {
	t.Helper()
	found := joinLink.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no link in %q", out)
	}
	return found[1]
}

func (s *peopleSite) serve(media string) {
	s.t.Helper()
	args := []string{"people", "serve", s.dir, "--listen", "127.0.0.1:0"}
	if media != "" {
		args = append(args, "--media", media)
	}
	cmd := exec.Command(built.Program(s.t), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	fixture.OK(s.t, err)
	fixture.OK(s.t, cmd.Start())
	s.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	fixture.OK(s.t, err)
	s.address, _, _ = strings.Cut(line, "/ ")
}

// A robot works with the keyboard alone. What it says of a field is decided by say, by the stage,
// the field and a number that goes up; "" = the first choice, or a text that says nothing.
type robot struct {
	t       *testing.T
	site    *peopleSite
	page    *browser.Page
	say     func(stage, field string, n int) string
	add     map[string]int // cards that are added, by stage
	drop    map[string]bool
	n       int
	reveals bool // after a task is submitted the page tells something

	cookies map[string][]*network.CookieParam // of people who signed in
	shots   string                            // folder for pictures of each stage; "" = none are taken
}

// as signs the robot in as somebody, by their link at first.
func (r *robot) as(id string) {
	r.t.Helper()
	if r.cookies == nil {
		r.cookies = make(map[string][]*network.CookieParam)
	}
	cookies, known := r.cookies[id]
	r.page.SetCookies(cookies)
	if known {
		r.page.Go(r.site.address + "/")
		return
	}
	r.page.Go(r.site.address + "/join/" + r.site.links[id])
	r.page.WaitFor(`document.activeElement.tagName === "BUTTON"`)
	r.page.Press(kb.Enter, `location.pathname === "/" && document.readyState === "complete"`)
	r.cookies[id] = r.page.Cookies()
}

// work has somebody do all that there is for them at a stage, and returns how many items.
func (r *robot) work(id, stage string) (n int) {
	r.t.Helper()
	r.as(id)
	for {
		r.page.Go(r.site.address + "/")
		r.page.WaitFor(`document.readyState === "complete"`)
		var there bool
		button := fmt.Sprintf(`document.querySelector("form[action='/next/%s'] button")`, stage)
		r.page.Value(`Boolean(`+button+`)`, &there)
		if !there {
			return n
		}
		r.tabTo(button)
		r.page.Press(kb.Enter, `document.querySelector("#form .section, #form .text")`)
		r.task(stage)
		n++
	}
}

// tabTo presses Tab until an element has the focus.
func (r *robot) tabTo(element string) {
	r.t.Helper()
	for range 60 {
		var has bool
		if r.page.Value(fmt.Sprintf(`(%s)?.contains(document.activeElement) || false`, element), &has); has {
			return
		}
		r.page.Keys(kb.Tab)
	}
	r.t.Fatalf("Tab never leads to %s", element)
}

type robotField struct {
	Name, Type string
	Optional   bool
	Choices    []struct{ Value string }
}

type robotSection struct {
	Name   string
	Add    bool
	Fields []robotField
}

func (r *robot) sections() (out []robotSection, playFirst bool) {
	r.t.Helper()
	var form struct {
		Sections  []robotSection
		PlayFirst bool
	}
	r.page.Value(`JSON.parse(document.getElementById("task").textContent).form`, &form)
	return form.Sections, form.PlayFirst
}

func (r *robot) task(stage string) {
	r.t.Helper()
	r.page.WaitFor(`[...document.querySelectorAll(".player")].every((p) => p.dataset.ready || p.querySelector("p.trouble"))`)
	sections, playFirst := r.sections()
	if playFirst {
		r.play()
	}
	var keys []string
	r.page.Value(`[...document.querySelectorAll(".card")].map((c) => c.dataset.key)`, &keys)
	for _, key := range keys {
		if !r.drop[stage+" "+key] {
			r.card(stage, sections, key)
		}
	}
	for range r.add[stage] {
		var cards int
		r.page.Value(`document.querySelectorAll(".card").length`, &cards)
		r.page.Keys(kb.Enter)
		r.page.WaitFor(fmt.Sprintf(`document.querySelectorAll(".card").length === %d`, cards+1))
		r.page.Keys(kb.Escape)
		r.page.WaitFor(`document.querySelector(".card.current")`)
		var key string
		r.page.Value(`document.querySelector(".card.current").dataset.key`, &key)
		r.fill(stage, sections, key)
	}
	if r.shots != "" {
		fixture.OK(r.t, os.WriteFile(filepath.Join(r.shots, filepath.Base(r.site.dir)+"-"+stage+".png"), r.page.Screenshot(), 0o600))
	}
	var before string
	r.page.Value(`location.pathname + document.querySelector("header.task h1").textContent`, &before)
	r.page.CtrlEnter()
	// A task that reveals something stays where it is: its page is loaded anew, too fast for the name to be seen missing.
	done := `location.pathname + document.querySelector("header.task h1")?.textContent !== ` + fmt.Sprintf("%q", before)
	if r.reveals {
		done = `document.querySelector(".reveal")`
	}
	r.page.WaitFor(done + ` || document.getElementById("problem")?.hidden === false`)
	var problem string
	if r.page.Value(`document.getElementById("problem")?.hidden === false ? document.getElementById("problem").textContent : ""`, &problem); problem != "" {
		r.t.Fatalf("%s: the page says %q", stage, problem)
	}
}

// play plays all clips to their ends.
func (r *robot) play() {
	r.t.Helper()
	r.page.WaitFor(`document.querySelectorAll(".player").length === document.querySelectorAll(".player[data-ready]").length`)
	var clips int
	r.page.Value(`document.querySelectorAll(".player").length`, &clips)
	for i := range clips {
		r.page.Keys(" ")
		r.page.WaitFor(fmt.Sprintf(`document.querySelectorAll("video, audio")[%d].ended`, i))
		r.page.Keys("v")
	}
}

// card goes to a card, accepts what is proposed and fills in what is missing.
func (r *robot) card(stage string, sections []robotSection, key string) {
	r.t.Helper()
	for _, way := range []string{"k", "j"} {
		for range 80 {
			var current, before string
			if r.page.Value(`document.querySelector(".card.current")?.dataset.key || ""`, &before); before == key {
				break
			}
			r.page.Keys(way)
			if r.page.Value(`document.querySelector(".card.current")?.dataset.key || ""`, &current); current == before {
				break // the first or the last one
			}
		}
	}
	var draft bool
	if r.page.Value(`document.querySelector(".card.current").classList.contains("draft")`, &draft); draft {
		r.page.Keys("a")
	}
	r.fill(stage, sections, key)
}

// fill fills in the fields of the current card that are empty and needed.
func (r *robot) fill(stage string, sections []robotSection, key string) {
	r.t.Helper()
	name, _, _ := strings.Cut(key, "/")
	i := slices.IndexFunc(sections, func(s robotSection) bool { return s.Name == name })
	for k, f := range sections[i].Fields {
		part := fmt.Sprintf(`document.querySelector(".card.current .fields").children[%d]`, k)
		var filled bool
		r.page.Value(fmt.Sprintf(`[...%s.querySelectorAll("input, textarea")].some((i) => i.type === "radio" || i.type === "checkbox" ? i.checked : i.value.trim())`, part), &filled)
		r.n++
		say := r.say(stage, f.Name, r.n)
		if filled || f.Optional && say == "" {
			continue
		}
		switch f.Type {
		case "when":
			r.page.Keys("i.o")
		case "choose", "check":
			r.tabTo(part)
			n := 1 + max(0, slices.IndexFunc(f.Choices, func(c struct{ Value string }) bool { return c.Value == say }))
			r.page.Keys(fmt.Sprint(n))
		default:
			r.tabTo(part)
			if say == "" {
				say = fmt.Sprintf("text %d", r.n)
			}
			r.page.Keys(say + kb.Escape)
		}
	}
}
