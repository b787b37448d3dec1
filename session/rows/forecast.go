package rows

import (
	"context"
	"fmt"
	"io"
	"iter"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/session"
)

// A Forecast is what a Run would take, before anything is asked.
type Forecast struct {
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
func (r *Run) Forecast(ctx context.Context, questions iter.Seq2[*model.Request, error]) (*Forecast, error) {
	name, err := r.Name()
	if err != nil {
		return nil, err
	}
	r.ready()
	m, err := session.NewModel(ctx, r.Role, r.Calls, &session.Shared{})
	if err != nil {
		return nil, err
	}
	if m.Judge == nil {
		return nil, omniscope.Usagef("%s is no model: write PROVIDER/NAME (`omniscope docs models`)", r.Role.Model)
	}
	a, closeStore, err := r.Calls.ForecastOf(ctx, name, m)
	if err != nil {
		return nil, err
	}
	defer func() { _ = closeStore() }() // it was read only
	f := &Forecast{}
	for req, err := range questions {
		if err != nil {
			return nil, err
		}
		req.Attempt, req.Model, req.Params = max(req.Attempt, 1), m.Judge.Request, m.Judge.Params
		remembered, err := a.Count(ctx, req, bench.Bound{RepairBytes: repairBytes})
		if err != nil {
			return nil, err
		}
		f.Questions++
		if remembered {
			f.Remembered++
		}
	}
	f.TokensIn, f.TokensOut, f.CallsMost = a.TokensIn, a.TokensOut, a.Most.Calls
	if m.Price != nil {
		cost, all := m.Price.Cost(f.TokensIn, f.TokensOut), m.Price.Most(a.Most.TokensIn, a.Most.TokensOut)
		f.CostUSD = &cost
		if !a.Most.UnboundedIn && !a.Most.UnboundedOut {
			f.Most = &all
		}
	}
	return f, ctx.Err()
}

// repairBytes is more than what is said about a reply that cannot be used has, beside the reply.
const repairBytes = 2000

// Write writes the forecast for people.
func (f *Forecast) Write(w io.Writer) error {
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
