// Package wrap adds behaviour around a model by wrapping it in another:
//
//	Record    remembers every call in a journal and answers from it
//	Load      makes the media of a call that is not remembered
//	Retry     tries again what may succeed later, bounded and classed
//	Meter     counts tokens and money of each try and keeps budgets
//	Limit     holds the number of calls on the wire to what the endpoint bears
//	Pace      holds the tries at an endpoint to so many a minute
//	Span      tells OpenTelemetry of each call, where that is wanted
//
// Stack is the one place that puts them together. Each wrapper is a
// model.Model and safe for concurrent use.
package wrap

import (
	"context"

	"omniscope"
	"omniscope/model"
	"omniscope/run"
)

// Options say how a model is wrapped.
type Options struct {
	Name    string       // provider/name, as the user gave it
	Source  string       // who answers: the endpoint's URL
	ByStep  bool         // the answer depends on the step as well, as a script's does
	Once    *run.Once    // nil = remember nothing
	Limiter *Limiter     // shared by all models at one endpoint; nil = no limit
	Pace    *Pace        // likewise
	Ready   *Ready       // media prepared ahead; nil = without a bound
	Retry   *Policy      // nil = no retries
	Reach   *model.Reach // of the endpoint; nil = it is taken to be there
	Budget  *Budget      // shared by all models of a run; nil = none
	Price   *Price       // nil = not known
	Meter   *Meter       // what happened, for progress and reports; nil = not wanted
}

// Stack wraps provider: the journal is asked first; each try asks the budget,
// since an answer that cannot be used may have to be paid for as well, and takes
// its turn at the limiter, so that the limiter sees every refusal and a call
// that waits to be retried holds no place.
func Stack(provider model.Model, o Options) model.Model {
	if o.Meter == nil {
		o.Meter = &Meter{}
	}
	m := provider
	if o.Reach != nil {
		m = sent{inner: m}
	}
	if o.Pace != nil {
		m = &paced{inner: m, pace: o.Pace}
	}
	if o.Limiter != nil {
		m = &limited{inner: m, limiter: o.Limiter}
	}
	meter := &metered{inner: m, budget: o.Budget, price: o.Price, meter: o.Meter}
	if o.Budget != nil {
		meter.bills = o.Budget.billsOf(o.Name, o.Source, o.Price)
	}
	m = meter
	if o.Retry != nil {
		m = &retried{inner: m, policy: *o.Retry, meter: o.Meter, reach: o.Reach}
	}
	m = loaded{inner: &counted{inner: m, meter: o.Meter}, ready: o.Ready}
	if o.Once != nil {
		m = &recorded{inner: m, once: o.Once, name: o.Name, source: o.Source, byStep: o.ByStep, meter: o.Meter}
	}
	if o.Budget != nil {
		m = publishing{inner: m, budget: o.Budget, bills: meter.bills}
	}
	return &spanned{inner: m, o: o}
}

// publishing lets other processes ask a model once the journal has the bill of its first call.
type publishing struct {
	inner  model.Model
	budget *Budget
	bills  *bills
}

func (m publishing) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	ctx, tries := noting(ctx)
	defer m.budget.publish(m.bills, tries)
	return m.inner.Generate(ctx, req)
}

// sent renews the claim of the call, and reports to the reach when a try goes on the wire and when its answer comes.
type sent struct{ inner model.Model }

func (m sent) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := run.Sending(ctx); err != nil {
		return nil, err
	}
	model.Sent(ctx)
	resp, err := m.inner.Generate(ctx, req)
	model.Came(ctx, err)
	return resp, err
}

// counted counts the calls that were given up, and tells the streak of answers
// that came, before the journal has them.
type counted struct {
	inner model.Model
	meter *Meter
}

func (m *counted) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	resp, err := m.inner.Generate(ctx, req)
	if err == nil {
		resp.Awaited = req.Streak.Came()
	}
	switch kind := omniscope.KindOf(err); {
	case err == nil || ended(ctx) != nil || kind == omniscope.Budget:
	case kind == omniscope.Unanswered: // nothing was asked of a machine, and nothing failed
	default:
		m.meter.Failed.Add(1)
	}
	return resp, err
}

// ended returns why nothing more should be started, nil while the run goes on.
func ended(ctx context.Context) error {
	if err := run.Stopping(ctx).Err(); err != nil {
		return err
	}
	return ctx.Err()
}
