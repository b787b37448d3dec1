package fake

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"omniscope/internal/testing/fixture"
)

// Config describes a server of OpenAI's protocols: chat completions, embeddings
// and the list of models. It does not stream. The zero value answers every request
// at once with a short fixed text.
type Config struct {
	// Addr is the host and port to listen on; "" is a free loopback port.
	Addr string

	// Latency is the time from a request having been read to its answer.
	// Only answers of status 200 take it: a server that turns a request away
	// does so at once, unless Reply.Delay is set.
	Latency time.Duration

	// Reply makes the answers; nil answers a short fixed text. It runs at
	// most once per request, not at all for requests that a fault answers by
	// itself, and on many goroutines at a time.
	Reply Responder

	Faults []Fault // see Server.Faults

	// Greet, when set, meets every connection before its first request, and
	// ends it by returning false.
	Greet func(net.Conn) bool

	// APIKey, when set, is the only key taken; requests with another get 401.
	APIKey string

	// Model is the name in the model list, and in the answers to requests
	// without a model; "" is "mock".
	Model string
}

// Start starts a server that the end of the test closes.
func Start(t testing.TB, c Config) *Server {
	t.Helper()
	s, err := Listen(c)
	fixture.OK(t, err)
	t.Cleanup(s.Close)
	return s
}

// Listen starts a server. The caller closes it.
func Listen(c Config) (*Server, error) {
	if c.Reply == nil {
		c.Reply = FixedReply("This is a fixed answer.")
	}
	if c.Model == "" {
		c.Model = "mock"
	}
	stats := route{free: true, answer: func(r *Request) Reply { return Reply{Body: r.counts.snapshot()} }}
	return listen(c.Addr, protocol{
		latency: c.Latency, greet: c.Greet,
		admit: func(r *Request) {
			if r.Route != "" {
				wantBearer(r, c.APIKey)
			}
		},
		fill: func(r *Request, reply *Reply) { fillCompletion(r, reply, c.Model) },
		routes: map[string]route{
			"POST /v1/chat/completions": {name: "chat", answer: c.Reply},
			"POST /v1/embeddings":       {name: "embeddings", answer: func(r *Request) Reply { return embed(r, c.Reply(r)) }},
			"GET /stats":                stats,
			"GET /v1/stats":             stats,
			"GET /v1/models": {name: "models", free: true, answer: func(*Request) Reply {
				return Reply{Body: `{"object":"list","data":[{"id":` + string(encode(c.Model)) + `,"object":"model","created":0,"owned_by":"fake"}]}`}
			}},
			"/": {name: "unknown", free: true, answer: func(r *Request) Reply {
				return ErrorReply(http.StatusNotFound, "Unknown request URL: "+r.HTTP.Method+" "+r.HTTP.URL.Path+".", "invalid_request_error", "", "unknown_url")
			}},
		},
	}, c.Faults...)
}

// wantBearer refuses a request without the key; "" takes any.
func wantBearer(r *Request, key string) {
	scheme, token, _ := strings.Cut(r.HTTP.Header.Get("Authorization"), " ")
	if key != "" && (!strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), []byte(key)) != 1) {
		refuse(ErrorReply(http.StatusUnauthorized, "Incorrect API key provided.", "invalid_request_error", "", "invalid_api_key"))
	}
}

// ErrorReply is an error of the shape OpenAI gives them. An empty kind, param or
// code is null in it.
func ErrorReply(status int, message, kind, param, code string) Reply {
	type failure struct {
		Message string  `json:"message"`
		Type    *string `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	return Reply{Status: status, Body: struct {
		Error failure `json:"error"`
	}{failure{message, orNull(kind), orNull(param), orNull(code)}}}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// completion is the answer to a chat, with its members in OpenAI's order.
type completion struct {
	ID      string             `json:"id"`
	Object  string             `json:"object"`
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []completionChoice `json:"choices"`
	Usage   any                `json:"usage"`
}

type completionChoice struct {
	Index   int `json:"index"`
	Message struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
		Refusal *string `json:"refusal"`
	} `json:"message"`
	Logprobs *int   `json:"logprobs"`
	Finish   string `json:"finish_reason"`
}

type completionUsage struct {
	In  int `json:"prompt_tokens"`
	Out int `json:"completion_tokens"`
	All int `json:"total_tokens"`
}

// fillCompletion makes the body of a reply without one. A number of tokens
// that the reply does not have is a quarter of the bytes.
func fillCompletion(req *Request, r *Reply, model string) {
	if r.Body != nil || r.Close || r.Serve != nil {
		return
	}
	choice := completionChoice{Finish: r.FinishReason}
	if choice.Finish == "" {
		choice.Finish = "stop"
	}
	choice.Message.Role, choice.Message.Refusal = "assistant", orNull(r.Refusal)
	if r.Content != "" || r.Refusal == "" {
		choice.Message.Content = &r.Content
	}
	if r.Model == "" {
		r.Model = req.Model()
	}
	if r.Model == "" {
		r.Model = model
	}
	usage := completionUsage{In: r.PromptTokens, Out: r.CompletionTokens}
	if usage.In == 0 {
		usage.In = (len(req.Body) + 3) / 4
	}
	if usage.Out == 0 {
		usage.Out = (len(r.Content) + len(r.Refusal) + 3) / 4
	}
	usage.All = usage.In + usage.Out
	c := completion{fmt.Sprint("chatcmpl-", req.N), "chat.completion", time.Now().Unix(), r.Model, []completionChoice{choice}, usage}
	if r.Usage != "" {
		c.Usage = json.RawMessage(r.Usage)
	}
	r.Body = &c
}

// embed gives an ordinary reply a vector: the words of the input, each counted at
// a place that its hash decides, so that texts with words in common are near each
// other.
func embed(r *Request, reply Reply) Reply {
	if reply.Status != 0 || reply.Body != nil {
		return reply
	}
	var asked struct{ Model, Input string }
	_ = json.Unmarshal(r.Body, &asked) // another body has no words
	vector := make([]float64, 64)
	norm := 0.0
	for _, w := range strings.FieldsFunc(strings.ToLower(asked.Input), func(r rune) bool { return !unicode.IsLetter(r) }) {
		h := fnv.New32a()
		h.Write([]byte(w))
		vector[h.Sum32()%64]++
	}
	for _, v := range vector {
		norm += v * v
	}
	for i := range vector {
		vector[i] /= math.Sqrt(max(norm, 1))
	}
	tokens := (len(asked.Input) + 3) / 4
	reply.Body = map[string]any{
		"object": "list", "model": asked.Model,
		"data":  []any{map[string]any{"object": "embedding", "index": 0, "embedding": vector}},
		"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens},
	}
	return reply
}
