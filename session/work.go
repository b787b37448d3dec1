package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/progress"
	"omniscope/internal/visible"
	"omniscope/run"
	"omniscope/run/local"
)

// Work is a run that is open on its journal. Everything that it asks, observes and computes is in the journal, where the
// command that wants results finds it. So a part of the work can be done by any process that opens it.
type Work struct {
	Run    string // its name in the journal
	Units  int    // samples, clips
	Unit   string // what one is called: sample, clip
	Shared bool   // other processes may do the same units meanwhile: calls are claimed
	Queue  string // of workers that can do it
	Order  Order  // how they do it
	Then   string // what to do when all is done; "" = give the command without --shard

	State func() []string // what its calls did so far, for a display of progress

	units Units
	plan  *Plan
	marks marks // of finished units; nil = no other process does any

	mu       sync.Mutex
	failures Failures
}

// Failures are units of which something failed.
type Failures struct {
	Units int
	Such  string // as this: the first one, and why
}

// Do does one unit. Failed calls are no error: the command that wants results counts
// them. An error stops the run.
func (w *Work) Do(ctx context.Context, unit int) error {
	if unit < 0 || unit >= w.Units {
		return omniscope.Invalidf("there is no unit %d: run %s has %d", unit, w.Run, w.Units)
	}
	d, err := w.units.Do(ctx, unit)
	if err == nil && d.Complete && w.marks != nil {
		err = w.marks.MarkDone(ctx, unit)
	}
	if err == nil && d.Failed != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.failures.Units++; w.failures.Units == 1 {
			w.failures.Such = d.Failed
		}
	}
	return err
}

// marks are which units of a run are done, by whatever process.
type marks interface {
	MarkDone(ctx context.Context, unit int) error
	Done(ctx context.Context) (map[int]bool, error)
}

// DoAll does several units, together where that costs less.
func (w *Work) DoAll(ctx context.Context, engine run.Engine, units iter.Seq[int], done func()) error {
	var cold error
	err := engine.Run(ctx, func(yield func(run.Job) bool) {
		for unit := range w.warmed(ctx, units, &cold) {
			if !yield(run.Job{ID: w.idOf(unit), Seq: unit}) {
				return
			}
		}
	}, func(ctx context.Context, job run.Job) error {
		err := w.Do(ctx, job.Seq)
		if err == nil {
			done()
		}
		return err
	})
	if err = errors.Join(cold, err); err != nil {
		err = errors.Join(w.plan.Models.explain(err), w.plan.Models.Journal.StoppedBy(err))
	}
	return err
}

// engine does units of this process.
func (w *Work) engine() run.Engine { return &local.Engine{Workers: max(w.plan.Workers, 1)} }

func (w *Work) idOf(unit int) string {
	if w.plan.ID == nil {
		return strconv.Itoa(unit)
	}
	return w.plan.ID(unit)
}

// warmed yields units, and warms some together before.
func (w *Work) warmed(ctx context.Context, units iter.Seq[int], cold *error) iter.Seq[int] {
	if w.plan.Warm == nil {
		return units
	}
	return func(yield func(int) bool) {
		for part := range slices.Chunk(slices.Collect(units), bench.WarmUnits) {
			if *cold = w.plan.Warm(ctx, part); *cold != nil {
				return
			}
			for _, unit := range part {
				if !yield(unit) {
					return
				}
			}
		}
	}
}

// doRest does those of the units that nobody has done.
func (w *Work) doRest(ctx context.Context, engine run.Engine, units iter.Seq[int], count func()) error {
	done, err := w.marks.Done(ctx)
	if err != nil {
		return err
	}
	return w.DoAll(ctx, engine, func(yield func(int) bool) {
		for unit := range units {
			if done[unit] {
				count()
			} else if !yield(unit) {
				return
			}
		}
	}, count)
}

// BeginBudget begins the budget of all who work on the run anew.
func (w *Work) BeginBudget() error { return w.plan.Models.Journal.startBudget() }

// Close closes the run and its journal.
func (w *Work) Close() error { return w.units.Close() }

// A Shard is one of several parts of a run: the units whose number leaves I when divided
// by N. The zero value is no part.
type Shard struct {
	I, N int
}

// Set reads I/N, such as 3/32; parts count from 0.
func (s *Shard) Set(text string) error {
	i, n, ok := strings.Cut(text, "/")
	var err1, err2 error
	s.I, err1 = strconv.Atoi(i)
	s.N, err2 = strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || s.I < 0 || s.I >= s.N {
		return fmt.Errorf("%q is no part of a run: write I/N, such as 0/4 to 3/4 for four parts", text)
	}
	return nil
}

func (s *Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// Type names the flag's value for help.
func (*Shard) Type() string { return "I/N" }

// units yields the units of a range.
func units(from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for unit := from; unit < to; unit++ {
			if !yield(unit) {
				return
			}
		}
	}
}

// Own yields the part's units of so many; the zero value yields all.
func (s *Shard) Own(units int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for unit := s.I; unit < units; unit += max(s.N, 1) {
			if !yield(unit) {
				return
			}
		}
	}
}

// Sharding says how a part of a run is done and shown.
type Sharding struct {
	Shard Shard
	Out   io.Writer // told what was done

	Progress func(units int, state func() []string) *progress.Display
}

// DoShard does a part of a run. On a journal of its own that is all it does. On a shared
// one the part is where it starts: it then goes round through all units, so that the
// parts of those that died are done as well. It says how many of the units that it did
// had something that failed.
func (w *Work) DoShard(ctx context.Context, o Sharding) (Failures, error) {
	shard := o.Shard
	if shard.N == 0 {
		shard.N = 1 // the whole
	}
	own := len(slices.Collect(shard.Own(w.Units)))
	units := own
	if w.Shared {
		units = w.Units
	}
	display := o.Progress(units, w.State)
	stop := sync.OnceFunc(display.Stop)
	defer stop()
	var n atomic.Int64
	count := func() { display.Done(int(n.Add(1))) }
	err := w.DoAll(ctx, w.engine(), shard.Own(w.Units), count)
	for after := 1; after < shard.N && w.Shared && err == nil; after++ {
		next := Shard{(shard.I + after) % shard.N, shard.N}
		err = w.doRest(ctx, w.engine(), next.Own(w.Units), count)
	}
	if err != nil {
		return Failures{}, err
	}
	stop()
	fmt.Fprintf(o.Out, "run %s: %s\n", w.Run, w.doneOf(o.Shard, own))
	if n := w.failures.Units; n > 0 {
		fmt.Fprintf(o.Out, "%ss of which something failed: %d, such as %s\n", w.Unit, n, visible.Line(w.failures.Such))
	}
	return w.failures, nil
}

// doneOf says what was done and what is to do then.
func (w *Work) doneOf(s Shard, own int) string {
	next := cmp.Or(w.Then, "the same command without --shard makes the results")
	switch {
	case s.N == 0:
		return fmt.Sprintf("all %d %ss are done", w.Units, w.Unit)
	case w.Shared:
		return fmt.Sprintf("all %d %ss are done, %d of them in part %s; %s", w.Units, w.Unit, own, &s, next)
	}
	return fmt.Sprintf("the %d of %d %ss in part %s are done; `omniscope journal merge` joins the parts' journals, then %s", own, w.Units, w.Unit, &s, next)
}
