package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/sha256hex"
	"omniscope/run/journal"
)

// OpenWork opens the work of a run that the journal describes, as a process on another
// machine does. Keys come from this machine's environment, and so do addresses that are not
// in the order. It refuses
// what would not be that run here: other files, other endpoints, other prompts.
func OpenWork(ctx context.Context, c *Calls, name string, o *Order, warnings io.Writer) (*Work, error) {
	r, err := describedRun(ctx, c, name, warnings)
	if err != nil {
		return nil, err
	}
	var w *Work
	on := OnClips{Calls: c, Warnings: warnings, Folder: o.Folder}
	switch {
	case strings.HasPrefix(r.Name, "investigate-"):
		s := &InvestigationSpec{}
		if err = json.Unmarshal([]byte(r.Manifest), s); err == nil {
			err = s.checkShared()
		}
		if err == nil {
			w, err = InvestigationWork(ctx, s, &Investigating{OnClips: on, Files: s.Clips})
		}
	case strings.HasPrefix(r.Name, "predict-"):
		s := &PredictionSpec{}
		if err = json.Unmarshal([]byte(r.Manifest), s); err == nil {
			w, err = describedPrediction(ctx, s, &Predicting{OnClips: on, Blind: o.Blind, MostBlind: o.MostBlind, MediaAs: o.MediaAs})
		}
	default:
		w, err = describedEvaluation(ctx, c, r, warnings)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	switch {
	case w.Run != r.Name:
		err = omniscope.Invalidf("run %s would be another run here, %s: prompts or media differ", r.Name, w.Run)
	case o.Tools != nil && !slices.Equal(w.Order.Tools, o.Tools):
		err = omniscope.Invalidf("run %s looks at clips by %s, and this machine would by %s: have the same everywhere, or name those that all have with --tools",
			r.Name, list(o.Tools), list(w.Order.Tools))
	default:
		return w, nil
	}
	return nil, errors.Join(err, w.Close())
}

// checkShared refuses what one machine does not do because a journal says so: start programs.
func (s *InvestigationSpec) checkShared() error {
	switch {
	case len(s.Programs) > 0:
		return omniscope.Usagef("it has tools of its user's own (--tool %s), and a worker starts no program that a journal names", s.Programs[0])
	case s.List != "":
		return omniscope.Usagef("its clips are those of a list, which one machine works on: give its command again there")
	}
	return nil
}

func describedRun(ctx context.Context, c *Calls, name string, warnings io.Writer) (journal.Run, error) {
	s, err := OpenJournal(ctx, c.JournalAt(), warnings)
	if err != nil {
		return journal.Run{}, err
	}
	defer s.Close()
	return journal.FindRun(ctx, s, name)
}

func describedEvaluation(ctx context.Context, c *Calls, r journal.Run, warnings io.Writer) (*Work, error) {
	s, err := readSpec(r.Manifest)
	if err != nil {
		return nil, err
	}
	if s.Benchmark == "" {
		return nil, omniscope.Usagef("it is repeated by its own command, which asks and computes nothing twice")
	}
	then := make(map[string]string) // where each role is asked
	for name, role := range s.Roles {
		then[name] = role.Source
	}
	s.Allow = true // the command that began the run has decided
	shared := &Shared{}
	e, err := OpenEvaluation(ctx, s, c, shared)
	if err != nil {
		return nil, errors.Join(err, shared.Close())
	}
	w, err := e.describedWork(ctx, r.Name, then, warnings)
	if err != nil {
		return nil, errors.Join(err, e.Close(), shared.Close())
	}
	closeWork := w.close
	w.close = func() error { return errors.Join(closeWork(), e.Close(), shared.Close()) }
	return w, nil
}

func (e *Evaluation) describedWork(ctx context.Context, run string, then map[string]string, warnings io.Writer) (*Work, error) {
	if err := unchanged(e.Spec.Inputs, e.Plan.Inputs); err != nil {
		return nil, err
	}
	if !e.calls.AnyEndpoint {
		for name, role := range e.Spec.Roles {
			if source := then[name]; source != "" && role.Source != source {
				return nil, omniscope.Invalidf("its %s answers at %s, and here at %s: set the same address here, or give --any-endpoint everywhere", name, source, role.Source)
			}
		}
	}
	if e.Name() != run {
		return nil, omniscope.Invalidf("it would be another run here, %s: prompts differ, or tools that look at clips, or the versions of omniscope", e.Name())
	}
	return e.Work(ctx, warnings)
}

func describedPrediction(ctx context.Context, s *PredictionSpec, o *Predicting) (*Work, error) {
	then := s.SHA256
	if then != "" {
		now, err := sha256hex.File(o.at(s.Data))
		if err != nil {
			return nil, err
		}
		if now != then {
			return nil, omniscope.Invalidf("%s has the SHA-256 %s, and here %s", s.Data, then, now)
		}
	}
	if s.Profile == nil {
		s.Profile = &predict.Profile{}
	}
	return PredictionWork(ctx, s, o)
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "nothing") }
