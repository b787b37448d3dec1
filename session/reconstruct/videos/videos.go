// Package videos orders videos at an endpoint that speaks OpenAI's Videos API, which vLLM-Omni and
// gateways speak, too:
//
//	POST {base}/videos              model, prompt, seconds, size, as a form; the answer is a job with its id
//	GET  {base}/videos/{id}         status: queued, in_progress, completed, failed; progress, error
//	GET  {base}/videos/{id}/content the file
//
// Source: the API reference of OpenAI (Videos) and of Azure (Video generation, Create a video). What is
// not in it and assumed here: the header Idempotency-Key on orders; the words for states beside those four;
// that an order which is answered with 429, another 4xx, 500 or 503 was not taken, and that 502, 504 and
// 524, which gateways answer with, do not say so.
package videos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/model/openai"
	"omniscope/run/orders"
	"omniscope/session/reconstruct"
)

// Options configure an endpoint.
type Options struct {
	BaseURL string // such as https://api.openai.com/v1
	Model   string
	Key     omniscope.Secret

	Headers, Query map[string]omniscope.Secret // of each request, as gateways want them

	Size  string                     // such as 1280x720; "" = the server's own
	Extra map[string]json.RawMessage // further fields of an order; in a form, texts without quotes
	JSON  bool                       // orders are JSON, for servers that take no form

	Timeout time.Duration // of one request, and of silence within a download
	Conns   int           // connections at most
}

// An videoEndpoint is a video server. It is safe for concurrent use.
type videoEndpoint struct {
	options Options
	base    *url.URL
	server  exchange.Server
	secrets *model.Redactor
}

var _ reconstruct.Queue = (*videoEndpoint)(nil)

// New returns an endpoint. It makes no request. An address or header that is none is an error of kind Usage.
func New(o Options) (*videoEndpoint, error) {
	normal, err := openai.NormalizeURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(normal)
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/videos")
	if err := endpoint.CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	endpoint.AddQuery(base, o.Query)
	key := strings.TrimSpace(o.Key.Reveal())
	if strings.ContainsFunc(key, endpoint.IsControl) {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "API key", Err: errors.New("it has a line end or another character inside that no header can carry")}
	}
	secrets := append(endpoint.SecretsAmong(o.Headers, o.Query), omniscope.NewSecret(key))
	e := &videoEndpoint{options: o, base: base, secrets: model.NewRedactor(append(secrets, endpoint.SecretsOf(base)...)...)}
	e.server = exchange.Server{
		Client: http.Client{Transport: endpoint.Transport(max(1, o.Conns)), CheckRedirect: endpoint.OnlySameServer},
		Shown:  endpoint.Redacted(base.String()), Secrets: e.secrets, Header: make(http.Header), Refused: e.refused,
	}
	if key != "" {
		e.server.Header.Set("Authorization", "Bearer "+key)
	}
	for name, value := range o.Headers {
		e.server.Header.Set(name, value.Reveal())
	}
	return e, nil
}

// Shown is the address without anything secret in it.
func (e *videoEndpoint) Shown() string { return e.server.Shown }

func (e *videoEndpoint) address(path ...string) string {
	u := *e.base
	u.Path, u.RawPath = strings.TrimRight(e.base.Path, "/")+"/videos", ""
	return u.JoinPath(path...).String()
}

// Order implements reconstruct.Queue.
func (e *videoEndpoint) Order(ctx context.Context, j *reconstruct.Job, key string) (id string, err error) {
	body, kind, err := e.body(j)
	if err != nil {
		return "", err
	}
	a, err := e.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: e.address(), Body: body, Timeout: e.options.Timeout, Once: true,
		Header: http.Header{"Content-Type": {kind}, "Idempotency-Key": {key}}})
	status, refused := errors.AsType[*model.StatusError](err)
	switch {
	case refused && !gateway(status.Status):
		return "", err
	case err != nil && a.Sent:
		return "", &orders.UncertainError{Err: err}
	case err != nil:
		return "", err
	}
	if id = gjson.GetBytes(a.Body, "id").String(); !plain(id) {
		if inside := exchange.Failure(a.Body, e.secrets); inside != nil && refusesOrders(inside) {
			return "", inside
		}
		return "", &orders.UncertainError{Err: malformed("the answer to the order has no id of a job: %s", e.secrets.Line(string(a.Body)))}
	}
	return id, nil
}

// refusesOrders reports whether an error inside an answer means that the order was not taken.
func refusesOrders(err *omniscope.Error) bool {
	status, _ := errors.AsType[*model.StatusError](err)
	return err.Kind == omniscope.Denied || err.Kind == omniscope.Declined || status.Status >= 400 && status.Status < 500
}

// gateway reports whether a status is one of those by which gateways say that the server behind them did
// not answer in time: it may have taken the order.
func gateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status == http.StatusRequestTimeout || status == 524
}

// plain reports whether an id can stand in an address and in a file.
func plain(id string) bool {
	const most = 200
	return id != "" && len(id) <= most && id != "." && id != ".." && !strings.ContainsFunc(id, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`/\?#%"'<>`, r)
	})
}

// body is the body of an order, and its type.
func (e *videoEndpoint) body(j *reconstruct.Job) (body []byte, kind string, err error) {
	fields := make(map[string]json.RawMessage)
	for name, text := range map[string]string{"model": e.options.Model, "prompt": j.Prompt, "seconds": reconstruct.Seconds(j.Seconds), "size": e.options.Size} {
		if text == "" {
			continue
		}
		if fields[name], err = json.Marshal(text); err != nil {
			return nil, "", err
		}
	}
	maps.Copy(fields, e.options.Extra)
	if e.options.JSON {
		body, err = json.Marshal(fields)
		return body, "application/json", err
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := w.WriteField(name, gjson.ParseBytes(fields[name]).String()); err != nil {
			return nil, "", err
		}
	}
	err = w.Close()
	return b.Bytes(), w.FormDataContentType(), err
}

// Status implements reconstruct.Queue.
func (e *videoEndpoint) Status(ctx context.Context, id string) (s reconstruct.Status, err error) {
	a, err := e.server.Do(ctx, exchange.Request{Method: http.MethodGet, URL: e.address(id), Timeout: e.options.Timeout})
	if err != nil {
		return s, gone(err)
	}
	root := gjson.ParseBytes(a.Body)
	if !jsonfast.ValidBytes(a.Body) || !root.IsObject() {
		return s, &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("the answer is no job: %s", e.secrets.Line(string(a.Body)))}
	}
	s.Progress, s.Wait = root.Get("progress").Float(), askAgainIn(a.Header)
	code, said := root.Get("error.code").String(), root.Get("error.message").String()
	s.Why = e.secrets.Line(strings.TrimPrefix(code+": "+said, ": "))
	switch word := strings.ToLower(root.Get("status").String()); word {
	case "queued", "in_progress", "processing", "pending", "running", "starting":
		s.State = reconstruct.Waiting
	case "completed", "succeeded":
		s.State = reconstruct.Ready
	case "expired":
		s.State = reconstruct.JobExpired
	case "failed", "error", "cancelled", "canceled":
		s.State = reconstruct.JobFailed
		switch (&model.StatusError{Status: http.StatusOK, Code: code, Message: said}).Kind(0) {
		case omniscope.Declined:
			s.State = reconstruct.JobModerated
		case omniscope.Denied:
			s.State = reconstruct.JobDenied
		}
		s.Why = cmp.Or(strings.TrimSuffix(s.Why, ": "), "the server says "+word+", and not why")
	default:
		return s, malformed("the server calls the job %q, which is none of queued, in_progress, completed and failed", e.secrets.Line(word))
	}
	return s, nil
}

// askAgainIn is how long the server asks to wait before it is asked again: openai-poll-after-ms, which
// OpenAI's own clients heed, or Retry-After.
func askAgainIn(h http.Header) time.Duration {
	if ms := h.Get("Openai-Poll-After-Ms"); ms != "" {
		return endpoint.RetryAfter(http.Header{"Retry-After-Ms": {ms}}, time.Now())
	}
	return endpoint.RetryAfter(h, time.Now())
}

// gone makes an error of an answer that there is no such job one of kind NotFound.
func gone(err error) error {
	if s, ok := errors.AsType[*model.StatusError](err); ok && (s.Status == http.StatusNotFound || s.Status == http.StatusGone) {
		return &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	return err
}

// Download implements reconstruct.Queue. A transfer that breaks off, or is silent for longer than the time
// limit of a request, is an error of kind Transient.
func (e *videoEndpoint) Download(ctx context.Context, id string, to io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(e.options.Timeout, cancel)
	defer silence.Stop()
	resp, err := e.content(ctx, id)
	if err != nil {
		return gone(err)
	}
	defer resp.Body.Close()
	got, err := io.Copy(to, &awake{resp.Body, silence, e.options.Timeout})
	switch {
	case err != nil:
		return &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("the download broke off after %d bytes: %s", got, e.secrets.Line(err.Error()))}
	case got == 0:
		return &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("the download is empty")}
	}
	return nil
}

// content asks for a file. A redirect to another server, such as a store of files, is followed without the
// key: it is for the address that was given.
func (e *videoEndpoint) content(ctx context.Context, id string) (*http.Response, error) {
	header, address := e.server.Header, e.address(id, "content")
	for range 4 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, malformed("the server sends on to what is no address")
		}
		req.Header = header
		resp, err := e.server.Client.Do(req)
		if err != nil {
			var outer *url.Error
			if errors.As(err, &outer) {
				err = outer.Err
			}
			return nil, &omniscope.Error{Kind: omniscope.Transient, Op: "download from " + e.Shown(), Err: errors.New(e.secrets.Line(err.Error()))}
		}
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			return resp, nil
		}
		start := endpoint.Beginning(resp)
		resp.Body.Close()
		next, err := resp.Location()
		if err != nil || next.Scheme != "https" && next.Scheme != e.base.Scheme {
			return nil, e.refused(resp, start)
		}
		header, address = http.Header{}, next.String()
	}
	return nil, malformed("the server sends on from address to address")
}

// awake keeps the limit of silence away while bytes come.
type awake struct {
	io.Reader
	silence *time.Timer
	most    time.Duration
}

func (a *awake) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.silence.Reset(a.most)
	}
	return n, err
}

// refused is the error of an answer outside 2xx.
func (e *videoEndpoint) refused(resp *http.Response, start []byte) error {
	err := exchange.Refusal(resp, start, e.secrets)
	err.Op = "videos at " + e.Shown()
	return err
}

func malformed(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf(format, args...)}
}
