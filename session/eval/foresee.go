package eval

import (
	"context"
	"errors"
	"io"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/session"
)

// Foresee opens a run on stand-in answers, which were written before the system was asked, and reports which scores its results will
// lack. With forecast it returns a forecast too; nil = the run asks no model. It calls no model and writes nothing.
func Foresee(ctx context.Context, r *PlannedRun, o *Options, forecast bool) (lacks []string, f *Forecast, err error) {
	own := *o
	own.Warnings, own.Progress = io.Discard, nil // the run itself prints them
	r.Spec.Allow = true
	e, err := Open(ctx, r.Spec, &own)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if r.Dir != "" && !o.Force {
		if err := e.checkForeign(r.Dir); err != nil {
			return nil, nil, err
		}
	}
	if forecast && e.asks() && e.Judge != nil {
		if f, err = e.Forecast(ctx); err != nil {
			return nil, nil, err
		}
	}
	return unavailable(e.Info, e.Read.Lacks), f, nil
}

// checkForeign refuses a folder that cannot hold the results: the digest of the answers is not known yet.
func (e *Evaluation) checkForeign(dir string) error {
	names, err := outfile.Entries(dir)
	if err != nil || len(names) == 0 {
		return err
	}
	there, err := ResultsIn(dir)
	switch judge := session.ModelOf(e.Spec.judge()); {
	case err != nil:
		return omniscope.Usagef("%s holds what is no result of this run (%s): %s", dir, firstFew(names), outfile.OrForce)
	case there.Benchmark.Name != e.Info.Name || there.System != e.Read.System:
		return omniscope.Usagef("%s holds the results of %s on %s: %s", dir, there.System, there.Benchmark.Name, outfile.OrForce)
	case judge != "" && there.Judge.Name != "" && there.Judge.Name != judge:
		return omniscope.Usagef("%s holds results judged by %s: %s", dir, there.Judge.Name, outfile.OrForce)
	}
	return nil
}
