package session

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"omniscope/internal/version"
	"omniscope/run/river"
	"omniscope/store/pg"
)

// An Order says how workers do a run's units. It is kept in the journal, beside the run's
// description.
type Order struct {
	ID      string // another each time that the run is handed out
	Version string // of the program that ordered the run; workers of others refuse it

	// Arithmetic is that of the networks that the run scores by; "" = it has none. Workers
	// with another refuse it, since their scores would not be found.
	Arithmetic string

	MaxRetries   int
	RetryWait    time.Duration
	Timeout      time.Duration
	EndpointWait time.Duration
	MaxCost      float64
	MaxTokens    int
	MaxCalls     int
	MaxRPM       int
	StopUnusable int
	AnyEndpoint  bool
	Fresh        bool
	AskDamaged   bool

	Blind     float64 // see Predicting
	MostBlind int
	MediaAs   string
}

// orderOf is the order of a command that calls models so.
func orderOf(c *Calls) Order {
	return Order{Version: version.Program(), MaxRetries: c.MaxRetries, RetryWait: c.RetryWait, Timeout: c.Timeout, EndpointWait: c.EndpointWait,
		MaxCost: c.MaxCost, MaxTokens: c.MaxTokens, MaxCalls: c.MaxCalls, MaxRPM: c.MaxRPM, StopUnusable: c.StopUnusable,
		AnyEndpoint: c.AnyEndpoint, Fresh: c.Fresh, AskDamaged: c.AskDamaged}
}

// calls are how a worker with calls of its own calls models for an order.
func (o *Order) calls(own Calls) *Calls {
	own.MaxRetries, own.RetryWait, own.Timeout, own.EndpointWait = o.MaxRetries, o.RetryWait, o.Timeout, o.EndpointWait
	own.MaxCost, own.MaxTokens, own.MaxCalls, own.MaxRPM, own.StopUnusable = o.MaxCost, o.MaxTokens, o.MaxCalls, o.MaxRPM, o.StopUnusable
	own.AnyEndpoint, own.Fresh, own.AskDamaged = o.AnyEndpoint, o.Fresh, o.AskDamaged
	return &own
}

// Queues that workers serve, by what the parts in them need.
const (
	CallsQueue = "calls" // models elsewhere
	CPUQueue   = "cpu"   // tools and networks of this machine
)

// Ordering says how the units of a run are handed to workers, and what is shown meanwhile.
type Ordering struct {
	Calls    *Calls
	Warnings io.Writer
	Progress func(units int, state func() []string) (done func(int), stop func())
}

const (
	// lookEvery is how often the state of the parts is asked for.
	lookEvery = 500 * time.Millisecond
	// tellAfter is how long parts may wait without any worker before the user is told.
	tellAfter = 5 * time.Second
)

// DoRemotely has workers do the units, and returns when all are done, or when what is left
// was left by workers that died or gave up: the command that makes the results does that
// itself. Interrupted, it takes back what waits.
func (w *Work) DoRemotely(ctx context.Context, o Ordering) error {
	at := o.Calls.journalAt()
	if !pg.Is(at) {
		return usage("--engine river needs a journal that workers share: --journal postgres://user@host/database")
	}
	s, err := pg.Open(ctx, at, pg.Options{Lease: o.Calls.Lease, Warnings: o.Warnings})
	if err != nil {
		return err
	}
	defer s.Close()
	q, err := river.Open(ctx, at)
	if err != nil {
		return err
	}
	defer q.Close()
	w.Order.ID = rand.Text()
	text, err := json.Marshal(w.Order)
	if err != nil {
		return err
	}
	if err := errors.Join(s.SetOrder(ctx, w.Run, string(text)), w.beginBudget()); err != nil {
		return err
	}
	if err := s.Try(ctx, func(ctx context.Context) error {
		if err := q.Cancel(ctx, w.Run); err != nil {
			return err
		}
		return q.Add(ctx, w.Queue, river.Parts(w.Run, w.Order.ID, w.Units, unitsOf(w.Queue)))
	}); err != nil {
		return err
	}
	err = w.await(ctx, s, q, o)
	end := q.Forget
	if ctx.Err() != nil {
		end = q.Cancel
	}
	return errors.Join(err, s.Try(context.WithoutCancel(ctx), func(ctx context.Context) error { return end(ctx, w.Run) }))
}

// await waits for the workers.
func (w *Work) await(ctx context.Context, s *pg.Store, q *river.Queue, o Ordering) error {
	return watchParts(ctx, s, q, w.Run, w.Units, o, func(state river.State, alive []string) bool {
		lost := 0
		for worker, units := range state.Working {
			if slices.Contains(alive, worker) {
				return false
			}
			lost += units
		}
		if state.Waiting > 0 {
			return false
		}
		if lost > 0 {
			fmt.Fprintf(o.Warnings, "warning: workers that died left %d units: this command does them\n", lost)
		}
		if state.Given > 0 {
			fmt.Fprintf(o.Warnings, "warning: workers gave up %d units, which this command tries itself: %s\n", state.Given, state.Why)
		}
		return true
	})
}

// watchParts shows how many units of a run are done until over says that it is.
func watchParts(ctx context.Context, s *pg.Store, q *river.Queue, run string, units int, o Ordering, over func(river.State, []string) bool) error {
	var alive []string
	done, stop := o.Progress(units, func() []string { return []string{fmt.Sprintf("%d workers", len(alive))} })
	defer stop()
	begun, told := time.Now(), false
	for {
		var state river.State
		err := s.Try(ctx, func(ctx context.Context) (err error) {
			state, err = q.State(ctx, run)
			return err
		})
		if err != nil {
			return err
		}
		workers, err := s.Workers(ctx)
		if err != nil {
			return err
		}
		now := make([]string, len(workers))
		for i, worker := range workers {
			now[i] = worker.Name
		}
		alive = now
		if err := s.Try(ctx, func(ctx context.Context) error {
			return errors.Join(putBackGhosts(ctx, q, run, workers), q.Hasten(ctx, run))
		}); err != nil {
			return err
		}
		done(units - state.Left())
		if over(state, alive) {
			return nil
		}
		if len(alive) == 0 && !told && time.Since(begun) > tellAfter {
			told = true
			fmt.Fprintf(o.Warnings, "no worker is at work: start some with `omniscope worker --journal %s`\n", s.Where())
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// justFetched is how long a job may be on its way from the queue to a worker's hand.
const justFetched = time.Second

// putBackGhosts puts back jobs that the queue takes for being done by workers that do not
// have them: their connection was cut while they fetched them.
func putBackGhosts(ctx context.Context, q *river.Queue, run string, workers []pg.Worker) error {
	running, err := q.Running(ctx, run)
	if err != nil {
		return err
	}
	var ghosts []int64
	for _, r := range running {
		for _, w := range workers {
			if w.Name == r.Worker && r.Since.Add(justFetched).Before(w.Seen) && !slices.Contains(w.Jobs, r.Job) {
				ghosts = append(ghosts, r.Job)
			}
		}
	}
	if len(ghosts) == 0 {
		return nil
	}
	return q.PutBack(ctx, ghosts)
}

// Attach shows how the workers get on with a run, until they have done all of it.
func Attach(ctx context.Context, run string, o Ordering) error {
	at := o.Calls.journalAt()
	if !pg.Is(at) {
		return usage("workers do runs of a journal that they share: name it with --journal postgres://user@host/database")
	}
	r, err := describedRun(ctx, o.Calls, run, o.Warnings)
	if err != nil {
		return err
	}
	s, err := pg.Open(ctx, at, pg.Options{Lease: o.Calls.Lease, Warnings: o.Warnings})
	if err != nil {
		return err
	}
	defer s.Close()
	q, err := river.Open(ctx, at)
	if err != nil {
		return err
	}
	defer q.Close()
	state, err := q.State(ctx, r.Name)
	if err != nil {
		return err
	}
	if state.Left() == 0 {
		return usage("no worker has anything to do of run %s: its own command makes the results", r.Name)
	}
	return watchParts(ctx, s, q, r.Name, state.Left(), o, func(state river.State, _ []string) bool { return state.Left() == 0 })
}

// CheckEngine checks the name of an engine.
func CheckEngine(name string) error {
	switch {
	case name == "" || name == "local" || name == "river":
		return nil
	case strings.HasPrefix(name, "temporal"):
		return usage("--engine %s: Temporal is not supported; --engine river does the same on the journal's own database (docs/machines.md)", name)
	}
	return usage("--engine %q is not known: local, or river", name)
}
