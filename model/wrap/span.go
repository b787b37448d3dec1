package wrap

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"omniscope"
	"omniscope/model"
)

// spanned tells a span of each call where ctx has one that is recorded. It tells
// neither prompts nor answers. The attributes are those of OpenTelemetry's semantic
// conventions for generative AI.
type spanned struct {
	inner model.Model
	o     Options
}

func (m *spanned) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return m.inner.Generate(ctx, req)
	}
	ctx, span := parent.TracerProvider().Tracer("omniscope").Start(ctx, "chat "+req.Model,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(m.asked(req)...))
	defer span.End()
	resp, err := m.inner.Generate(ctx, req)
	if err != nil {
		span.SetAttributes(attribute.String("error.type", omniscope.KindOf(err).String()))
		span.SetStatus(codes.Error, err.Error())
		return nil, err
	}
	span.SetAttributes(answered(resp)...)
	return resp, nil
}

// providers are the conventions' names of providers that we call otherwise.
var providers = map[string]string{"gemini": "gcp.gemini", "azure": "azure.ai.openai"}

func (m *spanned) asked(req *model.Request) []attribute.KeyValue {
	provider, _, _ := strings.Cut(m.o.Name, "/")
	if known, ok := providers[provider]; ok {
		provider = known
	}
	all := []attribute.KeyValue{
		attribute.String("gen_ai.operation.name", "chat"),
		attribute.String("gen_ai.provider.name", provider),
		attribute.String("gen_ai.request.model", req.Model),
		attribute.String("omniscope.step", req.Step),
		attribute.Int("omniscope.attempt", req.Attempt),
	}
	if at, err := url.Parse(m.o.Source); err == nil && at.Host != "" {
		all = append(all, attribute.String("server.address", at.Hostname()))
		if port, err := strconv.Atoi(portOf(at)); err == nil {
			all = append(all, attribute.Int("server.port", port))
		}
	}
	p := req.Params
	if p.Temperature != nil {
		all = append(all, attribute.Float64("gen_ai.request.temperature", *p.Temperature))
	}
	if p.TopP != nil {
		all = append(all, attribute.Float64("gen_ai.request.top_p", *p.TopP))
	}
	if p.MaxTokens > 0 {
		all = append(all, attribute.Int("gen_ai.request.max_tokens", p.MaxTokens))
	}
	if p.Seed != nil {
		all = append(all, attribute.Int64("gen_ai.request.seed", *p.Seed))
	}
	return all
}

func portOf(at *url.URL) string {
	if at.Port() != "" {
		return at.Port()
	}
	port, err := net.LookupPort("tcp", at.Scheme)
	if err != nil {
		return ""
	}
	return strconv.Itoa(port)
}

func answered(resp *model.Response) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.Int("gen_ai.usage.input_tokens", resp.Usage.TokensIn),
		attribute.Int("gen_ai.usage.output_tokens", resp.Usage.TokensOut),
		attribute.Bool("omniscope.remembered", resp.Cached),
		attribute.Int("omniscope.tries", resp.Tries),
	}
	if resp.Usage.CostUSD > 0 { // 0 = the price is not known
		all = append(all, attribute.Float64("omniscope.cost_usd", resp.Usage.CostUSD))
	}
	if resp.Model != "" {
		all = append(all, attribute.String("gen_ai.response.model", resp.Model))
	}
	if resp.ID != "" {
		all = append(all, attribute.String("gen_ai.response.id", resp.ID))
	}
	if resp.Finish != "" {
		all = append(all, attribute.StringSlice("gen_ai.response.finish_reasons", []string{string(resp.Finish)}))
	}
	return all
}
