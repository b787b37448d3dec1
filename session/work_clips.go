package session

import (
	"context"
	"errors"
	"strings"

	"omniscope"
	"omniscope/detective"
	"omniscope/perceive"
)

// InvestigationWork opens the work of an investigation, a unit for each of the files. Its
// reports are thrown away. Clips are called by their files' names, as the command calls
// them where no two have the same.
func InvestigationWork(ctx context.Context, s *InvestigationSpec, o *Investigating) (*Work, error) {
	s.Clips = WholePaths(o.Files)
	d, err := describe(captionKind, s)
	if err != nil {
		return nil, err
	}
	r, err := openClips(ctx, &o.OnClips, d, s.models())
	if err != nil {
		return nil, err
	}
	return r.work(s, d.Name, o), nil
}

func (r *clipRun) work(s *InvestigationSpec, name string, o *Investigating) *Work {
	names := ClipNames(o.Files)
	order := orderOf(o.Calls, r.All)
	order.Tools = namesOf(r.tools)
	return &Work{Run: name, Units: len(o.Files), Unit: "clip", Shared: r.Journal.shared(), Queue: CPUQueue, Order: order, beginBudget: r.Journal.beginBudget,
		State: func() []string { return LastErrors(r.Shared.Reaches.All()...) },
		close: func() error {
			r.Warn(o.Warnings)
			return r.Close()
		},
		marks: r.Journal.marks(),
		do: func(ctx context.Context, unit int) (unitOutcome, error) {
			outcome, err := r.investigateUnit(ctx, s, o.Files[unit], names[unit])
			if stopsAll(ctx, err) {
				return unitOutcome{}, errors.Join(about(o.Files[unit], r.Models.explain(err)), r.Journal.StoppedBy(err))
			}
			if err != nil {
				outcome = unitOutcome{failed: err.Error()}
			}
			if outcome.failed != "" {
				outcome.failed = o.Files[unit] + ": " + strings.TrimPrefix(outcome.failed, o.Files[unit]+": ")
			}
			return outcome, nil
		},
	}
}

// investigateUnit investigates a clip and throws the report away.
func (r *clipRun) investigateUnit(ctx context.Context, s *InvestigationSpec, path, name string) (unitOutcome, error) {
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(name), Path: path})
	if err != nil {
		return unitOutcome{}, openError{err}
	}
	defer clip.Close()
	flags, err := s.flags()
	if err != nil {
		return unitOutcome{}, err
	}
	unlock, err := newClipLocks(r.calls, flags).lock(ctx, clip)
	if errors.As(err, new(busyClip)) {
		return unitOutcome{}, nil // whoever works on it does it
	} else if err != nil {
		return unitOutcome{}, err
	}
	report, err := r.investigate(ctx, s, clip, "", detective.Options{})
	if err = errors.Join(err, unlock()); err != nil {
		return unitOutcome{}, err
	}
	return outcomeOf(report.Outcome, report.Why), nil
}
