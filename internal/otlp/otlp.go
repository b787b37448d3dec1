// Package otlp sends spans to a collector of OpenTelemetry: OTLP over HTTP, as JSON.
//
// The library's own exporter would link protocol buffers, and with them every method of
// every type, 25 MB; the form itself is small.
package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"omniscope"
)

// headersEnv is the variable with headers for the collector, NAME=VALUE with commas
// between, as OpenTelemetry's specification has it. Values may be secrets.
const headersEnv = "OTEL_EXPORTER_OTLP_HEADERS"

// A Sender sends the spans of a command. Spans that cannot be sent are lost, and counted:
// they end no command.
type Sender struct {
	provider *sdk.TracerProvider
	root     trace.Span
	address  string
	headers  http.Header
	client   http.Client
	ended    atomic.Int64 // spans
	sent     atomic.Int64
	last     atomic.Pointer[error]
}

// Start begins a span of the whole command, which the context carries. The collector's
// address is that of its HTTP receiver, such as http://localhost:4318; /v1/traces is
// added where it is not there.
func Start(ctx context.Context, collector, version, command string) (context.Context, *Sender, error) {
	at, err := url.Parse(collector)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return ctx, nil, omniscope.Usagef("--otel wants the address of a collector, such as http://localhost:4318, not %q", collector)
	}
	if !strings.HasSuffix(at.Path, "/v1/traces") {
		at.Path = path.Join("/", at.Path, "v1/traces")
	}
	s := &Sender{address: at.String(), client: http.Client{Timeout: 10 * time.Second}}
	if s.headers, err = headers(os.Getenv(headersEnv)); err != nil {
		return ctx, nil, err
	}
	service := os.Getenv("OTEL_SERVICE_NAME")
	if service == "" {
		service = "omniscope"
	}
	s.provider = sdk.NewTracerProvider(sdk.WithSampler(sdk.AlwaysSample()), sdk.WithSpanProcessor(counter{s}),
		sdk.WithBatcher(s, sdk.WithMaxQueueSize(1<<16), sdk.WithExportTimeout(30*time.Second)),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", service), attribute.String("service.version", version))))
	ctx, s.root = s.provider.Tracer("omniscope").Start(ctx, command)
	return ctx, s, nil
}

func headers(text string) (http.Header, error) {
	h := make(http.Header)
	for _, one := range strings.Split(text, ",") {
		if strings.TrimSpace(one) == "" {
			continue
		}
		name, value, ok := strings.Cut(one, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || err != nil {
			return nil, omniscope.Usagef("%s wants NAME=VALUE with commas between", headersEnv) // the text may be a secret
		}
		h.Add(strings.TrimSpace(name), value)
	}
	return h, nil
}

// Close ends the span of the command and sends what is not sent yet, for some seconds. It
// says what could not be sent.
func (s *Sender) Close(ctx context.Context) error {
	s.root.End()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = s.provider.Shutdown(ctx) // what it fails to send is counted below
	lost := s.ended.Load() - s.sent.Load()
	if lost == 0 {
		return nil
	}
	why := ""
	if last := s.last.Load(); last != nil {
		why = ": " + (*last).Error()
	}
	return fmt.Errorf("%d of %d spans did not reach the collector%s", lost, s.ended.Load(), why)
}

// counter counts the spans that ended.
type counter struct{ s *Sender }

func (c counter) OnStart(context.Context, sdk.ReadWriteSpan) {}
func (c counter) OnEnd(sdk.ReadOnlySpan)                     { c.s.ended.Add(1) }
func (c counter) Shutdown(context.Context) error             { return nil }
func (c counter) ForceFlush(context.Context) error           { return nil }

// Shutdown implements sdk.SpanExporter.
func (s *Sender) Shutdown(context.Context) error { return nil }

// tries is how often a batch is sent, where the collector says that it may succeed later.
const tries = 3

// ExportSpans implements sdk.SpanExporter.
func (s *Sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := json.Marshal(document(spans))
	if err != nil {
		return s.failed(err)
	}
	for n := 1; ; n++ {
		again, err := s.post(ctx, body)
		if err == nil {
			s.sent.Add(int64(len(spans)))
			return nil
		}
		if !again || n == tries {
			return s.failed(err)
		}
		select {
		case <-time.After(time.Duration(n) * 500 * time.Millisecond):
		case <-ctx.Done():
			return s.failed(ctx.Err())
		}
	}
}

// failed notes an error. The library would print it.
func (s *Sender) failed(err error) error {
	s.last.Store(&err)
	return nil
}

func (s *Sender) post(ctx context.Context, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	for name, values := range s.headers {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return true, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // the connection is used again
	switch {
	case resp.StatusCode < 300:
		return false, nil
	case resp.StatusCode == 429, resp.StatusCode == 502, resp.StatusCode == 503, resp.StatusCode == 504:
		return true, fmt.Errorf("it answered %s", resp.Status)
	}
	return false, fmt.Errorf("it answered %s", resp.Status)
}
