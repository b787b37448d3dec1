package journal

import (
	"context"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/internal/spelling"
)

// nearRuns are the runs whose names start as name does, but for a slip.
func nearRuns(name string, runs []Run) (near []string) {
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

// NoStep is the error of a step that a run has not asked. It offers those that
// are near, or lists them if they are few.
func NoStep(ctx context.Context, s Store, run, step string) error {
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
	return omniscope.NotFoundf("run %s has no step %q%s", run, step, list)
}
