// Package openai talks to every server that speaks the OpenAI chat completions
// protocol: OpenAI itself, vLLM, SGLang, llama.cpp, DashScope, OpenRouter and
// others, through the official SDK.
//
// It sends one request per call and tries nothing again, apart from a request
// whose options the server does not know (see concession). Retries, limits and
// budgets are in model/wrap.
package openai

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"omniscope"
	"omniscope/model"
)

// DefaultBaseURL is where OpenAI itself answers.
const DefaultBaseURL = "https://api.openai.com/v1"

// mostBytes bounds an answer, so that a server gone wild cannot fill memory.
const mostBytes = 10 << 20

// Options configure a Model.
type Options struct {
	BaseURL string // see NormalizeURL; "" = DefaultBaseURL
	Key     model.Secret
	Timeout time.Duration // of one try, from sending to the last byte; 0 = 2 minutes
	Conns   int           // connections kept open; 0 = 128
}

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	client  sdk.Client
	baseURL string
	key     model.Secret
	timeout time.Duration
	concede concessions
}

var (
	_ model.Model  = (*Model)(nil)
	_ model.Prober = (*Model)(nil)
)

// New returns a Model for an endpoint. It contacts nobody.
func New(o Options) (*Model, error) {
	base, err := NormalizeURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Conns == 0 {
		o.Conns = 128
	}
	key := o.Key.Reveal()
	if key == "" {
		key = "none" // the protocol wants a bearer token; local servers ignore it
	}
	return &Model{
		client: sdk.NewClient(
			option.WithBaseURL(base),
			option.WithAPIKey(key),
			option.WithMaxRetries(0),
			option.WithHTTPClient(&http.Client{Transport: transport(o.Conns)}),
		),
		baseURL: base, key: o.Key, timeout: o.Timeout,
	}, nil
}

// NormalizeURL returns the base URL with a path and without a trailing slash.
// It accepts what people set elsewhere: with or without /v1, or the full
// /chat/completions address.
func NormalizeURL(raw string) (string, error) {
	if raw == "" {
		return DefaultBaseURL, nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", &omniscope.Error{Kind: omniscope.Usage, Op: "base URL",
			Err: fmt.Errorf("%q is not an address such as http://localhost:8000/v1", raw)}
	}
	path := strings.TrimRight(u.Path, "/")
	path = strings.TrimSuffix(path, "/chat/completions")
	if path == "" {
		path = "/v1"
	}
	u.Path = path
	return u.String(), nil
}

// BaseURL returns the endpoint's address without anything secret in it.
func (m *Model) BaseURL() string { return Redacted(m.baseURL) }

// Redacted returns a URL without user name, password and query.
func Redacted(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(not a URL)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	for {
		conceded := m.concede.get(req.Model)
		body, err := encodeRequest(req, conceded)
		if err != nil {
			return nil, err
		}
		resp, err := m.try(ctx, body)
		if err != nil && m.concede.learn(req, conceded, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		resp.Conceded = conceded.names(req)
		return resp, nil
	}
}

func (m *Model) try(ctx context.Context, body []byte) (*model.Response, error) {
	tryCtx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	answer, err := m.post(tryCtx, body)
	if err != nil {
		return nil, m.classify(ctx, tryCtx, err)
	}
	return decode(m.key.Redact(answer))
}

// post sends body and returns the bytes of a 2xx answer.
func (m *Model) post(ctx context.Context, body []byte) ([]byte, error) {
	var resp *http.Response
	if err := m.client.Post(ctx, "chat/completions", body, &resp); err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if kind := resp.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "json") {
		return nil, m.notJSON(resp, kind)
	}
	return readAll(resp)
}

func (m *Model) notJSON(resp *http.Response, kind string) error {
	start, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
	return &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf(
		"the endpoint answered with %s instead of JSON, as gateways do when the server behind them is away: %s",
		kind, oneLine(string(m.key.Redact(start))))}
}

func readAll(resp *http.Response) ([]byte, error) {
	size := resp.ContentLength
	if size < 0 {
		size = 4 << 10
	}
	if size > mostBytes {
		return nil, tooLarge()
	}
	buf := make([]byte, 0, size+512)
	for {
		n, err := resp.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) > mostBytes {
			return nil, tooLarge()
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

func tooLarge() error {
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf("the answer is larger than %d MB and was not read", mostBytes>>20)}
}

// Probe implements model.Prober: it lists the endpoint's models, which costs
// nothing.
func (m *Model) Probe(ctx context.Context) error {
	_, err := m.Models(ctx)
	return err
}

// Models returns the names of the models the endpoint lists.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	tryCtx, cancel := context.WithTimeout(ctx, min(m.timeout, 10*time.Second))
	defer cancel()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := m.client.Get(tryCtx, "models", nil, &list); err != nil {
		return nil, m.classify(ctx, tryCtx, err)
	}
	names := make([]string, len(list.Data))
	for i, d := range list.Data {
		names[i] = d.ID
	}
	return names, nil
}
