package fake

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"omniscope/internal/jsonfast"
)

// Fault makes the requests that When picks fail in the way of Do. Whens and Effects
// combine freely:
//
//	Fault{When: Every(20), Do: RateLimited("2")}
//	Fault{When: First(2, On("commit")), Do: HangUp()}
//	Fault{When: WithSchema(), Do: SchemaUnsupported()}
type Fault struct {
	When When
	Do   Effect
}

// When picks requests. What the ones here pick depends only on the number,
// the time of arrival and the body of a request, so that a test repeats.
type When func(*Request) bool

// Effect answers a request instead of the ordinary responder, or changes
// what the ordinary responder answers.
type Effect func(r *Request, ordinary Responder) Reply

// Always picks every request.
func Always() When {
	return func(*Request) bool { return true }
}

// Every picks each n-th request, as a server under
// load fails a constant share of calls.
func Every(n int) When {
	return func(r *Request) bool { return n > 0 && r.N%n == 0 }
}

// Between picks the requests numbered from first to last, both among them: a
// burst of failures such as a restart of the server gives.
func Between(first, last int) When {
	return func(r *Request) bool { return first <= r.N && r.N <= last }
}

// Containing picks the requests with the text in their body, however often
// they are sent, as with an input that crashes the model server each time.
func Containing(text string) When {
	return func(r *Request) bool { return r.Contains(text) }
}

// FirstTries picks the first n requests of each identity, so that a client
// that tries again gets its answer at try n+1.
func FirstTries(n int) When {
	var mu sync.Mutex
	tries := make(map[uint64]int)
	return func(r *Request) bool {
		mu.Lock()
		defer mu.Unlock()
		tries[r.Identity]++
		return tries[r.Identity] <= n
	}
}

// OverRate picks the requests above a rate per second, as providers limit
// requests per minute: a bucket of burst tokens, full at the start, that
// fills at the rate and gives one to each request. A burst under 1 is a
// second's worth.
func OverRate(perSecond float64, burst int) When {
	size := float64(burst)
	if burst < 1 {
		size = max(1, perSecond)
	}
	var mu sync.Mutex
	tokens, last := size, time.Duration(0)
	return func(r *Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if since := r.Elapsed - last; since > 0 {
			tokens = min(size, tokens+since.Seconds()*perSecond)
			last = r.Elapsed
		}
		if tokens < 1 {
			return true
		}
		tokens--
		return false
	}
}

// On picks the requests of a route.
func On(name string) When {
	return func(r *Request) bool { return r.Route == name }
}

// First picks the first n of the requests that when picks.
func First(n int, when When) When {
	var picked atomic.Int64
	return func(r *Request) bool { return when(r) && picked.Add(1) <= int64(n) }
}

// WithSchema picks the requests for an answer that follows a JSON schema.
func WithSchema() When {
	return func(r *Request) bool {
		return r.Contains(`"json_schema"`) && r.chat().ResponseFormat.Type == "json_schema"
	}
}

// answer makes an effect of one reply to every request.
func answer(reply Reply) Effect {
	return func(*Request, Responder) Reply { return reply }
}

// alter makes an effect that changes the ordinary reply.
func alter(change func(*Reply)) Effect {
	return func(r *Request, ordinary Responder) Reply {
		reply := ordinary(r)
		change(&reply)
		return reply
	}
}

func rateLimited(retryAfter string) Reply {
	reply := ErrorReply(http.StatusTooManyRequests, "Rate limit reached for requests.", "requests", "", "rate_limit_exceeded")
	if retryAfter != "" {
		reply.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return reply
}

// RateLimited answers 429. retryAfter is the header's value: seconds as
// OpenAI and most gateways send, such as "2", or "" for no header, as
// self-hosted servers behind a plain proxy do.
func RateLimited(retryAfter string) Effect {
	return answer(rateLimited(retryAfter))
}

// RateLimitedUntil answers 429 with the Retry-After header in its other form,
// which content delivery networks and web firewalls may send: the HTTP date
// of the given time ahead, rounded down to whole seconds.
func RateLimitedUntil(ahead time.Duration) Effect {
	return func(*Request, Responder) Reply {
		return rateLimited(time.Now().Add(ahead).UTC().Format(http.TimeFormat))
	}
}

// ServerError answers with a status from 500 up: 500 as a model server after its
// engine failed, 502 and 504 as the proxy before it, 503 as one that is
// overloaded or still loading its model.
func ServerError(status int) Effect {
	return answer(ErrorReply(status, "The server had an error while processing your request.",
		"server_error", "", ""))
}

// HangUp closes the connection in order instead of answering.
func HangUp() Effect { return answer(hangUp) }

var hangUp = Reply{NoAnswer: true, Serve: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}

// Reset resets the connection after a delay instead of answering, as when the
// server process is killed or its proxy restarts.
func Reset(delay time.Duration) Effect {
	return answer(Reply{Close: true, Delay: delay})
}

// CutBody closes the connection after n bytes of the body, 1 or more, though
// Content-Length promised all of it: a server that dies while it answers.
func CutBody(n int) Effect {
	return alter(func(r *Reply) { r.CutAfter = max(1, n) })
}

// Drip sends the ordinary answer 64 bytes at a time with a pause before each
// chunk: a slow connection, or a proxy that throttles.
func Drip(pause time.Duration) Effect {
	return alter(func(r *Reply) { r.Drip = pause })
}

// Delayed sends the ordinary answer late: a request that waited in the queue
// of a full server.
func Delayed(d time.Duration) Effect {
	return alter(func(r *Reply) { r.Delay += d })
}

// HTMLPage answers 200 with a web page, as a captive portal, a login page or
// a misdirected gateway does.
func HTMLPage() Effect {
	return Body("text/html; charset=utf-8", "<!DOCTYPE html><html><body><h1>gateway</h1><p>Please sign in.</p></body></html>\n")
}

// Huge answers with a text of n bytes: a model that repeats itself up to a
// limit that no user set. Clients with a limit of 10 MB are tested with 11<<20.
func Huge(n int) Effect {
	text := strings.Repeat("again and ", n/10+1)[:n]
	return alter(func(r *Reply) { r.Content, r.FinishReason = text, "length" })
}

// ErrorInside answers 200 with an error in the body, as routers do (OpenRouter
// among them) when the server behind them fails after they began to answer.
func ErrorInside() Effect {
	reply := ErrorReply(http.StatusOK, "Provider returned error", "provider_error", "", "502")
	reply.NoAnswer = true
	return answer(reply)
}

// EmptyChoices answers 200 with an empty list of choices, as gateways do when
// a filter removed the answer.
func EmptyChoices() Effect {
	return Choices("[]")
}

// NullContent answers 200 with a message with null as its content, as servers do
// when all the model wrote was reasoning or a tool call.
func NullContent() Effect {
	return Choices(`[{"index":0,"message":{"role":"assistant","content":null},"finish_reason":"stop"}]`)
}

// Say answers with a text of one's own.
func Say(text string) Effect {
	return alter(func(r *Reply) { r.Content = text })
}

// CallTool answers 200 with a call of a tool and no text.
func CallTool(name string) Effect {
	return Choices(`[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":` +
		string(jsonfast.Append(nil, name)) + `,"arguments":"{}"}}]},"finish_reason":"tool_calls"}]`)
}

// ReasonOnly answers 200 with a train of thought and no text.
func ReasonOnly(finish string) Effect {
	return Choices(`[{"index":0,"message":{"role":"assistant","content":"","reasoning_content":"First I look at the caption."},"finish_reason":` +
		string(jsonfast.Append(nil, finish)) + `}]`)
}

// Choices answers a completion with the given choices, as JSON, and no text.
func Choices(choices string) Effect {
	return func(r *Request, _ Responder) Reply {
		return Reply{NoAnswer: true, Body: fmt.Sprintf(`{"id":"chatcmpl-hollow","object":"chat.completion","created":0,"model":%s,"choices":%s,`+
			`"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1}}`, jsonfast.Append(nil, r.Model()), choices)}
	}
}

// Answer makes a reply for each request.
func Answer(make func(*Request) Reply) Effect {
	return func(r *Request, _ Responder) Reply { return make(r) }
}

// Status answers with a status and an error of OpenAI's form.
func Status(status int, message, code string) Effect {
	return answer(ErrorReply(status, message, "invalid_request_error", "", code))
}

// Body answers 200 with a body that no client can use. A contentType of "" is JSON.
func Body(contentType, body string) Effect {
	reply := Reply{Body: body, NoAnswer: true}
	if contentType != "" {
		reply.Header = http.Header{"Content-Type": {contentType}}
	}
	return answer(reply)
}

// Usage gives the ordinary answer a usage, as JSON.
func Usage(usage string) Effect { return alter(func(r *Reply) { r.Usage = usage }) }

// Handle answers as a handler does. The request's body has been read.
func Handle(f http.HandlerFunc) Effect { return answer(Reply{NoAnswer: true, Serve: f}) }

// Wire answers with Written.
func Wire(write func(io.Writer) error) Effect { return answer(Written(write)) }

// Written is a response of status 200 that is written over the connection as it
// is. The connection is closed then.
func Written(write func(io.Writer) error) Reply {
	return Reply{NoAnswer: true, Serve: func(w http.ResponseWriter, _ *http.Request) {
		if nc := hijack(w); nc != nil {
			_ = write(nc)
			nc.Close()
		}
	}}
}

// Refuse answers with a refusal in the field OpenAI has for it, and null for
// the content.
func Refuse(text string) Effect {
	return alter(func(r *Reply) { r.Content, r.Refusal = "", text })
}

// Finish gives the ordinary answer another finish reason. With "length" it
// loses the second half of its text, as when the token limit is reached, and
// with "content_filter" all of it, as with Azure.
func Finish(reason string) Effect {
	return alter(func(r *Reply) {
		r.FinishReason = reason
		switch reason {
		case "length":
			r.Content = strings.ToValidUTF8(r.Content[:len(r.Content)/2], "")
		case "content_filter":
			r.Content = ""
		}
	})
}

// SchemaUnsupported answers 400 and names response_format, as older vLLM and
// llama.cpp servers do to a request with a JSON schema. Use with WithSchema.
func SchemaUnsupported() Effect {
	return answer(ErrorReply(http.StatusBadRequest,
		"Invalid value for 'response_format': type 'json_schema' is not supported by this server.",
		"invalid_request_error", "response_format", "unsupported_value"))
}

// ContextExceeded answers 400 as OpenAI and vLLM do when the messages are
// longer than the context of the model, given in tokens.
func ContextExceeded(tokens int) Effect {
	return func(r *Request, _ Responder) Reply {
		return ErrorReply(http.StatusBadRequest,
			fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens.",
				tokens, max(tokens+1, len(r.Body)/4)),
			"invalid_request_error", "messages", "context_length_exceeded")
	}
}

// BodyTooLarge answers 413, as proxies with a limit on request bodies do.
func BodyTooLarge() Effect {
	return answer(tooLargeReply())
}

func tooLargeReply() Reply {
	return ErrorReply(http.StatusRequestEntityTooLarge, "Request body too large.",
		"invalid_request_error", "", "")
}
