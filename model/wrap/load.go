package wrap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/model"
	"omniscope/run"
)

// loaded makes the media of a request before it goes on. All tries share them, and
// nothing keeps them afterwards.
type loaded struct {
	inner model.Model
	ready *Ready // nil = without a bound
}

func (m loaded) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	var meter model.SentMeter
	given := req
	if m.ready != nil && hasMedia(req) {
		if err := m.ready.room(run.Stopping(ctx)); err != nil {
			return nil, cmp.Or(ended(ctx), err)
		}
	}
	req, err := load(ctx, req, &meter)
	if err != nil {
		return nil, err
	}
	if m.ready != nil && req != given {
		leave := m.ready.add(bytesOf(meter.Sent()))
		defer leave()
		ctx = atTurn(ctx, leave)
	}
	resp, err := m.inner.Generate(ctx, req)
	if sent := meter.Sent(); err == nil && len(sent) > 0 {
		resp.Sent = sent
	}
	return resp, err
}

// untilStopping is ctx, but ends when the run winds down: media cost no money, so
// that nothing paid for is lost.
func untilStopping(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(run.Stopping(ctx), cancel)
	return ctx, func() { stop(); cancel() }
}

// bytesOf adds up the bytes of loaded media.
func bytesOf(sent []model.SentMedia) (bytes int64) {
	for _, m := range sent {
		bytes += m.Bytes
	}
	return bytes
}

// toLoad reports whether a part has yet to be made.
func toLoad(p model.Part) bool { return p.Load != nil || p.Link != nil }

func hasMedia(req *model.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m model.Message) bool { return slices.ContainsFunc(m.Parts, toLoad) })
}

// load returns the request with all its media, the same one if it has them, and
// measures those that it loads.
func load(ctx context.Context, req *model.Request, meter *model.SentMeter) (*model.Request, error) {
	if !hasMedia(req) {
		return req, nil
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	loading, done := untilStopping(ctx)
	defer done()
	whole := *req
	whole.Messages = slices.Clone(req.Messages)
	for i := range whole.Messages {
		m := &whole.Messages[i]
		m.Parts = slices.Clone(m.Parts)
		for j := range m.Parts {
			p := &m.Parts[j]
			if !toLoad(*p) {
				continue
			}
			if p.Digest == "" {
				return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "call " + req.Step, Err: fmt.Errorf("%s is loaded late and has no digest", p.Kind)}
			}
			if err := loadPart(loading, p, meter); err != nil {
				return nil, cmp.Or(ended(ctx), notLoaded(req, err))
			}
		}
	}
	return &whole, nil
}

// loadPart gives a part its bytes, or its address.
func loadPart(ctx context.Context, p *model.Part, meter *model.SentMeter) error {
	if p.Link != nil {
		linked, err := p.Link(ctx)
		if err != nil {
			return err
		}
		meter.AddLinked(p.Kind, linked)
		p.URL, p.Link = linked.URL, nil
		return nil
	}
	data, err := p.Load(ctx)
	if err != nil {
		return err
	}
	meter.Add(p.Kind, data)
	p.Data, p.Load = data, nil
	return nil
}

// notLoaded gives an error of media a kind: it is no fault of the endpoint.
func notLoaded(req *model.Request, err error) error {
	if known := (*omniscope.Error)(nil); errors.As(err, &known) {
		return err
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
}
