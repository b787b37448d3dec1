package session

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"omniscope"
)

// Run does all units of a Task and writes its results. It continues where an interrupted run ended: nothing is asked twice.
// m may be nil.
func Run(ctx context.Context, t Task, m *Machine) error {
	if m == nil {
		m = &Machine{}
	}
	u, err := t.Open(ctx, m)
	if err != nil {
		return err
	}
	return Finish(ctx, u, m)
}

// All does several Tasks one after the other, with one budget and one knowledge of the endpoints. Before the first is done, all
// are opened, checked and closed again: nothing is spent on the first before the last is known to be right. Results go to the
// usual places: Out is "". An error of one ends all.
func All(ctx context.Context, m *Machine, tasks ...Task) (err error) {
	shared := Machine{}
	if m != nil {
		shared = *m
	}
	if shared.Out != "" && len(tasks) > 1 {
		return omniscope.Usagef("the results of %d runs cannot all go to %s: leave the place to them", len(tasks), shared.Out)
	}
	if shared.Shared == nil {
		shared.Shared = &Shared{}
		defer func() { err = shared.Shared.End(err) }()
	}
	for _, t := range tasks {
		u, err := t.Open(ctx, &shared)
		if err == nil {
			err = u.Close()
		}
		if err != nil {
			return err
		}
	}
	for _, t := range tasks {
		if err := Run(ctx, t, &shared); err != nil {
			return err
		}
	}
	return nil
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
	out := ""
	if m != nil {
		out = m.Out
	}
	if err := w.plan.Models.Journal.markWritten(out); err != nil {
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
	warnings := p.Models.warnings
	if m != nil && m.Warnings != nil {
		warnings = m.Warnings
	}
	if err := p.begin(ctx); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	p.Models.Announce(warnings)
	j := p.Models.Journal
	w := &Work{Run: p.Name, Units: p.Units, Unit: cmp.Or(p.Unit, "sample"), Shared: j.Shared(), Queue: CallsQueue, Order: orderOf(p.Models.Settings, p.Models.All), State: p.Models.state, units: u, plan: p, marks: j.marks()}
	if p.CPU {
		w.Queue = CPUQueue
	}
	w.Order.Tools, w.Order.Arithmetic = namesOf(p.Tools), p.Arithmetic
	if p.Ordered != nil {
		p.Ordered(&w.Order)
	}
	return w, nil
}

// begin opens the journal, if the settings can be meant.
func (p *Plan) begin(ctx context.Context) error {
	if err := p.Models.Settings.Check(); err != nil {
		return err
	}
	return p.Models.Begin(ctx, p)
}

// begin begins the units, and then watches the models: earlier answers, such as of an examination, do not count.
func (w *Work) begin(ctx context.Context, e *Env) error {
	if err := w.units.Begin(ctx, e); err != nil {
		return errors.Join(err, w.plan.Models.Journal.StoppedBy(err))
	}
	return w.plan.Models.Watch()
}

// all does all units and shows how far they are.
func (w *Work) all(ctx context.Context, m *Machine) error {
	note := func(string) {}
	if err := w.begin(ctx, &Env{Results: true, Note: func(text string) { note(text) }}); err != nil {
		return err
	}
	order := slices.Collect(units(0, w.plan.Units))
	if w.plan.Order != nil {
		order = w.plan.Order()
	}
	first := cmp.Or(w.plan.First, len(order))
	display := m.shows(first, w.State)
	defer display.Stop()
	note = display.Note
	var n atomic.Int64
	err := w.DoAll(ctx, w.engine(), slices.Values(order[:first]), func() { display.Done(int(n.Add(1))) })
	if err == nil && first < len(order) {
		err = w.DoAll(ctx, w.engine(), slices.Values(order[first:]), func() {})
	}
	return err
}
