package crash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/child"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
)

// annotators is how many people work at a time.
const annotators = 20

func TestPeopleLoseNothing(t *testing.T)     { peopleLoseNothing(t, 5) }
func TestLongPeopleLoseNothing(t *testing.T) { peopleLoseNothing(t, 100) }

// peopleLoseNothing kills the server of a project at random moments while people work. What was
// acknowledged is in the log once, and in the order in which it was sent.
func peopleLoseNothing(t *testing.T, kills int) {
	d := &desk{t: t, program: built.Program(t), dir: filepath.Join(t.TempDir(), "project"), address: freeAddress(t)}
	d.make()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	workers := make([]*annotator, annotators)
	d.start()
	for i := range workers {
		workers[i] = d.annotator(i)
		wg.Go(func() { workers[i].work(ctx) })
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for range kills {
		time.Sleep(time.Duration(30+draw.IntN(400)) * time.Millisecond)
		d.kill()
		d.start()
	}
	stop()
	wg.Wait()
	d.kill()
	d.check(workers)
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	defer l.Close()
	return l.Addr().String()
}

// A desk is a project, and the process that serves it.
type desk struct {
	t       *testing.T
	program string
	dir     string
	address string
	links   []string
	server  *exec.Cmd
	trouble *child.Tail // what the server wrote to standard error
}

func (d *desk) run(args ...string) string {
	d.t.Helper()
	out, err := exec.Command(d.program, append([]string{"people"}, args...)...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("people %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// make makes an arena with more battles than people get through, and invites them.
func (d *desk) make() {
	args := []string{"new", "arena", d.dir, "--twice", "0"}
	for _, system := range []string{"first", "second", "third"} {
		var lines bytes.Buffer
		for c := range 1500 {
			fmt.Fprintf(&lines, `{"clip": "c%d", "caption": "Clip %d as %s tells it in words of its own."}`+"\n", c, c, strings.Repeat("x", len(system)))
		}
		path := filepath.Join(d.t.TempDir(), system+".jsonl")
		if err := os.WriteFile(path, lines.Bytes(), 0o600); err != nil {
			d.t.Fatal(err)
		}
		args = append(args, "--captions", path)
	}
	d.run(args...)
	for i := range annotators {
		out := d.run("invite", d.dir, fmt.Sprintf("ann%d", i), "--role", "voter")
		line, _, _ := strings.Cut(out, "\n")
		_, secret, _ := strings.Cut(line, "/join/")
		d.links = append(d.links, "/join/"+secret)
	}
}

// start starts the server, and returns once it answers.
func (d *desk) start() {
	d.t.Helper()
	d.server = exec.Command(d.program, "people", "serve", d.dir, "--listen", d.address)
	out, err := d.server.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	d.trouble = &child.Tail{}
	d.server.Stderr = d.trouble
	if err := d.server.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { d.server.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "serves") {
		d.server.Wait()
		d.t.Fatalf("the server says %q (%v) %s", line, err, d.trouble.Last())
	}
}

func (d *desk) kill() {
	d.server.Process.Kill()
	d.server.Wait()
}

// An annotator works by themselves, and notes what the server acknowledged.
type annotator struct {
	desk  *desk
	name  string
	http  *http.Client
	saved []string // ids of events, in the order in which they were acknowledged
	votes map[string]string
}

var eventNumber atomic.Int64

func (d *desk) annotator(i int) *annotator {
	jar, err := cookiejar.New(nil)
	if err != nil {
		d.t.Fatal(err)
	}
	a := &annotator{desk: d, name: fmt.Sprintf("ann%d", i), http: &http.Client{Jar: jar, Timeout: 10 * time.Second}, votes: make(map[string]string)}
	if status, _, text := a.post(d.links[i], nil); status != 200 {
		d.t.Fatalf("%s cannot sign in: %d %s; the server's last words: %s", a.name, status, text, d.trouble.Last())
	}
	return a
}

func (a *annotator) post(path string, body []byte) (status int, place, text string) {
	answer, err := a.http.Post("http://"+a.desk.address+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, "", err.Error()
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, "", err.Error()
	}
	return answer.StatusCode, answer.Request.URL.Path, string(all)
}

// work votes on one battle after another, with changes of mind, until ctx ends. A battle that was
// begun is submitted.
func (a *annotator) work(ctx context.Context) {
	for ctx.Err() == nil {
		status, place, _ := a.post("/next/vote", nil)
		item, isTask := strings.CutPrefix(place, "/task/vote/")
		if status != 200 || !isTask {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		base := int64(0)
		for n := range 4 {
			reason := fmt.Sprintf("%s thinks %d of %s", a.name, n, item)
			base = a.save(item, map[string]any{"kind": "set", "key": "vote", "base": base, "value": map[string]any{"winner": "cannot judge", "reason": reason}})
			a.votes[item] = reason
		}
		a.save(item, map[string]any{"kind": "submit"})
	}
}

// save sends an event again and again until it is acknowledged, as a page does.
func (a *annotator) save(item string, event map[string]any) (seq int64) {
	event["id"] = fmt.Sprintf("00000000-0000-7000-8000-%012d", eventNumber.Add(1))
	body, err := json.Marshal(map[string]any{"events": []any{event}})
	if err != nil {
		a.desk.t.Error(err)
	}
	for try := 0; ; try++ {
		status, _, text := a.post("/save/vote/"+item, body)
		if status == 200 {
			var got struct {
				Receipts []struct {
					ID       string
					Seq      int64
					Error    string
					Conflict any
				}
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Receipts) != 1 || got.Receipts[0].Error != "" || got.Receipts[0].Conflict != nil {
				a.desk.t.Errorf("%s saves %s: %s (%v)", a.name, body, text, err)
				return 0
			}
			a.saved = append(a.saved, a.name+":"+event["id"].(string))
			return got.Receipts[0].Seq
		}
		if status != 0 && status != 503 || try > 5000 {
			a.desk.t.Errorf("%s saves %s: %d %s", a.name, body, status, text)
			return 0
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// check compares the log with what was acknowledged.
func (d *desk) check(workers []*annotator) {
	d.t.Helper()
	out := filepath.Join(d.t.TempDir(), "export")
	d.run("export", d.dir, "events", "--out", out)
	text, err := os.ReadFile(filepath.Join(out, "events.jsonl"))
	if err != nil {
		d.t.Fatal(err)
	}
	places := make(map[string]int64)
	votes := make(map[string]string) // the last of each item
	for line := range strings.Lines(string(text)) {
		var e struct {
			Seq  int64
			ID   string
			Kind string
			By   string
			Task struct{ Item string }
			Body struct{ Value struct{ Reason string } }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			d.t.Fatal(err)
		}
		if e.Kind == "conflict" {
			d.t.Errorf("event %d is a conflict, and nobody but %s worked there", e.Seq, e.By)
		}
		if _, twice := places[e.ID]; twice && e.ID != "" {
			d.t.Errorf("event %s is there twice", e.ID)
		}
		if places[e.ID] = e.Seq; e.Kind == "set" {
			votes[e.Task.Item] = e.Body.Value.Reason
		}
	}
	n := 0
	for _, a := range workers {
		last := int64(0)
		for _, id := range a.saved {
			seq, ok := places[id]
			if !ok || seq <= last {
				d.t.Errorf("%s: event %s is at %d (%v), after %d", a.name, id, seq, ok, last)
			}
			last = max(last, seq)
			n++
		}
		for item, reason := range a.votes {
			if votes[item] != reason {
				d.t.Errorf("the vote on %s is %q, and %s was told that %q is saved", item, votes[item], a.name, reason)
			}
		}
	}
	if n < 100 {
		d.t.Errorf("only %d events were acknowledged: the test says nothing", n)
	}
	d.t.Logf("%d events acknowledged, all there", n)
}
