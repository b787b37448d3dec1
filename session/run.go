package session

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
)

// Run does all units of a Task and writes its results. It continues where an interrupted run ended: nothing is asked twice.
func Run(ctx context.Context, t Task, m *Machine) error {
	u, err := t.Open(ctx, m)
	if err != nil {
		return err
	}
	return Finish(ctx, u, m)
}

// Finish does all units of an opened Task, writes its results and closes it.
func Finish(ctx context.Context, u Units, m *Machine) (err error) {
	if err := u.Claim(ctx); err != nil {
		return errors.Join(err, u.Close())
	}
	w, err := openUnits(ctx, u, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.all(ctx, m); err != nil {
		return err
	}
	if err := u.Write(ctx); err != nil {
		return err
	}
	if w.plan.Over != nil && !w.plan.Over() {
		return nil
	}
	return w.plan.Models.Journal.EndFresh()
}

// Part opens a run to do a part of it: see Work.DoShard. If it fails, the units are closed.
func Part(ctx context.Context, u Units, m *Machine, part Shard) (*Work, error) {
	if err := u.Plan().Here; err != nil {
		return nil, errors.Join(err, u.Close())
	}
	w, err := openUnits(ctx, u, m)
	if err != nil {
		return nil, err
	}
	if err := w.begin(ctx, &Env{Part: part, Note: func(string) {}}); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// openUnits opens the journal of a run and connects its models. If it fails, the units are closed.
func openUnits(ctx context.Context, u Units, m *Machine) (*Work, error) {
	p := u.Plan()
	if err := p.Models.Begin(ctx, p); err != nil {
		p.Models.Warn(m.Warnings)
		return nil, errors.Join(err, p.Models.Close(), u.Close())
	}
	p.Models.Announce(m.Warnings)
	j := p.Models.Journal
	w := &Work{Run: p.Name, Units: p.Units, Unit: cmp.Or(p.Unit, "sample"), Shared: j.Shared(), Queue: CallsQueue, Order: orderOf(m.Calls, p.Models.All), State: p.Models.state, units: u, plan: p, marks: j.marks()}
	if p.CPU {
		w.Queue = CPUQueue
	}
	w.Order.Tools, w.Order.Arithmetic = namesOf(p.Tools), p.Arithmetic
	if p.Ordered != nil {
		p.Ordered(&w.Order)
	}
	return w, nil
}

// begin begins the units, and then watches the models: what was asked before does not count.
func (w *Work) begin(ctx context.Context, e *Env) error {
	if err := w.units.Begin(ctx, e); err != nil {
		return errors.Join(err, w.plan.Models.Journal.StoppedBy(err))
	}
	return w.plan.Models.Watch()
}

// all does all units and shows how far they are.
func (w *Work) all(ctx context.Context, m *Machine) error {
	p := w.plan
	shown := cmp.Or(p.Shown, p.Units)
	display := m.shows(shown, w.State)
	defer display.Stop()
	if err := w.begin(ctx, &Env{Results: true, Note: display.Note}); err != nil {
		return err
	}
	order := p.Order
	if order == nil {
		order = units(0, p.Units)
	}
	var n atomic.Int64
	return w.DoAll(ctx, w.engine(), order, func() { display.Done(min(int(n.Add(1)), shown)) })
}
