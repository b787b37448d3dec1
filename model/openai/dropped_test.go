package openai

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// A picky server refuses requests that have one of the given members, in the
// words given for it.
type picky struct {
	refusals map[string]string
	status   int // of refusals; 0 = 400

	mu    sync.Mutex
	calls int
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.calls++
	p.mu.Unlock()
	var has map[string]json.RawMessage
	body, _ := io.ReadAll(r.Body)
	json.Unmarshal(body, &has)
	for _, member := range []string{"response_format", "max_tokens", "temperature", "messages"} {
		if words := p.refusals[member]; has[member] != nil && words != "" {
			answer(w, cmp.Or(p.status, 400), nil, said(words, "invalid_request_error", ""))
			return
		}
	}
	answer(w, 200, nil, completion("yes"))
}

// start returns a Model that calls p, and how many calls reached p since it
// was last asked.
func (p *picky) start(t *testing.T) (m *Model, calls func() int) {
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return mustNew(t, Options{Options: exchange.Options{BaseURL: s.URL}}), func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		n := p.calls
		p.calls = 0
		return n
	}
}

// demanding is a request that has all that servers refuse.
func demanding() *model.Request {
	zero := 0.0
	req := question()
	req.Params = model.Params{Temperature: &zero, MaxTokens: 100}
	req.Schema = &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type":"object"}`)}
	return req
}

func TestRefusedOptionLearntOnce(t *testing.T) {
	const (
		noSchema      = "Invalid value for 'response_format': type 'json_schema' is not supported by this server."
		noMaxTokens   = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
		noTemperature = "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value is supported."
	)
	for _, c := range []struct {
		name     string
		refusals map[string]string
		conceded []string
		first    int // calls that the first answer takes
	}{
		{"nothing is refused", nil, nil, 1},
		{"a schema", map[string]string{"response_format": noSchema}, []string{"response_format"}, 2},
		{"guided decoding", map[string]string{"response_format": "guided decoding backend failed"}, []string{"response_format"}, 2},
		{"max_tokens, sent by another name", map[string]string{"max_tokens": noMaxTokens}, nil, 2},
		{"a temperature", map[string]string{"temperature": noTemperature}, []string{"temperature"}, 2},
		{"a temperature in other words", map[string]string{"temperature": "invalid temperature: only 1 is allowed for this model"}, []string{"temperature"}, 2},
		{"all of them", map[string]string{"response_format": noSchema, "max_tokens": noMaxTokens, "temperature": noTemperature}, []string{"response_format", "temperature"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, calls := (&picky{refusals: c.refusals}).start(t)
			for _, expected := range []int{c.first, 1, 1} {
				resp, err := m.Generate(t.Context(), demanding())
				if err != nil || !slices.Equal(resp.DroppedOptions, c.conceded) {
					t.Fatalf("got %+v %v, want %q conceded", resp, err, c.conceded)
				}
				if n := calls(); n != expected {
					t.Errorf("an answer took %d calls, want %d", n, expected)
				}
			}
			if resp, err := ask(t, m); err != nil || resp.DroppedOptions != nil {
				t.Errorf("a request that asked for nothing went without %q, %v", resp.DroppedOptions, err)
			}
			calls()
			other := demanding()
			other.Model = "other"
			if _, err := m.Generate(t.Context(), other); err != nil || calls() != c.first {
				t.Errorf("another model is known before it was asked: %v", err)
			}
		})
	}
}

// Servers with grammars refuse a schema that they cannot convert by 400 or 500, in words of their own.
func TestSchemaThatCannotBeConverted(t *testing.T) {
	for _, words := range []string{"JSON schema conversion failed:\nPattern must start with '^' and end with '$'", `"json_schema": JSON schema conversion failed`, "Failed to parse grammar"} {
		for _, status := range []int{400, 422, 500} {
			m, calls := (&picky{refusals: map[string]string{"response_format": words}, status: status}).start(t)
			for _, expected := range []int{2, 1} {
				resp, err := m.Generate(t.Context(), demanding())
				if err != nil || !slices.Equal(resp.DroppedOptions, []string{"response_format"}) {
					t.Fatalf("%d %s: got %+v %v", status, words, resp, err)
				}
				if n := calls(); n != expected {
					t.Errorf("%d %s: %d calls, want %d", status, words, n, expected)
				}
			}
		}
	}
}

func TestOtherRefusalsNotLearnt(t *testing.T) {
	for _, c := range []struct {
		words string
		calls int // for two requests
	}{
		{"maximum context length is 4096 tokens", 2},
		{"temperature must be between 0 and 2", 2},
		{"Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.", 2},
		{"'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens", 2},
		{"'messages' is required, got {'model': 'judge', 'response_format': {}}", 4}, // quotes the request: tried, not kept
	} {
		m, calls := (&picky{refusals: map[string]string{"messages": c.words}}).start(t)
		for range 2 {
			_, err := m.Generate(t.Context(), demanding())
			fixture.WantError(t, err, omniscope.Invalid, c.words)
		}
		if n := calls(); n != c.calls {
			t.Errorf("%q: %d calls, want %d", c.words, n, c.calls)
		}
	}
}

func TestOnlyBadRequestsLearnt(t *testing.T) {
	for _, status := range []int{401, 429, 500} {
		m, calls := (&picky{refusals: map[string]string{"temperature": "'temperature' is not supported"}, status: status}).start(t)
		for range 2 {
			m.Generate(t.Context(), demanding())
		}
		if n := calls(); n != 2 {
			t.Errorf("%d: %d calls for two requests, want 2", status, n)
		}
	}
}
