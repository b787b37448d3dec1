package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// An answer is the body of a 2xx answer, as far as it is of use
// (anthropic-sdk-go, message.go, Message).
type answer struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	Model       string         `json:"model"`
	Content     []contentBlock `json:"content"`
	StopReason  string         `json:"stop_reason"`
	StopDetails struct {
		Explanation string `json:"explanation"`
	} `json:"stop_details"`
	Usage json.RawMessage `json:"usage"`
}

type contentBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
	Name     string `json:"name"`
}

// decode reads the body of a 2xx answer. One that is cut, or of another form, is
// Transient.
func (m *Model) decode(header http.Header, body []byte) (*model.Response, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	var a answer
	streamed := exchange.LooksLikeStream(body)
	if streamed {
		var err error
		if a, err = m.readStream(string(body)); err != nil {
			return nil, err
		}
	} else if err := json.Unmarshal(body, &a); err != nil {
		return nil, m.NotProtocol(body, err)
	}
	if a.Type != "message" {
		if failure := exchange.Failure(body, m.Secrets); failure != nil {
			return nil, failure
		}
	}
	if a.Type != "message" || a.Content == nil || a.StopReason == "" {
		return nil, m.NotProtocol(body, errors.New("no whole message"))
	}
	resp := &model.Response{ID: m.Secrets.Redact(a.ID), Model: m.Secrets.Redact(a.Model), Streamed: streamed}
	if id := header.Get("Request-Id"); id != "" {
		resp.ID = m.Secrets.Redact(id) // by which Anthropic finds a call
	}
	reasoning := m.content(&a, resp)
	m.usage(a.Usage, resp)
	if err := m.stop(&a, resp); err != nil {
		return nil, err
	}
	resp.Reasoning = resp.Text == "" && reasoning > 0
	if resp.Report.Reasoning == 0 && reasoning > 0 {
		resp.Report.Reasoning = (reasoning + 3) / 4
	}
	return resp, nil
}

// content joins the texts. It returns the bytes of reasoning beside them, which
// may be encrypted; they count as one then.
func (m *Model) content(a *answer, resp *model.Response) (reasoning int) {
	var text strings.Builder
	for _, b := range a.Content {
		switch b.Type {
		case "text":
			text.WriteString(b.Text)
		case "thinking", "redacted_thinking":
			reasoning += max(len(b.Thinking), 1)
		case "tool_use", "server_tool_use":
			resp.ToolCalls = append(resp.ToolCalls, m.Secrets.Redact(b.Name))
		}
	}
	resp.Text = m.Secrets.Redact(text.String())
	return reasoning
}

// stop reads why the model stopped (anthropic-sdk-go, message.go, StopReason). The text of an answer that was refused is the
// refusal's.
func (m *Model) stop(a *answer, resp *model.Response) error {
	resp.Finish = model.FinishOf(m.Secrets.Redact(a.StopReason))
	switch resp.Finish {
	case model.GaveUp:
		why := exchange.Trouble(fmt.Errorf("the server gave up while answering (stop_reason %q)", m.Secrets.Line(a.StopReason)))
		return model.WithLost(model.Lost{Tries: 1, TokensIn: resp.Usage.TokensIn, TokensOut: resp.Usage.TokensOut}, why)
	case model.ContentFilter:
		resp.Refusal, resp.Text = resp.Text, ""
		if resp.Refusal == "" {
			resp.Refusal = m.Secrets.Redact(a.StopDetails.Explanation)
		}
	}
	return nil
}

// usage reads the counts of tokens. Those read from and written to a cache of
// prompts were sent, too, and input_tokens does not hold them (anthropic-sdk-go,
// message.go, Usage).
func (m *Model) usage(raw json.RawMessage, resp *model.Response) {
	var u struct {
		Input         json.RawMessage `json:"input_tokens"`
		CacheCreation json.RawMessage `json:"cache_creation_input_tokens"`
		CacheRead     json.RawMessage `json:"cache_read_input_tokens"`
		Output        json.RawMessage `json:"output_tokens"`
		Details       struct {
			Thinking json.RawMessage `json:"thinking_tokens"`
		} `json:"output_tokens_details"`
	}
	if json.Unmarshal(raw, &u) != nil || u.Input == nil && u.Output == nil {
		return
	}
	in, whole := tokens(u.Input)
	out, wholeOut := tokens(u.Output)
	for _, cached := range []json.RawMessage{u.CacheCreation, u.CacheRead} {
		if cached != nil && string(cached) != "null" {
			n, ok := tokens(cached)
			in, whole = in+n, whole && ok
		}
	}
	resp.Usage.TokensIn, resp.Usage.TokensOut = in, out
	resp.Usage.Cached, _ = tokens(u.CacheRead)
	resp.Report.Reasoning, _ = tokens(u.Details.Thinking)
	if !whole || !wholeOut {
		resp.Report.Odd = m.Secrets.Line(string(raw))
	}
}

// tokens reads a count of tokens, and reports whether it can be one.
func tokens(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseUint(string(raw), 10, 31)
	if err != nil {
		return 0, false
	}
	return int(n), true
}

// withModel adds the model's name to the error that there is no such model.
func withModel(err error, name string) error {
	var status *model.StatusError
	if name == "" || !errors.As(err, &status) || status.Code != "not_found_error" {
		return err
	}
	return &omniscope.Error{Kind: omniscope.KindOf(err), Op: fmt.Sprintf("model %q", name), Err: err}
}
