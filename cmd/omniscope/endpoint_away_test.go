package main

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// unused returns a loopback address without a listener.
func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	defer l.Close()
	return l.Addr().String()
}

// silent takes connections and never says anything.
func silent(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, conn)
		}
	}()
	return l.Addr().String()
}

var away = []fake.Fault{{When: fake.Always(), Do: fake.ServerError(http.StatusServiceUnavailable)}}

// quickly makes a command wait for no more than is needed to see that it does.
var quickly = []string{"--endpoint-wait", "300ms", "--retry-wait", "20ms"}

// TestEndpointAway asks servers that have never answered: the command stops with
// exit code 1 and says so, keeps no failure, and goes on when somebody is there.
func TestEndpointAway(t *testing.T) {
	for _, c := range []struct {
		name  string
		url   func(t *testing.T) string
		flags []string
		says  string
		sent  bool // requests were sent: they may have to be paid for, so the journal has them as failures
	}{
		{"nobody listens", func(t *testing.T) string { return "http://" + unused(t) + "/v1" }, nil, "connection refused", false},
		{"no retries wanted", func(t *testing.T) string { return "http://" + unused(t) + "/v1" }, []string{"--max-retries", "0"}, "connection refused", false},
		{"no such host", func(*testing.T) string { return "http://no-such-host.invalid/v1" }, nil, "no-such-host.invalid", false},
		{"no TLS where it is asked for", func(t *testing.T) string {
			return strings.Replace(serve(t, fake.Config{}).URL(), "http:", "https:", 1)
		}, nil, "HTTP response to HTTPS client", false},
		{"connections are taken and nothing is said", func(t *testing.T) string { return "http://" + silent(t) + "/v1" },
			[]string{"--timeout", "100ms"}, "no whole answer within 100ms", true},
		{"a gateway before a server that is away", func(t *testing.T) string { return serve(t, fake.Config{Faults: away}).URL() }, nil, "503", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const onTheWire = 3 // may be cut off when the wait ends, and are failures then
			tr := newTrial(t, 40, append(quickly, "-j", strconv.Itoa(onTheWire))...)
			url := c.url(t)
			v := tr.eval(url, c.flags...)
			if v.code != exitFailed || v.results.Status != "" {
				t.Errorf("exit code %d, want %d; results %q", v.code, exitFailed, v.results.Status)
			}
			has(t, v.errOut, "endpoint away: nothing has answered at "+url, c.says, "run the same command again", "--endpoint-wait")
			if v.took > time.Minute { // five seconds, on a machine with nothing else to do
				t.Errorf("it took %s", v.took)
			}
			if n := (inquest{t, tr.dir}).remembered(""); n > onTheWire && !c.sent {
				t.Errorf("the journal has %d calls", n)
			}
			server := serve(t, fake.Config{})
			if v = tr.eval(server.URL()); v.code != exitDone || v.results.Outcomes["ok"] != 40 {
				t.Errorf("with somebody there: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
			}
		})
	}
}

// TestEndpointStillLoading waits for a server that comes up late, whatever
// --max-retries allows a call that fails.
func TestEndpointStillLoading(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 20, "--endpoint-wait", "1m", "--retry-wait", "20ms", "--max-retries", "0")
	l, err := net.Listen("tcp", "127.0.0.1:0") // a server that is not up yet
	fixture.OK(t, err)
	address := l.Addr().String()
	ended := make(chan verdict)
	go func() { ended <- tr.eval("http://" + address + "/v1") }()
	conn, err := l.Accept()
	fixture.OK(t, err)
	conn.Close()
	l.Close()
	server := serve(t, fake.Config{Addr: address, Faults: []fake.Fault{{When: fake.Between(1, 30), Do: fake.ServerError(http.StatusServiceUnavailable)}}})
	if v := <-ended; v.code != exitDone || v.results.Outcomes["ok"] != 20 {
		t.Errorf("exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
	}
	if n := server.Stats().Answered; n != 20 {
		t.Errorf("%d answers to 20 samples", n)
	}
}

// TestEndpointAwayLater resumes a run at an endpoint that is gone by now: what
// is remembered stands, and the new calls are held back.
func TestEndpointAwayLater(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 20, quickly...)
	server := serve(t, fake.Config{})
	tr.eval(server.URL(), "--max-calls", "8").must(t, exitBudget)
	address := strings.TrimSuffix(strings.TrimPrefix(server.URL(), "http://"), "/v1")
	server.Close()
	tr.eval(server.URL()).ends(t, exitFailed).says(t, "endpoint away")
	again := serve(t, fake.Config{Addr: address})
	v := tr.eval(server.URL())
	if v.code != exitDone || v.results.Outcomes["ok"] != 20 || again.Stats().Requests != 12 {
		t.Errorf("exit code %d, outcomes %v, %d requests: %s", v.code, v.results.Outcomes, again.Stats().Requests, v.errOut)
	}
}

// TestEndpointAwayOfOtherCommands does the same for every command that asks
// models.
func TestEndpointAwayOfOtherCommands(t *testing.T) {
	need.FFmpeg(t)
	t.Parallel()
	q := newInquest(t)
	clip, caption := q.shortClip("clip.mp4"), q.write("caption.txt", "A dog barks.")
	url := "http://" + unused(t) + "/v1"
	common := append([]string{"--work-dir", q.path("work")}, quickly...)
	for name, args := range map[string][]string{
		"a detective":    {"caption", clip, "--out", q.path("a"), "--detective", "openai/mock,base-url=" + url, "--quiet"},
		"an observer":    {"caption", clip, "--out", q.path("b"), "--observer", "openai/mock,base-url=" + url, "--quiet"},
		"a splitter":     {"audit", caption, clip, "--splitter", "openai/mock,base-url=" + url},
		"several judges": {"eval", "omni-cloze", "-p", "testdata/clips.jsonl", "--judge", "openai/a,base-url=" + url, "--judge", "openai/b,base-url=" + url, "--quiet"},
		"CapRiCorn-1K":   {"eval", "capricorn", "-d", q.write("rows.jsonl", oneVideo), "-p", q.write("captions.jsonl", oneCaption), "--judge", "openai/a,base-url=" + url, "--quiet"},
	} {
		t.Run(name, func(t *testing.T) {
			if args[0] != "investigate" {
				args = append(append(args, "--work-dir", q.path(name)), quickly...)
			} else {
				args = append(args, common...)
			}
			q.command(args...).ends(t, exitFailed).says(t, "endpoint away: nothing has answered at "+url)
		})
	}
}

const (
	oneVideo   = `{"video_id": "roof", "duration": 301, "events": {"main_sbj_evts": [], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": ["A dog barks", "A cat sleeps"]}}`
	oneCaption = `{"video_id": "roof", "caption": "A dog barks."}`
)
