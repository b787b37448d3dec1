package session

import (
	"context"
	"errors"

	"omniscope"
	"omniscope/perceive"
)

// InvestigationWork opens the work of an investigation, a unit for each of the files. Its
// reports are thrown away. Clips are called by their files' names, as the command calls
// them where no two have the same.
func InvestigationWork(ctx context.Context, s *InvestigationSpec, o *Investigating) (*Work, error) {
	s.Clips = WholePaths(o.Files)
	name, manifest, err := describe("investigate", s)
	if err != nil {
		return nil, err
	}
	r, err := openClips(ctx, &o.OnClips, name, manifest, s.models())
	if err != nil {
		return nil, err
	}
	return r.work(s, name, o), nil
}

func (r *clipRun) work(s *InvestigationSpec, name string, o *Investigating) *Work {
	names := ClipNames(o.Files)
	return &Work{Run: name, Units: len(o.Files), Shared: r.Journal.shared(), Queue: CPUQueue, Order: orderOf(o.Calls), beginBudget: r.Journal.beginBudget,
		State: func() []string { return LastErrors(r.Shared.Reaches.All()...) },
		close: func() error {
			r.Warn(o.Warnings)
			return r.Close()
		},
		marks: r.Journal.marks(),
		do: func(ctx context.Context, unit int) (whole bool, err error) {
			whole, err = r.investigateUnit(ctx, s, o.Files[unit], names[unit])
			if stopsAll(ctx, err) {
				return false, errors.Join(about(o.Files[unit], err), r.Journal.StoppedBy(err))
			}
			return whole && err == nil, nil // the command that writes the reports says what was wrong with the clip
		},
	}
}

// investigateUnit investigates a clip, and reports whether nothing of it failed.
func (r *clipRun) investigateUnit(ctx context.Context, s *InvestigationSpec, path, name string) (whole bool, err error) {
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(name), Path: path})
	if err != nil {
		return false, openError{err}
	}
	defer clip.Close()
	flags, err := s.flags()
	if err != nil {
		return false, err
	}
	unlock, err := newClipLocks(r.calls, flags).lock(ctx, clip)
	if errors.As(err, new(busyClip)) {
		return false, nil // whoever works on it does it
	} else if err != nil {
		return false, err
	}
	report, err := r.investigate(ctx, s, clip, nil)
	return err == nil && report.Outcome == omniscope.OK, errors.Join(err, unlock())
}
