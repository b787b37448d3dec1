package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"omniscope"
	"omniscope/model"
)

// The behaviours, by the names under which a harness declines them.
var behaviours = []behaviour{
	{"texts arrive unchanged", texts, textsArrive},
	{"an empty text is an answer", only("empty", Reply{TokensIn: 3}), answers("empty", func(r *model.Response) bool { return r.Text == "" && r.Outcome() == omniscope.OK })},
	{"a cut answer is truncated", only("cut", Reply{Text: "It begins", Finish: model.Length}), answers("cut", func(r *model.Response) bool {
		return r.Text == "It begins" && r.Outcome() == omniscope.Truncated
	})},
	{"a filtered answer is refused", only("filter", Reply{Finish: model.ContentFilter}), answers("filter", func(r *model.Response) bool { return r.Outcome() == omniscope.Refused })},
	{"a refusal is an answer", only("refuse", Reply{Refusal: "I can’t help with that."}), answers("refuse", func(r *model.Response) bool {
		return r.Refusal == "I can’t help with that." && r.Text == "" && r.Outcome() == omniscope.Refused
	})},
	{"tokens are counted", only("count", Reply{Text: "a", TokensIn: 1234, TokensOut: 56}), answers("count", func(r *model.Response) bool {
		return r.Usage.TokensIn == 1234 && r.Usage.TokensOut == 56
	})},
	{"the answering model is named", only("name", Reply{Text: "a", Model: "answered-2026-01-31"}), answers("name", func(r *model.Response) bool { return r.Model == "answered-2026-01-31" })},
	{"a transient failure", failing(omniscope.Transient, 0), fails(omniscope.Transient, 0)},
	{"a wait that is asked for", failing(omniscope.Transient, 7*time.Second), fails(omniscope.Transient, 7*time.Second)},
	{"a denied call", failing(omniscope.Denied, 0), fails(omniscope.Denied, 0)},
	{"an invalid request", failing(omniscope.Invalid, 0), fails(omniscope.Invalid, 0)},
	{"a declined request", failing(omniscope.Declined, 0), fails(omniscope.Declined, 0)},
	{"a malformed reply", failing(omniscope.Malformed, 0), fails(omniscope.Malformed, 0)},
	{"a call cancelled before", only("late", Reply{Text: "a"}), cancelledBefore},
	{"a call given up meanwhile", only("hang", Reply{Hang: true}), givenUp},
	{"calls at the same time", crowd(), sameTime},
	{"the request stays as it was", only("rich", Reply{Text: "a"}), requestStays},
}

// only is a single step and its reply.
func only(step string, r Reply) map[string]Reply { return map[string]Reply{step: r} }

// texts are answers that encodings get wrong.
var texts = map[string]Reply{
	"plain":   {Text: "A dog barks."},
	"json":    {Text: "{\"1\": \"A: she says \\\"no\\\"\",\n \"2\": \"C: C:\\\\temp\"}"},
	"lines":   {Text: " first\n\n\tsecond\r\nthird \n"},
	"unicode": {Text: "狗在叫 · собака лает · 🐕‍🦺 · e\u0301 · \u2028 · \ufeff"},
	"markup":  {Text: "```json\n<think>a & b</think> &lt; %s %d \\u0041 ${x}\n```"},
	"long":    {Text: strings.Repeat("0123456789 äöü 狗\n", 160)},
}

func textsArrive(m model.Model) error {
	for step, want := range texts {
		resp, err := ask(m, step)
		if err != nil {
			return err
		}
		if resp.Text != want.Text {
			return fmt.Errorf("%s: got the text %q, want %q", step, resp.Text, want.Text)
		}
		if got := resp.Outcome(); got != omniscope.OK || resp.Finish != model.Stop {
			return fmt.Errorf("%s: a whole answer has finish %q and outcome %s", step, resp.Finish, got)
		}
	}
	return nil
}

// answers wants the answer to a step to be right.
func answers(step string, right func(*model.Response) bool) func(model.Model) error {
	return func(m model.Model) error {
		resp, err := ask(m, step)
		if err == nil && !right(resp) {
			err = fmt.Errorf("%s: got %+v with outcome %s", step, resp, resp.Outcome())
		}
		return err
	}
}

// failing is a step "fail" that fails so.
func failing(kind omniscope.Kind, after time.Duration) map[string]Reply {
	return only("fail", Reply{Failure: kind, RetryAfter: after})
}

func fails(kind omniscope.Kind, after time.Duration) func(model.Model) error {
	return func(m model.Model) error {
		resp, err := ask(m, "fail")
		var e *omniscope.Error
		switch {
		case err == nil:
			return fmt.Errorf("got the answer %q, want an error", resp.Text)
		case resp != nil:
			return fmt.Errorf("got an answer beside the error %w", err)
		case !errors.As(err, &e):
			return fmt.Errorf("not an *omniscope.Error: %w", err)
		case e.Kind != kind:
			return fmt.Errorf("kind %s, want %s: %w", e.Kind, kind, err)
		case e.RetryAfter != after:
			return fmt.Errorf("asks to wait %s, want %s: %w", e.RetryAfter, after, err)
		case err.Error() == "":
			return errors.New("the error has no words")
		}
		return nil
	}
}

func cancelledBefore(m model.Model) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := m.Generate(ctx, request("late"))
	return endedBy(context.Canceled, err)
}

// givenUp has its caller go away while the other side is silent. The times are
// far apart, so that a busy machine does not tell on the model.
func givenUp(m model.Model) error {
	const patience, promptly = 100 * time.Millisecond, 20 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	started := time.Now()
	_, err := m.Generate(ctx, request("hang"))
	if took := time.Since(started); took > promptly {
		return fmt.Errorf("the call came back %s after its caller had gone", took-patience)
	}
	return endedBy(context.DeadlineExceeded, err)
}

// endedBy wants the context's own error, not one that asks to be tried again.
func endedBy(want, err error) error {
	if !errors.Is(err, want) || omniscope.KindOf(err) != omniscope.Internal {
		return fmt.Errorf("got %v (%s), want %w", err, omniscope.KindOf(err), want)
	}
	return nil
}

// crowd has a reply of its own for each of many steps.
func crowd() map[string]Reply {
	r := make(map[string]Reply)
	for i := range 100 {
		r[fmt.Sprintf("crowd-%02d", i)] = Reply{Text: fmt.Sprintf("answer %02d", i)}
	}
	return r
}

func sameTime(m model.Model) error {
	errs := make(chan error)
	for step, want := range crowd() {
		go func() {
			resp, err := ask(m, step)
			if err == nil && resp.Text != want.Text {
				err = fmt.Errorf("%s: got %q, want %q", step, resp.Text, want.Text)
			}
			errs <- err
		}()
	}
	var all []error
	for range crowd() {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}

func requestStays(m model.Model) error {
	req, before := richRequest(), richRequest()
	if _, err := m.Generate(context.Background(), req); err != nil {
		return err
	}
	if !reflect.DeepEqual(req, before) {
		return fmt.Errorf("the call left the request as %+v, it was %+v", req, before)
	}
	return nil
}

// richRequest uses every field of a request.
func richRequest() *model.Request {
	temperature, topP, seed := 0.5, 0.9, int64(7)
	req := request("rich")
	req.Messages = append(req.Messages, model.Text(model.Assistant, "A dog."), model.Message{
		Role: model.User,
		Parts: []model.Part{
			{Kind: model.TextPart, Text: "And here?"},
			{Kind: model.ImagePart, MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n"), Digest: "sha256:1"},
			{Kind: model.ImagePart, MIME: "image/jpeg", URL: "https://example.org/dog.jpg"},
			{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte("RIFF")},
			{Kind: model.VideoPart, MIME: "video/mp4", Data: []byte("ftyp")},
		},
	})
	req.Params = model.Params{
		Temperature: &temperature, TopP: &topP, Seed: &seed, MaxTokens: 100, Stop: []string{"\n\n", "END"},
		Extra: map[string]json.RawMessage{"top_k": json.RawMessage("20"), "a": json.RawMessage(`{"b": 1}`)},
	}
	req.Schema = &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type": "object"}`)}
	return req
}

func ask(m model.Model, step string) (*model.Response, error) {
	return m.Generate(context.Background(), request(step))
}
