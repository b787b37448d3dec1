package exchange

import (
	"cmp"
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
)

// Options describe an endpoint and how to reach it.
type Options struct {
	BaseURL string // see NormalizeURL of the adapter; "" = the provider's own
	Key     omniscope.Secret
	Name    string        // the model that Probe looks for, where the provider can; "" = any
	Timeout time.Duration // of one try, from sending to the last byte; 0 = 2 minutes
	Conns   int           // connections kept open; 0 = 128

	// Headers and Query are sent with every request, as gateways want them. They win over the key's header and the address's
	// own query. The values of all headers, and of parameters that are called keys, are kept out of answers and errors.
	Headers, Query map[string]omniscope.Secret
}

// An Endpoint is what adapters of all protocols share: an address with its key, headers and limits.
type Endpoint struct {
	Server
	Base    *url.URL // with what is secret in it
	Name    string
	Timeout time.Duration
}

// Open returns the endpoint at an address. header returns the protocol's own headers for a key, which may be empty. It makes no
// request.
func Open(base *url.URL, o Options, header func(key string) http.Header) (*Endpoint, error) {
	key := strings.TrimSpace(o.Key.Reveal()) // files and pasted lines end in a line end
	if strings.ContainsFunc(key, endpoint.IsControl) {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "API key", Err: errors.New("it has a line end or another character inside that no header can carry")}
	}
	if err := endpoint.CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	endpoint.AddQuery(base, o.Query)
	secrets := append(append(endpoint.SecretsOf(base), omniscope.NewSecret(key)), endpoint.SecretsAmong(o.Headers, o.Query)...)
	e := &Endpoint{Base: base, Name: o.Name, Timeout: cmp.Or(o.Timeout, 2*time.Minute)}
	e.Server = Server{
		Client: http.Client{Transport: endpoint.Transport(cmp.Or(o.Conns, 128)), CheckRedirect: endpoint.OnlySameServer},
		Shown:  endpoint.Redacted(base.String()), Header: header(key), Secrets: model.NewRedactor(secrets...),
	}
	for name, value := range o.Headers {
		e.Header.Set(name, value.Reveal())
	}
	return e, nil
}

// An Address is the form of a protocol's base URLs.
type Address struct {
	Default string
	Example string                   // for the message of an error; "" = Default
	Path    func(path string) string // turns the path that a user gave, without a slash at its end, into that of the API
}

// Parse reads a base URL; "" = the default. A query stays: it is sent with every request.
func (a *Address) Parse(raw string) (*url.URL, error) {
	raw = cmp.Or(raw, a.Default)
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "base URL", Err: fmt.Errorf("%q is not an address such as %s", endpoint.WithoutSecrets(raw), cmp.Or(a.Example, a.Default))}
	}
	endpoint.Canonical(u)
	u.Path, u.RawPath, u.Fragment, u.RawFragment, u.ForceQuery = a.Path(strings.TrimRight(u.Path, "/")), "", "", "", false
	return u, nil
}

// Normalize is Parse as a text.
func (a *Address) Normalize(raw string) (string, error) {
	u, err := a.Parse(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// BaseURL returns the endpoint's address without anything secret in it.
func (e *Endpoint) BaseURL() string { return e.Shown }

func (e *Endpoint) String() string { return "the endpoint " + e.Shown }

// GoString keeps %#v from printing the fields.
func (e *Endpoint) GoString() string { return e.String() }

// At is an address below the base URL, with its query. Path elements are escaped already.
func (e *Endpoint) At(path ...string) *url.URL {
	u := e.Base.JoinPath(path...)
	u.RawQuery = e.Base.RawQuery
	return u
}

// Look sends a request that costs nothing, and waits no more than 10 seconds for its answer.
func (e *Endpoint) Look(ctx context.Context, address string) ([]byte, error) {
	answer, err := e.Do(ctx, Request{Method: http.MethodGet, URL: address, Timeout: min(e.Timeout, 10*time.Second)})
	return answer.Body, err
}

// List returns the names of the models that are listed at an address, in the form of OpenAI and Anthropic.
func (e *Endpoint) List(ctx context.Context, address string) ([]string, error) {
	body, err := e.Look(ctx, address)
	if err != nil {
		return nil, err
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, e.NotProtocol(body, err)
	}
	names := make([]string, len(list.Data))
	for i, d := range list.Data {
		names[i] = e.Secrets.Redact(d.ID)
	}
	return names, nil
}

// NotProtocol is the error of an answer that is not the JSON of the protocol.
func (e *Endpoint) NotProtocol(body []byte, err error) error {
	return Trouble(fmt.Errorf("the answer is not the JSON of the protocol (%w): %s", err, e.Beginning(body)))
}

// Beginning is the start of an answer for a message, on one line and without secrets.
func (e *Endpoint) Beginning(body []byte) string {
	return e.Secrets.Line(string(body[:min(len(body), 4<<10)]))
}
