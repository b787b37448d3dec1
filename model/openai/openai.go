// Package openai talks to every server that speaks the OpenAI chat completions
// protocol: OpenAI itself, vLLM, SGLang, llama.cpp, DashScope, OpenRouter and
// others. It needs one POST; docs/design/openai.md explains why no SDK is used.
//
// It sends one request per call and tries nothing again, apart from a request
// with options that the server does not know (see refusedOption). Retries, limits and
// budgets are in model/wrap.
package openai

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// Options configure a Model.
type Options struct {
	exchange.Options
	Parts PartStyle // how the endpoint wants media; "" = OpenAIParts

	// KeyHeader is a header that has the key and nothing else; "" = Authorization,
	// with the key as a bearer token.
	KeyHeader string
}

type server = exchange.Endpoint

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	*server
	chat    string // where calls go, with what is secret in it
	parts   PartStyle
	dropped exchange.Dropped
}

var (
	_ model.Model  = (*Model)(nil)
	_ model.Prober = (*Model)(nil)
)

// New returns a Model for an endpoint. It makes no request.
func New(o Options) (*Model, error) {
	base, err := address.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if !o.Parts.known() {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "part style", Err: fmt.Errorf("%q is none: say %q, %q or nothing", o.Parts, AudioURLParts, DashScopeParts)}
	}
	e, err := exchange.Open(base, o.Options, func(key string) http.Header { return o.header(key, base.User != nil) })
	if err != nil {
		return nil, err
	}
	return &Model{server: e, chat: e.At("chat/completions").String(), parts: o.Parts}, nil
}

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if req.Embed {
		return m.embed(ctx, req)
	}
	return m.dropped.Ask(ctx, req, m.try, refusedOption)
}

func (m *Model) try(ctx context.Context, req *model.Request, without exchange.Option) (*model.Response, error) {
	buffer := bodies.Get().(*[]byte)
	body, err := encodeRequest((*buffer)[:0], req, without, m.parts)
	if err != nil {
		return nil, err
	}
	answer, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.chat, Body: body, Timeout: m.Timeout})
	if *buffer = body; answer.Wrote && cap(body) <= mostKept {
		bodies.Put(buffer)
	}
	var resp *model.Response
	switch {
	case err == nil:
		resp, err = m.decode(answer.Body)
	case answer.Body != nil:
		resp, err = m.decodeStream(answer.Body, err)
	}
	asked := m.parts.streams(req)
	if err != nil {
		return nil, model.MarkLost(withAdvice(ofStream(err, asked), req), answer.Sent, answer.Body != nil)
	}
	resp.Streamed, resp.DroppedOptions = resp.Streamed && !asked, without.LeftOut(req)
	return resp, nil
}

// bodies are memory for the bodies of requests. Those with media are not kept.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

const mostKept = 64 << 10

// Probe implements model.Prober: it lists the endpoint's models, which costs
// nothing.
func (m *Model) Probe(ctx context.Context) error {
	_, err := m.Models(ctx)
	return err
}

// Models returns the names of the models the endpoint lists.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	return m.List(ctx, m.At(modelsPath(m.Base)).String())
}
