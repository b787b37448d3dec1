package openai

import (
	"net/http"
	"strings"
	"testing"

	"omniscope"
	"omniscope/model"
)

// TestOddAnswers reads answers that differ from the protocol in ways that some servers have, complete and as streams.
func TestOddAnswers(t *testing.T) {
	stream := func(chunks ...string) string {
		return "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\ndata: [DONE]\n\n"
	}
	delta := func(content string) string { return `{"choices":[{"index":0,"delta":{"content":` + content + `}}]}` }
	message := func(content string) string {
		return `{"choices":[{"message":{"content":` + content + `},"finish_reason":"stop"}]}`
	}
	const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	const empty = `"error":{"message":"","type":"","param":"","code":null}`
	for _, c := range []struct{ name, body, want string }{
		{"a surrogate pair in two chunks", stream(delta(`"A heart \ud83d"`), delta(`"\ude00 on a wall"`), end), "A heart 😀 on a wall"},
		{"with an empty chunk between", stream(delta(`"A heart \uD83D"`), delta(`""`), delta(`null`), delta(`"\uDE00."`), end), "A heart 😀."},
		{"half a pair and no other", stream(delta(`"A heart \ud83d"`), delta(`" on a wall"`), end), "A heart \ufffd on a wall"},
		{"half a pair at the end", stream(delta(`"A heart \ud83d"`), end), "A heart \ufffd"},
		{"half a pair at the end of a complete answer", message(`"A heart \ud83d"`), "A heart \ufffd"},
		{"an escaped backslash before letters", stream(delta(`"C:\\ud83d"`), delta(`"\\x"`), end), `C:\ud83d\x`},
		{"two pairs", stream(delta(`"\ud83d\ude00\ud83d"`), delta(`"\ude00"`), end), "😀😀"},
		{"thoughts in a part", message(`[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"A dog."}]`), "A dog."},
		{"thoughts in the text of a part", message(`[{"type":"reasoning","text":"Hm."},{"type":"text","text":"A dog."}]`), "A dog."},
		{"thoughts in the text of a part, other names", message(`[{"type":"reasoning_text","text":"Hm."},{"type":"THINKING","text":"Hm."},{"type":"summary_text","text":"Hm."},{"type":"output_text","text":"A dog."}]`), "A dog."},
		{"thoughts marked so", message(`[{"type":"text","text":"Hm.","thought":true},{"type":"text","text":"A dog."}]`), "A dog."},
		{"thoughts in parts of a stream", stream(delta(`[{"type":"thinking","text":"Hm."}]`), delta(`[{"type":"text","text":"A "}]`), delta(`"dog."`), end), "A dog."},
		{"sound before text", `{"choices":[{"index":1,"message":{"content":null,"audio":{"data":"AAAA"}},"finish_reason":"stop"},{"index":0,"message":{"content":"A dog."},"finish_reason":"stop"}]}`, "A dog."},
		{"text before sound", `{"choices":[{"index":0,"message":{"content":"A dog."},"finish_reason":"stop"},{"index":1,"message":{"content":null,"audio":{"data":"AAAA"}},"finish_reason":"stop"}]}`, "A dog."},
		{"sound before text in a stream", stream(`{"choices":[{"index":0,"delta":{"audio":{"data":"AAAA"}},"finish_reason":"stop"}]}`, `{"choices":[{"index":1,"delta":{"content":"A dog."},"finish_reason":"stop"}]}`), "A dog."},
		{"sound with its words", `{"choices":[{"message":{"content":null,"audio":{"id":"a","data":"AAAA","transcript":"A dog."}},"finish_reason":"stop"}]}`, "A dog."},
		{"sound with its words in a stream", stream(`{"choices":[{"delta":{"audio":{"transcript":"A "}}}]}`, `{"choices":[{"delta":{"audio":{"data":"AAAA"}}}]}`, `{"choices":[{"delta":{"audio":{"transcript":"dog."}}}]}`, end), "A dog."},
		{"sound with its words beside a text", `{"choices":[{"message":{"content":"A dog.","audio":{"transcript":"Woof."}},"finish_reason":"stop"}]}`, "A dog."},
		{"two texts", `{"choices":[{"index":0,"message":{"content":"A dog."}},{"index":1,"message":{"content":"A cat."}}]}`, "A dog."},
		{"a reason with each chunk", stream(`{"choices":[{"delta":{"content":"A "},"finish_reason":"null"}]}`, `{"choices":[{"delta":{"content":"dog."},"finish_reason":"None"}]}`, end), "A dog."},
		{"a success beside choices", stream(`{"code":0,"message":"Success","choices":[]}`, delta(`"A dog."`), end), "A dog."},
		{"an empty error", `{"choices":[{"message":{"content":"A dog."},"finish_reason":"stop"}],` + empty + `}`, "A dog."},
		{"an empty error in each chunk", stream(`{"choices":[{"index":0,"delta":{"content":"A dog."}}],`+empty+`}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],`+empty+`}`), "A dog."},
		{"a chunk of null", stream(delta(`"A "`), "null", delta(`"dog."`), end), "A dog."},
	} {
		kind := "application/json"
		if strings.HasPrefix(c.body, "data:") {
			kind = "text/event-stream"
		}
		resp, err := ask(t, answering(t, http.StatusOK, http.Header{"Content-Type": {kind}}, c.body))
		if err != nil || resp.Text != c.want || resp.Outcome() != omniscope.OK {
			t.Errorf("%s: %+v, %v, want %q", c.name, resp, err, c.want)
		}
	}
	for body, want := range map[string]omniscope.Outcome{
		`{"choices":[{"message":{"content":"A do"},"finishReason":"length"}]}`:                                      omniscope.Truncated,
		`{"choices":[{"message":{"content":"A do"},"finish_details":{"type":"max_tokens"}}]}`:                       omniscope.Truncated,
		`{"choices":[{"message":{"content":"A do"},"finish_reason":null,"native_finish_reason":"SAFETY"}]}`:         omniscope.Refused,
		`{"choices":[{"message":{"content":"A dog."},"finish_reason":"stop","native_finish_reason":"MAX_TOKENS"}]}`: omniscope.OK,
		stream(delta(`"A do"`), `{"choices":[{"delta":{},"finishReason":"length"}]}`):                               omniscope.Truncated,
		`{"choices":[{"message":{"content":[{"type":"refusal","refusal":"I can't."}]},"finish_reason":"stop"}]}`:    omniscope.Refused,
		stream(delta(`[{"type":"refusal","refusal":"I can"}]`), delta(`[{"type":"refusal","refusal":"'t."}]`), end): omniscope.Refused,
	} {
		resp, err := ask(t, answering(t, http.StatusOK, nil, body))
		if err != nil || resp.Outcome() != want {
			t.Errorf("%s: %+v, %v, want %s", body, resp, err, want)
		}
	}
	for _, name := range []string{"reasoning_content", "reasoning", "reasoning_text", "thinking"} {
		resp, err := ask(t, answering(t, http.StatusOK, nil, `{"choices":[{"message":{"content":"","`+name+`":"Hm."},"finish_reason":"stop"}]}`))
		if err != nil || resp.Text != "" || !resp.Reasoning {
			t.Errorf("%s alone: %+v, %v", name, resp, err)
		}
	}
	for _, list := range []string{`"reasoning_details":[{"type":"reasoning.text","text":"Hm."}]`, `"thinking_blocks":[{"type":"thinking","thinking":"Hm."}]`} {
		resp, err := ask(t, answering(t, http.StatusOK, nil, `{"choices":[{"message":{"content":null,`+list+`},"finish_reason":"stop"}]}`))
		if err != nil || resp.Text != "" || !resp.Reasoning {
			t.Errorf("%s alone: %+v, %v", list, resp, err)
		}
	}
	only := message(`[{"type":"reasoning","text":"Hm."}]`)
	if resp, err := ask(t, answering(t, http.StatusOK, nil, only)); err != nil || resp.Text != "" || !resp.Reasoning {
		t.Errorf("thoughts alone: %+v, %v", resp, err)
	}
}

// TestAdviceByWords wants advice for the words of servers, with any status.
func TestAdviceByWords(t *testing.T) {
	withMedia := askedWith(model.Part{Kind: model.ImagePart, MIME: "image/jpeg", Data: []byte("x")}, model.Part{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte("RIFF")})
	for words, want := range map[string]string{
		"Cannot load local files without `--allowed-local-media-path`.":                                            "start the server with --allowed-local-media-path",
		"At most 4 image(s) may be provided in one prompt. (parameter=image)":                                      "send fewer frames (max-frames=",
		"At most 1 audio(s) may be provided in one prompt.":                                                        "higher --limit-mm-per-prompt",
		"Per-request mm_processor_kwargs are disabled by default. Start the server with --trust-request-mm-kwargs": "start the server with --trust-request-mm-kwargs, or leave",
		"Please install vllm[audio] for audio support":                                                             "ask with --modality visual",
		"This model's maximum context length is 8192 tokens":                                                       "a longer context",
		"Input length (1086) exceeds model's maximum context length (1024).":                                       "a longer context",
		"max_tokens=9000 cannot be greater than max_model_len=8192, the maximum context length":                    "a longer context",
		"image input is not supported - hint: you may need to provide the mmproj":                                  "--mmproj",
	} {
		for _, status := range []int{400, 500} {
			_, err := answering(t, status, nil, said(words, "server_error", "")).Generate(t.Context(), withMedia)
			if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), want) || model.LostIn(err).Tries != 0 {
				t.Errorf("%d %s: %v of kind %s, want advice %q", status, words, err, omniscope.KindOf(err), want)
			}
		}
	}
	if _, err := ask(t, answering(t, 400, nil, said("maximum context length", "", ""))); strings.Contains(err.Error(), "max-frames=") {
		t.Errorf("a question without media gets advice about frames: %v", err)
	}
}
