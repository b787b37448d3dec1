package openai

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/jsonfast"
	"omniscope/model"
)

// statusError is what an answer outside 2xx says.
func (m *Model) statusError(resp *http.Response, body []byte) error {
	status := &model.StatusError{Status: resp.StatusCode}
	status.Code, status.Message = explanation(body)
	status.Code, status.Message = m.words(status.Code), m.words(status.Message)
	if status.Message == "" {
		status.Message = strings.ToLower(http.StatusText(resp.StatusCode))
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode < 400 {
		status.Message = "it has moved to " + m.words(Redacted(to.String())) + ", give that as base URL"
	}
	return &omniscope.Error{Kind: kindOf(status), Err: status, RetryAfter: endpoint.RetryAfter(resp.Header, time.Now())}
}

// explanation finds the code and the words in the body of an error. OpenAI has
// an object "error", others a string, older vLLM its members at the top, FastAPI
// a "detail", Google a list of one; gateways send pages.
func explanation(body []byte) (code, message string) {
	if !jsonfast.Valid(string(body)) {
		return "", string(body)
	}
	e := gjson.ParseBytes(body)
	if e.IsArray() {
		e = e.Get("0")
	}
	if inner := e.Get("error"); inner.Type != gjson.Null {
		e = inner
	}
	if !e.IsObject() {
		return "", e.String()
	}
	for _, name := range []string{"message", "detail", "msg"} {
		if message = e.Get(name).String(); message != "" {
			break
		}
	}
	if message == "" {
		message = e.Raw
	}
	if code = e.Get("code").String(); code == "" || statusOf(code) != 0 {
		code = e.Get("type").String()
	}
	return code, message
}

// statusOf reads an error code that is nothing but an HTTP status, 0 if it is
// not.
func statusOf(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

var (
	// The words of accounts that have nothing left, and of filters. The statuses
	// they come with differ from provider to provider.
	unpaid = []string{"insufficient_quota", "arrearage"}
	// Words of llama.cpp's server for a reply that was cut off before it had the form of the schema: the next try is
	// cut off as well.
	outOfForm = []string{"output that does not match the expected"}
	filtered  = []string{"content_filter", "content_policy", "requires moderation", "flagged", "data_inspection_failed", "datainspectionfailed"}
)

// kindOf says what to do about an endpoint's error.
func kindOf(e *model.StatusError) omniscope.Kind {
	says := strings.ToLower(e.Code + " " + e.Message)
	if e.Status < 500 && anyOf(unpaid, says) {
		return omniscope.Denied
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return omniscope.Transient
	case http.StatusPaymentRequired, http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed:
		return omniscope.Denied
	}
	switch {
	case e.Status == http.StatusInternalServerError && anyOf(outOfForm, says):
		return omniscope.Malformed
	case e.Status >= 500:
		return omniscope.Transient // a filter that is out of order among them
	case anyOf(filtered, says):
		return omniscope.Declined
	case e.Status == http.StatusForbidden, e.Status >= 300 && e.Status < 400:
		return omniscope.Denied
	}
	return omniscope.Invalid
}

func anyOf(words []string, text string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// words makes an endpoint's words fit for a log line.
func (m *Model) words(s string) string { return m.secrets.Line(s) }
