// Package anthropic talks to Anthropic's Messages API, and to gateways that
// speak it, over net/http: docs/design/anthropic.md says why not through the SDK.
//
// Models see text and images. Sound and video are refused before anything is
// sent. One request is sent per call and nothing is tried again, apart from one
// whose sampling options the model does not take (see dropped). Retries, limits
// and budgets are in model/wrap.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
	"omniscope/model/exchange"
)

// defaultBaseURL is where Anthropic itself answers.
const defaultBaseURL = "https://api.anthropic.com/v1"

// defaultMaxTokens limits answers where a request has no limit of its own: the
// API wants one. All models take it; the oldest take no more.
const defaultMaxTokens = 4096

// version is the version of the API (anthropic-sdk-go,
// internal/requestconfig/requestconfig.go).
const version = "2023-06-01"

// Options configure a Model.
type Options struct {
	BaseURL string // see NormalizeURL; "" = defaultBaseURL
	Key     omniscope.Secret
	Name    string        // the model whose reachability Probe checks; "" = any
	Timeout time.Duration // of one try, from sending to the last byte; 0 = 2 minutes
	Conns   int           // connections kept open; 0 = 128

	// Headers and Query are sent with every request, as gateways want them, in place
	// of what would be sent under the same names. They are treated as secrets.
	Headers, Query map[string]omniscope.Secret
}

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	server  exchange.Server
	base    *url.URL
	secrets *model.Redactor
	name    string
	timeout time.Duration
	dropped droppedOptions
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
	m := &Model{
		base:    base,
		secrets: model.NewRedactor(secrets...),
		name:    o.Name,
		timeout: o.Timeout,
	}
	header := http.Header{"Anthropic-Version": {version}, "Accept": {"application/json"}}
	if key != "" {
		header.Set("X-Api-Key", key)
	}
	for name, value := range o.Headers {
		header.Set(name, value.Reveal())
	}
	m.server = exchange.Server{
		Client: http.Client{Transport: endpoint.Transport(o.Conns), CheckRedirect: endpoint.OnlySameServer},
		Shown:  endpoint.Redacted(base.String()), Header: header, Secrets: m.secrets, Refused: m.refused,
	}
	return m, nil
}

// NormalizeURL returns the base URL of the API's version 1. It accepts what the
// SDKs take as ANTHROPIC_BASE_URL, which is without /v1, and addresses with /v1
// or /v1/messages. A query stays: it is sent with every request.
func NormalizeURL(raw string) (string, error) {
	u, err := parseBaseURL(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func parseBaseURL(raw string) (*url.URL, error) {
	if raw == "" {
		raw = defaultBaseURL
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "base URL",
			Err: fmt.Errorf("%q is not an address such as %s", endpoint.WithoutSecrets(raw), defaultBaseURL)}
	}
	endpoint.Canonical(u)
	path := strings.TrimRight(u.Path, "/")
	if v1, full := strings.CutSuffix(path, "/v1/messages"); full {
		path = v1
	}
	path = strings.TrimSuffix(path, "/v1") + "/v1"
	u.Path, u.RawPath, u.Fragment, u.RawFragment, u.ForceQuery = path, "", "", "", false
	return u, nil
}

// BaseURL returns the endpoint's address without anything secret in it.
func (m *Model) BaseURL() string { return m.server.Shown }

func (m *Model) String() string { return "the endpoint " + m.server.Shown }

// GoString keeps %#v from printing the fields.
func (m *Model) GoString() string { return m.String() }

// at returns the address of a path below the base URL.
func (m *Model) at(path ...string) string { return m.base.JoinPath(path...).String() }

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if req.Embed {
		return nil, model.NoEmbeddings(req)
	}
	known := m.dropped.of(req.Model)
	without := known
	for {
		resp, err := m.try(ctx, req, without)
		if err == nil {
			if without != known {
				m.dropped.keep(req.Model, without)
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

func (m *Model) try(ctx context.Context, req *model.Request, without dropped) (*model.Response, error) {
	body, err := encode(req, without)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	var resp *model.Response
	err = m.call(ctx, m.timeout, http.MethodPost, m.at("messages"), body, func(header http.Header, answer []byte) (err error) {
		resp, err = m.decode(header, answer)
		return err
	})
	if err != nil {
		return nil, withModel(err, req.Model)
	}
	return resp, nil
}

// Probe implements model.Prober: it asks for what the endpoint says of the model,
// or for one line of its list, which costs nothing.
func (m *Model) Probe(ctx context.Context) error {
	address := m.at("models")
	if m.name != "" {
		address = m.at("models", url.PathEscape(m.name))
	}
	err := m.call(ctx, m.probeTimeout(), http.MethodGet, address, nil, func(_ http.Header, answer []byte) error {
		if !json.Valid(answer) {
			return m.notProtocol(answer, errors.New("not JSON"))
		}
		return nil
	})
	return withModel(err, m.name)
}

// mostModels are the models of one page of the list: the most that a page has
// (anthropic-sdk-go, model.go, ModelListParams).
const mostModels = "1000"

// Models returns the names of the models the endpoint lists.
func (m *Model) Models(ctx context.Context) (names []string, err error) {
	list := m.base.JoinPath("models")
	query := list.Query()
	query.Set("limit", mostModels)
	list.RawQuery = query.Encode()
	err = m.call(ctx, m.probeTimeout(), http.MethodGet, list.String(), nil, func(_ http.Header, answer []byte) error {
		var page struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return m.notProtocol(answer, err)
		}
		for _, d := range page.Data {
			names = append(names, m.redact(d.ID))
		}
		return nil
	})
	return names, err
}

func (m *Model) probeTimeout() time.Duration { return min(m.timeout, 10*time.Second) }

func (m *Model) redact(text string) string { return m.secrets.Redact(text) }

func (m *Model) words(text string) string { return m.secrets.Line(text) }

func (m *Model) notProtocol(body []byte, err error) error {
	return exchange.Trouble(fmt.Errorf("the answer is not the JSON of the protocol (%w): %s", err, m.words(string(body[:min(len(body), 4<<10)]))))
}
