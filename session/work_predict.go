package session

import (
	"context"
	"errors"
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
