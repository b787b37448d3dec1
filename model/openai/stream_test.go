package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// chunks are the events of a stream whose deltas bring the texts.
func chunks(texts ...string) (events []string) {
	for _, text := range texts {
		events = append(events, fmt.Sprintf(`{"id":"c1","model":"judge-1","choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, text))
	}
	return append(events, `{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
		`{"id":"c1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}`, "[DONE]")
}

func sse(events []string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }

func TestReadStreams(t *testing.T) {
	whole := chunks("It", " is", " a dog.")
	ordinary := sse(whole)
	for name, body := range map[string]string{
		"ordinary":                      ordinary,
		"line ends of Windows":          strings.ReplaceAll(ordinary, "\n", "\r\n"),
		"line ends of old Macs":         strings.ReplaceAll(ordinary, "\n", "\r"),
		"no blanks after colons":        strings.ReplaceAll(ordinary, "data: ", "data:"),
		"comments":                      ": OPENROUTER PROCESSING\n\n" + strings.ReplaceAll(ordinary, "\n\n", "\n\n: ping\n\n"),
		"names of events":               strings.ReplaceAll(ordinary, "data: {", "event: chunk\nid: 7\nretry: 10\ndata: {"),
		"an end without its empty line": strings.TrimRight(ordinary, "\n"),
		"a byte order mark":             "\ufeff" + ordinary,
		"no end mark":                   sse(whole[:len(whole)-1]),
		"no finish":                     sse([]string{whole[0], whole[1], whole[2], whole[4], whole[5]}),
		"data on several lines":         strings.ReplaceAll(ordinary, `,"choices"`, ",\ndata: \"choices\""),
		"other choices":                 sse(append([]string{`{"choices":[{"index":1,"delta":{"content":"no"}}]}`}, whole...)),
		"an error after the end":        sse(append(append([]string{}, whole[:5]...), `{"error":{"message":"late"}}`)),
		"something after the mark":      ordinary + "data: {\n\n",
		"a whole answer as one":         sse([]string{strings.Replace(completion("It is a dog."), "}", "}", 1), "[DONE]"}),
	} {
		for _, kind := range []string{"text/event-stream", "text/event-stream; charset=utf-8", "application/json", "text/plain", ""} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				resp, err := ask(t, answering(t, 200, http.Header{"Content-Type": {kind}}, body))
				fixture.OK(t, err)
				if resp.Text != "It is a dog." || resp.Model != "judge-1" || !resp.Streamed || resp.Usage != (model.Usage{TokensIn: 3, TokensOut: 4}) {
					t.Errorf("got %+v", resp)
				}
			})
		}
	}
}

func TestPartsOfStreams(t *testing.T) {
	for _, c := range []struct {
		name  string
		delta string
		want  model.Response
	}{
		{"a refusal", `{"refusal":"No."}`, model.Response{Refusal: "No."}},
		{"a call of a tool", `{"tool_calls":[{"function":{"name":"look","arguments":""}}]}`, model.Response{ToolCalls: []string{"look"}}},
		{"reasoning", `{"reasoning_content":"Hm, a dog?"}`, model.Response{Reasoning: true, Report: model.Report{Reasoning: 3}}},
		{"parts", `{"content":[{"type":"text","text":"a"}]}`, model.Response{Text: "a"}},
		{"null", `{"content":null}`, model.Response{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := sse([]string{`{"choices":[{"delta":` + c.delta + `}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]"})
			c.want.Finish, c.want.Streamed = "stop", true
			resp, err := ask(t, answering(t, 200, http.Header{"Content-Type": {eventStream}}, body))
			if got := fmt.Sprintf("%+v", resp); err != nil || got != fmt.Sprintf("%+v", &c.want) {
				t.Errorf("got %s %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestUnusableStreams(t *testing.T) {
	whole := chunks("It", " is")
	for _, c := range []struct {
		name, body, words string
		kind              omniscope.Kind
	}{
		{"comments alone", ": ping\n\n", "ends before the answer does", omniscope.Transient},
		{"the end mark alone", sse([]string{"[DONE]"}), "no choices", omniscope.Transient},
		{"cut between events", sse(whole[:2]), "ends before the answer does", omniscope.Transient},
		{"cut within an event", strings.TrimRight(sse(whole[:2]), "}\n"), "not the JSON of the protocol", omniscope.Transient},
		{"an error inside", sse(append(whole[:1:1], `{"error":{"message":"overloaded"}}`)), "overloaded", omniscope.Transient},
		{"a rate limit inside", sse([]string{`{"error":{"message":"slow","code":429}}`}), "429: slow", omniscope.Transient},
		{"a wrong key inside", sse([]string{`{"error":{"message":"who","code":401}}`}), "401: who", omniscope.Denied},
		{"given up", sse([]string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"error"}]}`}), `"error"`, omniscope.Transient},
		{"content of another kind", sse([]string{`{"choices":[{"delta":{"content":7}}]}`}), "content is 7", omniscope.Transient},
		{"too large", sse([]string{strings.Repeat(" ", endpoint.MostBytes)}), "larger than 10 MB", omniscope.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, err := ask(t, answering(t, 200, http.Header{"Content-Type": {eventStream}}, c.body))
			fixture.WantError(t, err, c.kind, c.words)
			if c.kind == omniscope.Transient {
				fixture.WantError(t, err, c.kind, "stream of events (text/event-stream)")
			}
			if resp != nil {
				t.Errorf("got %+v beside the error", resp)
			}
		})
	}
}

// TestOpenStreamEndMark would time out, did it wait for the
// connection to end; without the mark it does, and the answer is used where it
// was whole.
func TestOpenStreamEndMark(t *testing.T) {
	all := chunks("yes")
	for _, c := range []struct {
		name    string
		events  []string
		timeout time.Duration
		text    string
	}{{"with it", all, time.Minute, "yes"}, {"without it", all[:3], 100 * time.Millisecond, "yes"}, {"unfinished", all[:1], 100 * time.Millisecond, ""}} {
		t.Run(c.name, func(t *testing.T) {
			m := serving(t, func(w http.ResponseWriter, r *http.Request) {
				answer(w, 200, http.Header{"Content-Type": {eventStream}}, sse(c.events))
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}, Options{Options: exchange.Options{Timeout: c.timeout}})
			resp, err := ask(t, m)
			if c.text == "" {
				fixture.WantError(t, err, omniscope.Transient, "no whole answer within 100ms")
			} else if err != nil || resp.Text != c.text {
				t.Errorf("got %+v %v", resp, err)
			}
		})
	}
}
