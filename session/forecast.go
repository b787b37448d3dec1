package session

import (
	"cmp"
	"context"
	"io"
	"slices"

	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A ForecastModel is what a forecast says of one model.
type ForecastModel struct {
	Model                      *Model
	known                      func(context.Context, run.Key) (bool, error) // whether the journal has an answer
	Calls, TokensIn, TokensOut int
	Most                       *most
}

// ForecastOf begins the forecast for one model of the run called name. It reads the journal until closeStore is called.
func (c *Calls) ForecastOf(ctx context.Context, name string, m *Model) (a *ForecastModel, closeStore func() error, err error) {
	a = &ForecastModel{Model: m, Most: newMost(m, c.retries())}
	a.known, closeStore, err = c.remembered(ctx, name, m)
	return a, closeStore, err
}

// IsKnown reports whether the journal has an answer to a request, and returns the request's key.
func (a *ForecastModel) IsKnown(ctx context.Context, req *model.Request) (known bool, key run.Key, err error) {
	_, key, err = wrap.Canonical(wrap.KeyName(a.Model.Role.Model, a.Model.ByStep, req), req)
	if err == nil {
		known, err = a.known(ctx, key)
	}
	return known, key, err
}

// Count counts a request with its later askings, and reports whether the first is remembered.
func (a *ForecastModel) Count(ctx context.Context, req *model.Request, bound bench.Bound) (remembered bool, err error) {
	remembered, _, err = a.IsKnown(ctx, req)
	switch {
	case err != nil:
		return false, err
	case remembered:
		a.Most.add(req, bound, 1) // the remembered answer may be unusable
	default:
		a.Most.add(req, bound, 0)
		a.Call(req)
	}
	return remembered, nil
}

// CountMedia counts a request with media of so many tokens, and reports whether it is remembered. Media of unknown tokens count as
// wrap.Estimate has them and have no bound.
func (a *ForecastModel) CountMedia(ctx context.Context, req *model.Request, tokens int, known bool) (remembered bool, err error) {
	if !known {
		return a.Count(ctx, req, bench.Bound{})
	}
	if remembered, _, err = a.IsKnown(ctx, req); err != nil {
		return false, err
	}
	text, asked := textOnly(req), 0
	if remembered {
		asked = 1 // the remembered answer may be unusable
	} else {
		a.Call(text)
		a.TokensIn += tokens
	}
	a.Most.add(text, bench.Bound{}, asked)
	a.Most.TokensIn += tokens * a.Most.Tries * max(a.Most.Attempts-asked, 0)
	return remembered, nil
}

// textOnly is a request without its media.
func textOnly(req *model.Request) *model.Request {
	text := *req
	text.Messages = nil
	for _, m := range req.Messages {
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p model.Part) bool { return p.Kind != model.TextPart })
		text.Messages = append(text.Messages, m)
	}
	return &text
}

// Call counts one call.
func (a *ForecastModel) Call(req *model.Request) {
	in, out := wrap.Estimate(req)
	a.Calls, a.TokensIn, a.TokensOut = a.Calls+1, a.TokensIn+in, a.TokensOut+out
}

// Follow counts questions that are sure to follow on requests. made of the requests are still to be made; the
// questions after the others are taken to be remembered, too.
func (a *ForecastModel) Follow(f bench.Further, made, requests int) {
	if !f.Sure || requests == 0 {
		return
	}
	n := (f.Questions*made + requests - 1) / requests
	a.Calls += n
	a.TokensIn += n * (f.Bytes/4 + f.Replies*cmp.Or(f.Quoted, f.MaxTokens))
	a.TokensOut += n * cmp.Or(f.MaxTokens, 1024)
}

// remembered tells which calls of the run called name the journal can answer,
// without making a journal where there is none.
func (c *Calls) remembered(ctx context.Context, name string, m *Model) (known func(context.Context, run.Key) (bool, error), closeStore func() error, err error) {
	at := c.JournalAt()
	nothing := func(context.Context, run.Key) (bool, error) { return false, nil }
	if m.Judge == nil || c.Journals == nil || !c.Journals.MayExist(at) {
		return nothing, func() error { return nil }, nil
	}
	s, err := c.Journals.Open(ctx, at, 0, io.Discard)
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
