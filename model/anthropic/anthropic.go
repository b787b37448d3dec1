// Package anthropic talks to Anthropic's Messages API, and to gateways that
// speak it, over net/http: docs/design/anthropic.md says why not through the SDK.
//
// Models see text and images. Sound and video are refused before anything is
// sent. One request is sent per call and nothing is tried again, apart from one
// with sampling options that the model does not take (see refusedOption). Retries, limits
// and budgets are in model/wrap.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// defaultMaxTokens limits answers where a request has no limit of its own: the
// API wants one. All models take it; the oldest take no more.
const defaultMaxTokens = 4096

// version is the version of the API (anthropic-sdk-go,
// internal/requestconfig/requestconfig.go).
const version = "2023-06-01"

type server = exchange.Endpoint

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	*server
	dropped exchange.Dropped
}

var (
	_ model.Model  = (*Model)(nil)
	_ model.Prober = (*Model)(nil)
)

// New returns a Model for an endpoint. It makes no request.
func New(o exchange.Options) (*Model, error) {
	base, err := address.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	e, err := exchange.Open(base, o, func(key string) http.Header {
		header := http.Header{"Anthropic-Version": {version}, "Accept": {"application/json"}}
		if key != "" {
			header.Set("X-Api-Key", key)
		}
		return header
	})
	if err != nil {
		return nil, err
	}
	return &Model{server: e}, nil
}

// address has version 1 of the API at its end. It accepts what the SDKs take as ANTHROPIC_BASE_URL, which is without /v1, and
// addresses with /v1 or /v1/messages.
var address = exchange.Address{Default: "https://api.anthropic.com/v1", Path: func(path string) string {
	if v1, full := strings.CutSuffix(path, "/v1/messages"); full {
		path = v1
	}
	return strings.TrimSuffix(path, "/v1") + "/v1"
}}

// NormalizeURL returns the base URL of the API's version 1.
func NormalizeURL(raw string) (string, error) { return address.Normalize(raw) }

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if req.Embed {
		return nil, model.NoEmbeddings(req)
	}
	return m.dropped.Ask(ctx, req, m.try, refusedOption)
}

func (m *Model) try(ctx context.Context, req *model.Request, without exchange.Option) (*model.Response, error) {
	body, err := encode(req, without)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	answer, err := m.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.At("messages").String(), Body: body, Timeout: m.Timeout})
	var resp *model.Response
	accepted := err == nil
	if accepted {
		resp, err = m.decode(answer.Header, answer.Body)
	}
	if err != nil {
		return nil, withModel(model.MarkLost(err, answer.Sent, accepted), req.Model)
	}
	resp.DroppedOptions = (without | always).LeftOut(req)
	return resp, nil
}

// Probe implements model.Prober: it asks what the endpoint says about the model,
// or for one line of its list, which costs nothing.
func (m *Model) Probe(ctx context.Context) error {
	address := m.At("models")
	if m.Name != "" {
		address = m.At("models", url.PathEscape(m.Name))
	}
	body, err := m.Look(ctx, address.String())
	if err == nil && !json.Valid(body) {
		err = m.NotProtocol(body, errors.New("not JSON"))
	}
	return withModel(err, m.Name)
}

// mostModels are the models of one page of the list: the most that a page has
// (anthropic-sdk-go, model.go, ModelListParams).
const mostModels = "1000"

// Models returns the names of the models the endpoint lists.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	list := m.At("models")
	query := list.Query()
	query.Set("limit", mostModels)
	list.RawQuery = query.Encode()
	return m.List(ctx, list.String())
}
