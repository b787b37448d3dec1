//go:build unix

package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/mockllm"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/pgtest"
)

// A crew is some workers of one run, on a server that may fail as well.
type crew struct {
	*fleetRun
	name    string
	server  *pgtest.Server
	proxy   *pgtest.Proxy
	direct  string // the journal's address
	journal string // by way of the proxy
	workers []*exec.Cmd
	logs    []*strings.Builder
}

const (
	fleetWorkers = 3
	fleetCalls   = 8               // on the wire at a time, of each
	fleetUnits   = 9               // at a time, of each: an answer that is on its way to the journal is in flight as well
	fleetLease   = 3 * time.Second // less is lost where a busy machine holds a process up
)

func (f *crew) work(n int) {
	f.t.Helper()
	need.Processes(f.t)
	cmd := exec.Command("omniscope", "worker", "--journal", f.journal, "--journal-lease", fleetLease.String(), "--work-dir", f.path(fmt.Sprint(f.name, "-w", n)), "-j", fmt.Sprint(fleetCalls))
	cmd.Dir, cmd.Env = f.dir, append(os.Environ(), "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+f.fleetRun.server.URL())
	log := &strings.Builder{}
	cmd.Stderr = log
	fixture.OK(f.t, cmd.Start())
	f.workers, f.logs = append(f.workers, cmd), append(f.logs, log)
}

// end interrupts all workers and waits for them.
func (f *crew) end() {
	for _, w := range f.workers {
		w.Process.Signal(syscall.SIGCONT)
		w.Process.Signal(os.Interrupt)
	}
	for i, w := range f.workers {
		killed := time.AfterFunc(time.Minute, func() {
			f.t.Errorf("worker %d does not end:\n%s", i, f.logs[i])
			w.Process.Kill()
		})
		w.Wait()
		killed.Stop()
	}
}

// until waits for more calls than that to be answered.
func (f *crew) until(answers int) {
	for f.answered() <= answers {
		time.Sleep(time.Millisecond)
	}
}

// A mishap is what happens to a crew. It returns how many calls may be made twice.
type mishap struct {
	name string
	do   func(f *crew) (doubles int)
}

var mishaps = []mishap{
	{"worker killed", func(f *crew) int {
		f.workers[0].Process.Kill()
		return fleetUnits
	}},
	{"worker frozen past its lease", func(f *crew) int {
		f.workers[0].Process.Signal(syscall.SIGSTOP)
		time.AfterFunc(fleetLease*5/2, func() { f.workers[0].Process.Signal(syscall.SIGCONT) })
		return fleetUnits
	}},
	{"database stopped and started", func(f *crew) int {
		if err := f.server.Stop(); err != nil {
			f.t.Error(err)
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		if err := f.server.Start(); err != nil {
			f.t.Error(err)
		}
		return 0
	}},
	{"database killed and started", func(f *crew) int {
		if err := f.server.Kill(); err != nil {
			f.t.Error(err)
		}
		if err := f.server.Start(); err != nil {
			f.t.Error(err)
		}
		return fleetWorkers * fleetUnits // claims of the last moment are lost
	}},
	{"connections cut", func(f *crew) int {
		for range 5 {
			f.proxy.Cut()
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		}
		return 0
	}},
}

// TestLongMishapsOfManyMachines has each mishap many times, at random moments: on two database servers, for
// most of the time goes by waiting.
func TestLongMishapsOfManyMachines(t *testing.T) {
	const rounds, servers = 17, 2
	t.Parallel()
	for server := range servers {
		t.Run(fmt.Sprint("server ", server+1), func(t *testing.T) {
			t.Parallel()
			mishapRounds(t, append(slices.Clone(mishaps), mishap{"scoring command killed", nil}), func(yield func(int) bool) {
				for round := server; round < rounds && yield(round); round += servers {
				}
			})
		})
	}
}

// TestLongOutage has the database away for longer than those are waited for who were told to end.
func TestLongOutage(t *testing.T) {
	t.Parallel()
	mishapRounds(t, []mishap{{"database stopped for a while", func(f *crew) int {
		f.until(f.answered() + 120) // each worker has done a part by now
		if err := f.server.Stop(); err != nil {
			f.t.Error(err)
		}
		time.Sleep(15 * time.Second)
		if err := f.server.Start(); err != nil {
			f.t.Error(err)
		}
		return 0
	}}}, slices.Values([]int{0}))
}

// mishapRounds has each mishap once in each round, on a database server of its own.
func mishapRounds(t *testing.T, mishaps []mishap, rounds iter.Seq[int]) {
	server := pgtest.Own(t)
	const samples = 600
	tr := newTrial(t, samples)
	llm := serve(t, mockllm.Config{Model: "mock", Latency: 20 * time.Millisecond})
	run := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: llm}
	want := run.alone()
	for round := range rounds {
		for _, m := range mishaps {
			name := fmt.Sprintf("%d %s", round, m.name)
			f := &crew{fleetRun: run, name: strings.ReplaceAll(name, " ", "-"), server: server}
			if ok := t.Run(name, func(t *testing.T) {
				f.inquest.t = t
				f.round(m, want, samples)
			}); !ok {
				for i, log := range f.logs {
					t.Logf("worker %d: %s", i, log)
				}
				return
			}
		}
	}
}

// round has workers do the run while something happens, and checks what came of it.
func (f *crew) round(m mishap, want map[string]string, samples int) {
	t := f.t
	var err error
	f.direct, err = f.server.Database(t.Context())
	fixture.OK(t, err)
	f.proxy, f.journal = pgtest.NewProxy(t, f.server, f.direct)
	for n := range fleetWorkers {
		f.work(n)
	}
	ended := sync.OnceFunc(f.end)
	defer ended()
	before := f.answered()
	args := f.in(f.name, "--journal", f.journal, "--journal-lease", fleetLease.String(), "--engine", "river")
	wait, signal := f.start(args...)
	moment := rand.IntN(samples * 3 / 4)
	f.until(before + moment)
	doubles := 0
	if m.do != nil {
		doubles = m.do(f)
	} else {
		signal(os.Kill)
		wait()
		wait, _ = f.start(args...)
	}
	if said, err := wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	ended()
	if diff := cmp.Diff(want, f.documents(f.name)); diff != "" {
		t.Errorf("the documents differ (-undisturbed +with a mishap):\n%.2000s", diff)
	}
	again := f.answered() - before - samples
	if again < 0 || again > doubles {
		late := number(t, f.direct, "SELECT count(*) FROM call WHERE late")
		t.Errorf("%d calls were made again, want at most %d; %d answers came after their claim was lost", again, doubles, late)
	}
	// Whatever was answered and acknowledged is there; what was answered again is there twice or late.
	kept := number(t, f.direct, "SELECT count(DISTINCT key) FROM call WHERE outcome = 1 AND NOT late")
	twice := number(t, f.direct, "SELECT count(*) - count(DISTINCT key) FROM call WHERE outcome = 1 AND NOT late")
	if kept != samples || twice > doubles {
		t.Errorf("%d of %d answers are in the journal, and %d more than once", kept, samples, twice)
	}
	time.Sleep(fleetLease * 11 / 10) // the lease of the dead; whoever opens the journal next buries them
	f.must(f.in(f.name, "--journal", f.direct)...)
	if n := number(t, f.direct, "SELECT count(*) FROM claim"); n != 0 {
		t.Errorf("%d claims are left", n)
	}
}
