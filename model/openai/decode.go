package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
)

// decode reads the body of a 2xx answer. Bodies that servers send when they
// are in trouble (cut, without choices, with an error inside) are Transient.
func (m *Model) decode(body []byte) (*model.Response, error) {
	if body = bytes.TrimPrefix(body, byteOrderMark); looksLikeStream(body) {
		return m.decodeStream(body, nil)
	}
	text := string(body)
	if !jsonfast.Valid(text) {
		return nil, m.notProtocol(body, json.Unmarshal(body, new(json.RawMessage)))
	}
	root := gjson.Parse(text)
	var choice, message, content gjson.Result
	reasoning := 0
	resp := &model.Response{}
	each(root, func(name string, value gjson.Result) {
		switch name {
		case "id":
			resp.ID = m.text(value)
		case "model":
			resp.Model = m.text(value)
		case "choices":
			choice = firstOf(value)
		case "usage":
			m.readUsage(value, resp)
		}
	})
	if !choice.IsObject() {
		return nil, m.noChoice(root)
	}
	each(choice, func(name string, value gjson.Result) {
		switch name {
		case "finish_reason":
			resp.Finish = model.Finish(m.text(value))
		case "message":
			message = value
		}
	})
	each(message, func(name string, value gjson.Result) {
		switch name {
		case "content":
			content = value
		case "refusal":
			resp.Refusal = m.text(value)
		case "tool_calls", "function_call":
			resp.ToolCalls = m.toolNames(value)
		case "reasoning_content", "reasoning":
			reasoning += len(value.Str)
		}
	})
	if err := m.checkContent(content); err != nil {
		return nil, err
	}
	resp.Text = m.text(content)
	if err := m.completed(resp, reasoning, hasParts(content)); err != nil {
		return nil, err
	}
	return resp, nil
}

// checkContent refuses content that no text can be taken of.
func (m *Model) checkContent(content gjson.Result) error {
	if content.IsObject() || content.Type == gjson.Number || content.IsBool() {
		return exchange.Trouble(fmt.Errorf("the answer is not the JSON of the protocol: content is %s", m.words(content.Raw)))
	}
	return nil
}

// completed says what a whole answer is, given the bytes of reasoning beside
// its text; an error if the server gave it up.
func (m *Model) completed(resp *model.Response, reasoning int, thoughts bool) error {
	if resp.Finish == "abort" || resp.Finish == "error" {
		return exchange.Trouble(fmt.Errorf("the server gave up while answering (finish_reason %q)", resp.Finish))
	}
	resp.Reasoning = resp.Text == "" && (reasoning > 0 || thoughts)
	if resp.Report.Reasoning == 0 {
		resp.Report.Reasoning = (reasoning + 3) / 4
	}
	return nil
}

// toolNames are the tools of a list of calls, or of the one call that older
// servers give.
func (m *Model) toolNames(calls gjson.Result) (names []string) {
	if calls.IsObject() {
		return []string{m.text(calls.Get("name"))}
	}
	if calls.IsArray() {
		calls.ForEach(func(_, call gjson.Result) bool {
			names = append(names, m.text(call.Get("function.name")))
			return true
		})
	}
	return names
}

// hasParts reports whether content is a list of parts; without text, those are
// of a train of thought.
func hasParts(content gjson.Result) bool {
	return content.IsArray() && content.Get("0.type").Exists() && content.Get("0.type").Str != "text"
}

// each goes through the members of an object, once: the text of an answer is
// most of its body, and every look for a name would pass over it.
func each(object gjson.Result, member func(name string, value gjson.Result)) {
	if object.IsObject() {
		object.ForEach(func(name, value gjson.Result) bool {
			member(name.Str, value)
			return true
		})
	}
}

// text reads a string without secrets.
func (m *Model) text(value gjson.Result) string { return m.redact(plain(value)) }

// plain reads a string. Of a list of parts the text counts; anything else is "".
func plain(value gjson.Result) string {
	if !value.IsArray() {
		return unquoted(value)
	}
	var parts strings.Builder
	value.ForEach(func(_, part gjson.Result) bool {
		parts.WriteString(unquoted(part.Get("text")))
		return true
	})
	return parts.String()
}

// unquoted returns the string that value is, else "". Bytes that are not UTF-8
// and halves of surrogate pairs are for encoding/json: gjson hands on the former
// and drops what follows the latter.
func unquoted(value gjson.Result) string {
	text := value.Str
	if strings.Contains(value.Raw, `\ud`) || strings.Contains(value.Raw, `\uD`) || !utf8.ValidString(text) {
		_ = json.Unmarshal([]byte(value.Raw), &text) // a valid string, or left as it is
	}
	return text
}

func firstOf(list gjson.Result) (first gjson.Result) {
	if list.IsArray() {
		list.ForEach(func(_, value gjson.Result) bool {
			first = value
			return false
		})
	}
	return first
}

// noChoice says what an answer without choices is: often an error that came
// too late for its own status. Unless it names one, it does not blame the
// request, since the server said 200.
func (m *Model) noChoice(root gjson.Result) error {
	inside := root.Get("error")
	if inside.Type == gjson.Null {
		return exchange.Trouble(errors.New("the answer has no choices: " + m.words(root.Raw)))
	}
	status := &model.StatusError{Status: 200, Inside: true}
	status.Code, status.Message = explanation([]byte(root.Raw))
	status.Code, status.Message = m.words(status.Code), m.words(status.Message)
	if named := statusOf(inside.Get("code").String()); named != 0 {
		status.Status = named
	}
	kind := kindOf(status)
	if kind == omniscope.Invalid && status.Status == 200 {
		kind = omniscope.Transient
	}
	return &omniscope.Error{Kind: kind, Err: status}
}

func (m *Model) notProtocol(body []byte, err error) error {
	return exchange.Trouble(fmt.Errorf("the answer is not the JSON of the protocol (%w): %s", err, m.words(string(body[:min(len(body), 4<<10)]))))
}
