package main

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/need"
)

// mostUnread is how many calls of a run with -j 4 may be on the wire, or on
// their way to the disk, when its last answer is read.
const mostUnread = 4 + 36

// mending answers nothing of use until mended, after a latency.
func mending(t *testing.T, latency time.Duration) (server *fake.Server, mended *atomic.Bool) {
	mended = new(atomic.Bool)
	answer := fake.ClozeReply(nil, 0)
	return serve(t, fake.Config{Latency: latency, Reply: func(r *fake.Request) fake.Reply {
		if mended.Load() {
			return answer(r)
		}
		return fake.Reply{Content: "It is a dog."}
	}}), mended
}

// TestLongStopAfterUnusable asks judges that answer nothing of use: the run stops
// soon, says why and what to do, asks nothing when it is started again as it
// was, and goes on once the cause is mended.
func TestLongStopAfterUnusable(t *testing.T) {
	for _, c := range []struct {
		name string
		do   fake.Effect
		says []string
	}{
		{"cut off", fake.Finish("length"), []string{"all cut off by the length limit", "raise max-tokens="}},
		{"null", fake.NullContent(), []string{"all empty", "look at the model"}},
		{"tool calls", fake.CallTool("lookup"), []string{"all tool calls without a text", "answer in text"}},
		{"reasoning", fake.ReasonOnly("stop"), []string{"all reasoning without an answer"}},
		{"refusals", fake.Refuse("I would rather not."), []string{"all refusals"}},
		{"refusals in words", fake.Say("I'm sorry, but I can't assist with that request."), []string{"all refusals"}},
		{"another form", fake.Say("It is a dog."), []string{"all in a form that cannot be read"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 40, "-j", "4")
			broken := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: c.do}}})
			v := tr.eval(broken.URL())
			if v.code != exitFailed || v.results.Status != "" {
				t.Errorf("exit code %d, want %d; results %q", v.code, exitFailed, v.results.Status)
			}
			for _, words := range append(c.says, "the first 20 answers of openai/mock", "omniscope journal show ", "--step", "--stop-after-unusable 0") {
				if !strings.Contains(v.errOut, words) {
					t.Errorf("it does not say %q but\n%s", words, v.errOut)
				}
			}
			if n := broken.Stats().Requests; n < 20 || n > 20+mostUnread {
				t.Errorf("%d requests, want 20 and what was on its way then", n)
			}

			asked := broken.Stats().Requests
			tr.eval(broken.URL()).ends(t, exitFailed).says(t, "nothing was asked", c.says[0])
			if n := broken.Stats().Requests; n != asked {
				t.Errorf("again: %d more requests", n-asked)
			}

			healed := serve(t, fake.Config{})
			if v = tr.asking(",max-tokens=5000").eval(healed.URL(), "--any-endpoint"); v.code != exitDone || v.results.Outcomes["ok"] != 40 {
				t.Errorf("mended by a setting: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
			}
		})
	}
}

// TestUnusableAnswersOfAMendedServer keeps the address and the settings.
func TestUnusableAnswersOfAMendedServer(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 60, "-j", "4").asking(",attempts=30") // one caption alone may meet all the bad answers
	server, mended := mending(t, 0)
	tr.eval(server.URL()).must(t, exitFailed)
	mended.Store(true)
	before := server.Stats().Requests
	if v := tr.eval(server.URL()); v.code != exitFailed || server.Stats().Requests != before || !strings.Contains(v.errOut, "--fresh asks anew") {
		t.Errorf("exit code %d, %d requests: %s", v.code, server.Stats().Requests, v.errOut)
	}
	// More patience: the run goes on, and finds answers of use.
	if v := tr.eval(server.URL(), "--stop-after-unusable", "1000"); v.code != exitDone || v.results.Outcomes["ok"] != 60 {
		t.Errorf("with more patience: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
	}
	// The stop is forgotten.
	before = server.Stats().Requests
	if v := tr.eval(server.URL()); v.code != exitDone || server.Stats().Requests != before {
		t.Errorf("once more: exit code %d, %d more calls: %s", v.code, server.Stats().Requests-before, v.errOut)
	}
}

// TestLongUnusableAnswersOfSeveralCommands has a budget end each command before its
// answers are enough to stop the run: the next one goes on counting, in a fresh
// run, too, and a fresh run that begins starts from nothing.
func TestLongUnusableAnswersOfSeveralCommands(t *testing.T) {
	for _, fresh := range [][]string{nil, {"--fresh"}} {
		t.Run(strings.Join(fresh, ""), func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 60, append(fresh, "-j", "1", "--max-calls", "8")...)
			server, mended := mending(t, 50*time.Millisecond) // answers are read before the budget is used up
			for n, want := range []int{exitBudget, exitBudget, exitFailed} {
				if v := tr.eval(server.URL()); v.code != want {
					t.Fatalf("command %d: exit code %d, want %d: %s", n+1, v.code, want, v.errOut)
				}
			}
			asked := server.Stats().Requests
			if asked < 20 || asked > 24 {
				t.Errorf("%d requests", asked)
			}
			mended.Store(true)
			if v := tr.eval(server.URL(), "--fresh", "--max-calls", "0"); v.code != exitDone || v.results.Outcomes["ok"] != 60 {
				t.Errorf("mended: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
			}
		})
	}
}

// TestLongUnusableAnswersBesideAnotherModel audits with a splitter that can be used
// and an observer that cannot: the observer stays stopped.
func TestLongUnusableAnswersBesideAnotherModel(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		if r.Model() == "good" {
			return fake.Reply{Content: `{"claims":[{"text":"A dog barks.","sense":"visual"},{"text":"A cat sleeps.","sense":"visual"}]}`}
		}
		return fake.Reply{}
	}})
	args := []string{"audit", q.write("caption.txt", "A dog barks. A cat sleeps."), q.shortClip("clip.mp4"), "--splitter", "openai/good,base-url=" + server.URL(), "--observer", "openai/bad,base-url=" + server.URL(),
		"--work-dir", q.path("work"), "--stop-after-unusable", "2"}
	q.command(args...).must(t, exitFailed).says(t, "openai/bad that could not be used are all")
	asked := server.Stats().Requests
	if v := q.command(args...); v.code != exitFailed || !strings.Contains(v.errOut, "nothing was asked") || server.Stats().Requests != asked {
		t.Errorf("again: exit code %d, %d more requests: %s", v.code, server.Stats().Requests-asked, v.errOut)
	}
}

// TestStopAfterUnusableOff goes on to the end where the user says so, and so
// does --fresh after a stop.
func TestStopAfterUnusableOff(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 30, "-j", "4")
	broken := fake.Fault{When: fake.Always(), Do: fake.NullContent()}
	v := tr.eval(serve(t, fake.Config{Faults: []fake.Fault{broken}}).URL(), "--stop-after-unusable", "0")
	if v.code != exitFailures || v.results.Outcomes["unparsed"] != 30 {
		t.Errorf("exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
	}
	tr = newTrial(t, 30, "-j", "4")
	server, mended := mending(t, 0)
	tr.eval(server.URL()).ends(t, exitFailed)
	mended.Store(true)
	if v := tr.eval(server.URL(), "--fresh"); v.code != exitDone || v.results.Outcomes["ok"] != 30 {
		t.Errorf("--fresh: exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
	}
}

// TestMixedAnswersDoNotStop counts only what comes before any answer of use.
func TestMixedAnswersDoNotStop(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 60, "-j", "1")
	server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Between(2, 200), Do: fake.NullContent()}}})
	if v := tr.eval(server.URL()); v.code != exitFailures || v.results.Outcomes["ok"] != 1 {
		t.Errorf("exit code %d, outcomes %v: %s", v.code, v.results.Outcomes, v.errOut)
	}
}

// TestLongUnusableAnswersOfOtherCommands stops every command that asks models.
func TestLongUnusableAnswersOfOtherCommands(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	caption := q.write("caption.txt", "A dog barks. A cat sleeps. A man walks. It rains. A car stops. Birds sing.")
	for _, c := range []struct {
		name string
		most int // requests
		args []string
	}{
		{"a detective", 2, []string{"caption", clip, "--out", q.path("a"), "--detective", "openai/mock", "--quiet"}},
		{"observers", 2 + 8, []string{"audit", caption, clip, "--observer", "openai/mock", "-o", q.path("b")}},
		{"a splitter", 2, []string{"audit", caption, clip, "--splitter", "openai/mock"}},
		{"CapRiCorn-1K", 2 + 8, []string{"eval", "capricorn", "-d", q.write("rows.jsonl", oneVideo), "-p", q.write("captions.jsonl", oneCaption), "--judge", "openai/mock", "-j", "1", "--quiet"}},
		{"two judges", 2 + 3, []string{"eval", "omni-cloze", "-p", "testdata/clips.jsonl", "--judge", "openai/a", "--judge", "openai/b", "-j", "1", "--quiet"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: fake.CallTool("look")}}})
			q.command(append(withSettings(",base-url="+server.URL(), c.args...), "--work-dir", q.path(c.name), "--stop-after-unusable", "2")...).ends(t, exitFailed).says(t, "are all tool calls without a text")
			if n := server.Stats().Requests; n < 2 || n > c.most {
				t.Errorf("%d requests", n)
			}
		})
	}
}
