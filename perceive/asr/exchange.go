package asr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"omniscope"
	"omniscope/media"
	"omniscope/media/wav"
	"omniscope/model"
	"omniscope/model/exchange"
)

// forms are the ways to ask, the one that tells most first. Whisper servers
// know segments with their probabilities; OpenAI's newer models take only
// json, with the tokens' probabilities at most.
var forms = [...][][2]string{
	{{"response_format", "verbose_json"}},
	{{"response_format", "json"}, {"include[]", "logprobs"}},
	{{"response_format", "json"}},
}

// refusesForm reports whether the server does not know a form, rather than
// the model or the sound.
func refusesForm(err error) bool {
	var status *model.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity {
		return false
	}
	says := strings.ToLower(status.Code + " " + status.Message)
	return slices.ContainsFunc([]string{"response_format", "verbose_json", "include", "logprobs"}, func(word string) bool { return strings.Contains(says, word) })
}

// send asks once. An error that may have to be paid for says so, see model.Lost.
func (e *Endpoint) send(ctx context.Context, s Sound, form [][2]string) (segments []Segment, err error) {
	body, kind, err := e.body(s, form)
	if err != nil {
		return nil, err
	}
	err = e.options.Pay(ctx, s.Duration(), func(ctx context.Context) (usage model.Usage, err error) {
		model.Sent(ctx)
		try, cancel := context.WithTimeout(ctx, e.options.Timeout)
		defer cancel()
		var sent atomic.Bool
		try = httptrace.WithClientTrace(try, &httptrace.ClientTrace{WroteRequest: func(wrote httptrace.WroteRequestInfo) {
			sent.Store(sent.Load() || wrote.Err == nil)
		}})
		req, err := http.NewRequestWithContext(try, http.MethodPost, e.address("/audio/transcriptions"), bytes.NewReader(body))
		if err != nil {
			return usage, e.failed(err)
		}
		req.Header.Set("Content-Type", kind)
		answer, err := e.exchange(req)
		if err == nil {
			usage = usageIn(answer)
			segments, err = readReply([]byte(e.secrets.Redact(string(answer))), s.Duration())
			err = e.reason(err, answer)
		}
		model.Came(ctx, err)
		return usage, model.MarkLost(err, sent.Load(), answer != nil)
	})
	return segments, err
}

func (e *Endpoint) body(s Sound, form [][2]string) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	b.Grow(len(s.PCM) + 2048)
	w := multipart.NewWriter(&b)
	fields := append([][2]string{{"model", e.options.Model}, {"temperature", "0"}}, form...)
	if e.options.Language != "" {
		fields = append(fields, [2]string{"language", e.options.Language})
	}
	for _, f := range fields {
		if err := w.WriteField(f[0], f[1]); err != nil {
			return nil, "", err
		}
	}
	file, err := w.CreateFormFile("file", "speech.wav")
	if err == nil {
		_, err = file.Write(append(wav.Header(media.SpeechRate, 1, len(s.PCM)), s.PCM...))
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), w.FormDataContentType(), err
}

// mostReply bounds an answer, so that a server gone wild cannot fill memory.
const mostReply = 10 << 20

// exchange sends a request and returns the body of a 2xx answer.
func (e *Endpoint) exchange(req *http.Request) ([]byte, error) {
	if e.options.Key.IsSet() {
		req.Header.Set("Authorization", "Bearer "+e.options.Key.Reveal())
	}
	for name, value := range e.options.Headers {
		req.Header.Set(name, value.Reveal())
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.unanswered(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostReply+1))
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, e.refused(resp, body) // the first words of one that breaks off will do
	}
	switch {
	case err != nil:
		return nil, e.failed(err)
	case len(body) > mostReply:
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "asr", Err: fmt.Errorf("the answer is larger than %d MB and was not read", mostReply>>20)}
	}
	return body, nil
}

// unanswered is a failure on the way before any answer.
func (e *Endpoint) unanswered(err error) error {
	failed := e.failed(err).(*omniscope.Error)
	failed.Err = model.NewUnanswered(err, failed.Err)
	return failed
}

// failed is a failure on the way, without the address, which may hold a key.
func (e *Endpoint) failed(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &omniscope.Error{Kind: omniscope.Transient, Op: "connect to " + e.shown(), Err: errors.New(e.secrets.Line(err.Error()))}
}

// refused returns the error of an answer outside 2xx.
func (e *Endpoint) refused(resp *http.Response, body []byte) error {
	err := exchange.Refusal(resp, body, e.secrets)
	err.Op = "asr by " + e.shown()
	var status *model.StatusError
	errors.As(err, &status)
	switch {
	case resp.StatusCode < 400:
		status.Message = "it redirects elsewhere, which is not followed: give the address where it is now"
	case resp.StatusCode == http.StatusNotFound && resp.Request.Method == http.MethodPost:
		status.Message += "; the server does not transcribe (it has no " + resp.Request.URL.Path + "), or does not have this model"
	}
	return err
}

// reason returns the error inside an answer with status 200 that has no words of speech: it often came too late for its own status.
func (e *Endpoint) reason(err error, answer []byte) error {
	if err == nil {
		return nil
	}
	if inside := exchange.Failure(answer, e.secrets); inside != nil {
		inside.Op = "asr by " + e.shown()
		return inside
	}
	return err
}
