package predict

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/session"
)

// A Forecast is what asking a model would take, before anything is asked.
type Forecast struct {
	Model      string
	Endpoint   string
	Samples    int
	Unshown    int // samples whose media cannot be opened, which are not asked
	Calls      int // to be made, blind twins included
	Remembered int // answers already in the journal
	TokensIn   int
	TokensOut  int      // the limit of each answer, or AssumedTokens where none is set
	CostUSD    *float64 // nil = the price is not known
	MaxTokens  int      // of an answer; 0 = no limit is set

	// At most, with all askings and tries; nil = there is no bound.
	CallsAtMost, TokensInAtMost, TokensOutAtMost *int
	CostAtMostUSD                                *float64

	Frames  int     // of all calls
	Seconds float64 // of sound
	Files   int     // that are sent complete

	Assumed []string // in words
}

// AssumedTokens are the tokens of an answer without a limit, as forecasts and budgets count them.
const AssumedTokens = 1024

// Forecast returns what the run would take without the answers that the journal has. It calls no model and writes no results.
func (w *Run) Forecast(ctx context.Context) (_ *Forecast, err error) {
	m := w.Models.All[0]
	a, closeStore, err := w.Calls.ForecastOf(ctx, w.Described.Name, m)
	if err != nil {
		return nil, err
	}
	defer func() { _ = closeStore() }() // it was read only
	f := &Forecast{Model: m.Role.Model, Endpoint: m.Source, Samples: len(w.Samples), MaxTokens: m.Judge.Params.MaxTokens}
	requests, err := w.requests(ctx)
	if err != nil {
		return nil, err
	}
	unknown := false
	for _, r := range requests {
		if r.req == nil {
			f.Unshown++
			continue
		}
		tokens, known := w.Spec.Profile.MediaTokens(r.sent)
		if err := f.count(ctx, a, r.req, tokens, known); err != nil {
			return nil, err
		}
		unknown = unknown || !known
		f.addMedia(r.sent)
	}
	for _, i := range w.twins {
		if err := f.count(ctx, a, w.Tested.BlindRequest(&w.Samples[i]), 0, true); err != nil {
			return nil, err
		}
	}
	f.sum(a)
	f.assume(w, unknown)
	return f, nil
}

// A request about a sample; nil = its media cannot be opened.
type request struct {
	req  *model.Request
	sent *predict.Sent
}

// requests prepares the request of each sample.
func (w *Run) requests(ctx context.Context) ([]request, error) {
	all := make([]request, len(w.Samples))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i := range w.Samples {
		g.Go(func() error {
			req, sent, err := w.Tested.Request(ctx, &w.Samples[i])
			if err == nil {
				all[i] = request{req, sent}
			}
			return ctx.Err()
		})
	}
	return all, g.Wait()
}

func (f *Forecast) count(ctx context.Context, a *session.ForecastModel, req *model.Request, tokens int, known bool) error {
	remembered, err := a.CountMedia(ctx, req, tokens, known)
	if remembered {
		f.Remembered++
	}
	return err
}

func (f *Forecast) addMedia(sent *predict.Sent) {
	if sent.Frames != nil {
		f.Frames += sent.Frames.Count
	}
	if sent.Sound != nil {
		f.Seconds += sent.Sound.Seconds
	}
	if sent.Video != nil {
		f.Files++
	}
}

func (f *Forecast) sum(a *session.ForecastModel) {
	f.Calls, f.TokensIn, f.TokensOut = a.Calls, a.TokensIn, a.TokensOut
	most := a.Most
	f.CallsAtMost = &most.Calls
	f.TokensInAtMost, f.TokensOutAtMost = session.Bounded(most.TokensIn, most.UnboundedIn), session.Bounded(most.TokensOut, most.UnboundedOut)
	if p := a.Model.Price; p != nil {
		cost := p.Cost(f.TokensIn, f.TokensOut)
		f.CostUSD = &cost
		if all := p.Most(most.TokensIn, most.TokensOut); !most.UnboundedIn && !most.UnboundedOut {
			f.CostAtMostUSD = &all
		}
	}
}

// assume describes what the numbers rest on.
func (f *Forecast) assume(w *Run, unknown bool) {
	note := func(format string, args ...any) { f.Assumed = append(f.Assumed, fmt.Sprintf(format, args...)) }
	if f.MaxTokens > 0 {
		note("answers of %s as long as their limit of %d tokens", f.Model, f.MaxTokens)
	} else {
		note("answers of %s of %d tokens: no limit is set, so there is no bound; --model %[1]s,max-tokens=N sets one", f.Model, AssumedTokens)
	}
	switch {
	case unknown:
		note("media (%s): 1000 tokens for each picture, sound or file, since profile %s has no rule for the tokens of this model", f.media(), w.Spec.Profile.Name)
	case f.Frames > 0 || f.Seconds > 0:
		note("media (%s): tokens by the rules of profile %s", f.media(), w.Spec.Profile.Name)
	}
	if n := len(w.twins); n > 0 {
		note("%d of the samples asked again without their media (--blind-share)", n)
	}
	if f.Unshown > 0 {
		note("%d of %d samples not asked: their media cannot be opened", f.Unshown, f.Samples)
	}
}

func (f *Forecast) media() string {
	var parts []string
	if f.Frames > 0 {
		parts = append(parts, fmt.Sprintf("%d frames", f.Frames))
	}
	if f.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%.0f s of sound", f.Seconds))
	}
	if f.Files > 0 {
		parts = append(parts, quantity.Of(f.Files, "file", "files"))
	}
	return strings.Join(parts, ", ")
}

// Forecast implements Asking. Only an investigation without models has a forecast: answers decide whether another inquiry follows.
func (d *detection) Forecast(context.Context) (*Forecast, error) {
	s := d.Run.Spec.Investigation
	if cmp.Or(s.Detective, session.Offline) != session.Offline || len(s.Observers) > 0 || s.ASR != "" {
		return nil, omniscope.Usagef("--dry-run has no forecast of a detective that asks models: its answers decide how many calls follow; --limit 5 measures a few samples")
	}
	return &Forecast{Model: DetectiveSystem, Samples: len(d.Samples), CostUSD: new(float64), CallsAtMost: new(int), TokensInAtMost: new(int), TokensOutAtMost: new(int), CostAtMostUSD: new(float64),
		Assumed: []string{"the detective asks no model"}}, nil
}
