package gemini

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
	"omniscope/model/exchange"
)

// A generated is the body of an answer: GenerateContentResponse
// (ai.google.dev/api/generate-content). Other fields are passed over.
type generated struct {
	Candidates     []candidate     `json:"candidates"`
	PromptFeedback *promptFeedback `json:"promptFeedback"`
	UsageMetadata  json.RawMessage `json:"usageMetadata"`
	ModelVersion   string          `json:"modelVersion"`
	ResponseID     string          `json:"responseId"`
}

type candidate struct {
	Content struct {
		Parts []struct {
			Text         string `json:"text"`
			Thought      bool   `json:"thought"`
			FunctionCall *struct {
				Name string `json:"name"`
			} `json:"functionCall"`
		} `json:"parts"`
	} `json:"content"`
	FinishReason  finishReason `json:"finishReason"`
	FinishMessage string       `json:"finishMessage"`
}

// A finishReason is the name of a reason, "" without one. Servers that write enumerations as numbers send its number.
type finishReason string

// numberedReasons are the names of the numbers that generativelanguage/v1beta and aiplatform/v1 of googleapis share; from 6 on they
// differ, and a number is an unknown reason.
var numberedReasons = []string{"", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"}

// UnmarshalJSON implements json.Unmarshaler.
func (r *finishReason) UnmarshalJSON(text []byte) error {
	value := gjson.ParseBytes(text)
	*r = finishReason(value.String())
	if n := value.Int(); value.Type == gjson.Number && 0 <= n && n < int64(len(numberedReasons)) {
		*r = finishReason(numberedReasons[n])
	}
	return nil
}

type promptFeedback struct {
	BlockReason        string `json:"blockReason"`
	BlockReasonMessage string `json:"blockReasonMessage"`
}

// decode reads the body of a 2xx answer. Bodies that servers send when they are
// in trouble (cut, without candidates, with an error inside) are Transient.
func (m *Model) decode(body []byte) (*model.Response, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	var g generated
	streamed := isStream(body)
	if streamed {
		var err error
		if g, err = m.readStream(body); err != nil {
			return nil, err
		}
	} else if err := json.Unmarshal(body, &g); err != nil {
		return nil, m.NotProtocol(body, err)
	}
	resp := &model.Response{Model: m.Secrets.Redact(g.ModelVersion), ID: m.Secrets.Redact(g.ResponseID), Streamed: streamed}
	m.readUsage(g.UsageMetadata, resp)
	if len(g.Candidates) == 0 {
		return nil, m.noCandidate(&g, body, resp.Usage)
	}
	c := &g.Candidates[0]
	thoughts := m.readParts(c, resp)
	resp.Finish = model.FinishOf(m.Secrets.Redact(string(c.FinishReason)))
	if resp.Finish == model.GaveUp {
		why := exchange.Trouble(fmt.Errorf("the model gave up while answering (finishReason %s)", m.Secrets.Line(strings.TrimSuffix(string(c.FinishReason)+": "+c.FinishMessage, ": "))))
		return nil, model.WithLost(model.Lost{Tries: 1, TokensIn: resp.Usage.TokensIn, TokensOut: resp.Usage.TokensOut}, why)
	}
	if resp.Finish == model.ContentFilter && strings.TrimSpace(resp.Text) == "" {
		resp.Refusal = m.Secrets.Redact(c.FinishMessage)
	}
	resp.Reasoning = resp.Text == "" && (thoughts > 0 || resp.Report.Reasoning > 0)
	if resp.Report.Reasoning == 0 {
		resp.Report.Reasoning = (thoughts + 3) / 4
	}
	return resp, nil
}

// readParts puts the texts together and names the tools that are called. It
// returns the bytes of thoughts, which are no text of the answer.
func (m *Model) readParts(c *candidate, resp *model.Response) (thoughts int) {
	var text strings.Builder
	for _, p := range c.Content.Parts {
		switch {
		case p.Thought:
			thoughts += len(p.Text)
		case p.FunctionCall != nil:
			resp.ToolCalls = append(resp.ToolCalls, m.Secrets.Redact(p.FunctionCall.Name))
		default:
			text.WriteString(p.Text)
		}
	}
	resp.Text = m.Secrets.Redact(text.String())
	return thoughts
}

// noCandidate returns the error of an answer without candidates: a prompt that a filter
// blocked, for which Google counts the tokens, an error that came too late for its own status, or trouble.
func (m *Model) noCandidate(g *generated, body []byte, usage model.Usage) error {
	if failure := exchange.Failure(body, m.Secrets); failure != nil {
		return failure
	}
	if g.PromptFeedback == nil || g.PromptFeedback.BlockReason == "" {
		return exchange.Trouble(errors.New("the answer has no candidates: " + m.Beginning(body)))
	}
	why := g.PromptFeedback.BlockReason
	if words := g.PromptFeedback.BlockReasonMessage; words != "" {
		why += ": " + words
	}
	blocked := &omniscope.Error{Kind: omniscope.Declined, Err: fmt.Errorf("a filter of the endpoint blocked the prompt (%s)", m.Secrets.Line(why))}
	return model.WithLost(model.Lost{Tries: 1, TokensIn: usage.TokensIn}, blocked)
}

// readUsage reads UsageMetadata. Thoughts are tokens out beside those of the
// candidates; a number that is 0 is left out by the server.
func (m *Model) readUsage(raw json.RawMessage, resp *model.Response) {
	usage := gjson.ParseBytes(raw)
	if len(raw) == 0 || usage.Type == gjson.Null {
		return
	}
	odd := !usage.IsObject()
	count := func(name string) int {
		n, whole := endpoint.Tokens(usage.Get(name))
		odd = odd || !whole && usage.Get(name).Exists()
		return n
	}
	thoughts := count("thoughtsTokenCount")
	resp.Usage.TokensIn, resp.Usage.TokensOut = count("promptTokenCount"), count("candidatesTokenCount")+thoughts
	resp.Usage.Cached = min(count("cachedContentTokenCount"), resp.Usage.TokensIn)
	resp.Report = model.Report{Total: count("totalTokenCount"), Reasoning: thoughts}
	resp.Report.Audio, _ = endpoint.Tokens(usage.Get(`promptTokensDetails.#(modality=="AUDIO").tokenCount`))
	if odd {
		resp.Report.Odd = m.Secrets.Line(usage.Raw)
	}
}
