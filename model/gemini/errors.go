package gemini

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// A refusal is Google's error message: google.rpc.Status as JSON (googleapis:
// google/rpc/status.proto, error_details.proto).
type refusal struct {
	Message string   `json:"message"`
	Status  string   `json:"status"` // such as INVALID_ARGUMENT
	Details []detail `json:"details"`
}

// A detail is one of several messages; each has fields of its own.
type detail struct {
	Reason     string `json:"reason"`     // of ErrorInfo, such as API_KEY_INVALID
	RetryDelay string `json:"retryDelay"` // of RetryInfo, such as 37s
	Violations []struct {
		QuotaID string `json:"quotaId"`
	} `json:"violations"` // of QuotaFailure
}

// statusError is what an answer outside 2xx says.
func (m *Model) statusError(resp *http.Response, body []byte) error {
	r := readRefusal(body)
	status := &model.StatusError{Status: resp.StatusCode, Code: m.secrets.Line(r.code()), Message: m.secrets.Line(r.Message)}
	if status.Message == "" {
		status.Message = strings.ToLower(http.StatusText(resp.StatusCode))
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode < 400 {
		status.Message = "it has moved to " + m.secrets.Line(endpoint.Redacted(to.String())) + ", give that as base URL"
	}
	wait := r.retryDelay()
	if wait == 0 {
		wait = endpoint.RetryAfter(resp.Header, time.Now())
	}
	return &omniscope.Error{Kind: kindOf(status, r), Err: status, RetryAfter: wait}
}

// readRefusal reads the body of an error: an object with an error, or a list of
// one. Gateways send pages, and the servers of uploads send text.
func readRefusal(body []byte) refusal {
	type envelope struct {
		Error *refusal `json:"error"`
	}
	var one envelope
	var list []envelope
	switch {
	case json.Unmarshal(body, &one) == nil && one.Error != nil:
		return *one.Error
	case json.Unmarshal(body, &list) == nil && len(list) > 0 && list[0].Error != nil:
		return *list[0].Error
	}
	return refusal{Message: string(body)}
}

// code is the most telling name that the error has.
func (r *refusal) code() string {
	for _, d := range r.Details {
		if d.Reason != "" {
			return d.Reason
		}
	}
	return r.Status
}

// retryDelay is how long the server asks to wait, 0 if it does not say.
func (r *refusal) retryDelay() time.Duration {
	for _, d := range r.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return min(wait, endpoint.LongestWait)
		}
	}
	return 0
}

// usedUp reports whether a quota for a whole day is used up, which no wait of
// seconds helps against, whatever retryDelay says.
func (r *refusal) usedUp() bool {
	for _, d := range r.Details {
		for _, v := range d.Violations {
			if strings.Contains(v.QuotaID, "PerDay") {
				return true
			}
		}
	}
	return false
}

// kindOf says what to do about an error of the server. The statuses and what
// they mean are those of ai.google.dev/gemini-api/docs/troubleshooting.
func kindOf(e *model.StatusError, r refusal) omniscope.Kind {
	switch {
	case r.usedUp(), e.Code == "API_KEY_INVALID", e.Status == http.StatusUnauthorized:
		return omniscope.Denied
	case e.Status == http.StatusTooManyRequests, r.Status == "RESOURCE_EXHAUSTED", e.Status >= 500:
		return omniscope.Transient
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, 499: // 499: CANCELLED
		return omniscope.Transient
	case http.StatusForbidden:
		if aboutFile(e) {
			return omniscope.Invalid // one file of one request, not the key
		}
		return omniscope.Denied
	case http.StatusBadRequest:
		if r.Status == "FAILED_PRECONDITION" && !aboutFile(e) {
			return omniscope.Denied // the country, or billing
		}
		return omniscope.Invalid
	case http.StatusNotFound:
		if aboutFile(e) {
			return omniscope.Invalid
		}
		return omniscope.Denied // no such model
	case http.StatusPaymentRequired, http.StatusMethodNotAllowed:
		return omniscope.Denied
	}
	if e.Status < 400 {
		return omniscope.Denied // a redirect
	}
	return omniscope.Invalid
}

// aboutFile reports whether an error speaks of a file. The server answers 403
// for files that are gone: "You do not have permission to access the File NAME
// or it may not exist." (googleapis/python-genai, issue 1218).
func aboutFile(e *model.StatusError) bool {
	return strings.Contains(e.Message, "File ") || strings.Contains(e.Message, "files/")
}

// namingModel tells the model's name with a 404, whose words may lack it.
func (m *Model) namingModel(name string, err error) error {
	var e *omniscope.Error
	var status *model.StatusError
	if !errors.As(err, &e) || !errors.As(err, &status) || status.Status != http.StatusNotFound || aboutFile(status) {
		return err
	}
	return &omniscope.Error{Kind: e.Kind, Op: "model " + name + " at " + m.BaseURL(), Err: e.Err, RetryAfter: e.RetryAfter}
}
