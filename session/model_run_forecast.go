package session

import (
	"context"
	"fmt"
	"io"
	"iter"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A runForecast is what a ModelRun would take, before anything is asked.
type runForecast struct {
	Questions  int
	Remembered int      // of these, answered in the journal already
	TokensIn   int      // of one asking of each other question, at 4 bytes a token
	TokensOut  int      // the limit of each answer, or 1,024 where none is set
	CostUSD    *float64 // of these; nil = the price is not known
	Most       *float64 // dollars at most, with all askings and tries; nil = there is no bound, or no price
	CallsMost  int
}

// Forecast says what the questions of a run would take. It makes no call and writes nothing. A
// question is a request with step and messages, and an attempt where that is not the first; the model's name and settings are added here.
func (r *ModelRun) Forecast(ctx context.Context, questions iter.Seq2[*model.Request, error]) (*runForecast, error) {
	name, err := r.Name()
	if err != nil {
		return nil, err
	}
	m, err := newModel(ctx, r.Role, r.Calls, &Shared{})
	if err != nil {
		return nil, err
	}
	if m.Judge == nil {
		return nil, omniscope.Usagef("%s is no model: write PROVIDER/NAME (`omniscope list models`)", r.Role.Model)
	}
	known, closeStore, err := r.Calls.remembered(ctx, name, m)
	if err != nil {
		return nil, err
	}
	defer func() { _ = closeStore() }() // it was read only
	f, most := &runForecast{}, newMost(m, r.Calls.MaxRetries)
	for req, err := range questions {
		if err != nil {
			return nil, err
		}
		if err := f.add(ctx, m, req, most, known); err != nil {
			return nil, err
		}
	}
	f.CallsMost = most.calls
	if m.Price != nil {
		cost, all := m.Price.Cost(f.TokensIn, f.TokensOut), m.Price.Most(most.tokensIn, most.tokensOut)
		f.CostUSD = &cost
		if !most.unboundedIn && !most.unboundedOut {
			f.Most = &all
		}
	}
	return f, ctx.Err()
}

// repairBytes is more than what is said about a reply that cannot be used has, beside the reply.
const repairBytes = 2000

func (f *runForecast) add(ctx context.Context, m *Model, req *model.Request, most *most, known func(context.Context, run.Key) (bool, error)) error {
	req.Attempt, req.Model, req.Params = max(req.Attempt, 1), m.Judge.Request, m.Judge.Params
	_, key, err := wrap.Canonical(wrap.KeyName(m.Role.Model, m.ByStep, req), req)
	if err != nil {
		return err
	}
	remembered, err := known(ctx, key)
	if err != nil {
		return err
	}
	f.Questions++
	bound := bench.Bound{RepairBytes: repairBytes}
	if remembered {
		f.Remembered++
		most.add(req, bound, 1) // what is remembered may be of no use
		return nil
	}
	in, out := wrap.Estimate(req)
	f.TokensIn, f.TokensOut = f.TokensIn+in, f.TokensOut+out
	most.add(req, bound, 0)
	return nil
}

// Write writes the forecast for people.
func (f *runForecast) Write(w io.Writer) error {
	cost := "not known: name a file of prices with --prices"
	if f.CostUSD != nil {
		cost = fmt.Sprintf("about $%.2f", *f.CostUSD)
	}
	if f.Most != nil {
		cost += fmt.Sprintf("; at most $%.2f", *f.Most)
	}
	_, err := fmt.Fprintf(w, `calls to make  %d (%d more are remembered); at most %d, with all further askings and tries
tokens         about %d in, and %d out if each answer is as long as it may be
cost           %s
Nothing was spent.
`, f.Questions-f.Remembered, f.Remembered, f.CallsMost, f.TokensIn, f.TokensOut, cost)
	return err
}
