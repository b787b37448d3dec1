package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
)

// embed asks for the vector of a text, by the protocol of /embeddings.
func (m *Model) embed(ctx context.Context, req *model.Request) (*model.Response, error) {
	var text strings.Builder
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			text.WriteString(p.Text)
		}
	}
	body := jsonfast.Append([]byte(`{"model":`), req.Model)
	body = jsonfast.Append(append(body, `,"input":`...), text.String())
	body, err := appendExtra(append(body, `,"encoding_format":"float"`...), req.Params.Extra)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	answer, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.At("embeddings").String(), Body: append(body, '}'), Timeout: m.Timeout})
	if err == nil {
		var resp *model.Response
		if resp, err = m.decodeVector(answer.Body); err == nil {
			return resp, nil
		}
	}
	return nil, model.MarkLost(withAdvice(err, req), answer.Sent, answer.Body != nil)
}

// decodeVector reads an answer with one vector. One without is of a server in trouble.
func (m *Model) decodeVector(body []byte) (*model.Response, error) {
	if !jsonfast.ValidBytes(body) {
		return nil, m.NotProtocol(body, json.Unmarshal(body, new(json.RawMessage)))
	}
	root := gjson.ParseBytes(body)
	vector := root.Get("data.0.embedding")
	numbers := vector.Array()
	for _, v := range numbers {
		if v.Type != gjson.Number {
			numbers = nil
			break
		}
	}
	if !vector.IsArray() || len(numbers) == 0 {
		return nil, m.noChoice(root, root.Get("usage"))
	}
	resp := &model.Response{Text: vector.Raw, Finish: model.Stop, Model: m.text(root.Get("model"))}
	resp.Usage.TokensIn = int(root.Get("usage.prompt_tokens").Int())
	return resp, nil
}
