package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/internal/progress"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
	"omniscope/run/river"
	"omniscope/session"
)

// Ordering says how the units of a run are handed to workers, and what is shown meanwhile.
type Ordering struct {
	Calls    *session.Calls
	Warnings io.Writer
	Progress func(units int, state func() []string) *progress.Display
}

const (
	// lookEvery is how often the state of the parts is asked for.
	lookEvery = 500 * time.Millisecond
	// tellAfter is how long parts may wait without any worker before the user is told.
	tellAfter = 5 * time.Second
)

// Do has workers do the units, and returns when all are done, or when what is left was
// left by workers that died or gave up: the command that makes the results does that
// itself. Interrupted, it takes back what waits.
func (o *Ordering) Do(ctx context.Context, w *session.Work) error {
	b, err := openBase(ctx, "--engine river needs", o.Calls.JournalAt(), o.Calls.Lease, o.Warnings)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	if err := b.handOut(ctx, w); err != nil {
		return err
	}
	err = o.await(ctx, b, w)
	end := b.queue.Forget
	if err != nil || ctx.Err() != nil {
		end = b.queue.Cancel
	}
	return errors.Join(err, b.Try(context.WithoutCancel(ctx), func(ctx context.Context) error { return end(ctx, w.Run) }))
}

// handOut puts the parts of a run into the queue, in place of those of an earlier order.
func (b *base) handOut(ctx context.Context, w *session.Work) error {
	w.Order.ID = rand.Text()
	text, err := json.Marshal(w.Order)
	if err != nil {
		return err
	}
	if err := errors.Join(b.SetOrder(ctx, w.Run, string(text)), w.BeginBudget()); err != nil {
		return err
	}
	return b.Try(ctx, func(ctx context.Context) error {
		if err := b.queue.Cancel(ctx, w.Run); err != nil {
			return err
		}
		return b.queue.Add(ctx, w.Queue, river.Parts(w.Run, w.Order.ID, w.Units, unitsOf(w.Queue)))
	})
}

// await waits for the workers.
func (o *Ordering) await(ctx context.Context, b *base, w *session.Work) error {
	return o.watch(ctx, b, w.Run+" "+w.Order.ID, w.Queue, w.Units, func(state river.State, alive []string) bool {
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
			fmt.Fprintf(o.Warnings, "warning: workers that died left %d %ss: this command does them\n", lost, w.Unit)
		}
		if state.Given > 0 {
			fmt.Fprintf(o.Warnings, "warning: workers gave up %d %ss, which this command tries itself: %s\n", state.Given, w.Unit, state.Why)
		}
		return true
	})
}

// watch shows how many units of a run are done until over says that it is. ordered is the run's name and
// the id of its order, and queue the one that its parts are in; "" = it is not known. It is an error if
// all workers refuse the run.
func (o *Ordering) watch(ctx context.Context, b *base, ordered, queue string, units int, over func(river.State, []string) bool) error {
	var serving atomic.Int64
	display := o.Progress(units, func() []string { return []string{fmt.Sprintf("%d workers", serving.Load())} })
	defer display.Stop()
	run, _, _ := strings.Cut(ordered, " ")
	begun, told := time.Now(), false
	for {
		state, workers, err := b.look(ctx, run)
		if err != nil {
			return err
		}
		alive, serve, refused := namesOf(workers, queue, ordered)
		serving.Store(int64(serve))
		if serve > 0 && len(refused) == serve && len(state.Working) == 0 {
			return omniscope.Invalidf("no worker does run %s:\n%s", run, strings.Join(refused, "\n"))
		}
		display.Done(units - state.Left())
		if over(state, alive) {
			return nil
		}
		if serve == 0 && !told && time.Since(begun) > tellAfter {
			told = true
			fmt.Fprintf(o.Warnings, "no worker is at work%s: start some with `omniscope worker --journal %s`\n", onQueue(queue), b.Where())
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// look says what is left of a run and who is alive, and sees to it that what waits can be
// taken.
func (b *base) look(ctx context.Context, run string) (state river.State, workers []pg.Worker, err error) {
	if err = b.Try(ctx, func(ctx context.Context) (err error) {
		state, err = b.queue.State(ctx, run)
		return err
	}); err != nil {
		return state, nil, err
	}
	if workers, err = b.Workers(ctx); err != nil {
		return state, nil, err
	}
	return state, workers, b.Try(ctx, func(ctx context.Context) error {
		return errors.Join(b.putBackGhosts(ctx, run, workers), b.queue.Hasten(ctx, run))
	})
}

// namesOf are the names of workers, how many of them serve a queue, and which of these refuse a run,
// with the reason.
func namesOf(workers []pg.Worker, queue, ordered string) (names []string, serve int, refused []string) {
	for _, w := range workers {
		names = append(names, w.Name)
		var facts workerFacts
		if err := json.Unmarshal([]byte(w.Facts), &facts); err == nil && queue != "" && !slices.Contains(facts.Queues, queue) {
			continue
		}
		serve++
		if why := facts.Refused[ordered]; why != "" {
			refused = append(refused, w.Name+": "+why)
		}
	}
	return names, serve, refused
}

// onQueue says which workers are meant; all may be.
func onQueue(queue string) string {
	if queue == "" {
		return ""
	}
	return " on the queue " + queue
}

// justFetched is how long a job may be on its way from the queue to a worker's hand.
const justFetched = time.Second

// putBackGhosts puts back jobs that the queue takes for being done by workers that do not
// have them: their connection was cut while they fetched them.
func (b *base) putBackGhosts(ctx context.Context, run string, workers []pg.Worker) error {
	running, err := b.queue.Running(ctx, run)
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
	return b.queue.PutBack(ctx, ghosts)
}

// Attach shows how the workers get on with a run, until they have done all of it.
func (o *Ordering) Attach(ctx context.Context, run string) error {
	b, err := openBase(ctx, "attach needs", o.Calls.JournalAt(), o.Calls.Lease, o.Warnings)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	r, err := journal.FindRun(ctx, b, run)
	if err != nil {
		return err
	}
	state, err := b.queue.State(ctx, r.Name)
	if err != nil {
		return err
	}
	if state.Left() == 0 {
		return omniscope.Usagef("no worker has anything to do of run %s: its own command makes the results", r.Name)
	}
	text, err := b.Order(ctx, r.Name)
	if err != nil {
		return err
	}
	var order session.Order
	if err := json.Unmarshal([]byte(text), &order); err != nil {
		return fmt.Errorf("the order of run %s: %w", r.Name, err)
	}
	return o.watch(ctx, b, r.Name+" "+order.ID, "", state.Left(), func(state river.State, _ []string) bool { return state.Left() == 0 })
}

// CheckEngine checks the name of an engine.
func CheckEngine(name string) error {
	switch {
	case name == "" || name == "local" || name == "river":
		return nil
	case strings.HasPrefix(name, "temporal"):
		return omniscope.Usagef("--engine %s: Temporal is not supported; --engine river does the same on the journal's own database (docs/machines.md)", name)
	}
	return omniscope.Usagef("--engine %q is not known: local, or river", name)
}
