package tasktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/progress"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/journals"
)

// anyOrder does the units in reverse and in a shuffled order.
func (s *suite) anyOrder(t *testing.T) {
	reverse, shuffled := s.upTo(), s.upTo()
	slices.Reverse(reverse)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, order := range [][]int{reverse, shuffled} {
		one := s.site()
		one.do(t, order)
		one.same(t)
		if !s.parts {
			one.beside("elsewhere").quiet(t)
		}
	}
}

// twice does every unit twice, within one command and, where the run has parts, in two.
func (s *suite) twice(t *testing.T) {
	one := s.site()
	fixture.OK(t, one.finish(t, t.Context(), func(c *changed) {
		c.do = func(ctx context.Context, unit int, do doer) (session.Done, error) {
			if _, err := do(ctx, unit); err != nil {
				return session.Done{}, err
			}
			return do(ctx, unit)
		}
	}))
	one.same(t)
	if s.parts {
		one = s.site()
		one.do(t, slices.Concat(s.upTo(), s.upTo()))
		one.same(t)
	}
}

// sharedJournal has two processes, as of two machines, do the run at once on one database.
func (s *suite) sharedJournal(t *testing.T) {
	one := s.site()
	one.calls.Journal = pgtest.New(t)
	sites := []*site{one.beside("second"), one.beside("third")}
	errs := make([]error, len(sites))
	var group sync.WaitGroup
	for i, site := range sites {
		if s.parts {
			w := site.part(t)
			group.Go(func() {
				_, err := w.DoShard(t.Context(), session.Sharding{Shard: session.Shard{I: i, N: len(sites)}, Out: io.Discard,
					Progress: func(units int, _ func() []string) *progress.Display { return progress.Silent(units) }})
				errs[i] = errors.Join(err, w.Close())
			})
			continue
		}
		m := site.machine()
		u := site.open(t, m)
		group.Go(func() { errs[i] = session.Finish(t.Context(), u, m) })
	}
	group.Wait()
	fixture.OK(t, errors.Join(errs...))
	one.same(t)
	for _, site := range sites {
		if !s.parts {
			site.wrote(t)
		}
	}
}

// oneFolder begins the run a second time while it is under way on the same folder: the second one is refused.
func (s *suite) oneFolder(t *testing.T) {
	one := s.site()
	begun, over := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	m := one.machine()
	first := &changed{Units: one.open(t, m), do: func(ctx context.Context, unit int, do doer) (session.Done, error) {
		begin()
		<-over
		return do(ctx, unit)
	}}
	ended := make(chan error, 1)
	go func() {
		ended <- session.Finish(t.Context(), first, m)
		begin()
	}()
	<-begun
	before := s.soFar().sum()
	refused(t, one.finish(t, t.Context(), nil))
	if n := s.soFar().sum() - before; n > 0 {
		t.Errorf("the second process makes %d requests", n)
	}
	close(over)
	fixture.OK(t, <-ended)
	one.same(t)
}

// mostCuts is at how many requests a run is stopped, except in tests called TestLong, which stop it at each.
const mostCuts = 5

// cutAtRequests stops the run at its requests, from the first on. The requests that are on their way then may be lost.
func (s *suite) cutAtRequests(t *testing.T) {
	if s.Reply == nil {
		t.Skip("it asks nobody")
	}
	step := (s.requests.sum() + mostCuts - 1) / mostCuts
	if strings.HasPrefix(t.Name(), "TestLong") {
		step = 1
	}
	for n := 1; n <= s.requests.sum(); n += step {
		one := s.site()
		ctx, cancel := context.WithCancel(t.Context())
		s.cutAt(n, cancel)
		if err := one.finish(t, ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cut at request %d, it ends with %v", n, err)
		}
		cancel()
		s.cutAt(0, nil)
		fixture.OK(t, one.finish(t, t.Context(), nil))
		if most := s.requests.sum() + concurrency; s.soFar().sum() > most {
			t.Errorf("cut at request %d, it makes %d requests, want at most %d", n, s.soFar().sum(), most)
		}
		one.wrote(t)
	}
}

var errCut = errors.New("the process ends here")

// cutAfterUnits stops the run after each of its units, the last time when nothing but the results is missing.
func (s *suite) cutAfterUnits(t *testing.T) {
	for n := range s.units {
		one := s.site()
		var done atomic.Int64
		err := one.finish(t, t.Context(), func(c *changed) {
			c.do = func(ctx context.Context, unit int, do doer) (session.Done, error) {
				d, err := do(ctx, unit)
				if err == nil && int(done.Add(1)) > n {
					err = errCut
				}
				return d, err
			}
		})
		if !errors.Is(err, errCut) {
			t.Errorf("cut after unit %d, it ends with %v", n, err)
		}
		one.same(t)
	}
	one := s.site()
	if err := one.finish(t, t.Context(), func(c *changed) { c.write = func() error { return errCut } }); !errors.Is(err, errCut) {
		t.Errorf("cut before the results, it ends with %v", err)
	}
	one.quiet(t)
}

// bound compares the requests with the forecast.
func (s *suite) bound(t *testing.T) {
	if s.Bound == nil {
		if s.Unbounded == "" {
			t.Fatal("there is no forecast: say why in Kind.Unbounded")
		}
		t.Skip(s.Unbounded)
	}
	most, err := s.Bound(t.Context(), s.site().machine())
	fixture.OK(t, err)
	if n := s.soFar().sum(); n > 0 {
		t.Errorf("the forecast makes %d requests", n)
	}
	if n := s.requests.sum(); n > most {
		t.Errorf("%d requests, and the forecast allows %d", n, most)
	}
}

// description opens the run from what the journal says of it, as a worker does.
func (s *suite) description(t *testing.T) {
	one := s.site()
	if !s.parts {
		fixture.OK(t, one.finish(t, t.Context(), nil))
		one.refuses(t, one.name(t))
		return
	}
	d, order := one.describe(t)
	one.listed(t, d.Name)
	if s.Alone != "" {
		one.refuses(t, d.Name)
		return
	}
	fixture.OK(t, json.Unmarshal([]byte(fixture.JSON(order)), &order))
	worker := one.beside("worker")
	w, err := s.Kinds.OpenWork(t.Context(), order.Calls(worker.calls), d.Name, &order, io.Discard)
	fixture.OK(t, err)
	if w.Run != d.Name || w.Units != s.units {
		t.Errorf("a worker opens run %s with %d units, want %s with %d", w.Run, w.Units, d.Name, s.units)
	}
	for unit := range w.Units {
		fixture.OK(t, w.Do(t.Context(), unit))
	}
	fixture.OK(t, w.Close())
	one.quiet(t)
	if more := s.soFar().without(s.requests); more > 0 {
		t.Errorf("the worker makes %d requests that an undisturbed run does not make", more)
	}
}

// name is the run's name.
func (s *site) name(t *testing.T) string {
	t.Helper()
	u := s.open(t, s.machine())
	p := u.Plan()
	fixture.OK(t, errors.Join(p.Models.Close(), u.Close()))
	if p.Memory != session.Nothing {
		s.listed(t, p.Name)
	}
	return p.Name
}

// refuses checks that a worker refuses the run and asks nothing.
func (s *site) refuses(t *testing.T, name string) {
	t.Helper()
	before, worker := s.soFar().sum(), s.beside("worker")
	w, err := s.Kinds.OpenWork(t.Context(), &worker.calls, name, &session.Order{}, io.Discard)
	if refused(t, err); err == nil {
		fixture.OK(t, w.Close())
	}
	if n := s.soFar().sum() - before; n > 0 {
		t.Errorf("%d requests of a worker that refuses the run (%s)", n, s.Alone)
	}
}

// listed checks that the journal lists the run with what it does.
func (s *site) listed(t *testing.T, name string) {
	t.Helper()
	store, err := journals.All.OpenExisting(t.Context(), s.calls.JournalAt(), io.Discard)
	fixture.OK(t, err)
	runs, err := s.Kinds.ListRuns(t.Context(), store)
	fixture.OK(t, errors.Join(err, store.Close()))
	if len(runs) != 1 || runs[0].Run != name || runs[0].Command == "" {
		t.Errorf("the journal lists %+v, want run %s with its command", runs, name)
	}
}

// programs has a journal name a program of its user. A worker refuses it, and does not start it.
func (s *suite) programs(t *testing.T) {
	if s.Program == nil {
		if s.NoPrograms == "" {
			t.Fatal("no program is named: say why in Kind.NoPrograms")
		}
		t.Skip(s.NoPrograms)
	}
	one := s.site()
	trace := filepath.Join(one.dir, "started")
	text, err := json.Marshal(s.Program(fmt.Sprintf("exec:touch %s", trace)))
	fixture.OK(t, err)
	store, err := session.OpenScores(t.Context(), &one.calls, journal.Description{Name: "with-program", Kind: s.Kinds[0].Name, Manifest: string(text)}, io.Discard)
	fixture.OK(t, err)
	fixture.OK(t, store.Close())
	worker := one.beside("worker")
	_, err = s.Kinds.OpenWork(t.Context(), &worker.calls, "with-program", &session.Order{}, io.Discard)
	if refused(t, err); err != nil && !strings.Contains(err.Error(), "starts no program") {
		t.Errorf("a worker refuses a program with %v", err)
	}
	if ondisk.Exists(trace) {
		t.Error("the worker started the program")
	}
}
