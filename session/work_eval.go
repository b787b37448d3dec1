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
	w.end = func() error {
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
		budget: journal.startBudget, marks: journal.marks(), State: e.State, id: e.Plan.Steps,
		stopped: func(err error) error { return errors.Join(e.Judge.Explain(err), journal.StoppedBy(err)) },
		each: func(ctx context.Context, unit int) (unitOutcome, error) {
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
	endWork := w.end
	w.end = func() error { return errors.Join(endWork(), e.Close(), shared.Close()) }
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

// listed implements task.
func (s *Spec) listed() listing {
	return listing{command: "eval " + s.Benchmark, what: []string{s.Predictions}, by: modelOf(s.judge())}
}
