package predict

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/session"
	"omniscope/session/benchdata"
	"omniscope/session/catalog"
)

// What Ask does, and what the flags have without being given.
const (
	DefaultBlind     = 0.05 // share of samples that are asked again without their media
	DefaultMostBlind = 50   // of these at most
)

// defaultOut is the folder of answers to a benchmark where no other is named.
const defaultOut = "predictions" + string(filepath.Separator)

// Ask does a run and returns its Summary. Where more samples have no answer than session.DefaultMaxFailures allows, the
// error is a session.ErrTooManyFailures, and the Summary is there, too. m may be nil.
func Ask(ctx context.Context, s *Spec, m *session.Machine) (*Summary, error) {
	u, o, err := openFront(ctx, s, m)
	if err != nil {
		return nil, err
	}
	if err := session.Finish(ctx, u, &o.Machine); err != nil {
		return nil, err
	}
	return u.Summary(), u.Summary().Verdict(session.DefaultMaxFailures)
}

// openFront opens a Spec that a program wrote, which stays as it is.
func openFront(ctx context.Context, s *Spec, m *session.Machine) (Asking, *Options, error) {
	o := &Options{Machine: *cmp.Or(m, &session.Machine{}), Blind: DefaultBlind, MostBlind: DefaultMostBlind, MediaAs: AsData}
	open := o.Calls == nil || o.Calls.MaxConcurrency == 0
	o.Ready(session.ClipCalls())
	own := *s
	if err := own.complete(ctx, &o.Machine); err != nil {
		return nil, nil, err
	}
	if own.Profile != nil && own.Profile.AtOnce > 0 && open {
		o.Calls.MaxConcurrency = own.Profile.AtOnce
	}
	u, err := Open(ctx, &own, o)
	return u, o, err
}

// complete fills in what the Spec leaves open, as the command without flags does.
func (s *Spec) complete(ctx context.Context, m *session.Machine) (err error) {
	if s.Model == nil && s.Investigation == nil {
		return omniscope.Usagef("the Spec names no model to ask")
	}
	if s.Benchmark != "" {
		if err := s.completeData(); err != nil {
			return err
		}
	}
	if s.Clips, err = MediaFiles(s.Clips, m.Calls.WorkDir, m.Warnings); err != nil {
		return err
	}
	if len(s.Clips) > 0 {
		s.Clips = session.WholePaths(s.Clips)
	}
	if s.Investigation == nil && s.Profile == nil {
		var made bool
		var modality omniscope.Modality
		if s.Profile, modality, made, err = Asked(ctx, s.Model, s.Benchmark); err != nil {
			return err
		}
		s.Modality = cmp.Or(s.Modality, modality)
		s.AnySense = s.Modality == ""
		if !made {
			fmt.Fprintf(m.Warnings, "no profile is made for %s: it is asked by the profile called %s\n", s.Model.Model, predict.DefaultProfile)
		}
	}
	s.Modality, err = ChooseModality(s.Benchmark, s.Profile, s.Modality)
	return err
}

func (s *Spec) completeData() error {
	b, err := catalog.Benchmark(s.Benchmark)
	if err != nil {
		return err
	}
	if s.Data, _, err = benchdata.Resolve(b.Info(), s.Data, true); err != nil {
		return err
	}
	s.Media = cmp.Or(s.Media, filepath.Dir(s.Data))
	return nil
}

// DefaultProfile is how a model is asked where no profile is named. made says that it was made for the model.
func DefaultProfile(ctx context.Context, model, benchmark string) (p *predict.Profile, made bool, err error) {
	if p, err = predict.ProfileOf(model, benchmark); err != nil || p != nil {
		return p, true, err
	}
	p, err = predict.LoadProfile(ctx, predict.DefaultProfile)
	return p, false, err
}
