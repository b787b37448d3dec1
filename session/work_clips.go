package session

import (
	"context"
	"errors"
)

// work is the work of a run on clips; do does a clip.
func (r *clipRun) work(name string, clips int, do func(context.Context, int) (unitOutcome, error)) *Work {
	w := r.Models.work(name, clips, do)
	w.Unit, w.Queue, w.Order.Tools = "clip", CPUQueue, namesOf(r.tools)
	return w
}

// work is the work of a run that asks models; do does a unit.
func (m *Models) work(name string, units int, do func(context.Context, int) (unitOutcome, error)) *Work {
	return &Work{Run: name, Units: units, Unit: "sample", Shared: m.Journal.shared(), Queue: CallsQueue, Order: orderOf(m.calls, m.All), beginBudget: m.Journal.beginBudget,
		State:   m.state,
		do:      do,
		stopped: func(err error) error { return errors.Join(m.explain(err), m.Journal.StoppedBy(err)) },
		marks:   m.Journal.marks(),
		close: func() error {
			m.Warn(m.warnings)
			return m.Close()
		},
	}
}
