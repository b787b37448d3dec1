package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
)

// decode reads the body of a 2xx answer. Bodies that servers send when they
// are in trouble (cut, without choices, with an error inside) are Transient.
func (m *Model) decode(body []byte) (*model.Response, error) {
	if body = bytes.TrimPrefix(body, []byte("\ufeff")); exchange.LooksLikeStream(body) {
		return m.decodeStream(body, nil)
	}
	text := string(body)
	if !jsonfast.Valid(text) {
		return nil, m.NotProtocol(body, json.Unmarshal(body, new(json.RawMessage)))
	}
	root := gjson.Parse(text)
	resp, choice, usage, beside := m.membersOfAnswer(root)
	if !choice.IsObject() {
		return nil, m.noChoice(root, usage)
	}
	of := membersOf(choice)
	c := spoken{finish: of.finish()}
	switch unfinished := of.reasons[0].Exists() && of.reasons[0].Type == gjson.Null; {
	case exchange.IsError(of.failed):
		return nil, m.failedInside(exchange.Failure([]byte(choice.Raw), m.Secrets), usage)
	case (unfinished || model.FinishOf(c.finish) == model.GaveUp) && exchange.IsError(beside): // it came while the model answered
		return nil, m.failedInside(exchange.Failure(body, m.Secrets), usage)
	}
	m.readUsage(usage, resp)
	if err := m.add(&c, of.message); err != nil {
		return nil, err
	}
	if err := m.complete(resp, &c); err != nil {
		return nil, err
	}
	return resp, nil
}

// membersOfAnswer reads the names in an answer, and returns its choice, its usage and an error next to them.
func (m *Model) membersOfAnswer(root gjson.Result) (resp *model.Response, choice, usage, beside gjson.Result) {
	resp = &model.Response{}
	each(root, func(name string, value gjson.Result) {
		switch name {
		case "id":
			resp.ID = m.text(value)
		case "model":
			resp.Model = m.text(value)
		case "choices":
			choice = counting(value)
		case "usage":
			usage = value
		case "error":
			beside = value
		}
	})
	return resp, choice, usage, beside
}

// A spoken is what a choice holds, put together from one message or from the chunks of a stream.
type spoken struct {
	text, refusal halved
	sound         halved // the words of an answer in sound
	finish        string
	tools         []string
	reasoning     int  // bytes
	other         bool // it has sound or pictures
}

// add adds a message, or a piece of one.
func (m *Model) add(c *spoken, message gjson.Result) error {
	var content, refusal, tools, reasoning gjson.Result
	each(message, func(name string, value gjson.Result) {
		switch name {
		case "content":
			content = value
		case "refusal":
			refusal = value
		case "tool_calls", "function_call":
			tools = value
		case "reasoning_content", "reasoning", "reasoning_text", "reasoning_details", "thinking", "thinking_blocks":
			if exchange.IsError(value) && len(value.Raw) > len(reasoning.Raw) { // some servers give several names to one text
				reasoning = value
			}
		case "audio":
			c.sound.add(value.Get("transcript"))
			c.other = c.other || exchange.IsError(value)
		case "images":
			c.other = c.other || exchange.IsError(value)
		}
	})
	c.refusal.add(refusal)
	for _, tool := range m.toolNames(tools) {
		if tool != "" { // later chunks bring arguments alone
			c.tools = append(c.tools, tool)
		}
	}
	if c.reasoning += len(reasoning.Str); reasoning.Str == "" {
		c.reasoning += len(reasoning.Raw)
	}
	return m.addContent(c, content)
}

// addContent adds a text, or the texts of a list of parts. Parts that hold a train of thought are no text of the answer; other
// content is refused, since no text can be taken of it.
func (m *Model) addContent(c *spoken, content gjson.Result) error {
	switch {
	case content.IsArray():
		content.ForEach(func(_, part gjson.Result) bool {
			if thinks(part) {
				c.reasoning += max(len(part.Raw), 1)
			} else {
				c.text.add(part.Get("text"))
				c.refusal.add(part.Get("refusal"))
			}
			return true
		})
	case content.IsObject() || content.Type == gjson.Number || content.IsBool():
		return exchange.Trouble(fmt.Errorf("the answer is not the JSON of the protocol: content is %s", m.Secrets.Line(content.Raw)))
	default:
		c.text.add(content)
	}
	return nil
}

// thinks reports whether a part of content holds a train of thought: thinking (Mistral, Anthropic), reasoning, reasoning_text and
// summary_text (OpenAI), or a part that is marked so (Google).
func thinks(part gjson.Result) bool {
	kind := strings.ToLower(part.Get("type").Str)
	return part.Get("thought").Bool() || exchange.SaysAny(kind, []string{"think", "thought", "reason", "summary"})
}

// complete finishes the answer; an error if the server gave it up.
func (m *Model) complete(resp *model.Response, c *spoken) error {
	word := m.Secrets.Redact(c.finish)
	resp.Finish = model.FinishOf(word)
	if resp.Finish == model.GaveUp {
		err := exchange.Trouble(fmt.Errorf("the server gave up while answering (finish_reason %q)", model.FirstWords(word)))
		return model.WithLost(model.Lost{Tries: 1, TokensIn: resp.Usage.TokensIn, TokensOut: resp.Usage.TokensOut}, err)
	}
	text := cmp.Or(c.text.String(), c.sound.String())
	resp.Text, resp.Refusal, resp.ToolCalls = m.Secrets.Redact(text), m.Secrets.Redact(c.refusal.String()), c.tools
	resp.Reasoning = resp.Text == "" && c.reasoning > 0
	if resp.Report.Reasoning == 0 {
		resp.Report.Reasoning = (c.reasoning + 3) / 4
	}
	return nil
}

// A choiceMembers is what a choice holds, or a piece of one in a stream.
type choiceMembers struct {
	index, message, failed gjson.Result
	reasons                [4]gjson.Result // why it ended, as reasonNames have them
}

// reasonNames are where a choice has the word for why it ended. Where finish_reason has no word, others may: finishReason of gateways,
// finish_details of OpenAI's first models that saw, native_finish_reason of OpenRouter.
var reasonNames = [...]string{"finish_reason", "finishReason", "finish_details", "native_finish_reason"}

func membersOf(choice gjson.Result) (of choiceMembers) {
	each(choice, func(name string, value gjson.Result) {
		switch name {
		case "index":
			of.index = value
		case "error":
			of.failed = value
		case "delta":
			if value.IsObject() {
				of.message = value
			}
		case "message":
			if !of.message.IsObject() { // some servers send a complete message, as if they did not stream
				of.message = value
			}
		default:
			if i := slices.Index(reasonNames[:], name); i >= 0 {
				of.reasons[i] = value
			}
		}
	})
	return of
}

// finish returns the word for why a choice ended, or its number; "" without one. Some servers send "null" with each piece.
func (of *choiceMembers) finish() string {
	for _, reason := range of.reasons {
		if reason.IsObject() {
			reason = reason.Get("type")
		}
		word := unquoted(reason)
		if reason.Type == gjson.Number {
			word = reason.Raw
		}
		if model.FinishOf(word) != "" {
			return word
		}
	}
	return ""
}

// counting is the choice that counts: the first one, unless it holds sound or pictures alone and a later one a text, as
// models do that answer in several ways.
func counting(list gjson.Result) (first gjson.Result) {
	if !list.IsArray() {
		return gjson.Result{}
	}
	n, text := 0, gjson.Result{}
	list.ForEach(func(_, choice gjson.Result) bool {
		if n++; n == 1 {
			first = choice
			return true
		}
		if exchange.IsError(choice.Get("message.content")) {
			text = choice
		}
		return !text.Exists()
	})
	if text.Exists() && !exchange.IsError(first.Get("message.content")) && (exchange.IsError(first.Get("message.audio")) || exchange.IsError(first.Get("message.images"))) {
		return text
	}
	return first
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
func (m *Model) text(value gjson.Result) string { return m.Secrets.Redact(unquoted(value)) }

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

// noChoice returns the error of an answer without choices: often one that came too late for its own status.
func (m *Model) noChoice(root, usage gjson.Result) error {
	if failure := exchange.Failure([]byte(root.Raw), m.Secrets); failure != nil && root.IsObject() {
		return m.failedInside(failure, usage)
	}
	return exchange.Trouble(errors.New("the answer has no choices: " + m.Secrets.Line(root.Raw)))
}
