package journal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/spelling"
)

// A Description identifies and describes a run.
type Description struct {
	Name     string // the same command has the same name
	Kind     string // such as eval or predict: decides who can open the run again; "" = not known
	Manifest string // JSON: everything that shapes its answers
}

// A Run is one line of the list of runs.
type Run struct {
	Description
	Created time.Time
	Calls   int   // of models and tools
	Answers int   // calls with a usable answer
	Usage   Usage // of the calls of models
}

// FindRun returns the run called name, or the only one that starts with it. The
// error where there is none offers the runs whose names start nearly so.
func FindRun(ctx context.Context, s Store, name string) (Run, error) {
	runs, err := s.List(ctx)
	if err != nil {
		return Run{}, err
	}
	var found []Run
	var names []string
	for _, r := range runs {
		if r.Name == name {
			return r, nil
		}
		if strings.HasPrefix(r.Name, name) {
			found, names = append(found, r), append(names, r.Name)
		}
	}
	switch len(found) {
	case 0:
		return Run{}, &omniscope.Error{Kind: omniscope.NotFound, Op: "find run",
			Err: fmt.Errorf("no run %q in %s; `omniscope journal show` lists the runs%s", name, s.Where(), spelling.Offer(nearRuns(name, runs)))}
	case 1:
		return found[0], nil
	}
	return Run{}, &omniscope.Error{Kind: omniscope.Usage, Op: "find run",
		Err: fmt.Errorf("%q fits several runs: %s; give more of the name", name, strings.Join(names, ", "))}
}
