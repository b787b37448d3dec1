package runtest

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"omniscope/run"
)

// Apart is an engine that does no job where it runs: it hands the id of each to
// Start, the last first, which starts a process that does the job from the run's
// description and leaves what it cost in the journal. What Run is given to do is
// not done: the run that wants results is made again afterwards, by an engine
// that does its jobs, and finds all of it remembered.
type Apart struct {
	Start func(ctx context.Context, id string) error
}

var _ run.Engine = (*Apart)(nil)

// Run implements run.Engine.
func (a *Apart) Run(ctx context.Context, jobs iter.Seq[run.Job], _ run.Func) error {
	for _, job := range slices.Backward(slices.Collect(jobs)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.Start(ctx, job.ID); err != nil {
			return err
		}
	}
	return nil
}

// Units are the jobs of a run of n units, by number.
func Units(n int) iter.Seq[run.Job] {
	return func(yield func(run.Job) bool) {
		for i := range n {
			if !yield(run.Job{ID: strconv.Itoa(i), Seq: i}) {
				return
			}
		}
	}
}
