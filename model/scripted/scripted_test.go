package scripted_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/modeltest"
	"omniscope/model"
	"omniscope/model/scripted"
)

func ask(m model.Model, step string, attempt int) (*model.Response, error) {
	return m.Generate(context.Background(), &model.Request{Step: step, Attempt: attempt,
		Messages: []model.Message{model.Text(model.User, "12345")}})
}

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{
		Start: func(t *testing.T, replies map[string]modeltest.Reply) model.Model {
			s := make(map[string][]scripted.Reply)
			for step, r := range replies {
				reply := scripted.Reply{
					Text: r.Text, Refusal: r.Refusal, Finish: r.Finish, Model: r.Model,
					TokensIn: r.TokensIn, TokensOut: r.TokensOut, Error: r.Failure, RetryAfter: r.RetryAfter,
				}
				if r.Hang {
					reply.Delay = time.Hour
				}
				s[step] = []scripted.Reply{reply}
			}
			return scripted.New(s)
		},
	})
}

func TestLoad(t *testing.T) {
	m, err := scripted.Load(t.Context(), fixture.File(t, "script.json", `{
		"42": ["{\"1\": \"A: x\"}", null],
		"43": [{"text": "cut", "finish": "length", "model": "small", "tokens_in": 10, "tokens_out": 5}, {"refusal": "No."}],
		"44": [{"error": "denied"}, {"error": "transient", "retry_after": "1.5s"}, {}]
	}`))
	fixture.OK(t, err)
	answers := []struct {
		step    string
		attempt int
		want    model.Response
	}{
		{"42", 1, model.Response{Text: `{"1": "A: x"}`, Finish: model.Stop, Model: "scripted", Usage: model.Usage{TokensIn: 2, TokensOut: 4}}},
		{"43", 1, model.Response{Text: "cut", Finish: model.Length, Model: "small", Usage: model.Usage{TokensIn: 10, TokensOut: 5}}},
		{"43", 2, model.Response{Refusal: "No.", Finish: model.Stop, Model: "scripted", Usage: model.Usage{TokensIn: 2, TokensOut: 1}}},
		{"44", 3, model.Response{Finish: model.Stop, Model: "scripted", Usage: model.Usage{TokensIn: 2}}},
	}
	for _, a := range answers {
		got, err := ask(m, a.step, a.attempt)
		if err != nil {
			t.Errorf("step %s, attempt %d: %v", a.step, a.attempt, err)
			continue
		}
		if got.Text != a.want.Text || got.Refusal != a.want.Refusal || got.Finish != a.want.Finish ||
			got.Model != a.want.Model || got.Usage != a.want.Usage || got.Tries != 1 {
			t.Errorf("step %s, attempt %d: got %+v, want %+v", a.step, a.attempt, *got, a.want)
		}
	}
	failures := []struct {
		step    string
		attempt int
		kind    omniscope.Kind
		after   time.Duration
	}{
		{"42", 2, omniscope.Transient, 0},
		{"44", 1, omniscope.Denied, 0},
		{"44", 2, omniscope.Transient, 1500 * time.Millisecond},
	}
	for _, f := range failures {
		_, err := ask(m, f.step, f.attempt)
		var e *omniscope.Error
		if !errors.As(err, &e) || e.Kind != f.kind || e.RetryAfter != f.after {
			t.Errorf("step %s, attempt %d: %v, want an error of kind %s that asks to wait %s", f.step, f.attempt, err, f.kind, f.after)
		}
	}
}

func TestCallNotInScript(t *testing.T) {
	path := fixture.File(t, "script.json", `{"42": ["a", "b"]}`)
	m, err := scripted.Load(t.Context(), path)
	fixture.OK(t, err)
	for _, c := range []struct {
		step    string
		attempt int
		want    string
	}{
		{"42", 3, `step "42", attempt 3: the script has replies to 2 attempts`},
		{"42", 0, `step "42", attempt 0: the script has replies to 2 attempts`},
		{"7", 1, `step "7", attempt 1: the script does not have this step`},
	} {
		_, err := ask(m, c.step, c.attempt)
		if omniscope.KindOf(err) != omniscope.Exhausted || err.Error() != path+": "+c.want {
			t.Errorf("step %s, attempt %d: %v", c.step, c.attempt, err)
		}
	}
}

func TestBrokenScripts(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"syntax":        {"{\n  \"1\": [\"a\"],\n  \"2\": [oops]\n}", `script.json:3: invalid character 'o' looking for beginning of value: "2": [oops]`},
		"cut off":       {"{\n  \"1\": [\"a\"", `script.json:2: unexpected end of JSON input: "1": ["a"`},
		"more after it": {"{}\n{}", `script.json:2: invalid character '{' after top-level value: {}`},
		"empty":         {"", `script.json:1: unexpected end of JSON input`},
		"a list":        {`["a"]`, `script.json:1: want an object from step keys to lists of replies: ["a"]`},
		"a bare text":   {`{"1": "a"}`, `script.json:1: step "1": want a list of replies, not "a"`},
		"null list":     {`{"1": null}`, `step "1": want a list of replies, not null`},
		"a number":      {"{\"1\":\n[\"a\", 7]}", `script.json:1: step "1": reply 2: want a text, null or an object, not 7`},
		"wrong type":    {`{"1": [{"tokens_in": "many"}]}`, `step "1": reply 1: {"tokens_in": "many"}: json: cannot unmarshal string`},
		"unknown field": {`{"1": [{"txt": "a"}]}`, `step "1": reply 1: {"txt": "a"}: json: unknown field "txt"`},
		"finish":        {`{"1": [{"finish": "end"}]}`, `finish "end" is not one of stop, length, content_filter`},
		"error":         {`{"1": [{"error": "budget"}]}`, `error "budget" is not one of transient, denied, invalid, declined, malformed, unanswered`},
		"both":          {`{"1": [{"error": "denied", "text": "a"}]}`, `a call that fails has no answer`},
		"time":          {`{"1": [{"delay": "soon"}]}`, `"soon" is not a time such as 1.5s`},
		"twice":         {"{\"1\": [\"a\"],\n\"1\": [\"b\"]}", `script.json:2: step "1" is given twice: "1": ["b"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scripted.Load(t.Context(), fixture.File(t, "script.json", c.text))
			if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestMissingScript(t *testing.T) {
	_, err := scripted.Load(t.Context(), filepath.Join(t.TempDir(), "none.json"))
	if omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "none.json") {
		t.Errorf("got %v", err)
	}
}

func TestDelayedReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := scripted.New(map[string][]scripted.Reply{"1": {{Text: "late", Delay: 3 * time.Second}}})
		started := time.Now()
		if _, err := ask(m, "1", 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took != 3*time.Second {
			t.Errorf("the reply took %s", took)
		}
	})
}
