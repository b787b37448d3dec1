// Package openai talks to every server that speaks the OpenAI chat completions
// protocol: OpenAI itself, vLLM, SGLang, llama.cpp, DashScope, OpenRouter and
// others. It needs one POST; docs/design/openai.md explains why no SDK is used.
//
// It sends one request per call and tries nothing again, apart from a request
// whose options the server does not know (see fallback). Retries, limits and
// budgets are in model/wrap.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
	"omniscope/model/exchange"
)

// Options configure a Model.
type Options struct {
	BaseURL string // see NormalizeURL; "" = defaultBaseURL
	Key     omniscope.Secret
	Timeout time.Duration // of one try, from sending to the last byte; 0 = 2 minutes
	Conns   int           // connections kept open; 0 = 128
	Parts   PartStyle     // how the endpoint wants media; "" = OpenAIParts

	// KeyHeader is a header that has the key and nothing else; "" = Authorization,
	// with the key as a bearer token.
	KeyHeader string
	// Headers and Query are sent with every request, as gateways want them. They
	// win over the key's header and the address's own query. The values of all
	// headers, and of parameters that are called keys, are kept out of answers and
	// errors.
	Headers, Query map[string]omniscope.Secret
}

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	server    exchange.Server
	base      *url.URL // with what is secret in it
	chat      string   // where calls go, with what is secret in it
	models    string   // where the models are listed, as seen from the base URL
	secrets   *model.Redactor
	timeout   time.Duration
	parts     PartStyle
	fallbacks fallbacks
}

var (
	_ model.Model  = (*Model)(nil)
	_ model.Prober = (*Model)(nil)
)

// New returns a Model for an endpoint. It makes no request.
func New(o Options) (*Model, error) {
	base, err := parseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if !o.Parts.known() {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "part style", Err: fmt.Errorf("%q is none: say %q, %q or nothing", o.Parts, AudioURLParts, DashScopeParts)}
	}
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Conns == 0 {
		o.Conns = 128
	}
	key := strings.TrimSpace(o.Key.Reveal()) // files and pasted lines end in a line end
	if strings.ContainsFunc(key, endpoint.IsControl) {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "API key", Err: errors.New("it has a line end or another character inside that no header can carry")}
	}
	if err := endpoint.CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	endpoint.AddQuery(base, o.Query)
	secrets := append(append(endpoint.SecretsOf(base), omniscope.NewSecret(key)), endpoint.SecretsAmong(o.Headers, o.Query)...)
	m := &Model{base: base, models: modelsPath(base), timeout: o.Timeout, parts: o.Parts, secrets: model.NewRedactor(secrets...)}
	m.server = exchange.Server{
		Client: http.Client{Transport: endpoint.Transport(o.Conns), CheckRedirect: endpoint.OnlySameServer},
		Shown:  Redacted(base.String()), Header: o.header(key, base.User != nil), Secrets: m.secrets,
		Refused: m.refused,
	}
	m.chat = m.at("chat/completions")
	return m, nil
}

// at is an address below the base URL, with its query.
func (m *Model) at(path string) string {
	u := m.base.JoinPath(path)
	u.RawQuery = m.base.RawQuery
	return u.String()
}

// redact returns what an endpoint said without what is secret.
func (m *Model) redact(text string) string { return m.secrets.Redact(text) }

// BaseURL returns the endpoint's address without anything secret in it.
func (m *Model) BaseURL() string { return m.server.Shown }

func (m *Model) String() string { return "the endpoint " + m.server.Shown }

// GoString keeps %#v from printing the fields.
func (m *Model) GoString() string { return m.String() }

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if req.Embed {
		return m.embed(ctx, req)
	}
	known := m.fallbacks.get(req.Model)
	without := known
	for {
		resp, err := m.try(ctx, req, without)
		if err == nil {
			if without != known {
				m.fallbacks.keep(req.Model, without)
			}
			resp.DroppedOptions = without.names(req)
			return resp, nil
		}
		more, ok := without.after(req, err)
		if !ok {
			return nil, err
		}
		without = more
	}
}

func (m *Model) try(ctx context.Context, req *model.Request, without fallback) (*model.Response, error) {
	buffer := bodies.Get().(*[]byte)
	body, err := encodeRequest((*buffer)[:0], req, without, m.parts)
	if err != nil {
		return nil, err
	}
	answer, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.chat, Body: body, Timeout: m.timeout})
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
	resp.Streamed = resp.Streamed && !asked
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
	answer, err := m.server.Do(ctx, exchange.Request{Method: http.MethodGet, URL: m.at(m.models), Timeout: min(m.timeout, 10*time.Second)})
	if err != nil {
		return nil, err
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, m.notProtocol(answer.Body, err)
	}
	names := make([]string, len(list.Data))
	for i, d := range list.Data {
		names[i] = m.redact(d.ID)
	}
	return names, nil
}
