package fake

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Gemini speaks Google's Gemini API (generateContent and the Files API of v1beta)
// and refuses what the real server refuses. Each rule names where it comes from: a
// page of ai.google.dev, the client library googleapis/go-genai, or an issue that
// quotes the server's words. Its fields are set before it starts.
type Gemini struct {
	*Server

	// Reply answers a request that follows the rules. nil = the text "ok".
	Reply func(*GeminiRequest) Reply

	Key       string        // that must come in the header x-goog-api-key; "" = any, or no key
	Models    []string      // the models there are; nil = any
	Accept    []string      // fields of generationConfig that are accepted next to the documented ones
	External  bool          // addresses of other servers are accepted as fileUri
	MostBytes int           // of a request; 0 = 20 MB
	Processed int           // how often a file is looked at while it is PROCESSING
	Fails     string        // why files FAIL after that; "" = they become ACTIVE
	Lifetime  time.Duration // of a file; 0 = 48 hours

	mu       sync.Mutex
	requests []*GeminiRequest
	uploads  map[string]*upload
	files    map[string]*storedFile
	number   int
}

// Start starts the server, which the end of the test closes.
func (g *Gemini) Start(t testing.TB) *Gemini {
	t.Helper()
	if g.MostBytes == 0 {
		g.MostBytes = 20 << 20
	}
	if g.Lifetime == 0 {
		g.Lifetime = 48 * time.Hour
	}
	g.uploads, g.files = make(map[string]*upload), make(map[string]*storedFile)
	g.Server = mustListen(t, protocol{
		admit:   g.checkKey,
		content: "application/json; charset=UTF-8",
		fill: func(_ *Request, r *Reply) {
			if r.Body == nil {
				r.Body = GeminiAnswer("ok")
			}
		},
		routes: map[string]route{
			"POST /v1beta/models/{call}": {name: "generate", answer: g.generate},
			"GET /v1beta/models":         {name: "models", answer: func(*Request) Reply { return Reply{Body: map[string]any{"models": []any{}}} }},
			"GET /v1beta/models/{name}":  {name: "model", answer: g.describe},
			"/upload/v1beta/files":       {name: "upload", answer: g.receive},
			"/v1beta/files/{name...}":    {name: "file", answer: g.file},
			"/":                          {name: "unknown", answer: unknownPage},
		},
	})
	return g
}

// URL is the server's address, without a version.
func (g *Gemini) URL() string { return g.root() }

// Requests are the generateContent requests that followed the rules.
func (g *Gemini) Requests() []*GeminiRequest {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*GeminiRequest(nil), g.requests...)
}

func unknownPage(*Request) Reply {
	return Reply{Status: 404, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<p>That's an error."}
}

func (g *Gemini) describe(r *Request) Reply {
	name := r.HTTP.PathValue("name")
	g.checkModel(name)
	return Reply{Body: map[string]any{"name": "models/" + name, "inputTokenLimit": 1 << 20}}
}

func (g *Gemini) generate(r *Request) Reply {
	name, ok := strings.CutSuffix(r.HTTP.PathValue("call"), ":generateContent")
	if !ok {
		return unknownPage(r)
	}
	req := g.check(r, name)
	g.mu.Lock()
	g.requests = append(g.requests, req)
	g.mu.Unlock()
	if g.Reply == nil {
		return Reply{}
	}
	return g.Reply(req)
}

// GeminiAnswer is an ordinary answer of one text (ai.google.dev/api/generate-content).
func GeminiAnswer(text string) map[string]any {
	return GeminiCandidate("STOP", map[string]any{"text": text})
}

// GeminiCandidate is an answer of one candidate with parts and a reason to finish.
func GeminiCandidate(finish string, parts ...map[string]any) map[string]any {
	content := map[string]any{"role": "model"}
	if len(parts) > 0 {
		content["parts"] = parts
	}
	return map[string]any{
		"candidates":    []any{map[string]any{"content": content, "finishReason": finish, "index": 0}},
		"usageMetadata": GeminiUsage(11, 7, 0),
		"modelVersion":  "gemini-test-001",
		"responseId":    "r1",
	}
}

// GeminiUsage is usageMetadata as Google gives it: what is 0 is left out, and thoughts
// are not among the candidates' tokens.
func GeminiUsage(in, out, thoughts int) map[string]any {
	usage := map[string]any{"totalTokenCount": in + out + thoughts}
	for name, n := range map[string]int{"promptTokenCount": in, "candidatesTokenCount": out, "thoughtsTokenCount": thoughts} {
		if n != 0 {
			usage[name] = n
		}
	}
	return usage
}

// GeminiFailure is an error as Google words it: google.rpc.Status in an object "error".
func GeminiFailure(status int, code, message string, details ...map[string]any) Reply {
	e := map[string]any{"code": status, "message": message, "status": code}
	if len(details) > 0 {
		e["details"] = details
	}
	return Reply{Status: status, Body: map[string]any{"error": e}}
}

// RetryInfo is the detail of an error with the time to wait, such as 7s.
func RetryInfo(delay string) map[string]any {
	return map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
}

// QuotaFailure is the detail that names a quota.
func QuotaFailure(id string) map[string]any {
	return map[string]any{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []any{map[string]any{"quotaId": id}}}
}

// ErrorInfo is the detail that has a reason, such as API_KEY_INVALID.
func ErrorInfo(reason string) map[string]any {
	return map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
}
