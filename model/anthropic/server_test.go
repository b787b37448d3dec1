package anthropic

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// A strictServer refuses what Anthropic's own server refuses and answers the
// rest as respond says. Rules whose source is "SDK" are those of
// anthropic-sdk-go, message.go, MessageNewParams and what it holds.
type strictServer struct {
	t       *testing.T
	key     string
	refuse  func(body map[string]json.RawMessage) error // further rules of one model; nil = none
	respond func(w http.ResponseWriter, r *http.Request, body string)

	mu    sync.Mutex
	asked []string // bodies that were taken
	calls int
}

// members are the fields of a request. (SDK)
var members = []string{
	"model", "max_tokens", "messages", "system", "temperature", "top_p", "top_k", "stop_sequences", "stream", "thinking",
	"metadata", "tools", "tool_choice", "service_tier", "container", "cache_control", "output_config", "inference_geo", "speed", "diagnostics",
}

func (s *strictServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	kind, err := s.check(r, body)
	if err != nil {
		fail(w, kind, err.Error(), "")
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, string(body))
	s.mu.Unlock()
	s.respond(w, r, string(body))
}

func (s *strictServer) check(r *http.Request, body []byte) (kind string, err error) {
	switch {
	// The page "Authentication": the key is in x-api-key.
	case s.key != "" && r.Header.Get("x-api-key") != s.key:
		return "authentication_error", errors.New("invalid x-api-key")
	// The page "Versions": each request has a version.
	case r.Header.Get("anthropic-version") != "2023-06-01":
		return "invalid_request_error", errors.New("anthropic-version: header is required")
	case r.Method == http.MethodGet:
		return "", nil
	case r.URL.Path != "/v1/messages":
		return "not_found_error", errors.New("Not Found")
	case r.Header.Get("content-type") != "application/json":
		return "invalid_request_error", errors.New("content-type must be application/json")
	// The page "Errors": at most 32 MB.
	case len(body) > 32<<20:
		return "request_too_large", errors.New("Request exceeds the maximum size")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return "invalid_request_error", errors.New("The request body is not valid JSON")
	}
	err = checkFields(fields)
	if err == nil && s.refuse != nil {
		err = s.refuse(fields)
	}
	return "invalid_request_error", err
}

func checkFields(fields map[string]json.RawMessage) error {
	// Its words of an unknown field: "seed: Extra inputs are not permitted".
	for name := range fields {
		if !slices.Contains(members, name) {
			return fmt.Errorf("%s: Extra inputs are not permitted", name)
		}
	}
	var request struct {
		Model       string   `json:"model"`
		MaxTokens   int      `json:"max_tokens"`
		Temperature *float64 `json:"temperature"`
		System      []part   `json:"system"`
		Messages    []struct {
			Role    string `json:"role"`
			Content []part `json:"content"`
		} `json:"messages"`
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(body))
	if err := strict.Decode(&request); err != nil {
		return err
	}
	switch {
	case request.Model == "": // required (SDK)
		return errors.New("model: Field required")
	case request.MaxTokens < 1: // required (SDK), "max_tokens: must be greater than or equal to 1"
		return errors.New("max_tokens: Field required")
	case request.Temperature != nil && (*request.Temperature < 0 || *request.Temperature > 1): // from 0 to 1 (SDK)
		return errors.New("temperature: range: 0..1")
	case len(request.Messages) == 0: // its words
		return errors.New("messages: at least one message is required")
	}
	images := 0
	for _, p := range request.System {
		if p.Type != "text" { // []TextBlockParam (SDK)
			return errors.New("system: Input should be 'text'")
		}
		if err := p.check(); err != nil {
			return err
		}
	}
	for i, m := range request.Messages {
		// user or assistant (SDK). They need not alternate: turns of one role are
		// joined (SDK, the comment on Messages).
		if m.Role != "user" && m.Role != "assistant" {
			return fmt.Errorf("messages.%d.role: Input should be 'user' or 'assistant'", i)
		}
		if len(m.Content) == 0 { // its words
			return fmt.Errorf("messages.%d: all messages must have non-empty content", i)
		}
		for _, p := range m.Content {
			if err := p.check(); err != nil {
				return fmt.Errorf("messages.%d.content: %w", i, err)
			}
			if p.Type == "image" {
				images++
			}
		}
	}
	if images > 100 { // the page "Vision"
		return fmt.Errorf("too many images: %d > 100", images)
	}
	return nil
}

type part struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Source *struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
	} `json:"source"`
}

func (p part) check() error {
	switch {
	case p.Type == "text" && strings.TrimSpace(p.Text) == "": // its words
		return errors.New("text content blocks must contain non-whitespace text")
	case p.Type == "text":
		return nil
	case p.Type != "image" || p.Source == nil: // ContentBlockParamUnion (SDK); tools and documents are not tested here
		return fmt.Errorf("Input tag '%s' found using 'type' does not match any of the expected tags", p.Type)
	case p.Source.Type == "url" && strings.HasPrefix(p.Source.URL, "https://"): // URLImageSourceParam (SDK)
		return nil
	case p.Source.Type != "base64":
		return errors.New("source: not a valid source")
	case !slices.Contains([]string{"image/jpeg", "image/png", "image/gif", "image/webp"}, p.Source.MediaType): // Base64ImageSourceMediaType (SDK)
		return errors.New("source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'")
	case len(p.Source.Data) > 5<<20: // the page "Vision"; counted in base64: langchain-ai/langchain, issue 21654
		return fmt.Errorf("source.base64: image exceeds 5 MB maximum: %d bytes > 5242880 bytes", len(p.Source.Data))
	}
	if data, err := base64.StdEncoding.DecodeString(p.Source.Data); err != nil || len(data) == 0 {
		return errors.New("source.base64.data: not base64")
	}
	return nil
}

// statuses are the HTTP statuses of the API's errors, by type (the page "Errors").
var statuses = map[string]int{
	"invalid_request_error": http.StatusBadRequest, "authentication_error": http.StatusUnauthorized, "not_found_error": http.StatusNotFound,
	"permission_error": http.StatusForbidden, "request_too_large": http.StatusRequestEntityTooLarge, "rate_limit_error": http.StatusTooManyRequests,
	"api_error": http.StatusInternalServerError, "overloaded_error": 529,
}

// fail answers as the page "Errors" has it.
func fail(w http.ResponseWriter, kind, message, retryAfter string) {
	w.Header().Set("Content-Type", "application/json")
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(statuses[kind])
	fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
}

// start starts a strict server and a Model that calls it.
func (s *strictServer) start(t *testing.T, o exchange.Options) *Model {
	t.Helper()
	s.t = t
	server := httptest.NewServer(s)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	o.BaseURL = server.URL + o.BaseURL
	m, err := New(o)
	fixture.OK(t, err)
	return m
}

// sent is the only body that the server took.
func (s *strictServer) sent(t *testing.T) (body string, fields map[string]any) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) != 1 {
		t.Fatalf("the server took %d requests, want 1", len(s.asked))
	}
	fixture.OK(t, json.Unmarshal([]byte(s.asked[0]), &fields))
	return s.asked[0], fields
}

// answering is a Model whose endpoint gives every call the same answer.
func answering(t *testing.T, status int, header http.Header, body string) *Model {
	t.Helper()
	s := &strictServer{respond: func(w http.ResponseWriter, _ *http.Request, _ string) { reply(w, status, header, body) }}
	return s.start(t, exchange.Options{Timeout: time.Minute})
}

func reply(w http.ResponseWriter, status int, header http.Header, body string) {
	w.Header().Set("Content-Type", "application/json")
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// said is an answer of one text.
func said(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return completion(`{"type":"text","text":`+string(quoted)+`}`, "end_turn", "claude-test", 3, 4)
}

// completion is the body of an answer.
func completion(content, stop, name string, in, out int) string {
	return `{"id":"msg_1","type":"message","role":"assistant","model":` + strconv.Quote(name) + `,"content":[` + content +
		`],"stop_reason":"` + stop + `","stop_sequence":null,"usage":{"input_tokens":` + strconv.Itoa(in) +
		`,"cache_creation_input_tokens":null,"cache_read_input_tokens":0,"output_tokens":` + strconv.Itoa(out) + `}}`
}

func question() *model.Request {
	return &model.Request{Step: "s1", Attempt: 1, Model: "claude-test", Messages: []model.Message{model.Text(model.User, "What do you see?")}}
}

func ask(t *testing.T, m *Model) (*model.Response, error) {
	t.Helper()
	return m.Generate(t.Context(), question())
}
