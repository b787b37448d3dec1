package pg_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
	"omniscope/run/journal/sqlite"
)

// calm is a bytes.Buffer for several goroutines.
type calm struct {
	mu sync.Mutex
	bytes.Buffer
}

func (c *calm) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Buffer.Write(b)
}

func (c *calm) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Buffer.String()
}

// appendThrough has workers claim, look up and append while disturb goes on, and
// checks that each call is in the journal once.
func appendThrough(t *testing.T, address string, said *calm, disturb func(made func() int)) {
	t.Helper()
	j := openRun(t, address, "through", pg.Options{Warnings: said})
	once := &run.Once{Journal: j, Claimer: j}
	stop := make(chan struct{})
	var workers sync.WaitGroup
	var mu sync.Mutex
	acknowledged := make(map[string]bool)
	for w := range 50 {
		workers.Go(func() {
			for n := w; ; n += 50 {
				select {
				case <-stop:
					return
				default:
				}
				e := entry(n, fmt.Sprint(n))
				if _, _, err := once.Do(t.Context(), e, answered); err != nil {
					t.Errorf("call %d: %v", n, err)
					return
				}
				mu.Lock()
				acknowledged[e.Step] = true
				mu.Unlock()
				time.Sleep(time.Millisecond)
			}
		})
	}
	made := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged)
	}
	disturb(made)
	for before := made(); made() < before+100 && !t.Failed(); { // it goes on
		time.Sleep(10 * time.Millisecond)
	}
	close(stop)
	workers.Wait()
	times := make(map[string]int)
	for c, err := range j.store.Calls(t.Context(), "through", "") {
		fixture.OK(t, err)
		if times[c.Step]++; times[c.Step] > 1 {
			t.Errorf("%s is in the journal %d times", c.Step, times[c.Step])
		}
	}
	for step := range acknowledged {
		if times[step] == 0 {
			t.Errorf("%s was acknowledged and is lost", step)
		}
	}
}

func TestServerGoesAndComesBack(t *testing.T) {
	server := pgtest.Own(t)
	address, err := server.Database(t.Context())
	fixture.OK(t, err)
	var said calm
	appendThrough(t, address, &said, func(made func() int) {
		for round, end := range []func() error{server.Stop, server.Kill, server.Kill} {
			for before := made(); made() < before+200 && !t.Failed(); {
				time.Sleep(10 * time.Millisecond)
			}
			if err := end(); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
			if err := server.Start(); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
	})
	if text := said.String(); !strings.Contains(text, "does not answer") || !strings.Contains(text, "answers again") {
		t.Errorf("of the outages it said %q", text)
	}
}

func TestConnectionsAreCut(t *testing.T) {
	server := pgtest.Own(t)
	direct, err := server.Database(t.Context())
	fixture.OK(t, err)
	proxy, address := pgtest.NewProxy(t, server, direct)
	appendThrough(t, address, &calm{}, func(func() int) {
		for range 40 {
			time.Sleep(time.Duration(20+rand.IntN(80)) * time.Millisecond)
			proxy.Cut()
		}
	})
}

func TestAnswersAreKeptElsewhereWhenTheServerStaysAway(t *testing.T) {
	server := pgtest.Own(t)
	address, err := server.Database(t.Context())
	fixture.OK(t, err)
	dir := filepath.Join(t.TempDir(), "kept")
	j := openRun(t, address, "away", pg.Options{Patience: 300 * time.Millisecond, Rescue: func() (journal.Store, error) { return sqlite.Open(dir) }})
	fixture.OK(t, j.Append(t.Context(), entry(1, `"before"`)))
	fixture.OK(t, server.Stop())
	err = j.Append(t.Context(), entry(2, `"paid"`))
	if omniscope.KindOf(err) != omniscope.Unreachable || !strings.Contains(err.Error(), "journal merge "+dir) {
		t.Errorf("the error is %v, want one that says where the answer is kept", err)
	}
	if _, err := j.Lookup(t.Context(), entry(3, "").Key, ""); err == nil {
		t.Error("a journal that is away was asked and answered")
	}
	j.Close()
	kept, err := sqlite.OpenExisting(dir)
	fixture.OK(t, err)
	defer kept.Close()
	if found, err := kept.RunAnswer(t.Context(), "away", entry(2, "").Key); err != nil || found == nil || string(found.Result) != `"paid"` {
		t.Errorf("the answer kept elsewhere is %v, %v", found, err)
	}
}

func answered(_ context.Context, e *run.Entry) error { return nil }
