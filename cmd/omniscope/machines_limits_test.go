package main

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/pgtest"
)

// workers starts so many workers and stops them after the test.
func (f *fleetRun) startWorkers(n int, journal string) {
	f.t.Helper()
	for i := range n {
		wait, signal := f.start("worker", "--journal", journal, "--work-dir", f.path("limits-"+string(rune('a'+i))), "-j", "10", "--prices", f.write("prices.yaml", "openai/mock: {in: 10, out: 10}\n"))
		f.t.Cleanup(func() {
			signal(os.Interrupt)
			if said, err := wait(); err != nil {
				f.t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

// TestLongCostOverFourWorkers counts at the server what four workers spend of a dollar.
func TestLongCostOverFourWorkers(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 1500)
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: serve(t, fake.Config{Model: "mock", Latency: 10 * time.Millisecond})}
	journal := pgtest.New(t)
	f.startWorkers(4, journal)
	wait, _ := f.start(f.in("limited", "--journal", journal, "--engine", "river", "--max-cost", "1", "--prices", f.write("prices.yaml", "openai/mock: {in: 10, out: 10}\n"))...)
	said, err := wait()
	if err == nil || !strings.Contains(err.Error(), "exit status 4") || !strings.Contains(said, "--max-cost 1") {
		t.Errorf("the command ended with %v and said\n%s", err, said)
	}
	spent := number(t, journal, "SELECT (1000 * sum(cost_usd))::int FROM call") // in tenths of a cent
	const inFlight = 40
	each := number(t, journal, "SELECT (1e6 * max(cost_usd))::int FROM call")
	if spent < 900 || spent > 1000+inFlight*each/1000 {
		t.Errorf("%.3f dollars were spent, want at most 1 and not much less", float64(spent)/1000)
	}
	if asked, kept := f.answered(), number(t, journal, "SELECT count(*) FROM call"); asked != kept {
		t.Errorf("the server answered %d times, and the journal has %d", asked, kept)
	}
	// The same command goes on with a dollar more.
	before := number(t, journal, "SELECT count(*) FROM call")
	wait, _ = f.start(f.in("limited", "--journal", journal, "--engine", "river", "--max-cost", "1", "--prices", f.write("prices.yaml", "openai/mock: {in: 10, out: 10}\n"))...)
	wait()
	if after := number(t, journal, "SELECT count(*) FROM call"); after <= before {
		t.Error("the next command with a dollar of its own did not go on")
	}
}

// TestLongCostOfLongAnswersOverTwoWorkers has calls of 20 cents: the first is made by one worker alone.
func TestLongCostOfLongAnswersOverTwoWorkers(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 200)
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: reasoning(t, 20_000)}
	journal := pgtest.New(t)
	f.startWorkers(2, journal)
	for round, paid := range []int{4, 8} {
		wait, _ := f.start(f.in("limited", "--journal", journal, "--engine", "river", "--max-cost", "1", "--prices", f.write("prices.yaml", "openai/mock: {in: 10, out: 10}\n"))...)
		said, err := wait()
		if err == nil || !strings.Contains(err.Error(), "exit status 4") || !strings.Contains(said, "this command and its workers made 4 calls, 80400 tokens, $0.80") {
			t.Errorf("command %d ended with %v and said\n%s", round, err, said)
		}
		if n := f.answered(); n != paid {
			t.Errorf("after command %d the server answered %d calls, want %d", round, n, paid)
		}
	}
}

// TestLongRateOverFourWorkers counts at the server how many calls come in each second.
func TestLongRateOverFourWorkers(t *testing.T) {
	t.Parallel()
	const samples, perMinute = 150, 3000
	tr := newTrial(t, samples)
	var mu sync.Mutex
	var came []time.Time
	reply := fake.ClozeReply(nil, 0)
	server := serve(t, fake.Config{Model: "mock", Reply: func(r *fake.Request) fake.Reply {
		mu.Lock()
		came = append(came, time.Now())
		mu.Unlock()
		return reply(r)
	}})
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: server}
	journal := pgtest.New(t)
	f.startWorkers(4, journal)
	f.must(f.in("paced", "--journal", journal, "--engine", "river", "--max-rpm", "3000")...)
	if len(came) != samples {
		t.Errorf("%d calls came, want %d", len(came), samples)
	}
	const window = time.Second
	most := 0
	for i := range came {
		n := 0
		for _, c := range came[i:] {
			if c.Sub(came[i]) < window {
				n++
			}
		}
		most = max(most, n)
	}
	if allowed := perMinute/60 + 12; most > allowed { // and what a busy machine delays and then sends at once
		t.Errorf("%d calls came within a second, want at most %d", most, perMinute/60)
	}
}
