package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
)

// A peopleProgram runs the program in a folder of its own.
type peopleProgram struct {
	t       *testing.T
	program string
	dir     string
}

func newPeopleProgram(t *testing.T) *peopleProgram {
	t.Helper()
	return &peopleProgram{t, built.Program(t), t.TempDir()}
}

func (p *peopleProgram) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.program, args...)
	cmd.Dir = p.dir
	return cmd
}

// exits runs a command, which must end with a code, and returns all that it prints.
func (p *peopleProgram) exits(code int, args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		p.t.Fatalf("%q: %v", args, err)
	}
	got := 0
	if ended != nil {
		got = ended.ExitCode()
	}
	if got != code {
		p.t.Fatalf("%q ended with %d, want %d:\n%s", args, got, code, out)
	}
	return string(out)
}

func (p *peopleProgram) write(name, text string) string {
	p.t.Helper()
	return writeText(p.t, filepath.Join(p.dir, name), text)
}

func (p *peopleProgram) read(name string) string {
	p.t.Helper()
	return fixture.Read(p.t, filepath.Join(p.dir, name))
}

var joinLink = regexp.MustCompile(`/join/([A-Za-z0-9_-]{22})`)

// link is the secret of the link in what a command printed.
func (p *peopleProgram) link(out string) string {
	p.t.Helper()
	return linkIn(p.t, out)
}

// arena makes a project of one battle, and returns its owner's link.
func (p *peopleProgram) arena(project string, more ...string) string {
	p.t.Helper()
	p.write("ours.jsonl", `{"clip": "a", "caption": "A red disc."}`)
	p.write("theirs.jsonl", `{"clip": "a", "caption": "A thing."}`)
	return p.link(p.exits(0, append([]string{"people", "new", "arena", project, "--captions", "ours.jsonl", "--captions", "theirs.jsonl"}, more...)...))
}

// A servedProject is a process that serves a project.
type servedProject struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string // without the slash at its end
	lines   *bufio.Reader
}

// serve starts a command that serves a project.
func (p *peopleProgram) serve(args ...string) *servedProject {
	p.t.Helper()
	s := &servedProject{t: p.t, cmd: p.command(args...)}
	out, err := s.cmd.StdoutPipe()
	var trouble bytes.Buffer
	s.cmd.Stderr = &trouble
	if err == nil {
		err = s.cmd.Start()
	}
	fixture.OK(p.t, err)
	p.t.Cleanup(s.kill)
	s.lines = bufio.NewReader(out)
	line, err := s.lines.ReadString('\n')
	if err != nil {
		s.cmd.Wait()
		p.t.Fatalf("%q serves nothing: %s", args, &trouble)
	}
	s.address, _, _ = strings.Cut(line, "/ serves")
	return s
}

// kill ends the process as a crash does. It may be called again.
func (s *servedProject) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// A peopleBrowser is somebody's browser, without its scripts.
type peopleBrowser struct {
	t       *testing.T
	http    *http.Client
	address string
	events  int
}

func (s *servedProject) browser() *peopleBrowser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	fixture.OK(s.t, err)
	return &peopleBrowser{t: s.t, http: &http.Client{Jar: jar, Timeout: 20 * time.Second}, address: s.address}
}

// signIn is the browser of somebody who used their link.
func (s *servedProject) signIn(link string) *peopleBrowser {
	s.t.Helper()
	b := s.browser()
	if status, page := b.do("POST", "/join/"+link, nil); status != 200 {
		s.t.Fatalf("signing in: %d %s", status, page)
	}
	return b
}

func (b *peopleBrowser) do(method, path string, body []byte) (status int, page string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.address+path, bytes.NewReader(body))
	fixture.OK(b.t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := b.http.Do(r)
	fixture.OK(b.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	fixture.OK(b.t, err)
	return answer.StatusCode, string(text)
}

// taskOnPage is the JSON that the page of a task holds.
var taskOnPage = regexp.MustCompile(`(?s)<script[^>]*id="task"[^>]*>(.*?)</script>`)

type givenTask struct {
	Item string
	Form struct {
		Texts []struct{ Body string }
	}
}

// next takes the next item at a stage; nil = there is none.
func (b *peopleBrowser) next(stage string) *givenTask {
	b.t.Helper()
	status, page := b.do("POST", "/next/"+stage, nil)
	if status != 200 {
		b.t.Fatalf("next %s: %d %s", stage, status, page)
	}
	found := taskOnPage.FindStringSubmatch(page)
	if found == nil {
		return nil
	}
	task := &givenTask{}
	fixture.OK(b.t, json.Unmarshal([]byte(found[1]), task))
	return task
}

// watch gets the clips of a task, as its page does, once they are ready.
func (b *peopleBrowser) watch(stage, item string, clips int) {
	b.t.Helper()
	for n := range clips {
		clip := b.clip(stage, item, n)
		if status, _ := b.do("GET", clip.Address+clip.Player, nil); status != 200 {
			b.t.Fatalf("clip %d of %s: %d", n, item, status)
		}
	}
}

// A readyClip is the server's response about a clip that can be shown.
type readyClip struct {
	Ready           bool
	Film            bool
	Address, Player string
}

// clip is the n-th clip of a task, once it is ready.
func (b *peopleBrowser) clip(stage, item string, n int) *readyClip {
	b.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		clip := &readyClip{}
		status, page := b.do("GET", fmt.Sprintf("/clip/%s/%s/%d/ready", stage, url.PathEscape(item), n), nil)
		if err := json.Unmarshal([]byte(page), clip); err == nil && clip.Ready {
			return clip
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("clip %d of %s is never ready: %d %s", n, item, status, page)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// text is all that a task shows.
func (g *givenTask) text() string {
	var all strings.Builder
	for _, one := range g.Form.Texts {
		all.WriteString(one.Body + "\n")
	}
	return all.String()
}

// submit answers a task and submits it. The answers must be on the disk then.
func (b *peopleBrowser) submit(stage, item, key string, value map[string]any) {
	b.t.Helper()
	b.save(stage, item, map[string]any{"kind": "set", "key": key, "value": value}, map[string]any{"kind": "submit"})
}

func (b *peopleBrowser) save(stage, item string, events ...map[string]any) {
	b.t.Helper()
	for _, e := range events {
		b.events++
		e["id"] = fmt.Sprintf("0123456789abcdef-%d", b.events)
	}
	body, err := json.Marshal(map[string]any{"events": events})
	fixture.OK(b.t, err)
	status, page := b.do("POST", "/save/"+stage+"/"+url.PathEscape(item), body)
	if status != 200 || strings.Contains(page, `"error"`) || strings.Contains(page, `"conflict"`) {
		b.t.Fatalf("save %s %s: %d %s", stage, item, status, page)
	}
}
