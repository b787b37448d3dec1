package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/model"
)

// The wire form of an answer, as far as it is read.
type (
	wireAnswer struct {
		ID      string       `json:"id"`
		Model   string       `json:"model"`
		Choices []wireChoice `json:"choices"`
		Usage   struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		} `json:"usage"`
		Error *wireError `json:"error"`
	}
	wireChoice struct {
		Finish  string `json:"finish_reason"`
		Message struct {
			Content wireContent `json:"content"`
			Refusal string      `json:"refusal"`
		} `json:"message"`
	}
	wireError struct {
		Message string `json:"message"`
		Code    any    `json:"code"` // a word or a number
	}
)

// A wireContent is a string, null, or a list of parts of which the text counts.
type wireContent string

func (c *wireContent) UnmarshalJSON(raw []byte) error {
	if raw[0] != '[' {
		return json.Unmarshal(raw, (*string)(c))
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	*c = wireContent(text.String())
	return nil
}

// decode reads the body of a 2xx answer. Bodies that servers send when they
// are in trouble (cut, without choices, with an error inside) are Transient.
func decode(body []byte) (*model.Response, error) {
	var a wireAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, trouble(fmt.Errorf("the answer is not the JSON of the protocol (%w): %s", err, oneLine(string(body[:min(len(body), 200)]))))
	}
	if a.Error != nil && len(a.Choices) == 0 {
		status := &model.StatusError{Status: 200, Code: fmt.Sprint(a.Error.Code), Message: oneLine(a.Error.Message)}
		kind := kindOf(status)
		if kind == omniscope.Invalid {
			kind = omniscope.Transient // the server said 200: it does not blame the request
		}
		return nil, &omniscope.Error{Kind: kind, Err: status}
	}
	if len(a.Choices) == 0 {
		return nil, trouble(errors.New("the answer has no choices"))
	}
	c := a.Choices[0]
	if c.Finish == "abort" || c.Finish == "error" {
		return nil, trouble(fmt.Errorf("the server gave up while answering (finish_reason %q)", c.Finish))
	}
	return &model.Response{
		Text: string(c.Message.Content), Refusal: c.Message.Refusal, Finish: model.Finish(c.Finish),
		Model: a.Model, ID: a.ID,
		Usage: model.Usage{TokensIn: a.Usage.In, TokensOut: a.Usage.Out},
	}, nil
}

func trouble(err error) error {
	return &omniscope.Error{Kind: omniscope.Transient, Err: err}
}
