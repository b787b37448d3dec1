package exchange

import (
	"cmp"
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

// Refusal returns the error of an answer outside 2xx, from the start of its body, in the words of the endpoint.
func Refusal(resp *http.Response, body []byte, secrets *model.Redactor) *omniscope.Error {
	f := readFailure(body)
	status := &model.StatusError{Status: resp.StatusCode, Code: secrets.Line(f.code), Message: secrets.Line(f.message)}
	if status.Message == "" {
		status.Message = strings.ToLower(http.StatusText(resp.StatusCode))
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode < 400 {
		status.Message = "it has moved to " + secrets.Line(endpoint.Redacted(to.String())) + ", give that as base URL"
	}
	return f.error(status, f.waitOf(status, resp.Header))
}

// waitOf returns the wait that an error asks for, 0 if it asks for no wait: in a field of its own, in the headers of the answer or of
// the server behind a gateway, in words, or by the limit that is used up.
func (f *failure) waitOf(status *model.StatusError, header http.Header) time.Duration {
	now := time.Now()
	wait := cmp.Or(f.wait, endpoint.RetryAfter(header, now), endpoint.WaitInWords(status.Message))
	if wait == 0 && (status.Status == http.StatusTooManyRequests || status.Status == http.StatusServiceUnavailable) {
		return cmp.Or(endpoint.LimitReset(header, now), endpoint.LimitReset(f.header, now))
	}
	return wait
}

// Failure returns the error inside an answer with status 200, nil if it has no error. Its status is the one that the error
// names, else 200. Where the answer has no content as well, it is often an error that came too late for its own status.
func Failure(body []byte, secrets *model.Redactor) *omniscope.Error {
	f := readFailure(body)
	if !f.named {
		return nil
	}
	status := &model.StatusError{Status: http.StatusOK, Inside: true, Code: secrets.Line(f.code), Message: secrets.Line(f.message)}
	switch {
	case f.status != 0:
		status.Status = f.status
	case status.IsCrowded():
		status.Status = http.StatusTooManyRequests
	}
	return f.error(status, f.waitOf(status, nil))
}

// A failure is what the body of an error says.
type failure struct {
	code, message string
	status        int           // HTTP status that it names; 0 = it names no status
	wait          time.Duration // that it asks for in a field of its own; 0 = it has no such field
	usedUp        bool          // a quota for a day is used up, for any wait
	header        http.Header   // of the server behind a gateway, as the gateway reports it
	named         bool          // it has words in one of the forms of errors
}

func (f *failure) error(status *model.StatusError, wait time.Duration) *omniscope.Error {
	kind := status.Kind(wait)
	if f.usedUp {
		kind = omniscope.Denied
	}
	return &omniscope.Error{Kind: kind, Err: status, RetryAfter: wait}
}

// readFailure reads the body of an error. OpenAI, Anthropic and Google have an object "error" (Google's OpenAI address a list of one),
// others a string, older vLLM its members at the top, FastAPI a "detail", MiniMax a "base_resp", Baidu "error_code" and "error_msg",
// Tencent "Response.Error", Apigee a "fault"; Spring, Fastify and Nest have the name of the status as "error" and the words as "message".
// Gateways send pages.
func readFailure(body []byte) (f failure) {
	if !jsonfast.ValidBytes(body) {
		return failure{message: string(body)}
	}
	root := gjson.ParseBytes(body)
	if root.IsArray() {
		root = root.Get("0")
	}
	f.wait = waitAmong(root, deepest)
	e, found := innerError(root)
	if !e.IsObject() {
		f.message, f.named = e.String(), strings.TrimSpace(e.String()) != ""
		return f
	}
	f.message = messageOf(e)
	if f.named = found || f.message != ""; f.message == "" {
		f.message = firstText(root, "error", "@this")
	}
	f.readCodes(e)
	if !found && (f.code == "0" || emptyWords[strings.ToLower(f.message)]) { // as iFlytek's answers have it
		f.named = false
	}
	f.readDetails(e)
	f.readGateway(e.Get("metadata"))
	return f
}

// messageOf returns the words of an error, "" if it has no words.
func messageOf(e gjson.Result) string {
	for _, name := range []string{"message", "detail", "msg", "Message", "error_msg", "error_message", "errorMessage", "status_msg", "errmsg", "error_description", "faultstring"} {
		switch v := e.Get(name); {
		case v.IsArray():
			return listed(v)
		case !v.IsObject() && v.Type != gjson.Null && v.String() != "":
			return v.String()
		}
	}
	return ""
}

// listed returns the words of a list of faults. FastAPI's repeat the input, which is left out.
func listed(faults gjson.Result) string {
	var all []string
	faults.ForEach(func(_, d gjson.Result) bool {
		if !d.IsObject() {
			all = append(all, d.String())
			return true
		}
		var at []string
		d.Get("loc").ForEach(func(_, name gjson.Result) bool {
			at = append(at, name.String())
			return true
		})
		all = append(all, strings.TrimPrefix(strings.Join(at, ".")+": "+d.Get("msg").String(), ": "))
		return true
	})
	return strings.Join(all, "; ")
}

// readCodes reads the code of an error and the HTTP status that it names: a number from 400, or the name of an error.
func (f *failure) readCodes(e gjson.Result) {
	for _, name := range []string{"code", "error_code", "status_code", "Code", "type", "status", "innererror.code", "inner_error.code", "errorcode", "detail.errorcode", "__type"} {
		text := firstText(e, name)
		if status := statusOf(text); status != 0 {
			f.status = cmp.Or(f.status, status)
		} else if f.code == "" {
			f.code = text
		}
	}
	if word := e.Get("error"); f.code == "" && word.Type == gjson.String && word.Str != f.message {
		f.code = word.Str
	}
	f.status = cmp.Or(f.status, statusOf(firstText(e, "statusCode", "http_code", "httpCode")))
	for _, name := range []string{f.code, e.Get("status").String(), e.Get("type").String()} {
		f.status = cmp.Or(f.status, statuses[name])
	}
}

// deepest bounds how far errors are looked for in other objects.
const deepest = 4

// innerError returns the error in the body of an answer, the body itself if it has no member for it. An error in words is the body
// where that has a message as well.
func innerError(root gjson.Result) (e gjson.Result, found bool) {
	e = root
	for range deepest {
		inner := wrapped(e)
		switch {
		case !inner.Exists() || found && messageOf(e) != "":
			return e, found
		case !inner.IsObject() && messageOf(e) != "":
			return e, true
		case !inner.IsObject():
			return inner, true
		}
		e, found = inner, true
	}
	return e, found
}

// wrapped returns the member of an object that holds its error.
func wrapped(e gjson.Result) gjson.Result {
	for _, name := range []string{"error", "Response.Error", "errors.0", "base_resp", "fault", "detail"} {
		inner := e.Get(name)
		if !IsError(inner) || name == "base_resp" && inner.Get("status_code").Int() == 0 || name == "detail" && !inner.IsObject() {
			continue
		}
		return inner
	}
	return gjson.Result{}
}

// IsError reports whether the value of a member "error" says anything: some servers send null, an empty text, or an object of
// empty texts with each answer.
func IsError(value gjson.Result) (says bool) {
	switch {
	case value.IsObject() || value.IsArray():
		value.ForEach(func(_, member gjson.Result) bool {
			says = IsError(member)
			return !says
		})
		return says
	case value.Type == gjson.Number:
		return value.Num != 0
	}
	return value.Type == gjson.True || !emptyWords[strings.ToLower(strings.TrimSpace(value.Str))]
}

// emptyWords are the words of an error that reports nothing.
var emptyWords = map[string]bool{"": true, "null": true, "none": true, "ok": true, "success": true}

// firstText is the first of the members that is neither null nor empty.
func firstText(e gjson.Result, names ...string) string {
	for _, name := range names {
		if v := e.Get(name); v.Type != gjson.Null && v.String() != "" {
			return v.String()
		}
	}
	return ""
}

// waitAmong returns the longest wait that an object or one of the objects in it asks for; 0 = it asks for no wait. Names are compared
// without their case and punctuation: retry_after, retryAfterMs, Retry-After (a header in a body), retryDelay (Google; a text, or seconds
// in an object), estimated_time (Hugging Face, while it loads a model).
func waitAmong(object gjson.Result, depth int) (longest time.Duration) {
	object.ForEach(func(name, value gjson.Result) bool {
		plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name.Str))
		header := ""
		switch plain {
		case "retryafter", "retryafterseconds", "retryaftersec", "retryaftersecs", "retrydelay", "retrydelayseconds", "retryin", "retryinseconds", "estimatedtime":
			header = "Retry-After"
		case "retryafterms", "retryaftermilliseconds", "retrydelayms", "retryinms":
			header = "Retry-After-Ms"
		}
		switch {
		case header != "" && value.IsObject():
			longest = max(longest, endpoint.RetryAfter(http.Header{header: {value.Get("seconds").String()}}, time.Now()))
		case header != "":
			longest = max(longest, endpoint.RetryAfter(http.Header{header: {value.String()}}, time.Now()))
		case depth > 0 && (value.IsObject() || value.IsArray()):
			longest = max(longest, waitAmong(value, depth-1))
		}
		return true
	})
	return longest
}

// readDetails reads Google's details (googleapis: google/rpc/error_details.proto).
func (f *failure) readDetails(e gjson.Result) {
	if !e.Get("details").IsArray() {
		return
	}
	reason := ""
	e.Get("details").ForEach(func(_, d gjson.Result) bool {
		if r := d.Get("reason").String(); reason == "" {
			reason = r // of ErrorInfo, such as API_KEY_INVALID
		}
		f.usedUp = f.usedUp || strings.Contains(d.Get("violations.#.quotaId").Raw, "PerDay")
		return true
	})
	if reason != "" {
		f.code = reason
	}
}

// readGateway reads what a gateway reports of the provider behind it (openrouter.ai/docs, errors: metadata.raw and provider_name).
func (f *failure) readGateway(metadata gjson.Result) {
	if name := metadata.Get("provider_name").String(); name != "" {
		f.message += " (" + name + ")"
	}
	if raw := metadata.Get("raw").String(); raw != "" {
		inner := readFailure([]byte(raw))
		f.message += ": " + inner.message
		if f.code == "" {
			f.code = inner.code
		}
		f.wait, f.usedUp = max(f.wait, inner.wait), f.usedUp || inner.usedUp
	}
	metadata.Get("headers").ForEach(func(name, value gjson.Result) bool {
		if f.header == nil {
			f.header = make(http.Header)
		}
		f.header.Set(name.String(), value.String())
		return true
	})
}

// statusOf reads an error code that is nothing but an HTTP status, 0 if it is not.
func statusOf(code string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

// statuses are the HTTP statuses of named errors: Anthropic's types ("Errors" of its documentation), Google's
// (google/rpc/code.proto), MiniMax's numbers (base_resp of its documentation) and Baidu's.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403, "not_found_error": 404,
	"request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,

	"INVALID_ARGUMENT": 400, "UNAUTHENTICATED": 401, "PERMISSION_DENIED": 403, "RESOURCE_EXHAUSTED": 429, "CANCELLED": 499, "INTERNAL": 500, "UNAVAILABLE": 503, "DEADLINE_EXCEEDED": 504,

	"1002": 429, "1039": 429, "1041": 429, "1004": 401, "2049": 401, "1008": 402, "1026": 400, "1027": 400, "2013": 400, "1013": 500,

	"18": 429, "336501": 429, "336502": 429,

	"rate_limit_exceeded": 429, "rate_limit_reached_error": 429, "engine_overloaded_error": 429,
}
