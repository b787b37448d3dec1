package session

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/session/catalog"
)

// TestGatewayHeadersAndQuery asks every provider behind a gateway that wants a header
// and a value of the query, and that repeats both in its refusal.
func TestGatewayHeadersAndQuery(t *testing.T) {
	const header, query = "hunter2-of-the-header", "hunter2-of-the-query"
	t.Setenv("GATEWAY_KEY", "Bearer "+header)
	t.Setenv("GATEWAY_CODE", query)
	for _, known := range catalog.Providers {
		if known.Local() {
			continue
		}
		t.Run(known.Name, func(t *testing.T) {
			var sent *http.Request
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent = r
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error": {"message": "no %s at %s"}}`, r.Header.Get("Authorization"), r.URL)
			}))
			defer server.Close()
			p := provider(t, known.Name)
			r := &Role{Name: Judge, Model: p.Name + "/m", BaseURL: server.URL, Headers: []string{"authorization: env:GATEWAY_KEY"}, Query: []string{"subscription=env:GATEWAY_CODE"}}
			e := EndpointOf(p, r)
			fixture.OK(t, e.Check())
			m, source, err := p.Open(t.Context(), exchange.Options{Name: "m", BaseURL: e.URL, Headers: e.Headers, Query: e.Query})
			fixture.OK(t, err)
			_, err = m.Generate(t.Context(), &model.Request{Model: "m", Messages: []model.Message{{Role: model.User, Parts: []model.Part{{Kind: model.TextPart, Text: "Hello"}}}}})
			if sent == nil || sent.Header.Get("Authorization") != "Bearer "+header || sent.URL.Query().Get("subscription") != query {
				t.Fatalf("sent %+v, %v", sent, err)
			}
			text, jsonErr := json.Marshal(r)
			if shown := fmt.Sprintf("%v %+v %s %s %+v %s", err, err, source, e, e, text); err == nil || jsonErr != nil || strings.Contains(shown, "hunter2") {
				t.Errorf("the values are told, or nothing is refused: %s", shown)
			}
			if strings.Contains(string(text), "GATEWAY") {
				t.Errorf("the role's settings, which name its run, have changed: %s", text)
			}
		})
	}
}

func TestBadHeadersAndQuery(t *testing.T) {
	t.Setenv("GATEWAY_KEY", "hunter2hunter2")
	t.Setenv("TWO_LINES", "hunter2\nhunter2")
	for _, c := range []struct{ header, query, words string }{
		{header: "X-Key: hunter2hunter2", words: "header.NAME= of the judge wants env:VARIABLE"},
		{header: "hunter2hunter2", words: "header.NAME= of the judge wants"},
		{header: ": env:GATEWAY_KEY", words: "header.NAME= of the judge wants"},
		{header: "X Key: env:GATEWAY_KEY", words: "no name of a header"},
		{header: "Content-Type: env:GATEWAY_KEY", words: "set by the program itself"},
		{header: "accept-encoding: env:GATEWAY_KEY", words: "set by the program itself"},
		{header: "X-Key: env:TWO_LINES", words: "a line end"},
		{header: "X-Key: env:NO_SUCH_VARIABLE", words: "NO_SUCH_VARIABLE"},
		{query: "code=hunter2hunter2", words: "query.NAME= of the judge wants env:VARIABLE"},
		{query: "code=env:", words: "query.NAME= of the judge wants"},
	} {
		r := &Role{Name: Judge}
		if c.header != "" {
			r.Headers = []string{c.header}
		}
		if c.query != "" {
			r.Query = []string{c.query}
		}
		e := EndpointOf(provider(t, "vllm"), r)
		for _, err := range []error{r.Check(), e.Check()} {
			if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%+v: got %v", c, err)
			}
		}
	}
	twice := &Role{Name: Judge, Headers: []string{"X-Key: env:GATEWAY_KEY", "x-key: env:GATEWAY_KEY"}}
	if err := twice.Check(); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
}
