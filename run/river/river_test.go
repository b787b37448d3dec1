package river_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/river"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestLongEngine(t *testing.T) {
	q := open(t, pgtest.New(t))
	runtest.Engines(t, func(t *testing.T, workers int) run.Engine {
		return &engine{queue: q, name: "q" + strings.ToLower(rand.Text()), workers: workers}
	})
}

func open(t *testing.T, address string) *river.Queue {
	t.Helper()
	q, err := river.Open(t.Context(), address)
	fixture.OK(t, err)
	t.Cleanup(q.Close)
	return q
}

// An engine serves its own queue, with a part for each job: what Serve and its users
// keep together of what an engine promises.
type engine struct {
	queue   *river.Queue
	name    string // of the run, and of its queue
	workers int

	mu     sync.Mutex
	jobs   []run.Job
	failed error
	stop   context.CancelFunc
	ended  chan struct{} // a token for each part that has ended
}

const tries = 3 // of a job with a Transient error

func (e *engine) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	soft, stop := context.WithCancel(ctx)
	defer stop()
	e.stop, e.ended, e.failed, e.jobs = stop, make(chan struct{}), nil, nil
	served := make(chan error, 1)
	go func() {
		served <- e.queue.Serve(soft, river.Serving{Name: e.name, Queues: map[string]int{e.name: e.workers}}, func(ctx context.Context, p river.Part) error {
			defer func() {
				select {
				case e.ended <- struct{}{}:
				case <-soft.Done():
				}
			}()
			return e.one(ctx, e.job(p.From), do)
		})
	}()
	e.feed(soft, jobs)
	stop()
	err := <-served
	if e.failed != nil {
		err = e.failed
	}
	return errors.Join(ctx.Err(), err)
}

// feed puts in as many parts as workers can take at a time.
func (e *engine) feed(ctx context.Context, jobs iter.Seq[run.Job]) {
	open := 0
	wait := func() bool {
		select {
		case <-e.ended:
			open--
			return true
		case <-ctx.Done():
			return false
		}
	}
	if ctx.Err() != nil {
		return
	}
	for job := range jobs {
		e.mu.Lock()
		n := len(e.jobs)
		e.jobs = append(e.jobs, job)
		e.mu.Unlock()
		if err := e.queue.Add(ctx, e.name, slices.Values([]river.Part{{Run: e.name, From: n, To: n + 1}})); err != nil {
			e.fail(err)
			return
		}
		if open++; open == e.workers && !wait() {
			return
		}
	}
	for open > 0 && wait() {
	}
}

func (e *engine) job(n int) run.Job {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.jobs[n]
}

func (e *engine) one(ctx context.Context, job run.Job, do run.Func) (err error) {
	if ended := run.Stopping(ctx).Err(); ended != nil {
		return ended
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("job %s: panic: %v\n%s", job.ID, cause, debug.Stack())
			e.fail(err)
		}
	}()
	for n := 1; ; n++ {
		err = do(ctx, job)
		if omniscope.KindOf(err) != omniscope.Transient || n == tries || run.Stopping(ctx).Err() != nil {
			break
		}
	}
	if err != nil && run.Stopping(ctx).Err() == nil {
		e.fail(err)
	}
	return err
}

func (e *engine) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed == nil {
		e.failed = err
	}
	e.stop()
}

// serve serves parts until the test ends.
func serve(t *testing.T, q *river.Queue, name string, do func(context.Context, river.Part) error) *river.Jobs {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	jobs := &river.Jobs{}
	go func() {
		ended <- q.Serve(ctx, river.Serving{Name: name, Queues: map[string]int{"calls": 3}, Jobs: jobs}, do)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return jobs
}

// until waits until a state is as it should be.
func until(t *testing.T, q *river.Queue, is func(river.State) bool) (s river.State) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var err error
		if s, err = q.State(t.Context(), "run"); err != nil {
			t.Fatal(err)
		}
		if is(s) {
			return s
		}
	}
	t.Fatalf("the state stays %+v", s)
	return s
}

func TestPartsAreDoneGivenUpAndLeftToOthers(t *testing.T) {
	q := open(t, pgtest.New(t))
	fixture.OK(t, q.Add(t.Context(), "calls", river.Parts("run", "order", 103, 25)))
	if s := until(t, q, func(river.State) bool { return true }); s.Waiting != 103 || s.Left() != 103 {
		t.Errorf("at first the state is %+v", s)
	}
	var mu sync.Mutex
	done := make(map[river.Part]string)
	refused := false
	serve(t, q, "one", func(_ context.Context, p river.Part) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case p.From == 25:
			return errors.New("broken")
		case p.From == 50 && !refused:
			refused = true
			return fmt.Errorf("not here: %w", river.ErrLater)
		}
		done[p] += "one"
		return nil
	})
	until(t, q, func(s river.State) bool { return s.Left() == 50 })
	s := until(t, q, func(s river.State) bool { return s.Left() == 25 })
	if s.Given != 25 || s.Why != "JobCancelError: broken" && !strings.Contains(s.Why, "broken") {
		t.Errorf("of the broken part it says %+v", s)
	}
	mu.Lock()
	defer mu.Unlock()
	if last := (river.Part{Run: "run", Order: "order", From: 100, To: 103}); len(done) != 4 || done[last] != "one" {
		t.Errorf("done were %v", done)
	}
	fixture.OK(t, q.Forget(t.Context(), "run"))
	until(t, q, func(s river.State) bool { return s.Left() == 0 })
}

func TestCancelledRunWindsDown(t *testing.T) {
	q := open(t, pgtest.New(t))
	fixture.OK(t, q.Add(t.Context(), "calls", river.Parts("run", "order", 10, 1)))
	jobs := serve(t, q, "one", func(ctx context.Context, _ river.Part) error {
		<-run.Stopping(ctx).Done()
		if ctx.Err() != nil {
			t.Error("a call on the wire was cut short")
		}
		return run.Stopping(ctx).Err()
	})
	// The database knows that a job was fetched before its worker does.
	s := until(t, q, func(s river.State) bool { return s.Working["one"] == 3 && len(jobs.List()) == 3 })
	if running, err := q.Running(t.Context(), "run"); err != nil || len(running) != 3 || s.Waiting != 7 {
		t.Errorf("%v running, %v in hand, %+v, %v", running, jobs.List(), s, err)
	}
	fixture.OK(t, q.Cancel(t.Context(), "run"))
	until(t, q, func(s river.State) bool { return s.Waiting == 0 && len(s.Working) == 0 })
}

func TestWhatNobodyHasInHandIsPutBack(t *testing.T) {
	q := open(t, pgtest.New(t))
	fixture.OK(t, q.Add(t.Context(), "calls", river.Parts("run", "order", 1, 1)))
	var times atomic.Int64
	serve(t, q, "one", func(ctx context.Context, _ river.Part) error {
		if times.Add(1) == 1 {
			<-run.Stopping(ctx).Done() // as good as never fetched
		}
		return nil
	})
	until(t, q, func(s river.State) bool { return s.Working["one"] == 1 })
	running, err := q.Running(t.Context(), "run")
	if err != nil || len(running) != 1 || running[0].Worker != "one" {
		t.Fatalf("%+v, %v", running, err)
	}
	fixture.OK(t, q.PutBack(t.Context(), []int64{running[0].Job}))
	until(t, q, func(s river.State) bool { return s.Left() == 0 && times.Load() == 2 })
}
