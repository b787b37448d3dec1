package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// statusError is what an answer outside 2xx says.
func (m *Model) statusError(resp *http.Response, body []byte) error {
	status := &model.StatusError{Status: resp.StatusCode}
	status.Code, status.Message = explanation(body)
	if status.Message == "" {
		status.Message = strings.ToLower(http.StatusText(resp.StatusCode))
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode < 400 {
		status.Message = "it has moved to " + endpoint.Redacted(to.String()) + ", give that as base URL"
	}
	return m.refused(status, endpoint.RetryAfter(resp.Header, time.Now()))
}

// explanation finds the type and the words of an error. Gateways send JSON of
// their own, or pages: their words are the whole body.
func explanation(body []byte) (kind, message string) {
	var e struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &e); err != nil || e.Error.Message == "" {
		return e.Error.Type, string(body)
	}
	return e.Error.Type, e.Error.Message
}

// refused is the error of a refusal in the endpoint's own words.
func (m *Model) refused(status *model.StatusError, wait time.Duration) error {
	status.Code, status.Message = m.words(status.Code), m.words(status.Message)
	return &omniscope.Error{Kind: kindOf(status), Err: status, RetryAfter: wait}
}

// Words of invalid_request_error that mean something else: an account with
// nothing left, and a filter. The API has no types for these.
var (
	unpaid   = []string{"credit balance is too low", "usage limits"}
	filtered = []string{"content filtering policy"}
)

// kindOf says what to do about an endpoint's error: by its type, else, where a
// gateway sent it, by its status.
func kindOf(e *model.StatusError) omniscope.Kind {
	says := strings.ToLower(e.Message)
	status := e.Status
	if named := statuses[e.Code]; named != 0 {
		status = named
	}
	switch {
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly,
		status == http.StatusTooManyRequests, status >= 500, status == http.StatusOK:
		return omniscope.Transient
	case anyOf(unpaid, says):
		return omniscope.Denied
	case anyOf(filtered, says):
		return omniscope.Declined
	case status == http.StatusUnauthorized, status == http.StatusPaymentRequired, status == http.StatusForbidden,
		status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status < 400:
		return omniscope.Denied // no such model; of a gateway or another server: the address is wrong
	}
	return omniscope.Invalid
}
