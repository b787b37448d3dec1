// Package crash kills omniscope with SIGKILL, again and again in the middle of
// a run, and checks what it promises: answers that were written down stay, few
// are paid for twice, and the scores are those of a run that nobody disturbed.
//
// It has tests only. How the journal survives kills by itself is tested in
// package store.
package crash

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

const (
	captions    = 2000
	latency     = 20 * time.Millisecond
	concurrency = 32

	// unsaved is how many answers a kill can lose at most: those of the calls
	// on the wire, and those that have arrived and are on their way to the
	// disk. A run works on so many captions at a time, each of which has one
	// call at most under way.
	unsaved = concurrency + concurrency/8 + 32
)

// manyKills is how often long tests kill a run: OMNISCOPE_SOAK sets the number.
func manyKills() int {
	if n, err := strconv.Atoi(os.Getenv("OMNISCOPE_SOAK")); err == nil && n > 0 {
		return n
	}
	return 30
}

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

func TestKills(t *testing.T)     { testKills(t, 8) }
func TestLongKills(t *testing.T) { testKills(t, manyKills()) }

func testKills(t *testing.T, kills int) {
	program := built.Program(t)
	rows := filepath.Join(t.TempDir(), "rows.jsonl")
	makeRows(t, rows)

	eval, answer := []string{"omni-cloze", "-p", rows}, fake.ClozeReply(nil, 200)
	judge := startJudge(t, "", answer)
	address := judge.URL()
	undisturbed := &site{t: t, program: program, eval: eval, work: t.TempDir(), url: address}
	undisturbed.finish()
	if n := judge.Stats().Answered; n != captions {
		t.Fatalf("an undisturbed run took %d answers, want %d", n, captions)
	}
	judge.Close()

	judge = startJudge(t, address, answer)
	killed := &site{t: t, program: program, eval: eval, work: t.TempDir(), url: address}
	lost := killAgainAndAgain(t, killed, judge, kills)
	killed.finish()
	killed.read()

	stats := judge.Stats()
	t.Logf("%d answers to %d captions: %d were lost with a kill and paid for twice", stats.Answered, captions, lost)
	if stats.Distinct != captions || len(killed.answers) != captions {
		t.Errorf("the server answered %d captions, the journal remembers %d, want %d", stats.Distinct, len(killed.answers), captions)
	}
	if stats.Answered != captions+lost {
		t.Errorf("%d answers were served, want %d and the %d lost", stats.Answered, captions, lost)
	}
	if stats.PeakInFlight > concurrency {
		t.Errorf("%d calls on the wire, want %d at most", stats.PeakInFlight, concurrency)
	}
	sameResults(t, undisturbed, killed, captions, "blanks.jsonl")
}

// killAgainAndAgain kills so many runs, and returns how many answers were
// served to them that are not in the journal. A fifth of the kills comes when
// all answers are there and results are being written.
func killAgainAndAgain(t *testing.T, s *site, judge *judge, kills int) (lost int) {
	random := rand.New(rand.NewPCG(uint64(kills), 3))
	for done := 0; done < kills; {
		when := anyMoment(random, kills)
		if done >= kills*4/5 {
			when = lastMoment(random)
		}
		servedBefore, knownBefore := judge.Stats().Answered, len(s.answers)
		name := "not killed, being done before " + when.name
		if s.killedAt(when, judge) {
			done++
			name = fmt.Sprintf("kill %d %s", done, when.name)
		}
		judge.drain()
		s.read()
		served, kept := judge.Stats().Answered-servedBefore, len(s.answers)-knownBefore
		t.Logf("%s: %d answers served, %d kept, %d of %d there", name, served, kept, len(s.answers), captions)
		if served-kept > unsaved {
			t.Errorf("%s: lost %d answers, want %d at most", name, served-kept, unsaved)
		}
		lost += served - kept
	}
	return lost
}

// anyMoment is before there is a journal, while it is opened, or after some
// questions; all such kills together let about half of the run happen.
func anyMoment(random *rand.Rand, kills int) moment {
	if random.IntN(4) == 0 {
		return afterStart(time.Duration(random.IntN(100)) * time.Millisecond)
	}
	return afterQuestions(1+random.IntN(captions/kills), time.Duration(random.Int64N(int64(2*latency))))
}

func lastMoment(random *rand.Rand) moment {
	files := []string{".results.json.partial", ".results.csv.partial", ".report.md.partial", ".blanks.jsonl.partial", "results.json"}
	return whileWriting(files[random.IntN(len(files))])
}

func makeRows(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	fixture.OK(t, err)
	fixture.OK(t, benchgen.Cloze(f, benchgen.ClozeOptions{Rows: captions, Blanks: 5, Words: 40}))
	fixture.OK(t, f.Close())
}

// sameResults compares all that two runs of so many samples wrote but for when
// and what it cost.
func sameResults(t *testing.T, a, b *site, samples int, files ...string) {
	t.Helper()
	if diff := cmp.Diff(scores(t, a, samples), scores(t, b, samples)); diff != "" {
		t.Errorf("scores differ (-undisturbed +killed):\n%s", diff)
	}
	for _, name := range files {
		if !bytes.Equal(a.file(name), b.file(name)) {
			t.Errorf("%s differs", name)
		}
	}
	left, err := filepath.Glob(filepath.Join(b.work, "out", ".*.partial"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func scores(t *testing.T, s *site, samples int) map[string]any {
	t.Helper()
	var doc map[string]any
	fixture.OK(t, json.Unmarshal(s.file("results.json"), &doc))
	if doc["status"] != "scored" || fmt.Sprint(doc["sample_outcomes"]) != fmt.Sprintf("map[ok:%d]", samples) {
		t.Errorf("status %v, outcomes %v", doc["status"], doc["sample_outcomes"])
	}
	delete(doc, "run")   // version, command, time
	delete(doc, "usage") // calls, seconds
	return doc
}
