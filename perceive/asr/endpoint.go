package asr

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// EndpointOptions configure an engine that asks a server. Nothing is sent
// unless both BaseURL and Model are given: speech is private.
type EndpointOptions struct {
	BaseURL string // such as https://api.openai.com/v1, with or without /audio/transcriptions
	Model   string // such as whisper-1
	Key     omniscope.Secret

	Headers, Query map[string]omniscope.Secret // of each request, as gateways want them

	Language string        // ISO 639-1, such as en; "" = the server finds out
	Timeout  time.Duration // of one try; 0 = 5 minutes
	Tries    int           // of one stretch of sound; 0 = 3
	Longest  time.Duration // of one request; 0 = 12 minutes, just under the 25 MB that OpenAI takes; more is never sent
	Client   *http.Client  // nil = one of its own; redirects are never followed

	// Pay, if set, has each try made that sends some time of sound, once it may be paid for. The try tells the tokens that
	// the server counted; 0 = it told none.
	Pay func(ctx context.Context, sound time.Duration, try func(context.Context) (model.Usage, error)) error

	Reach *model.Reach // whether the endpoint has ever answered; nil = it is taken to be there

	// Wait waits between tries, or says why there should be none; nil = time
	// passes.
	Wait func(context.Context, time.Duration) error
}

// limits of a request.
const (
	mostUpload     = 25_000_000
	defaultTimeout = 5 * time.Minute
	defaultTries   = 3
	longestWait    = time.Minute      // that is chosen here
	longestAsked   = 10 * time.Minute // that is waited if the server asks for it
	firstWait      = 2 * time.Second
)

// whisperLeast is the mean log-probability under which Whisper itself tries a
// segment again (logprob_threshold of openai/whisper, transcribe.py).
const whisperLeast = -1.0

// An Endpoint is an engine behind OpenAI's transcription protocol (POST
// {base}/audio/transcriptions), which vLLM, LocalAI, Groq and others speak, too.
type Endpoint struct {
	options EndpointOptions
	base    *url.URL
	secrets *model.Redactor
	missing string
	client  *http.Client
	form    atomic.Int32 // the first of forms that the server takes
}

var _ Engine = (*Endpoint)(nil)

// NewEndpoint returns an engine. It makes no request. An address that is none
// is an error of kind Usage; an address or model that is not given is no
// error, but Missing.
func NewEndpoint(o EndpointOptions) (*Endpoint, error) {
	e := &Endpoint{options: o}
	switch {
	case o.BaseURL == "":
		e.missing = "no address of a transcription server is set"
		return e, nil
	case strings.TrimSpace(o.Model) == "":
		e.missing = "no transcription model is named"
	}
	base, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "address of the transcription server",
			Err: errors.New("it is not an address such as http://localhost:8000/v1")}
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/audio/transcriptions")
	if base.Path == "" {
		base.Path = "/v1"
	}
	base.RawPath, base.Fragment = "", ""
	if err := endpoint.CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	endpoint.AddQuery(base, o.Query)
	e.base = base
	key := strings.TrimSpace(o.Key.Reveal())
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "API key", Err: errors.New("it has a line end or another character inside that no header can carry")}
	}
	password, _ := base.User.Password()
	e.options.Key = omniscope.NewSecret(key)
	secrets := append(endpoint.SecretsAmong(o.Headers, o.Query), e.options.Key, omniscope.NewSecret(password))
	e.secrets = model.NewRedactor(secrets...)
	e.fill()
	return e, nil
}

func (e *Endpoint) fill() {
	o := &e.options
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Tries <= 0 {
		o.Tries = defaultTries
	}
	// A third of a megabyte is left for all that is not sound.
	if most := duration(mostUpload - 1<<18); o.Longest <= 0 || o.Longest > most {
		o.Longest = most.Truncate(time.Minute)
	}
	if o.Wait == nil {
		o.Wait = pause
	}
	if o.Pay == nil {
		o.Pay = func(ctx context.Context, _ time.Duration, try func(context.Context) (model.Usage, error)) error {
			_, err := try(ctx)
			return err
		}
	}
	client := http.Client{}
	if o.Client != nil {
		client = *o.Client
	}
	// The key and the sound are for the address that was given.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	e.client = &client
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// address is where a path of the server is.
func (e *Endpoint) address(path string) string {
	u := *e.base
	u.Path += path
	return u.String()
}

// shown is the server's address without anything secret in it.
func (e *Endpoint) shown() string {
	u := url.URL{Scheme: e.base.Scheme, Host: e.base.Host, Path: e.base.Path}
	return u.String()
}

func (e *Endpoint) String() string { return "transcription by " + e.Info().Name }

// GoString keeps %#v from printing the fields.
func (e *Endpoint) GoString() string { return e.String() }

// Info implements Engine.
func (e *Endpoint) Info() EngineInfo {
	if e.base == nil {
		return EngineInfo{Name: "a transcription server", Missing: e.missing, Quotes: true, Mentions: true, LeastLogProb: whisperLeast}
	}
	name := fmt.Sprintf("%s at %s", e.options.Model, e.shown())
	if e.options.Language != "" {
		name += " in " + e.options.Language
	}
	return EngineInfo{Name: name, Missing: e.missing, Quotes: true, Mentions: true, Longest: e.options.Longest, LeastLogProb: whisperLeast}
}

// Check implements Engine: it asks the server for its models, which costs
// nothing. Servers that list none are believed to be fine.
func (e *Endpoint) Check(ctx context.Context) error {
	if e.missing != "" {
		return &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(e.missing)}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.address("/models"), nil)
	if err != nil {
		return e.failed(err)
	}
	_, err = e.exchange(req)
	var status *model.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusNotFound || status.Status == http.StatusMethodNotAllowed) {
		return nil
	}
	return err
}

// Transcribe implements Engine. It retries after errors that may pass, such as a
// busy server or a reply that is not JSON. After the last try it returns an error
// of kind Exhausted.
func (e *Endpoint) Transcribe(ctx context.Context, s Sound) ([]Segment, error) {
	if e.missing != "" {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "asr", Err: errors.New(e.missing)}
	}
	wait := firstWait
	failures := 0 // at an endpoint that was there
	for n := 1; ; n++ {
		try, err := e.options.Reach.Begin(ctx)
		if err != nil {
			return nil, err
		}
		segments, err := e.ask(try.Context, s)
		if omniscope.KindOf(err) == omniscope.Budget {
			try.Unsent()
			return nil, err
		}
		patience, away := try.Ended(err)
		if away != nil || err == nil {
			return segments, away
		}
		if patience == 0 {
			failures++
		}
		now, err := e.delay(ctx, err, n, failures, patience, wait)
		if err != nil {
			return nil, err
		}
		if err := e.options.Wait(ctx, now); err != nil {
			return nil, err
		}
		wait = min(2*wait, longestWait)
	}
}

// delay returns how long to wait between try n and the next one, or the error that ends the tries. patience is how long to
// wait for an endpoint that is away; 0 = the endpoint is there, and has failed so many times.
func (e *Endpoint) delay(ctx context.Context, err error, n, failures int, patience, wait time.Duration) (time.Duration, error) {
	kind := omniscope.KindOf(err)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case kind != omniscope.Transient && kind != omniscope.Malformed:
		return 0, err
	case failures >= e.options.Tries:
		return 0, &omniscope.Error{Kind: omniscope.Exhausted, Op: fmt.Sprintf("asr: gave up after %d tries", n), Err: err}
	}
	if own, ok := errors.AsType[*omniscope.Error](err); ok && own.RetryAfter > 0 {
		wait = own.RetryAfter
	}
	switch {
	case patience > 0:
		wait = min(wait, patience)
	case wait > longestAsked:
		return 0, &omniscope.Error{Kind: omniscope.Exhausted, Op: fmt.Sprintf("asr: the server asks to wait %s", wait), Err: err}
	}
	return wait, nil
}

// ask sends the sound in the best form that the server is not known to
// refuse, and in the next one when it does.
func (e *Endpoint) ask(ctx context.Context, s Sound) ([]Segment, error) {
	for {
		n := e.form.Load()
		segments, err := e.send(ctx, s, forms[n])
		if !refusesForm(err) || int(n)+1 == len(forms) {
			return segments, err
		}
		e.form.CompareAndSwap(n, n+1)
	}
}
