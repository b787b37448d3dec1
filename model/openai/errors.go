package openai

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"

	"omniscope"
	"omniscope/model"
)

// classify turns an error of the SDK or the network into one of our kinds, and
// takes addresses and keys out of its words.
func (m *Model) classify(ctx, tryCtx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var own *omniscope.Error
	if errors.As(err, &own) {
		return own
	}
	var api *sdk.Error
	if errors.As(err, &api) {
		return m.apiError(api)
	}
	if tryCtx.Err() != nil {
		return &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("no whole answer within " + m.timeout.String())}
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &omniscope.Error{Kind: omniscope.Transient, Op: "connect to " + m.BaseURL(),
		Err: errors.New(string(m.key.Redact([]byte(err.Error()))))}
}

func (m *Model) apiError(api *sdk.Error) error {
	status := &model.StatusError{Status: api.StatusCode, Code: api.Code, Message: api.Message}
	if status.Message == "" {
		status.Message = api.RawJSON()
	}
	if status.Message == "" {
		status.Message = http.StatusText(api.StatusCode)
	}
	status.Message = oneLine(string(m.key.Redact([]byte(status.Message))))
	e := &omniscope.Error{Kind: kindOf(status), Err: status}
	if api.Response != nil {
		e.RetryAfter = retryAfter(api.Response.Header, time.Now())
	}
	return e
}

// kindOf says what to do about an endpoint's error.
func kindOf(e *model.StatusError) omniscope.Kind {
	says := strings.ToLower(e.Code + " " + e.Message)
	switch {
	case strings.Contains(says, "insufficient_quota"), e.Status == http.StatusPaymentRequired:
		return omniscope.Denied
	case strings.Contains(says, "content_filter"), strings.Contains(says, "content_policy"), strings.Contains(says, "moderation"):
		return omniscope.Declined
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return omniscope.Transient
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return omniscope.Denied
	}
	if e.Status >= 500 {
		return omniscope.Transient
	}
	return omniscope.Invalid
}

// retryAfter reads how long the endpoint asks to wait: milliseconds, seconds
// or a date. 0 = it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// oneLine shortens an endpoint's words to what fits a log line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
