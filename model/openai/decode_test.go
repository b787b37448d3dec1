package openai

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func TestReadAnswers(t *testing.T) {
	usage := model.Usage{TokensIn: 3, TokensOut: 4}
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"an ordinary one", completion("yes"), model.Response{Text: "yes", Finish: "stop", ID: "c1", Model: "judge-1", Usage: usage}},
		{"members in another order", `{"usage":{"completion_tokens":4,"prompt_tokens":3},"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"model":"m"}`,
			model.Response{Text: "a", Finish: "stop", Model: "m", Usage: usage}},
		{"spaces and line ends", "\r\n {\"choices\" : [ { \"message\" : { \"content\" : \"a\" } , \"finish_reason\" : \"stop\" } ] }\n\n", model.Response{Text: "a", Finish: "stop"}},
		{"parts", `{"choices":[{"message":{"content":[{"type":"text","text":"a\n"},{"type":"thinking","thinking":[{"text":"hm"}]},{"type":"text","text":"b"}]}}]}`, model.Response{Text: "a\nb"}},
		{"null content", `{"choices":[{"message":{"content":null,"refusal":null},"finish_reason":"stop"}]}`, model.Response{Finish: "stop"}},
		{"no content", `{"choices":[{"message":{"role":"assistant"},"finish_reason":"tool_calls"}]}`, model.Response{Finish: "tool_calls"}},
		{"tool calls", `{"choices":[{"message":{"content":null,"tool_calls":[{"type":"function","function":{"name":"look","arguments":"{}"}},{"function":{"name":"hear"}}]},"finish_reason":"tool_calls"}]}`,
			model.Response{Finish: "tool_calls", ToolCalls: []string{"look", "hear"}}},
		{"a tool call as of 2023", `{"choices":[{"message":{"content":null,"function_call":{"name":"look","arguments":"{}"}},"finish_reason":"function_call"}]}`,
			model.Response{Finish: "tool_calls", ToolCalls: []string{"look"}}},
		{"no tool calls", `{"choices":[{"message":{"content":"a","tool_calls":[],"function_call":null}}]}`, model.Response{Text: "a"}},
		{"reasoning alone", `{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"length"}]}`, model.Response{Finish: "length", Reasoning: true}},
		{"reasoning under its other name", `{"choices":[{"message":{"content":null,"reasoning":"hm"}}]}`, model.Response{Reasoning: true}},
		{"reasoning and an answer", `{"choices":[{"message":{"content":"a","reasoning_content":"hm"}}]}`, model.Response{Text: "a"}},
		{"parts of reasoning alone", `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"text":"hm"}]}]}}]}`, model.Response{Reasoning: true}},
		{"no message", `{"choices":[{"finish_reason":"length"}]}`, model.Response{Finish: "length"}},
		{"a refusal", `{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`, model.Response{Refusal: "No.", Finish: "stop"}},
		{"a filter", `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, model.Response{Finish: "content_filter"}},
		{"cut off", `{"choices":[{"message":{"content":"a"},"finish_reason":"length"}]}`, model.Response{Text: "a", Finish: "length"}},
		{"two choices", `{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`, model.Response{Text: "a"}},
		{"usage null", `{"choices":[{"message":{"content":"a"}}],"usage":null}`, model.Response{Text: "a"}},
		{"usage as fractions", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":3.0,"completion_tokens":4}}`, model.Response{Text: "a", Usage: usage}},
		{"an error beside an answer", `{"error":{"message":"late"},"choices":[{"message":{"content":"a"}}]}`, model.Response{Text: "a"}},
		{"an error of null", `{"error":null,"choices":[{"message":{"content":"a"}}]}`, model.Response{Text: "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ask(t, answering(t, 200, nil, c.body))
			if err == nil {
				got.Report = model.Report{} // see TestReadTokens
			}
			if err != nil || !reflect.DeepEqual(*got, c.want) {
				t.Errorf("got %+v %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestServersInTrouble(t *testing.T) {
	for _, c := range []struct {
		name, body string
		kind       omniscope.Kind
		words      []string
	}{
		{"nothing", "", omniscope.Transient, []string{"not the JSON"}},
		{"JSON cut", completion("yes")[:60], omniscope.Transient, []string{"unexpected end of JSON", `{"id":"c1"`}},
		{"text", "upstream connect error", omniscope.Transient, []string{"invalid character 'u'", "upstream connect error"}},
		{"two answers", completion("a") + completion("b"), omniscope.Transient, []string{"after top-level value"}},
		{"null", "null", omniscope.Transient, []string{"no choices: null"}},
		{"a list", "[]", omniscope.Transient, []string{"no choices: []"}},
		{"no choices", `{"choices":[]}`, omniscope.Transient, []string{"no choices"}},
		{"choices null", `{"choices":null}`, omniscope.Transient, []string{"no choices"}},
		{"choices of another kind", `{"choices":"a"}`, omniscope.Transient, []string{"no choices"}},
		{"a choice of another kind", `{"choices":["a"]}`, omniscope.Transient, []string{"no choices"}},
		{"content of another kind", `{"choices":[{"message":{"content":7}}]}`, omniscope.Transient, []string{"content is 7"}},
		{"content an object", `{"choices":[{"message":{"content":{"a":1}}}]}`, omniscope.Transient, []string{`content is {"a":1}`}},
		{"gave up", `{"choices":[{"message":{"content":"a"},"finish_reason":"abort"}]}`, omniscope.Transient, []string{`"abort"`}},
		{"an error inside", `{"error":{"message":"Provider returned error","code":"provider"}}`, omniscope.Transient, []string{"200 (provider): Provider returned error"}},
		{"an error inside with empty choices", `{"choices":[],"error":{"message":"worse"}}`, omniscope.Transient, []string{"200: worse"}},
		{"an error inside, as a word", `{"error":"overloaded"}`, omniscope.Transient, []string{"200: overloaded"}},
		{"an error inside that is a rate limit", `{"error":{"message":"slow down","code":429}}`, omniscope.Transient, []string{"429: slow down"}},
		{"an error inside that is a key", `{"error":{"message":"who?","code":"401"}}`, omniscope.Denied, []string{"401: who?"}},
		{"an error inside that blames the request", `{"error":{"message":"too long","code":400}}`, omniscope.Invalid, []string{"400: too long"}},
		{"an error inside that is a filter", `{"error":{"message":"no","code":"content_filter"}}`, omniscope.Declined, []string{"content_filter"}},
		{"an error inside that is money", `{"error":{"message":"no","code":"insufficient_quota"}}`, omniscope.Denied, []string{"insufficient_quota"}},
		{"nesting without end", strings.Repeat("[", 1<<20), omniscope.Transient, []string{"exceeded max depth"}},
		{"nesting without end in a member", `{"choices":` + strings.Repeat(`{"a":`, 1<<20), omniscope.Transient, []string{"exceeded max depth"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, err := ask(t, answering(t, 200, nil, c.body))
			fixture.WantError(t, err, c.kind, c.words...)
			if resp != nil {
				t.Errorf("got %+v beside the error", resp)
			}
		})
	}
}

func TestRateLimitInsideAnswer(t *testing.T) {
	_, err := ask(t, answering(t, 200, nil, `{"error":{"message":"slow down","code":429}}`))
	if !model.RateLimited(err) {
		t.Errorf("the limiter will not see %v", err)
	}
}

// FuzzTextsMatchEncodingJSON takes the inside of a string as it
// stands in a body.
func FuzzTextsMatchEncodingJSON(f *testing.F) {
	for _, s := range append(hostile, `\u0041\n\t\/\b\f\r`, `\ud83d\udc15`, `\ud83d`, `\udc15\ud83d`, `\ud83dx`, `\uD83D\u0041`, `\u00`, `\x`, "raw\nline", `a","content":"b`) {
		f.Add(s)
	}
	m := &Model{server: &server{}}
	f.Fuzz(func(t *testing.T, inside string) {
		var text string
		failure := json.Unmarshal([]byte(`"`+inside+`"`), &text)
		body := `{"choices":[{"message":{"content":"` + inside + `"}}]}`
		resp, err := m.decode([]byte(body))
		switch {
		case failure == nil && err != nil:
			t.Errorf("%q: %v", inside, err)
		case failure == nil && resp.Text != text:
			t.Errorf("%q: got %q, encoding/json %q", inside, resp.Text, text)
		case err == nil && !json.Valid([]byte(body)):
			t.Errorf("%q: got %q from what is not JSON", inside, resp.Text)
		}
	})
}
