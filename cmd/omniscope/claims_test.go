package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media/wav"
)

// claimsReply splits captions at their sentences, and judges claims by their words alone.
func claimsReply(r *fake.Request) fake.Reply {
	text := r.Text()
	if _, caption, ok := strings.Cut(text, "The description:\n\n"); ok {
		var claims []map[string]string
		for s := range strings.SplitSeq(strings.TrimSpace(caption), ". ") {
			claims = append(claims, map[string]string{"text": strings.TrimSuffix(s, ".") + ".", "sense": "audio"})
		}
		out, _ := json.Marshal(map[string]any{"claims": claims})
		return fake.Reply{Content: string(out)}
	}
	_, claim, _ := strings.Cut(text, "Somebody says of this clip:\n\n")
	claim, _, _ = strings.Cut(claim, "\n")
	h := fnv.New32a()
	h.Write([]byte(claim))
	verdict := []string{"supported", "contradicted", "cannot tell", "supported", "supported"}[h.Sum32()%5]
	return fake.Reply{Content: fmt.Sprintf(`{"verdict": %q, "why": "so it is"}`, verdict)}
}

// claimsFiles writes so many short clips with captions of three claims each.
func claimsFiles(q inquest, n int) {
	q.t.Helper()
	need.FFmpeg(q.t)
	fixture.OK(q.t, os.Mkdir(q.path("clips"), 0o755))
	var captions []string
	for i := range n {
		pcm := make([]byte, 3200)
		for k := range pcm {
			pcm[k] = byte(k * (i + 3)) // no two clips are the same
		}
		q.write(fmt.Sprintf("clips/c%d.wav", i), string(append(wav.Header(16000, 1, len(pcm)), pcm...)))
		captions = append(captions, fmt.Sprintf(`{"clip": "c%d", "caption": "Horn %d sounds. Then dog %d barks. Later bell %d rings.",`+
			` "planted": [{"kind": "sound", "from": "howls", "to": "barks", "was": "Then dog %d howls.", "sentence": "Then dog %d barks."}]}`, i, i, i, i, i, i))
	}
	q.write("captions.jsonl", strings.Join(captions, "\n"))
}

// claimsArgs score claims by two observers; what tools are installed does not matter.
var claimsArgs = []string{"audit", "captions.jsonl", "--media", "clips", "--splitter", "openai/mock", "--observer", "openai/eye", "--observer", "openai/ear", "--tools", "sound"}

// TestLongClaimsKilledAndResumed kills an audit of many clips in the middle. The same command then
// asks what it had not asked, and little more: the calls that were on the wire.
func TestLongClaimsKilledAndResumed(t *testing.T) {
	t.Parallel()
	const clips, atOnce = 40, 8
	const calls = clips * (1 + 3*2)
	q := newInquest(t)
	claimsFiles(q, clips)
	f := &fleetRun{inquest: q, args: append(claimsArgs, "-j", fmt.Sprint(atOnce)), server: serve(t, fake.Config{Model: "mock", Latency: 20 * time.Millisecond, Reply: claimsReply})}
	wait, signal := f.start(f.in("run")...)
	for end := time.Now().Add(60 * time.Second); f.answered() < calls/3 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	signal(os.Kill)
	if said, err := wait(); err == nil {
		t.Fatalf("it was not killed: %s", said)
	}
	before := f.answered()
	f.must(f.in("run")...)
	const moment = 64 // what was answered just before the kill may not be on the disk yet
	if n := f.answered(); before < calls/3 || before >= calls || n < calls || n > calls+3*atOnce+moment {
		t.Errorf("%d answers were given before it was killed, and %d in all, of %d", before, n, calls)
	}
	after := f.answered()
	f.must(f.in("run")...)
	if n := f.answered() - after; n != 0 {
		t.Errorf("a third time %d questions were asked", n)
	}
	alone := f.alone()
	delete(alone, "results.json") // has what it took
	for name, text := range f.documents("run") {
		if want, ok := alone[name]; ok && text != want {
			t.Errorf("%s differs from that of an undisturbed run", name)
		}
	}
}

func TestClaimsWithoutAnswers(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	claimsFiles(q, 3)
	down := serve(t, fake.Config{Model: "mock", Reply: func(*fake.Request) fake.Reply {
		return fake.ErrorReply(400, "this model sees no media", "invalid_request_error", "", "")
	}})
	up := serve(t, fake.Config{Model: "mock", Reply: claimsReply})
	args := slices.Clone(claimsArgs)
	args[slices.Index(args, "--splitter")+1] += ",base-url=" + up.URL()
	f := &fleetRun{inquest: q, args: append(args, "--stop-after-unusable", "0"), server: down}
	wait, _ := f.start(f.in("run")...)
	if said, err := wait(); err == nil || err.Error() != "exit status 3" || !strings.Contains(said, "headline   no score: nothing was judged (3 failed)") || !strings.Contains(said, "this model sees no media") {
		t.Errorf("%v: %s", err, said)
	}
}

// TestClaimsReplay scores a run again from its journal, which asks nobody.
func TestClaimsReplay(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	claimsFiles(q, 4)
	f := &fleetRun{inquest: q, args: claimsArgs, server: serve(t, fake.Config{Model: "mock", Reply: claimsReply})}
	f.must(append(claimsArgs, "--work-dir", q.path("work"), "--quiet")...)
	asked := f.answered()
	wait, _ := f.start("journal", "replay", "--work-dir", q.path("work"), q.onlyRun())
	said, err := wait()
	if err != nil || !strings.Contains(said, "planted claims found") {
		t.Errorf("%v: %s", err, said)
	}
	if n := f.answered() - asked; n != 0 {
		t.Errorf("%d questions were asked again", n)
	}
}
