package session

import (
	"cmp"
	"context"
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
	t, err := taskOf(&r)
	if err != nil {
		return nil, err
	}
	w, err := t.work(ctx, &Machine{Calls: c, Warnings: warnings, Folder: o.Folder, order: o, run: r.Name})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	if o.Tools != nil && !slices.Equal(w.Order.Tools, o.Tools) {
		err = omniscope.Invalidf("run %s looks at clips by %s, and this machine would by %s: have the same everywhere, or name those that all have with --tools",
			r.Name, list(o.Tools), list(w.Order.Tools))
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
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

// work implements task.
func (s *Spec) work(ctx context.Context, m *Machine) (*Work, error) {
	then := make(map[string]string) // where each role is asked
	for name, role := range s.Roles {
		then[name] = role.Source
	}
	s.Allow = true // the command that began the run has decided
	shared := &Shared{}
	e, err := OpenEvaluation(ctx, s, m.Calls, shared)
	if err != nil {
		return nil, errors.Join(err, shared.Close())
	}
	w, err := e.describedWork(ctx, m, then)
	if err != nil {
		return nil, errors.Join(err, e.Close(), shared.Close())
	}
	closeWork := w.close
	w.close = func() error { return errors.Join(closeWork(), e.Close(), shared.Close()) }
	return w, nil
}

func (e *Evaluation) describedWork(ctx context.Context, m *Machine, then map[string]string) (*Work, error) {
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
	if err := m.sameRun(e.Name()); err != nil {
		return nil, err
	}
	return e.Work(ctx, m.Warnings)
}

// work implements task.
func (s *PredictionSpec) work(ctx context.Context, m *Machine) (*Work, error) {
	if then := s.SHA256; then != "" {
		now, err := sha256hex.File(m.at(s.Data))
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
	return PredictionWork(ctx, s, &Predicting{OnClips: OnClips{Machine: *m}, Blind: m.order.Blind, MostBlind: m.order.MostBlind, MediaAs: m.order.MediaAs})
}

// work implements task.
func (s *InvestigationSpec) work(ctx context.Context, m *Machine) (*Work, error) {
	if err := s.checkShared(); err != nil {
		return nil, err
	}
	return InvestigationWork(ctx, s, &Investigating{OnClips: OnClips{Machine: *m}, Files: s.Clips})
}

func (*AuditSpec) work(context.Context, *Machine) (*Work, error) { return nil, onlyHere }

func (*ProbeSpec) work(context.Context, *Machine) (*Work, error) { return nil, onlyHere }

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "nothing") }

// listed implements task.
func (s *Spec) listed() listing {
	return listing{command: "eval " + s.Benchmark, what: []string{s.Predictions}, by: modelOf(s.judge())}
}

// listed implements task.
func (s *PredictionSpec) listed() listing {
	l := listing{command: "predict " + cmp.Or(s.Benchmark, "captions"), what: s.Clips, by: modelOf(s.Model)}
	if s.Data != "" {
		l.what = []string{s.Data}
	}
	return l
}

// listed implements task.
func (s *InvestigationSpec) listed() listing {
	return listing{command: "investigate", what: s.Clips, by: s.Detective}
}

// listed implements task.
func (s *AuditSpec) listed() listing {
	l := listing{command: "audit", by: s.Splitter}
	if s.Clip != "" {
		l.what = []string{s.Clip}
	}
	return l
}

// listed implements task.
func (s *ProbeSpec) listed() listing { return listing{command: "probe", by: modelOf(s.Model)} }
