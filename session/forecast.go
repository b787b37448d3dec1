package session

import (
	"cmp"
	"context"
	"io"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
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
	asked     []*forecastModel
}

// A forecastModel is what a forecast says of one model.
type forecastModel struct {
	model                      *Model
	known                      func(context.Context, run.Key) (bool, error) // whether the journal has an answer
	calls, tokensIn, tokensOut int
	most                       *most
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
		a, closeStore, err := e.options.Calls.forecastOf(ctx, e.Name(), m)
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
	d.asked = slices.DeleteFunc(d.asked, func(a *forecastModel) bool { return a != of && a.most.calls == 0 })
	d.Attempts, d.Tries = of.most.attempts, of.most.tries
	d.Further = e.Read.Further
	if _, all := e.opened.(bench.RoleAsker); !all {
		d.Further = e.chain.without(d.asked).further(e.Read.Further)
	}
	d.sum()
	return d, nil
}

// of returns the model of a role, or the judge if the role has no model.
func (d *Forecast) of(role string) *forecastModel {
	for _, a := range d.asked[1:] {
		if a.model.Role.Name == role {
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
		m := a.most
		d.Calls, d.TokensIn, d.TokensOut = d.Calls+a.calls, d.TokensIn+a.tokensIn, d.TokensOut+a.tokensOut
		calls, in, out = calls+m.calls, in+m.tokensIn, out+m.tokensOut
		unboundedIn, unboundedOut = unboundedIn || m.unboundedIn, unboundedOut || m.unboundedOut
		if a.model.Price == nil {
			cost, most = nil, nil
		}
		if cost != nil {
			*cost += a.model.Price.Cost(a.tokensIn, a.tokensOut)
			*most += a.model.Price.Most(m.tokensIn, m.tokensOut)
		}
	}
	d.CostUSD = cost
	d.CallsAtMost = bounded(calls, guessed)
	d.TokensInAtMost, d.TokensOutAtMost = bounded(in, unboundedIn), bounded(out, unboundedOut)
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
		remembered, err := first.count(ctx, req, bound)
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
		next.most.follow(f)
		next.follow(f, made, len(requests))
	}
	return nil
}

// forecastOf begins the forecast for one model of the run called name. It reads the journal until closeStore is called.
func (c *Calls) forecastOf(ctx context.Context, name string, m *Model) (a *forecastModel, closeStore func() error, err error) {
	a = &forecastModel{model: m, most: newMost(m, c.MaxRetries)}
	a.known, closeStore, err = c.remembered(ctx, name, m)
	return a, closeStore, err
}

// isKnown reports whether the journal has an answer to a request, and returns the request's key.
func (a *forecastModel) isKnown(ctx context.Context, req *model.Request) (known bool, key run.Key, err error) {
	_, key, err = wrap.Canonical(wrap.KeyName(a.model.Role.Model, a.model.ByStep, req), req)
	if err == nil {
		known, err = a.known(ctx, key)
	}
	return known, key, err
}

// count counts a request with its later askings, and reports whether the first is remembered.
func (a *forecastModel) count(ctx context.Context, req *model.Request, bound bench.Bound) (remembered bool, err error) {
	remembered, _, err = a.isKnown(ctx, req)
	switch {
	case err != nil:
		return false, err
	case remembered:
		a.most.add(req, bound, 1) // the remembered answer may be unusable
	default:
		a.most.add(req, bound, 0)
		a.call(req)
	}
	return remembered, nil
}

// call counts one call.
func (a *forecastModel) call(req *model.Request) {
	in, out := wrap.Estimate(req)
	a.calls, a.tokensIn, a.tokensOut = a.calls+1, a.tokensIn+in, a.tokensOut+out
}

// follow counts questions that are sure to follow on requests. made of the requests are still to be made; the
// questions after the others are taken to be remembered, too.
func (a *forecastModel) follow(f bench.Further, made, requests int) {
	if !f.Sure || requests == 0 {
		return
	}
	n := (f.Questions*made + requests - 1) / requests
	a.calls += n
	a.tokensIn += n * (f.Bytes/4 + f.Replies*cmp.Or(f.Quoted, f.MaxTokens))
	a.tokensOut += n * cmp.Or(f.MaxTokens, 1024)
}

// remembered tells which calls of the run called name the journal can answer,
// without making a journal where there is none.
func (c *Calls) remembered(ctx context.Context, name string, m *Model) (known func(context.Context, run.Key) (bool, error), closeStore func() error, err error) {
	at := c.JournalAt()
	nothing := func(context.Context, run.Key) (bool, error) { return false, nil }
	if m.Judge == nil || !hasJournal(at) {
		return nothing, func() error { return nil }, nil
	}
	s, err := openJournalStore(ctx, at, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	source := m.Source
	if c.AnyEndpoint {
		source = ""
	}
	return func(ctx context.Context, key run.Key) (bool, error) {
		if c.Fresh {
			return s.HasFresh(ctx, name, key, source)
		}
		there, err := s.Has(ctx, key, source)
		if before := m.spelledBefore(); !there && err == nil && before != "" {
			there, err = s.Has(ctx, key, before)
		}
		return there, err
	}, s.Close, nil
}
