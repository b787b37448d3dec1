package eval

import (
	"context"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/session"
)

// A Forecast is what a run would cost, before anything is spent.
type Forecast struct {
	Schema     string   `json:"schema"`
	Benchmark  string   `json:"benchmark"`
	System     string   `json:"system"`
	Judge      string   `json:"judge"`
	Endpoint   string   `json:"endpoint"`
	Samples    int      `json:"samples"`
	Calls      int      `json:"calls"`      // to be made
	Remembered int      `json:"remembered"` // answers already in the journal
	TokensIn   int      `json:"tokens_in"`  // estimated at 4 bytes a token
	TokensOut  int      `json:"tokens_out"` // the limit of each answer, or 1,024 where none is set
	CostUSD    *float64 `json:"cost_usd"`   // of these, one asking of each question; null when the price is not known
	// At most, with all askings, tries and further calls; null = there is no bound.
	CallsAtMost     *int     `json:"calls_at_most"`
	TokensInAtMost  *int     `json:"tokens_in_at_most"`
	TokensOutAtMost *int     `json:"tokens_out_at_most"`
	CostAtMostUSD   *float64 `json:"cost_at_most_usd"`
	Further         string   `json:"further,omitempty"`       // calls that depend on answers and are not counted
	Exam            int      `json:"exam,omitempty"`          // of Calls, calls that examine the judge
	FurtherCalls    int      `json:"further_calls,omitempty"` // how many these may be; 0 = not known
	Warnings        []string `json:"warnings"`

	MaxTokens int `json:"-"` // of an answer, as it is set; 0 = the model's own limit
	Attempts  int `json:"-"` // askings of a question at most
	Tries     int `json:"-"` // of an asking at most
	asked     []*session.ForecastModel
}

// Forecast says what the run would cost without the answers it remembers. It makes
// no call and writes nothing.
func (e *Evaluation) Forecast(ctx context.Context) (_ *Forecast, err error) {
	judge := e.Judge
	if judge == nil {
		return nil, omniscope.Usagef("%s asks no judge, and so it costs nothing", e.Spec.Benchmark)
	}
	d := &Forecast{Schema: "omniscope.forecast/1", Benchmark: e.Spec.Benchmark, System: e.Read.System, Judge: e.Spec.judge().Model, Endpoint: judge.Source,
		Samples: e.Read.Units, FurtherCalls: e.Read.Follow, MaxTokens: e.Spec.judge().MaxTokens, Warnings: append([]string{}, e.Read.Warnings...)}
	for _, m := range append(chain{judge}, e.chain...) {
		a, closeStore, err := e.options.Calls.ForecastOf(ctx, e.Name(), m)
		if err != nil {
			return nil, err
		}
		defer func() { _ = closeStore() }() // it was read only
		d.asked = append(d.asked, a)
	}
	if err := d.addExam(ctx, e); err != nil {
		return nil, err
	}
	for i := range e.Read.Units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.add(ctx, e, i); err != nil {
			return nil, err
		}
	}
	of := d.asked[0]
	d.asked = slices.DeleteFunc(d.asked, func(a *session.ForecastModel) bool { return a != of && a.Most.Calls == 0 })
	d.Attempts, d.Tries = of.Most.Attempts, of.Most.Tries
	d.Further = e.Read.Further
	if _, all := e.opened.(bench.RoleAsker); !all {
		d.Further = e.chain.without(d.asked).further(e.Read.Further)
	}
	d.sum()
	return d, nil
}

// of returns the model of a role, or the judge if the role has no model.
func (d *Forecast) of(role string) *session.ForecastModel {
	for _, a := range d.asked[1:] {
		if a.Model.Role.Name == role {
			return a
		}
	}
	return d.asked[0]
}

// sum adds up what the models take, and what that costs; a cost is known where all prices are.
func (d *Forecast) sum() {
	var calls, in, out int
	cost, most := new(float64), new(float64)
	guessed := d.FurtherCalls > 0 // answers decide how many calls follow
	unboundedIn, unboundedOut := guessed, guessed
	for _, a := range d.asked {
		m := a.Most
		d.Calls, d.TokensIn, d.TokensOut = d.Calls+a.Calls, d.TokensIn+a.TokensIn, d.TokensOut+a.TokensOut
		calls, in, out = calls+m.Calls, in+m.TokensIn, out+m.TokensOut
		unboundedIn, unboundedOut = unboundedIn || m.UnboundedIn, unboundedOut || m.UnboundedOut
		if a.Model.Price == nil {
			cost, most = nil, nil
		}
		if cost != nil {
			*cost += a.Model.Price.Cost(a.TokensIn, a.TokensOut)
			*most += a.Model.Price.Most(m.TokensIn, m.TokensOut)
		}
	}
	d.CostUSD = cost
	d.CallsAtMost = session.Bounded(calls, guessed)
	d.TokensInAtMost, d.TokensOutAtMost = session.Bounded(in, unboundedIn), session.Bounded(out, unboundedOut)
	if !unboundedIn && !unboundedOut {
		d.CostAtMostUSD = most
	}
}

// add counts unit i: its requests, and what follows on them.
func (d *Forecast) add(ctx context.Context, e *Evaluation, i int) error {
	requests, err := e.opened.Requests(i)
	if err != nil {
		return err
	}
	var bound bench.Bound
	if b, ok := e.opened.(bench.Bounder); ok {
		if bound, err = b.Bound(i); err != nil {
			return err
		}
	}
	first := d.asked[0]
	if r, ok := e.opened.(bench.RoleAsker); ok {
		first = d.of(r.Asks(i))
	}
	made := 0
	for _, req := range requests {
		remembered, err := first.Count(ctx, req, bound)
		switch {
		case err != nil:
			return err
		case remembered:
			d.Remembered++
		default:
			made++
		}
	}
	for _, f := range bound.Further {
		next := d.of(f.Role)
		next.Most.Follow(f)
		next.Follow(f, made, len(requests))
	}
	return nil
}
