package session

import (
	"context"
	"errors"
	"io"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric/neural/installed"
)

// Work opens the run's work on its journal. Closing it leaves the evaluation open.
// Endpoints are those of the Spec's roles, or of the environment; networks are those of
// this machine.
func (e *Evaluation) Work(ctx context.Context, warnings io.Writer) (_ *Work, err error) {
	journal, err := e.openJournal(ctx, warnings)
	if err != nil {
		return nil, err
	}
	if journal == nil {
		return nil, omniscope.Usagef("%s asks nobody and computes nothing that a journal keeps: it is not done in parts", e.Spec.Benchmark)
	}
	w := e.work(journal, warnings, func(ctx context.Context, unit int) (*bench.Result, error) {
		if unit == 0 { // this process examines the judge; the command that makes the results finds the answers
			if err := e.examine(ctx, warnings); err != nil {
				return nil, err
			}
		}
		return e.opened.Evaluate(ctx, unit)
	})
	end, err := e.watch(journal)
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	w.close = func() error {
		warnOf(warnings, e.models()...)
		return errors.Join(end(), journal.Close())
	}
	return w, nil
}

// work returns the evaluation's work on an open journal; nil = without a journal. evaluate judges a unit.
func (e *Evaluation) work(journal *Journal, warnings io.Writer, evaluate func(context.Context, int) (*bench.Result, error)) *Work {
	e.connect(journal)
	e.announce(warnings)
	w := &Work{Run: e.Name(), Units: e.Plan.Units, Unit: "sample", Shared: journal.shared(), Queue: CallsQueue, Order: orderOf(e.calls, e.paid()),
		beginBudget: journal.beginBudget, marks: journal.marks(), State: e.State, id: e.Plan.Steps,
		stopped: func(err error) error { return errors.Join(e.Judge.Explain(err), journal.StoppedBy(err)) },
		do: func(ctx context.Context, unit int) (unitOutcome, error) {
			r, err := evaluate(ctx, unit)
			if err != nil {
				return unitOutcome{}, err
			}
			o := outcomeOf(r.Outcome, "")
			if o.failed != "" {
				o.failed = r.Unit + ": " + o.failed
			}
			return o, nil
		},
	}
	if !e.asks() {
		w.Queue = CPUQueue
	}
	if e.networks.used {
		w.Order.Arithmetic = installed.Arithmetic()
	}
	if warmer, ok := e.opened.(bench.Warmer); ok {
		w.warm = warmer.Warm
	}
	return w
}
