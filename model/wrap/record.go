package wrap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/run"
)

// recorded answers a call from the journal if it is there, else makes the call
// and writes it to the journal. Both need the key, so they are one wrapper.
type recorded struct {
	inner  model.Model
	once   *run.Once
	name   string
	source string
	byStep bool
	meter  *Meter
}

// A Result is what the journal keeps of a model's answer, or of its failure.
// What the call used is its Usage, which is the answer's, and Lost, which is that
// of tries that brought nothing usable. Entries of older versions have no Lost.
type Result struct {
	Model          string       `json:"model"`              // as asked for, provider/name
	Answered       string       `json:"answered,omitempty"` // the name the endpoint gave
	Text           string       `json:"text"`
	Refusal        string       `json:"refusal,omitempty"`
	Finish         model.Finish `json:"finish,omitempty"`
	ToolCalls      []string     `json:"tool_calls,omitempty"`
	Reasoning      bool         `json:"reasoning,omitempty"`
	ID             string       `json:"id,omitempty"`
	LatencyMS      float64      `json:"latency_ms,omitempty"`
	Tries          int          `json:"tries,omitempty"`
	DroppedOptions []string     `json:"conceded,omitempty"`
	Error          string       `json:"error,omitempty"`
	Kind           string       `json:"error_kind,omitempty"`
	Streamed       bool         `json:"streamed,omitempty"`
	model.Usage
	Lost model.Lost        `json:"lost,omitzero"`
	Sent []model.SentMedia `json:"sent,omitempty"`
}

func (m *recorded) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	m.meter.Asked.Add(1)
	request, key, err := Canonical(KeyName(m.name, m.byStep, req), req)
	if err != nil {
		m.meter.Failed.Add(1)
		return nil, err
	}
	e := &run.Entry{
		Key: key, Step: req.Step, Attempt: req.Attempt, Kind: "model", Source: m.source,
		Request: request, Started: time.Now(),
	}
	var resp *model.Response
	entry, remembered, err := m.once.Do(ctx, e, func(ctx context.Context, e *run.Entry) (err error) {
		resp, err = m.inner.Generate(ctx, req)
		m.describe(e, resp, err)
		return err
	})
	if err != nil {
		if lost := model.LostIn(err); lost.Tries > 0 {
			run.TallyOf(ctx).AddModel((&Result{Lost: lost}).cost())
		}
		return nil, err
	}
	if remembered {
		var r Result
		if err := json.Unmarshal(entry.Result, &r); err != nil {
			return nil, fmt.Errorf("journal entry %s: %w", entry.Key, err)
		}
		resp = r.Response()
		m.meter.Remembered.Add(1)
	}
	m.meter.answered(resp, entry.Source)
	if !remembered {
		run.TallyOf(ctx).AddModel((&Result{Usage: resp.Usage, Lost: resp.Lost}).cost())
	}
	return resp, nil
}

// KeyName returns the model's name as it goes into a call's key.
func KeyName(name string, byStep bool, req *model.Request) string {
	if byStep {
		return name + "#" + req.Step
	}
	return name
}

// describe completes the entry. Every answer that was paid for counts as OK
// here, a refusal or a broken form included: asking the same again would buy
// the same again.
func (m *recorded) describe(e *run.Entry, resp *model.Response, err error) {
	result := Result{Model: m.name}
	limited := 0
	if err != nil {
		e.Outcome = omniscope.OutcomeOf(err)
		result.Error, result.Kind = err.Error(), omniscope.KindOf(err).String()
		result.Lost = model.LostIn(err)
		var tried *model.TriedError
		if errors.As(err, &tried) {
			result.Tries, limited = tried.Tries, tried.RateLimited
		}
	} else {
		e.Outcome = omniscope.OK
		result.Answered, result.Text, result.Refusal = resp.Model, resp.Text, resp.Refusal
		result.Finish, result.ID, result.Usage = resp.Finish, resp.ID, resp.Usage
		result.LatencyMS, result.Tries = float64(resp.Latency.Microseconds())/1000, resp.Tries
		result.ToolCalls, result.Reasoning, result.DroppedOptions = resp.ToolCalls, resp.Reasoning, resp.DroppedOptions
		result.Streamed, result.Lost, limited = resp.Streamed, resp.Lost, resp.RateLimited
		result.Sent = resp.Sent
	}
	e.Cost = result.cost()
	e.Cost.RateLimited = limited
	e.Result = result.appendJSON(make([]byte, 0, 320+len(result.Text)*17/16+len(result.Error)))
}

// cost is what the call took: the answer, and the tries that were lost.
func (r *Result) cost() run.Cost {
	return run.Cost{TokensIn: r.TokensIn + r.Lost.TokensIn, TokensOut: r.TokensOut + r.Lost.TokensOut, USD: r.CostUSD + r.Lost.CostUSD,
		Tries: r.Tries, Lost: run.Lost{Tries: r.Lost.Tries, TokensIn: r.Lost.TokensIn, TokensOut: r.Lost.TokensOut, USD: r.Lost.CostUSD}}
}

// CostOf reads a call's cost from its result as the journal stores it.
func CostOf(result []byte) run.Cost {
	f := gjson.GetManyBytes(result, "tokens_in", "tokens_out", "cost_usd", "tries")
	return run.Cost{TokensIn: int(f[0].Int()), TokensOut: int(f[1].Int()), USD: f[2].Float(), Tries: int(f[3].Int())}
}

// Response makes a remembered answer a response again. The finish reasons of older versions are the endpoints' own words.
func (r *Result) Response() *model.Response {
	return &model.Response{
		Text: r.Text, Refusal: r.Refusal, Finish: model.FinishOf(string(r.Finish)), Model: r.Answered, ID: r.ID, Usage: r.Usage,
		Latency: time.Duration(r.LatencyMS * float64(time.Millisecond)), Tries: r.Tries, DroppedOptions: r.DroppedOptions,
		ToolCalls: r.ToolCalls, Reasoning: r.Reasoning, Streamed: r.Streamed, Lost: r.Lost, Sent: r.Sent, Cached: true,
	}
}

// appendJSON writes what encoding/json would, without escaping < and >: each
// answer is written once, and most of it is one long text.
func (r *Result) appendJSON(b []byte) []byte {
	text := func(name, value string) {
		if value != "" {
			b = jsonfast.Append(append(append(append(b, ',', '"'), name...), '"', ':'), value)
		}
	}
	list := func(name string, values []string) {
		for i, value := range values {
			if i == 0 {
				b = append(append(append(b, ',', '"'), name...), `":[`...)
			} else {
				b = append(b, ',')
			}
			b = jsonfast.Append(b, value)
			if i == len(values)-1 {
				b = append(b, ']')
			}
		}
	}
	b = jsonfast.Append(append(b, `{"model":`...), r.Model)
	text("answered", r.Answered)
	b = jsonfast.Append(append(b, `,"text":`...), r.Text)
	text("refusal", r.Refusal)
	text("finish", string(r.Finish))
	list("tool_calls", r.ToolCalls)
	if r.Reasoning {
		b = append(b, `,"reasoning":true`...)
	}
	text("id", r.ID)
	if r.LatencyMS != 0 {
		b = strconv.AppendFloat(append(b, `,"latency_ms":`...), r.LatencyMS, 'f', -1, 64)
	}
	if r.Tries != 0 {
		b = strconv.AppendInt(append(b, `,"tries":`...), int64(r.Tries), 10)
	}
	list("conceded", r.DroppedOptions)
	text("error", r.Error)
	text("error_kind", r.Kind)
	if r.Streamed {
		b = append(b, `,"streamed":true`...)
	}
	b = appendUsage(append(b, ','), r.TokensIn, r.TokensOut, r.CostUSD)
	if r.Cached != 0 {
		b = strconv.AppendInt(append(b, `,"tokens_cached":`...), int64(r.Cached), 10)
	}
	if r.Estimated {
		b = append(b, `,"estimated":true`...)
	}
	text("reported", r.Reported)
	if l := r.Lost; l != (model.Lost{}) {
		b = strconv.AppendInt(append(b, `,"lost":{"tries":`...), int64(l.Tries), 10)
		b = append(appendUsage(append(b, ','), l.TokensIn, l.TokensOut, l.CostUSD), '}')
	}
	for i, s := range r.Sent {
		if i == 0 {
			b = append(b, `,"sent":[`...)
		} else {
			b = append(b, ',')
		}
		b = jsonfast.Append(append(b, `{"kind":`...), string(s.Kind))
		b = strconv.AppendInt(append(b, `,"parts":`...), int64(s.Parts), 10)
		b = strconv.AppendInt(append(b, `,"bytes":`...), s.Bytes, 10)
		b = append(jsonfast.Append(append(b, `,"sha256":`...), s.SHA256), '}')
	}
	if len(r.Sent) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendUsage(b []byte, tokensIn, tokensOut int, costUSD float64) []byte {
	b = strconv.AppendInt(append(b, `"tokens_in":`...), int64(tokensIn), 10)
	b = strconv.AppendInt(append(b, `,"tokens_out":`...), int64(tokensOut), 10)
	return strconv.AppendFloat(append(b, `,"cost_usd":`...), costUSD, 'f', -1, 64)
}

// marshal writes v as one line of JSON without escaping < and >, which prompts
// are full of.
func marshal(v any) ([]byte, error) {
	b := scratch.Get().(*bytes.Buffer)
	defer scratch.Put(b)
	b.Reset()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte{'\n'})), err
}

var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}
