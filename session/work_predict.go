package session

import (
	"context"
	"errors"

	"omniscope"
)

// PredictionWork opens the work of a run of a model: a unit for each sample, and behind
// these one for each that is asked again without its media. Where the detective describes
// the clips, it is the investigation's.
func PredictionWork(ctx context.Context, s *PredictionSpec, o *Predicting) (_ *Work, err error) {
	w := &prediction{Predicting: o, spec: s}
	if err := w.readSamples(ctx); err != nil {
		return nil, err
	}
	d, err := describe(predictKind, s)
	if err != nil {
		return nil, err
	}
	if err := w.openMedia(ctx); err != nil {
		return nil, err
	}
	if s.Investigation != nil {
		paths, _, err := w.clips()
		if err != nil {
			return nil, err
		}
		return InvestigationWork(ctx, s.Investigation, &Investigating{OnClips: o.OnClips, Files: paths})
	}
	if w.Models, err = openModels(ctx, &o.Machine, d); err != nil {
		return nil, err
	}
	if err := w.open(ctx); err != nil {
		return nil, errors.Join(err, w.served.Close(), w.Close())
	}
	return w.work(d.Name), nil
}

func (w *prediction) work(name string) *Work {
	twins := w.blindTwins()
	order := orderOf(w.Calls, w.Models.All)
	order.Blind, order.MostBlind, order.MediaAs = w.Blind, w.MostBlind, w.MediaAs
	return &Work{Run: name, Units: len(w.samples) + len(twins), Unit: "sample", Shared: w.Journal.shared(), Queue: CallsQueue, Order: order,
		beginBudget: w.Journal.beginBudget,
		State:       func() []string { return LastErrors(w.Models.Shared.Reaches.All()...) },
		close: func() error {
			w.Warn(w.Warnings)
			return errors.Join(w.served.Close(), w.Close())
		},
		marks: w.Journal.marks(),
		do: func(ctx context.Context, unit int) (unitOutcome, error) {
			outcome, err := w.doUnit(ctx, unit, twins)
			return outcome, errors.Join(w.Models.explain(err), w.Journal.StoppedBy(err))
		},
	}
}

// doUnit asks about a sample, with its media or, if it is a twin, without.
func (w *prediction) doUnit(ctx context.Context, unit int, twins []int) (unitOutcome, error) {
	twin := unit >= len(w.samples)
	if twin {
		unit = twins[unit-len(w.samples)]
	}
	p, err := w.system.Predict(ctx, &w.samples[unit]) // of a twin, it is remembered
	switch {
	case err != nil:
		return unitOutcome{}, err
	case !twin:
		o := outcomeOf(p.Outcome, p.Why)
		if o.failed != "" {
			o.failed = string(p.Sample) + ": " + o.failed
		}
		return o, nil
	case p.Outcome != omniscope.OK:
		return unitOutcome{}, nil // its sample has told
	}
	// Whether the twin was answered is not told, so that it is asked for again.
	return unitOutcome{}, w.system.AskBlind(ctx, &w.samples[unit], p)
}
