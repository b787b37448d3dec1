package session

import (
	"cmp"
	"context"
	"time"

	"omniscope"
	"omniscope/model/openai"
	"omniscope/model/wrap"
	"omniscope/perceive/asr"
	"omniscope/run"
	"omniscope/session/catalog"
)

// is then not made again.
func waitUnlessStopping(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-run.Stopping(ctx).Done():
		return run.Stopping(ctx).Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A Transcriber transcribes at an endpoint. nil = an installed program transcribes.
type Transcriber struct {
	*Model // without a Judge: it is asked no question
	engine asr.Engine
}

// OpenTranscriber opens the transcriber of a role; nil if r is nil. once is that of the run's journal when it is asked.
func OpenTranscriber(ctx context.Context, r *Role, c *Calls, shared *Shared, once func() *run.Once) (*Transcriber, error) {
	if r == nil {
		return nil, nil
	}
	provider, name, err := catalog.SplitModel(r.Model)
	if err != nil {
		return nil, err
	}
	if !provider.Transcribes {
		return nil, omniscope.Usagef("--asr names a transcription model at an endpoint, such as openai/whisper-1, not %s", r.Model)
	}
	if c.address != nil {
		c.address(r)
	}
	if err := r.checkRoute(); err != nil {
		return nil, err
	}
	e := EndpointOf(provider, r)
	if err := e.Check(); err != nil {
		return nil, err
	}
	source, err := openai.NormalizeURL(e.URL) // as models at the same endpoint have it
	if err != nil {
		return nil, err
	}
	t := &Transcriber{Model: &Model{Role: r, Endpoint: &e, Source: openai.Redacted(source), Meter: &wrap.Meter{}}}
	if err := t.setPrice(ctx, c, shared); err != nil {
		return nil, err
	}
	t.Reach = shared.Reaches.of(t.Source+" for transcriptions", c.EndpointWait)
	t.pace = shared.paceAt(t.Source, cmp.Or(r.Transport.RPM, c.MaxRPM))
	bill := &wrap.Bill{Model: r.Model, Source: t.Source, Budget: t.budget, Pace: t.pace, Price: t.Price, Meter: t.Meter}
	engine, err := asr.NewEndpoint(asr.EndpointOptions{BaseURL: source, Model: name, Key: e.Key, Headers: e.Headers, Query: e.Query, Timeout: cmp.Or(r.Transport.Timeout, c.Timeout), Tries: r.retries(c) + 1,
		Pay: bill.Try, Reach: t.Reach, Wait: waitUnlessStopping})
	known := ""
	if provider.Name != "openai" {
		known = ", " + provider.Name
	}
	if r.Route != "" {
		known += ", route " + r.Route
	}
	t.engine = rememberedEngine{Engine: engine, source: t.Source, before: t.spelledBefore(), model: name, known: known, any: c.AnyEndpoint, once: once}
	return t, err
}

func (t *Transcriber) Options() asr.Options {
	if t == nil {
		return asr.Options{}
	}
	return asr.Options{Engines: []asr.Engine{t.engine}, LeastLogProb: t.Role.LeastLogProb}
}
