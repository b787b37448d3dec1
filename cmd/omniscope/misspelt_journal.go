package main

import (
	"context"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/store"
)

// findRun finds a run by the start of its name, or offers the runs whose names
// start nearly so.
func findRun(ctx context.Context, s *store.Store, name string) (store.Run, error) {
	r, err := s.FindRun(ctx, name)
	if omniscope.KindOf(err) != omniscope.NotFound {
		return r, err
	}
	runs, listErr := s.Runs(ctx)
	if listErr != nil {
		return r, err
	}
	return r, &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%w%s", err, spelling.Offer(nearRuns(name, runs)))}
}

// nearRuns are the runs whose names start as name does, but for a slip.
func nearRuns(name string, runs []store.Run) (near []string) {
	const shortest, most = 3, 3
	typed := []rune(name)
	for _, r := range runs {
		start := []rune(r.Name)
		start = start[:min(len(start), len(typed))]
		if len(typed) >= shortest && len(near) < most && spelling.Distance(typed, start) <= 1 {
			near = append(near, r.Name)
		}
	}
	return near
}

// noStep is the error of a step that a run has not asked, and offers those that
// are near.
func noStep(ctx context.Context, s *store.Store, run, step string) error {
	var steps []string
	for c, err := range s.Calls(ctx, run, "") {
		if err != nil {
			break
		}
		if len(steps) == 0 || steps[len(steps)-1] != c.Step {
			steps = append(steps, c.Step)
		}
	}
	slices.Sort(steps)
	steps = slices.Compact(steps)
	const few = 8
	list := ""
	if len(steps) > 0 && len(steps) <= few {
		list = fmt.Sprintf("; it has %q", steps)
	}
	if hint := spelling.Hint(step, steps); hint != "" {
		list = hint
	}
	return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("run %s has no step %q%s", run, step, list)}
}
