package crash

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// TestLongKillsWhileCaptioning kills runs of a model on real clips. What is extracted
// from clips is kept in the working folder, and may be cut off by a kill as well.
func TestLongKillsWhileCaptioning(t *testing.T) {
	kills := manyKills()
	program := built.Program(t)
	clips, err := filepath.Glob(filepath.Join(golden.Path(t, "media"), "*.[mwof]*"))
	fixture.OK(t, err)
	if len(clips) < 20 {
		t.Fatalf("only %d clips", len(clips))
	}
	answer := func(r *fake.Request) fake.Reply {
		return fake.Reply{Content: fmt.Sprintf("A clip that takes %d bytes.", len(r.Body))}
	}
	const atATime = 4
	command := func(url string) []string {
		return append([]string{"caption", "--model", "openai/qwen3-omni-instruct,base-url=" + url, "--concurrency", fmt.Sprint(atATime)}, clips...)
	}
	server := startJudge(t, "", answer)
	address := server.URL()
	undisturbed := &site{t: t, program: program, work: t.TempDir(), url: address, command: command(address)}
	makeOut(t, undisturbed)
	undisturbed.finish()
	questions := len(clips) + 1 // and a blind twin
	if n := server.Stats().Answered; n != questions {
		t.Fatalf("an undisturbed run took %d answers, want %d", n, questions)
	}
	server.Close()

	server = startJudge(t, address, answer)
	killed := &site{t: t, program: program, work: t.TempDir(), url: address, command: command(address)}
	makeOut(t, killed)
	random := rand.New(rand.NewPCG(uint64(kills), 5))
	lost := 0
	for done := range kills {
		served, known := server.Stats().Answered, len(killed.answers)
		when := afterStart(time.Duration(random.IntN(2000)) * time.Millisecond)
		if random.IntN(2) == 0 {
			when = afterQuestions(1+random.IntN(3), time.Duration(random.Int64N(int64(2*latency))))
		}
		killed.killedAt(when, server)
		server.drain()
		killed.read()
		served, known = server.Stats().Answered-served, len(killed.answers)-known
		t.Logf("kill %d %s: %d answers served, %d kept, %d of %d there", done+1, when.name, served, known, len(killed.answers), questions)
		if served-known > atATime {
			t.Errorf("lost %d answers, want %d at most: those of the calls under way", served-known, atATime)
		}
		lost += served - known
	}
	killed.finish()
	if n := server.Stats().Answered; n != questions+lost {
		t.Errorf("%d answers were served, want %d and the %d lost", n, questions, lost)
	}
	if a, b := undisturbed.file("captions.jsonl"), killed.file("captions.jsonl"); string(a) != string(b) {
		t.Errorf("other captions than those of a run without kills:\n%s\n%s", a, b)
	}
	a, b := withoutHead(t, undisturbed.file("captions.details.jsonl")), withoutHead(t, killed.file("captions.details.jsonl"))
	if a != b {
		t.Errorf("other details than those of a run without kills:\n%s\n%s", a, b)
	}
}

// makeOut makes the folder of results, so that files in it have their usual names.
func makeOut(t *testing.T, s *site) {
	t.Helper()
	fixture.OK(t, os.MkdirAll(filepath.Join(s.work, "out"), 0o755))
}

// withoutHead is a file of details without its first line, which names the run.
func withoutHead(t *testing.T, text []byte) string {
	t.Helper()
	for i, c := range text {
		if c == '\n' && json.Valid(text[:i]) {
			return string(text[i:])
		}
	}
	t.Fatalf("no line: %s", text)
	return ""
}
