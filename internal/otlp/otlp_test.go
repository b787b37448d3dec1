package otlp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// A collector keeps what it gets, and answers with the statuses it is given, then 200.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	got      []request
	headers  []http.Header
	paths    []string
}

func newCollector(t *testing.T, statuses ...int) *collector {
	c := &collector{statuses: statuses}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		var one request
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &one); err != nil {
			t.Errorf("%v: %s", err, text)
		}
		c.got, c.headers, c.paths = append(c.got, one), append(c.headers, r.Header), append(c.paths, r.URL.Path)
		if len(c.statuses) > 0 {
			w.WriteHeader(c.statuses[0])
			c.statuses = c.statuses[1:]
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// call makes a span of a call below that of the command.
func call(ctx context.Context, err error) {
	_, s := trace.SpanFromContext(ctx).TracerProvider().Tracer("omniscope").Start(ctx, "chat m", trace.WithSpanKind(trace.SpanKindClient))
	s.SetAttributes(attribute.String("a", "text"), attribute.Int("n", 5), attribute.Float64("f", 0.5), attribute.Bool("b", true), attribute.StringSlice("l", []string{"x", "y"}))
	if err != nil {
		s.SetStatus(codes.Error, err.Error())
	}
	s.End()
}

func TestSpansAsTheCollectorReadsThem(t *testing.T) {
	t.Setenv(headersEnv, "Authorization=Bearer%20abc, x-team = perception")
	c := newCollector(t)
	ctx, s, err := Start(t.Context(), c.URL, "v1", "omniscope eval")
	fixture.OK(t, err)
	call(ctx, nil)
	call(ctx, errors.New("it would not"))
	fixture.OK(t, s.Close(ctx))
	if len(c.got) != 1 || c.paths[0] != "/v1/traces" {
		t.Fatalf("%d requests to %v", len(c.got), c.paths)
	}
	if h := c.headers[0]; h.Get("Authorization") != "Bearer abc" || h.Get("X-Team") != "perception" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	of := c.got[0].ResourceSpans[0]
	if a := of.Resource.Attributes[0]; a.Key != "service.name" || *a.Value.String != "omniscope" {
		t.Errorf("resource %+v", of.Resource)
	}
	spans := of.ScopeSpans[0].Spans
	root := spans[2] // which ended last
	if root.Name != "omniscope eval" || root.Parent != "" || root.Kind != 1 {
		t.Errorf("span of the command: %+v", root)
	}
	for i, one := range spans[:2] {
		if one.Name != "chat m" || one.Parent != root.SpanID || one.TraceID != root.TraceID || len(one.TraceID) != 32 || len(one.SpanID) != 16 || one.Kind != 3 || one.Start > one.End {
			t.Errorf("span %d: %+v", i, one)
		}
	}
	if text, _ := json.Marshal(spans[0].Attributes); string(text) != `[{"key":"a","value":{"stringValue":"text"}},{"key":"n","value":{"intValue":"5"}},{"key":"f","value":{"doubleValue":0.5}},`+
		`{"key":"b","value":{"boolValue":true}},{"key":"l","value":{"arrayValue":{"values":[{"stringValue":"x"},{"stringValue":"y"}]}}}]` {
		t.Errorf("attributes %s", text)
	}
	if spans[0].Status != nil || spans[1].Status == nil || spans[1].Status.Code != 2 || spans[1].Status.Message != "it would not" {
		t.Errorf("statuses %+v, %+v", spans[0].Status, spans[1].Status)
	}
}

func TestCollectorThatIsBusy(t *testing.T) {
	c := newCollector(t, 503, 429)
	ctx, s, err := Start(t.Context(), c.URL+"/v1/traces", "v1", "omniscope eval")
	fixture.OK(t, err)
	if err := s.Close(ctx); err != nil || len(c.got) != 3 || c.paths[0] != "/v1/traces" {
		t.Errorf("%v after %d requests to %v", err, len(c.got), c.paths)
	}
}

// TestSpansThatAreLostAreCounted has collectors that are not there, and that refuse.
func TestSpansThatAreLostAreCounted(t *testing.T) {
	t.Setenv(headersEnv, "Authorization=secret")
	gone := newCollector(t)
	gone.Close()
	for address, says := range map[string]string{gone.URL: "refused", newCollector(t, 401).URL: "401 Unauthorized"} {
		ctx, s, err := Start(t.Context(), address, "v1", "omniscope eval")
		fixture.OK(t, err)
		call(ctx, nil)
		if err := s.Close(ctx); err == nil || !strings.Contains(err.Error(), "2 of 2 spans did not reach the collector") || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, address := range []string{"localhost:4318", "ftp://a", "http://", ":"} {
		if _, _, err := Start(t.Context(), address, "", ""); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%s: %v", address, err)
		}
	}
	t.Setenv(headersEnv, "topsecret")
	if _, _, err := Start(t.Context(), "http://a", "", ""); omniscope.KindOf(err) != omniscope.Usage || strings.Contains(err.Error(), "topsecret") {
		t.Errorf("%v", err)
	}
}
