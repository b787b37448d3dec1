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
	"testing"

	"omniscope"
	"omniscope/internal/pgtest"
	"omniscope/run"
	"omniscope/run/river"
	"omniscope/run/runtest"
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
	if err != nil {
		t.Fatal(err)
	}
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
