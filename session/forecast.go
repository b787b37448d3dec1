package session

import (
	"context"
	"io"

	"omniscope/bench"
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
	CallsAtMost     int      `json:"calls_at_most"`
	TokensInAtMost  *int     `json:"tokens_in_at_most"`
	TokensOutAtMost *int     `json:"tokens_out_at_most"`
	CostAtMostUSD   *float64 `json:"cost_at_most_usd"`
	Further         string   `json:"further,omitempty"` // calls that depend on answers and are not counted
	Warnings        []string `json:"warnings"`

	MaxTokens int `json:"-"` // of an answer, as it is set; 0 = the model's own limit
	Attempts  int `json:"-"` // askings of a question at most
	Tries     int `json:"-"` // of an asking at most
	most      most
}

// Forecast says what the run would cost without the answers it remembers. It makes
// no call and writes nothing.
func (e *Evaluation) Forecast(ctx context.Context) (*Forecast, error) {
	judge := e.Judge
	if judge == nil {
		return nil, usage("%s asks no judge, and so it costs nothing", e.Spec.Benchmark)
	}
	d := &Forecast{Schema: "omniscope.forecast/1", Benchmark: e.Spec.Benchmark, System: e.Plan.System, Judge: e.Spec.judge().Model, Endpoint: judge.Source,
		Samples: e.Plan.Units, Further: e.Plan.Further, MaxTokens: e.Spec.judge().MaxTokens, most: e.most(), Warnings: append([]string{}, e.Plan.Warnings...)}
	d.Further = e.chain.further(d.Further)
	d.Attempts, d.Tries = d.most.attempts, d.most.tries
	known, closeStore, err := e.remembered(ctx)
	if err != nil {
		return nil, err
	}
	defer closeStore()
	for i := range e.Plan.Units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.add(ctx, e, i, known); err != nil {
			return nil, err
		}
	}
	if judge.Price != nil {
		cost := judge.Price.Cost(d.TokensIn, d.TokensOut)
		d.CostUSD = &cost
	}
	d.bound(judge.Price)
	return d, nil
}

func (e *Evaluation) most() most {
	m := most{attempts: 1, tries: 1}
	if e.Judge.Judge != nil {
		m.attempts = max(1, e.Judge.Judge.Attempts)
	}
	if !e.Judge.local {
		m.tries += e.calls.MaxRetries
	}
	return m
}

// bound fills in what the run takes at most.
func (d *Forecast) bound(price *wrap.Price) {
	m := d.most
	d.CallsAtMost = m.calls
	d.TokensInAtMost, d.TokensOutAtMost = bounded(m.tokensIn, m.unboundedIn), bounded(m.tokensOut, m.unboundedOut)
	if price != nil && !m.unboundedIn && !m.unboundedOut {
		cost := price.Cost(m.tokensIn, m.tokensOut)
		d.CostAtMostUSD = &cost
	}
}

func (d *Forecast) add(ctx context.Context, e *Evaluation, i int, known func(context.Context, run.Key) (bool, error)) error {
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
	d.most.follow(bound)
	for _, req := range requests {
		_, key, err := wrap.Canonical(wrap.KeyName(e.Judge.Role.Model, e.Judge.ByStep, req), req)
		if err != nil {
			return err
		}
		remembered, err := known(ctx, key)
		if err != nil {
			return err
		}
		if remembered {
			d.Remembered++
			d.most.add(req, bound, 1) // what is remembered may be of no use
			continue
		}
		in, out := wrap.Estimate(req)
		d.most.add(req, bound, 0)
		d.Calls++
		d.TokensIn += in
		d.TokensOut += out
	}
	return nil
}

// remembered tells which calls the journal can answer, without making a journal
// where there is none.
func (e *Evaluation) remembered(ctx context.Context) (known func(context.Context, run.Key) (bool, error), closeStore func() error, err error) {
	at := e.calls.JournalAt()
	nothing := func(context.Context, run.Key) (bool, error) { return false, nil }
	if e.Judge.Judge == nil || !hasJournal(at) {
		return nothing, func() error { return nil }, nil
	}
	s, err := OpenStore(ctx, at, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	source, name := e.Judge.Source, e.Name()
	if e.calls.AnyEndpoint {
		source = ""
	}
	return func(ctx context.Context, key run.Key) (bool, error) {
		if e.calls.Fresh {
			return s.HasFresh(ctx, name, key, source)
		}
		return s.Has(ctx, key, source)
	}, s.Close, nil
}
