package videos_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/run/local"
	"omniscope/run/orders"
	"omniscope/session/reconstruct"
	"omniscope/session/reconstruct/videos"
)

// video makes a film of the ordered length that says which prompt it is of.
func video(prompt, seconds string) ([]byte, error) {
	length, err := strconv.ParseFloat(seconds, 64)
	if err != nil {
		return nil, err
	}
	film, err := fake.Film(length, 2, strings.Contains(prompt, "index last"))
	return fake.Marked(film, prompt), err
}

// A bench is a run against a server that misbehaves.
type bench struct {
	t      *testing.T
	server *fake.Videos
	run    *reconstruct.Run
	waits  []time.Duration
}

func newBench(t *testing.T, v *fake.Videos) *bench {
	t.Helper()
	need.FFmpeg(t)
	v.Video = video
	b := &bench{t: t, server: v.Start(t)}
	b.run = b.again(t.TempDir())
	return b
}

// again is a run in a folder, as a further command would do it.
func (b *bench) again(dir string) *reconstruct.Run {
	b.t.Helper()
	e, err := videos.New(videos.Options{BaseURL: b.server.URL(), Model: "sora-2", Key: omniscope.NewSecret("hunter2222"), Size: "64x48", Timeout: 5 * time.Second, Conns: 4})
	fixture.OK(b.t, err)
	return &reconstruct.Run{Dir: dir, Queue: e, Engine: &local.Engine{}, Tries: 4, MaxBytes: 1 << 20, Poll: time.Second, Patience: time.Minute, RetryWait: time.Second,
		Sleep: func(ctx context.Context, d time.Duration) error { b.waits = append(b.waits, d); return ctx.Err() }}
}

func (b *bench) do(r *reconstruct.Run, jobs []reconstruct.Job) *reconstruct.Result {
	b.t.Helper()
	result, err := r.Do(b.t.Context(), jobs)
	fixture.OK(b.t, err)
	return result
}

func job(prompt string) []reconstruct.Job {
	return []reconstruct.Job{{Name: "j1", Clip: "c", System: "s", Prompt: prompt, Seconds: 4}}
}

// TestMisbehaviour has one job for each way in which a server misbehaves. Whatever it does, no job is
// ordered twice, neither by the command nor by the one after it.
func TestMisbehaviour(t *testing.T) {
	for _, c := range []struct {
		name    string
		does    fake.VideoBehaviour
		outcome reconstruct.Outcome // "" = the video is there
		why     string
		taken   int                 // jobs that the server took in the end
		again   reconstruct.Outcome // what the same command makes of it; "" = as before
	}{
		{"all is well", fake.VideoBehaviour{Polls: 3}, "", "", 1, ""},
		{"busy", fake.VideoBehaviour{Refuse: []int{429, 429}, RetryAfter: "7"}, "", "", 1, ""},
		{"broken for a while", fake.VideoBehaviour{Refuse: []int{500, 503}}, "", "", 1, ""},
		{"slow", fake.VideoBehaviour{Polls: 8}, "", "", 1, ""},
		{"polls fail for a while", fake.VideoBehaviour{BadPolls: []int{500, 429, 502}, RetryAfter: "3"}, "", "", 1, ""},
		{"download breaks off, then the file does", fake.VideoBehaviour{Truncate: 2}, "", "", 1, ""},
		{"download is no video", fake.VideoBehaviour{Garbage: 1}, "", "", 1, ""},
		{"job fails", fake.VideoBehaviour{Polls: 1, Fail: "internal_error"}, reconstruct.Failed, "internal_error", 1, reconstruct.Failed},
		{"filter refuses the video", fake.VideoBehaviour{Polls: 1, Fail: "moderation_blocked"}, reconstruct.Moderated, "moderation_blocked", 1, reconstruct.Moderated},
		{"filter refuses the order", fake.VideoBehaviour{Refuse: []int{400}, Code: "moderation_blocked"}, reconstruct.Moderated, "400", 0, reconstruct.Moderated},
		{"job expires", fake.VideoBehaviour{State: "expired"}, reconstruct.Expired, "expired", 1, reconstruct.Expired},
		{"file is gone", fake.VideoBehaviour{Gone: true}, reconstruct.Expired, "not there any more", 1, reconstruct.Expired},
		{"reply is lost", fake.VideoBehaviour{Lost: 1}, reconstruct.Uncertain, "--order-again", 1, reconstruct.Uncertain},
		{"gateway is late", fake.VideoBehaviour{Gateway: 504}, reconstruct.Uncertain, "504", 1, reconstruct.Uncertain},
		{"unknown state", fake.VideoBehaviour{State: "resting"}, reconstruct.Unavailable, "resting", 1, reconstruct.Unavailable},
		{"never a whole video", fake.VideoBehaviour{Truncate: 100}, reconstruct.Unusable, "after 4 tries", 1, reconstruct.Unusable},
		{"bad order", fake.VideoBehaviour{Refuse: []int{400}}, reconstruct.Rejected, "400", 0, "made"},
		{"busy for good", fake.VideoBehaviour{Refuse: []int{429, 429, 429, 429}}, reconstruct.Rejected, "429", 0, "made"},
		{"never done", fake.VideoBehaviour{Polls: 12}, reconstruct.Late, "not done in", 1, "made"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, &fake.Videos{Key: "hunter2222", Behave: func(string) fake.VideoBehaviour { return c.does }})
			if c.name == "never done" {
				b.run.Patience = 10 * time.Second
			}
			r := b.do(b.run, job("A dog."))
			check(t, r, c.outcome, c.why)
			if n := len(b.server.Jobs()); n != c.taken {
				t.Errorf("%d jobs were taken, want %d", n, c.taken)
			}
			for _, d := range b.waits {
				if c.does.RetryAfter == "7" && d != 7*time.Second {
					t.Errorf("it waited %v where the server asked for 7 s", d)
				}
			}
			second := c.outcome
			if c.again == "made" {
				second = ""
			}
			check(t, b.do(b.again(b.run.Dir), job("A dog.")), second, "")
			if n := len(b.server.Jobs()); n != max(c.taken, boolean(c.again == "made")) {
				t.Errorf("%d jobs were taken by two commands", n)
			}
		})
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func check(t *testing.T, r *reconstruct.Result, outcome reconstruct.Outcome, why string) {
	t.Helper()
	f, failed := r.Failures["j1"]
	made, ok := r.Made["j1"]
	switch {
	case outcome == "" && (failed || !ok):
		t.Errorf("no video: %+v", f)
	case outcome == "" && (made.Is.Seconds < 3.5 || made.Is.Seconds > 4.5 || made.Is.Cuts != 1):
		t.Errorf("measured %+v", made.Is)
	case outcome != "" && (ok || f.Outcome != outcome || !strings.Contains(f.Why, why)):
		t.Errorf("%+v, %v; want %s with %q", f, made, outcome, why)
	case strings.Contains(f.Why, "hunter2222"):
		t.Errorf("the key is in %q", f.Why)
	}
}

// TestLostReplyOnUsedConnection loses the reply of an order on a connection that was used before, where
// net/http would send the order again by itself.
func TestLostReplyOnUsedConnection(t *testing.T) {
	b := newBench(t, &fake.Videos{NoKeys: true, Behave: func(prompt string) fake.VideoBehaviour {
		return fake.VideoBehaviour{Lost: boolean(prompt == "lost")}
	}})
	r := b.do(b.run, []reconstruct.Job{{Name: "j0", Prompt: "found", Seconds: 4}, {Name: "j1", Prompt: "lost", Seconds: 4}})
	check(t, r, reconstruct.Uncertain, "--order-again")
	if n := len(b.server.Jobs()); n != 2 || b.server.Repeats() != 0 {
		t.Errorf("%d jobs were taken, %d orders repeated", n, b.server.Repeats())
	}
}

// TestOrderAgain orders once more what the user names, and nothing else: with the same key where the reply
// was lost, so that a server that knows keys takes one job, and with another one after a failure.
func TestOrderAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		does  fake.VideoBehaviour
		again []reconstruct.Outcome
		want  reconstruct.Outcome
		taken int
		noKey bool
	}{
		{"lost, by its key", fake.VideoBehaviour{Lost: 1}, []reconstruct.Outcome{reconstruct.Uncertain}, "", 1, false},
		{"lost, keys are not known", fake.VideoBehaviour{Lost: 1}, []reconstruct.Outcome{reconstruct.Uncertain}, "", 2, true},
		{"lost, another outcome is named", fake.VideoBehaviour{Lost: 1}, []reconstruct.Outcome{reconstruct.Failed}, reconstruct.Uncertain, 1, false},
		{"failed", fake.VideoBehaviour{Fail: "internal_error"}, []reconstruct.Outcome{reconstruct.Failed}, reconstruct.Failed, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, &fake.Videos{NoKeys: c.noKey, Behave: func(string) fake.VideoBehaviour { return c.does }})
			b.do(b.run, job("A dog."))
			r := b.again(b.run.Dir)
			r.Again = c.again
			check(t, b.do(r, job("A dog.")), c.want, "")
			if n := len(b.server.Jobs()); n != c.taken {
				t.Errorf("%d jobs were taken, want %d", n, c.taken)
			}
		})
	}
}

// TestResume begins where each line of the ledger leaves off, as a kill leaves it: the end is the same, and
// one job was taken, but where the line says that an order may be on its way.
func TestResume(t *testing.T) {
	b := newBench(t, &fake.Videos{Behave: func(string) fake.VideoBehaviour { return fake.VideoBehaviour{Polls: 1} }})
	b.do(b.run, job("A dog."))
	text := fixture.Read(t, filepath.Join(b.run.Dir, reconstruct.LedgerFile))
	lines := strings.SplitAfter(strings.TrimSpace(text), "\n")
	if len(lines) != 3 {
		t.Fatalf("the ledger is %q", text)
	}
	for n := range len(lines) + 1 {
		for _, torn := range []string{"", `{"job": "j1", "ev`} {
			dir := t.TempDir()
			fixture.OK(t, os.WriteFile(filepath.Join(dir, reconstruct.LedgerFile), []byte(strings.Join(lines[:n], "")+torn), 0o600))
			taken := len(b.server.Jobs())
			r := b.do(b.again(dir), job("A dog."))
			want, more := reconstruct.Outcome(""), 0
			switch n {
			case 0:
				more = 1
			case 1:
				want = reconstruct.Uncertain
			}
			check(t, r, want, "")
			// Without its idempotency key a job would be taken twice; the server knows it.
			if got := len(b.server.Jobs()) - taken; got > more {
				t.Errorf("after %d lines %d jobs were taken", n, got)
			}
		}
	}
}

// TestInterrupted ends a run while the reply of an order is on its way: it is awaited, and its job is kept.
func TestInterrupted(t *testing.T) {
	b := newBench(t, &fake.Videos{Behave: func(string) fake.VideoBehaviour {
		return fake.VideoBehaviour{Delay: 300 * time.Millisecond, Polls: 1}
	}})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := b.run.Do(ctx, job("A dog.")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if there, err := reconstruct.PeekLedger(b.run.Dir); err != nil || there["j1"].ID == "" {
		t.Errorf("the job is not kept: %+v, %v", there, err)
	}
	check(t, b.do(b.again(b.run.Dir), job("A dog.")), "", "")
	if n := len(b.server.Jobs()); n != 1 {
		t.Errorf("%d jobs were taken", n)
	}
}

// TestElsewhere does not ask one server for the jobs of another.
func TestElsewhere(t *testing.T) {
	b := newBench(t, &fake.Videos{Behave: func(string) fake.VideoBehaviour { return fake.VideoBehaviour{Polls: 100} }})
	b.run.Patience, b.run.Server = time.Second, "https://a.example"
	check(t, b.do(b.run, job("A dog.")), reconstruct.Late, "")
	asked := b.server.Stats().Requests
	r := b.again(b.run.Dir)
	r.Server = "https://b.example"
	check(t, b.do(r, job("A dog.")), reconstruct.Unavailable, "ordered at https://a.example, not at https://b.example")
	if b.server.Stats().Requests != asked {
		t.Error("the server was asked")
	}
}

func TestLimits(t *testing.T) {
	b := newBench(t, &fake.Videos{})
	var jobs []reconstruct.Job
	for i := range 5 {
		jobs = append(jobs, reconstruct.Job{Name: fmt.Sprint("n", i), Prompt: fmt.Sprint("A dog ", i), Seconds: 4})
	}
	b.run.MaxJobs = 2
	r, err := b.run.Do(t.Context(), jobs)
	if omniscope.KindOf(err) != omniscope.Budget || len(b.server.Jobs()) != 2 || len(r.Made) != 2 {
		t.Errorf("%v, %d taken, %d made", err, len(b.server.Jobs()), len(r.Made))
	}
	second := b.again(b.run.Dir)
	second.MaxCost, second.Price = 0.85, 0.1 // two of 0.40
	r, err = second.Do(t.Context(), jobs)
	if omniscope.KindOf(err) != omniscope.Budget || len(b.server.Jobs()) != 4 || r.Orders != 2 || r.CostUSD < 0.79 || r.CostUSD > 0.81 {
		t.Errorf("%v, %d taken, %+v", err, len(b.server.Jobs()), r)
	}
	third := b.again(b.run.Dir)
	third.MaxBytes = 100
	r = b.do(third, jobs)
	if len(b.server.Jobs()) != 5 || len(r.Made) != 4 || r.Failures["n4"].Outcome != reconstruct.Unusable || !strings.Contains(r.Failures["n4"].Why, "--max-video-size") {
		t.Errorf("%d taken, %+v", len(b.server.Jobs()), r)
	}
	fourth := b.again(b.run.Dir)
	fourth.Price = 0.1
	if r = b.do(fourth, jobs); len(r.Made) != 5 || len(b.server.Jobs()) != 5 || r.Orders != 0 || r.All != 5 || r.AllUSD < 1.99 || r.AllUSD > 2.01 {
		t.Errorf("%+v", r)
	}
	fixture.OK(t, os.Truncate(filepath.Join(b.run.Dir, reconstruct.Folder, "n2.mp4"), 10))
	if r = b.do(b.again(b.run.Dir), jobs); len(r.Made) != 5 || len(b.server.Jobs()) != 5 {
		t.Errorf("a damaged video was not downloaded again: %+v", r)
	}
}

func TestRefusalsEndTheRun(t *testing.T) {
	b := newBench(t, &fake.Videos{Key: "another key"})
	_, err := b.run.Do(t.Context(), job("A dog."))
	if omniscope.KindOf(err) != omniscope.Denied || len(b.server.Jobs()) != 0 {
		t.Errorf("%v", err)
	}
}

// TestAccountFailuresEndTheRun shows that a job which failed for a reason that all jobs share stops the run, and is ordered again
// only where the user asks for it.
func TestAccountFailuresEndTheRun(t *testing.T) {
	for _, code := range []string{"insufficient_quota", "billing_hard_limit_reached", "invalid_api_key"} {
		does := fake.VideoBehaviour{Polls: 1, Fail: code}
		b := newBench(t, &fake.Videos{Key: "hunter2222", Behave: func(string) fake.VideoBehaviour { return does }})
		r, err := b.run.Do(t.Context(), job("A dog."))
		if omniscope.KindOf(err) != omniscope.Denied || !strings.Contains(err.Error(), code) || !strings.Contains(err.Error(), "--order-again=failed") {
			t.Errorf("%s: %v", code, err)
		}
		check(t, r, reconstruct.Failed, code)
		does = fake.VideoBehaviour{}
		check(t, b.do(b.again(b.run.Dir), job("A dog.")), reconstruct.Failed, code)
		paid := b.again(b.run.Dir)
		paid.Again = []reconstruct.Outcome{reconstruct.Failed}
		r = b.do(paid, job("A dog."))
		check(t, r, "", "")
		if n := len(b.server.Jobs()); n != 2 || r.All != 2 {
			t.Errorf("%s: %d jobs were taken, want 2", code, n)
		}
	}
}

// TestOrders checks what is sent, as a form and as JSON.
func TestOrders(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		server := (&fake.Videos{Video: video}).Start(t)
		e, err := videos.New(videos.Options{BaseURL: server.URL() + "/", Model: "sora-2", Size: "64x48", JSON: asJSON, Timeout: time.Second,
			Extra: map[string]json.RawMessage{"negative_prompt": json.RawMessage(`"blur"`)}})
		fixture.OK(t, err)
		id, err := e.Order(t.Context(), &job("A \"dog\"\n--and {out} 犬")[0], "key")
		fixture.OK(t, err)
		got := server.Jobs()[0]
		if got.ID != id || got.Model != "sora-2" || got.Prompt != "A \"dog\"\n--and {out} 犬" || got.Seconds != "4" || got.Size != "64x48" || got.Key != "key" {
			t.Errorf("%+v", got)
		}
	}
}

// TestHostileIDs refuses ids of jobs that would lead elsewhere.
func TestHostileIDs(t *testing.T) {
	for _, id := range []string{"", "../../admin", "a/b", "a?b=c", "..", strings.Repeat("a", 300), "a\nb"} {
		answer, _ := json.Marshal(map[string]string{"id": id})
		server := httpServer(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) })
		e, err := videos.New(videos.Options{BaseURL: server, Timeout: time.Second})
		fixture.OK(t, err)
		if _, err := e.Order(t.Context(), &job("A dog.")[0], "key"); err == nil || !strings.Contains(err.Error(), "no id of a job") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestRedirectedDownload follows a redirect to a store of files without the key.
// TestRefusedInsideAnAnswer orders from servers that answer with status 200 and an error: one that names the account, the key, a filter or
// a status from 400 took no order.
func TestRefusedInsideAnAnswer(t *testing.T) {
	for body, want := range map[string]omniscope.Kind{
		`{"error":{"message":"No.","code":"insufficient_quota"}}`:                           omniscope.Denied,
		`{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`:            omniscope.Denied,
		`{"id":"","base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}`:     omniscope.Declined,
		`{"error":{"code":429,"message":"slow down","metadata":{"retry_after_seconds":4}}}`: omniscope.Transient,
		`{"error":{"message":"The engine died."}}`:                                          0, // the order may have been taken
		`{}`: 0,
	} {
		server := httpServer(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) })
		e, err := videos.New(videos.Options{BaseURL: server, Model: "m", Timeout: time.Minute})
		fixture.OK(t, err)
		_, err = e.Order(t.Context(), &job("A dog.")[0], "key")
		_, uncertain := errors.AsType[*orders.UncertainError](err)
		if uncertain != (want == 0) || !uncertain && omniscope.KindOf(err) != want {
			t.Errorf("%s: %v of kind %s", body, err, omniscope.KindOf(err))
		}
	}
}

func TestRedirectedDownload(t *testing.T) {
	store := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-Key") != "" {
			t.Error("the store got the key")
		}
		w.Write([]byte("film"))
	})
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, store+"/f?sig=1", http.StatusFound) })
	e, err := videos.New(videos.Options{BaseURL: server, Key: omniscope.NewSecret("hunter2222"), Headers: map[string]omniscope.Secret{"X-Key": omniscope.NewSecret("k")}, Timeout: time.Second})
	fixture.OK(t, err)
	var to strings.Builder
	if err := e.Download(t.Context(), "v", &to); err != nil || to.String() != "film" {
		t.Errorf("%q, %v", to.String(), err)
	}
}

func httpServer(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
