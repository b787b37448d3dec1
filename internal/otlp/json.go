package otlp

import (
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The form of OTLP in JSON: names in camel case, ids in hexadecimal, 64-bit numbers as
// texts, enumerations as numbers. Source: OpenTelemetry Protocol specification 1.9,
// "JSON Protobuf Encoding".
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource struct {
			Attributes []keyValue `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	scopeSpans struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []span `json:"spans"`
	}
	span struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []keyValue `json:"attributes,omitempty"`
		Status     *status    `json:"status,omitempty"`
	}
	status struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
	keyValue struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		String *string  `json:"stringValue,omitempty"`
		Int    *string  `json:"intValue,omitempty"`
		Double *float64 `json:"doubleValue,omitempty"`
		Bool   *bool    `json:"boolValue,omitempty"`
		Array  *array   `json:"arrayValue,omitempty"`
	}
	array struct {
		Values []value `json:"values"`
	}
)

// statusError is STATUS_CODE_ERROR, which the library numbers otherwise.
const statusError = 2

// document is the request for spans, which are all of one resource and one scope.
func document(spans []sdk.ReadOnlySpan) request {
	if len(spans) == 0 {
		return request{ResourceSpans: []resourceSpans{}}
	}
	var of resourceSpans
	of.Resource.Attributes = keyValues(spans[0].Resource().Attributes())
	scope := scopeSpans{}
	scope.Scope.Name = spans[0].InstrumentationScope().Name
	for _, s := range spans {
		out := span{
			TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
			Start: strconv.FormatInt(s.StartTime().UnixNano(), 10), End: strconv.FormatInt(s.EndTime().UnixNano(), 10), Attributes: keyValues(s.Attributes()),
		}
		if s.Parent().HasSpanID() {
			out.Parent = s.Parent().SpanID().String()
		}
		if s.Status().Code == codes.Error {
			out.Status = &status{statusError, s.Status().Description}
		}
		scope.Spans = append(scope.Spans, out)
	}
	of.ScopeSpans = []scopeSpans{scope}
	return request{ResourceSpans: []resourceSpans{of}}
}

func keyValues(attributes []attribute.KeyValue) (out []keyValue) {
	for _, a := range attributes {
		out = append(out, keyValue{string(a.Key), valueOf(a.Value)})
	}
	return out
}

// valueOf knows the kinds that our spans have; others are written as texts.
func valueOf(v attribute.Value) value {
	switch v.Type() {
	case attribute.BOOL:
		b := v.AsBool()
		return value{Bool: &b}
	case attribute.INT64:
		n := strconv.FormatInt(v.AsInt64(), 10)
		return value{Int: &n}
	case attribute.FLOAT64:
		f := v.AsFloat64()
		return value{Double: &f}
	case attribute.STRINGSLICE:
		list := &array{Values: []value{}}
		for _, s := range v.AsStringSlice() {
			list.Values = append(list.Values, value{String: &s})
		}
		return value{Array: list}
	}
	s := v.String()
	return value{String: &s}
}
