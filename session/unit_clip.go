package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"omniscope"
	"omniscope/perceive"
	"omniscope/store"
)

// InvestigateClips investigates some clips of a run, by their paths, and throws
// the reports away: whatever was asked or observed is in the journal then, where
// the command that writes them finds it. It needs the run's description in the
// journal and nothing else of that command. Endpoints are those of the
// environment. Clips are called by their files' names, as the command calls them
// where no two have the same.
func InvestigateClips(ctx context.Context, c *Calls, name string, paths []string, warnings io.Writer) (err error) {
	spec, manifest, err := describedInvestigation(ctx, c, name)
	if err != nil {
		return err
	}
	r, err := openClips(ctx, &OnClips{Calls: c, Warnings: warnings}, name, manifest, spec.models())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for _, path := range paths {
		if err := r.investigateUnit(ctx, spec, path); err != nil {
			return about(path, err)
		}
	}
	return nil
}

func (r *clipRun) investigateUnit(ctx context.Context, s *InvestigationSpec, path string) error {
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(clipBase(path)), Path: path})
	if err != nil {
		return err
	}
	defer clip.Close()
	flags, err := s.flags()
	if err != nil {
		return err
	}
	unlock, err := newClipLocks(r.calls, flags).lock(ctx, clip)
	if err != nil {
		return err
	}
	_, err = r.investigate(ctx, s, clip, nil)
	return errors.Join(err, unlock())
}

// describedInvestigation reads what a run in the journal does.
func describedInvestigation(ctx context.Context, c *Calls, name string) (*InvestigationSpec, string, error) {
	journal, err := OpenStore(ctx, c.journalAt(), io.Discard)
	if err != nil {
		return nil, "", err
	}
	defer journal.Close()
	r, err := store.FindRun(ctx, journal, name)
	if err != nil {
		return nil, "", err
	}
	s := &InvestigationSpec{}
	if err := json.Unmarshal([]byte(r.Manifest), s); err != nil || s.Detective == "" {
		return nil, "", &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("run %s is no investigation", r.Name)}
	}
	return s, r.Manifest, nil
}
