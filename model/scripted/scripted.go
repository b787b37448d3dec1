// Package scripted is a model.Model that answers from a script: for trying out
// a benchmark without an endpoint, for replaying what an endpoint once said,
// and for tests. It makes no network request. For a server that speaks a real protocol
// in tests see internal/testing/fake; to ask again without paying again there is no
// need for a script, package wrap remembers every answer.
//
// A script is a JSON file that holds, for each call's step key, its replies by
// attempt:
//
//	{
//	  "42": ["not JSON", "{\"1\": \"A: x\"}"],
//	  "43": [null, {"text": "{\"1\": \"B", "finish": "length", "tokens_out": 7}]
//	}
//
// Step 42 answers its first attempt with a text that cannot be read and its
// second with one that can; step 43 fails at first and is then cut off. A call
// without a reply in the script fails with kind Exhausted: nothing is guessed.
//
// A reply is a text, null (a call that fails and may be tried again), or an object
// with any of these fields:
//
//	text         the answer's text
//	finish       "stop" (default), "length" or "content_filter"
//	refusal      the words of a refusal
//	model        the name of the answering model (default "scripted")
//	tokens_in    tokens of the request, and
//	tokens_out   of the answer (default: a quarter of the bytes)
//	error        the call fails: "transient", "denied", "invalid", "declined",
//	             "malformed" or "unanswered" (by a person)
//	retry_after  how long an error asks to wait, such as "2s"
//	delay        how long the reply takes, such as "200ms"
package scripted

import (
	"context"
	"errors"
	"fmt"
	"time"

	"omniscope"
	"omniscope/model"
)

// A Reply is what the model answers to one attempt. The zero value is an empty
// text.
type Reply struct {
	Text       string
	Refusal    string
	Finish     model.Finish   // "" = Stop
	Model      string         // "" = scripted
	TokensIn   int            // 0 = a quarter of the bytes of the request's text
	TokensOut  int            // 0 = a quarter of the bytes of the answer
	Error      omniscope.Kind // the call fails with this kind; Internal = it does not fail
	RetryAfter time.Duration  // of a failure
	Delay      time.Duration  // before the reply
}

// A Model answers from a script. It is safe for concurrent use.
type Model struct {
	name    string // of the script, for messages
	digest  string
	replies map[string][]Reply
}

// Digest is the SHA-256 of the script's file, hex; "" of a script that is none.
func (m *Model) Digest() string { return m.digest }

var _ model.Model = (*Model)(nil)

// New returns a model that answers attempt n of a step with that step's reply
// n-1. The map must not be changed afterwards.
func New(replies map[string][]Reply) *Model {
	return &Model{name: "script", replies: replies}
}

// Generate implements model.Model.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	reply, err := m.find(req)
	if err != nil {
		return nil, err
	}
	if err := pause(ctx, reply.Delay); err != nil {
		return nil, err
	}
	if reply.Error != omniscope.Internal {
		return nil, &omniscope.Error{Kind: reply.Error, Op: m.call(req), RetryAfter: reply.RetryAfter,
			Err: errors.New("the script lets this call fail")}
	}
	return answer(reply, req), nil
}

// Probe implements model.Prober: a script is always there.
func (m *Model) Probe(context.Context) error { return nil }

func (m *Model) find(req *model.Request) (*Reply, error) {
	replies, known := m.replies[req.Step]
	if n := req.Attempt - 1; n >= 0 && n < len(replies) {
		return &replies[n], nil
	}
	why := errors.New("the script does not have this step")
	if known {
		why = fmt.Errorf("the script has replies to %d attempts", len(replies))
	}
	return nil, &omniscope.Error{Kind: omniscope.Exhausted, Op: m.call(req), Err: why}
}

func (m *Model) call(req *model.Request) string {
	return fmt.Sprintf("%s: step %q, attempt %d", m.name, req.Step, req.Attempt)
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func answer(r *Reply, req *model.Request) *model.Response {
	resp := &model.Response{
		Text: r.Text, Refusal: r.Refusal, Finish: r.Finish, Model: r.Model, Tries: 1, Latency: r.Delay,
		Usage: model.Usage{TokensIn: r.TokensIn, TokensOut: r.TokensOut},
	}
	if resp.Finish == "" {
		resp.Finish = model.Stop
	}
	if resp.Model == "" {
		resp.Model = "scripted"
	}
	if resp.Usage.TokensIn == 0 {
		resp.Usage.TokensIn = quarter(textBytes(req))
	}
	if resp.Usage.TokensOut == 0 {
		resp.Usage.TokensOut = quarter(len(r.Text) + len(r.Refusal))
	}
	return resp
}

func textBytes(req *model.Request) (n int) {
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			n += len(p.Text)
		}
	}
	return n
}

func quarter(n int) int { return (n + 3) / 4 }
