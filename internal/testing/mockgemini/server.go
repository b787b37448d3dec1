// Package mockgemini is a local server that speaks Google's Gemini API
// (generateContent and the Files API of v1beta) for tests. It refuses what the
// real one refuses, and misbehaves as it is told to.
//
// Each rule names where it comes from: a page of ai.google.dev, the client
// library googleapis/go-genai, or an issue that quotes the server's words.
package mockgemini

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// A Config says how the server answers.
type Config struct {
	// Reply answers a request that follows the rules. nil = the text "ok".
	Reply func(*Request) Reply

	// Intercept may answer any request, in place of the server: it returns true
	// if it did. nil = never.
	Intercept func(w http.ResponseWriter, r *http.Request) bool

	Key       string        // that must come in the header x-goog-api-key; "" = any, or none
	Models    []string      // the models there are; nil = any
	Accept    []string      // fields of generationConfig that are accepted beside the documented ones
	External  bool          // addresses of other servers are accepted as fileUri
	MostBytes int           // of a request; 0 = 20 MB
	Processed int           // how often a file is looked at while it is PROCESSING
	Fails     string        // why files FAIL after that; "" = they become ACTIVE
	Lifetime  time.Duration // of a file; 0 = 48 hours
}

// A Reply is what the server sends to one request.
type Reply struct {
	Status int           // 0 = 200
	Header http.Header   // further headers
	Body   any           // sent as JSON, a string or bytes as they are; nil = Answer("ok")
	Cut    int           // the connection breaks off after so many bytes; 0 = it does not
	Delay  time.Duration // before the answer, or until the client has gone
}

// A Server is running. It is safe for concurrent use.
type Server struct {
	cfg  Config
	http *httptest.Server

	mu       sync.Mutex
	requests []*Request
	uploads  map[string]*upload
	files    map[string]*storedFile
	number   int
	refused  []string
}

// Start starts a server on a free port of this machine.
func Start(cfg Config) *Server {
	if cfg.MostBytes == 0 {
		cfg.MostBytes = 20 << 20
	}
	if cfg.Lifetime == 0 {
		cfg.Lifetime = 48 * time.Hour
	}
	s := &Server{cfg: cfg, uploads: make(map[string]*upload), files: make(map[string]*storedFile)}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// URL is the server's address, without a version.
func (s *Server) URL() string { return s.http.URL }

// Close ends the server and all connections.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests are the generateContent requests that followed the rules.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Refused are the words of the answers to requests that broke a rule.
func (s *Server) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.refused...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Intercept != nil && s.cfg.Intercept(w, r) {
		return
	}
	path := r.URL.Path
	if problem := s.checkKey(r); problem != nil {
		s.refuse(w, problem)
		return
	}
	name, generate := strings.CutSuffix(strings.TrimPrefix(path, "/v1beta/models/"), ":generateContent")
	switch {
	case r.Method == http.MethodPost && generate:
		s.generate(w, r, name)
	case r.Method == http.MethodGet && path == "/v1beta/models":
		send(w, Reply{Body: map[string]any{"models": []any{}}})
	case r.Method == http.MethodGet && strings.HasPrefix(path, "/v1beta/models/"):
		s.describe(w, name)
	case path == "/upload/v1beta/files":
		s.receive(w, r)
	case strings.HasPrefix(path, "/v1beta/files/"):
		s.file(w, r, strings.TrimPrefix(path, "/v1beta/"))
	default:
		send(w, Reply{Status: 404, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<p>That's an error."})
	}
}

func (s *Server) describe(w http.ResponseWriter, name string) {
	if problem := s.checkModel(name); problem != nil {
		s.refuse(w, problem)
		return
	}
	send(w, Reply{Body: map[string]any{"name": "models/" + name, "inputTokenLimit": 1 << 20}})
}

func (s *Server) generate(w http.ResponseWriter, r *http.Request, name string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	req, problem := s.check(r, name, body)
	if problem != nil {
		s.refuse(w, problem)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	reply := Reply{}
	if s.cfg.Reply != nil {
		reply = s.cfg.Reply(req)
	}
	if reply.Body == nil {
		reply.Body = Answer("ok")
	}
	if reply.Delay > 0 {
		select {
		case <-time.After(reply.Delay):
		case <-r.Context().Done():
			return
		}
	}
	send(w, reply)
}

// send writes a reply.
func send(w http.ResponseWriter, r Reply) {
	var text []byte
	switch body := r.Body.(type) {
	case string:
		text = []byte(body)
	case []byte:
		text = body
	default:
		text, _ = json.Marshal(body)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	for name, values := range r.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	if r.Status == 0 {
		r.Status = 200
	}
	w.WriteHeader(r.Status)
	if r.Cut > 0 {
		w.Write(text[:min(r.Cut, len(text))])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	w.Write(text)
}

// Answer is an ordinary answer of one text (ai.google.dev/api/generate-content).
func Answer(text string) map[string]any {
	return Candidate("STOP", map[string]any{"text": text})
}

// Candidate is an answer of one candidate with parts and a reason to finish.
func Candidate(finish string, parts ...map[string]any) map[string]any {
	content := map[string]any{"role": "model"}
	if len(parts) > 0 {
		content["parts"] = parts
	}
	return map[string]any{
		"candidates":    []any{map[string]any{"content": content, "finishReason": finish, "index": 0}},
		"usageMetadata": Usage(11, 7, 0),
		"modelVersion":  "gemini-test-001",
		"responseId":    "r1",
	}
}

// Usage is usageMetadata as Google gives it: what is 0 is left out, and thoughts
// are counted apart from the candidates' tokens.
func Usage(in, out, thoughts int) map[string]any {
	usage := map[string]any{"totalTokenCount": in + out + thoughts}
	for name, n := range map[string]int{"promptTokenCount": in, "candidatesTokenCount": out, "thoughtsTokenCount": thoughts} {
		if n != 0 {
			usage[name] = n
		}
	}
	return usage
}

// Failure is an error as Google words it: google.rpc.Status in an object "error".
func Failure(status int, code, message string, details ...map[string]any) Reply {
	e := map[string]any{"code": status, "message": message, "status": code}
	if len(details) > 0 {
		e["details"] = details
	}
	return Reply{Status: status, Body: map[string]any{"error": e}}
}

// RetryInfo is the detail of an error that says how long to wait, such as 7s.
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
