package openai

import (
	"github.com/tidwall/gjson"

	"omniscope/internal/endpoint"
	"omniscope/model"
)

// readUsage reads what an answer says of tokens. What is no count stays 0, and
// the words of the endpoint are kept for the estimate.
func (m *Model) readUsage(usage gjson.Result, resp *model.Response) {
	if !usage.Exists() || usage.Type == gjson.Null {
		return
	}
	in, wholeIn := endpoint.Tokens(usage.Get("prompt_tokens"))
	out, wholeOut := endpoint.Tokens(usage.Get("completion_tokens"))
	resp.Usage.TokensIn, resp.Usage.TokensOut = in, out
	cached, _ := endpoint.Tokens(usage.Get("prompt_tokens_details.cached_tokens"))
	resp.Usage.Cached = min(cached, in)
	resp.Report = model.Report{}
	resp.Report.Reasoning, _ = endpoint.Tokens(usage.Get("completion_tokens_details.reasoning_tokens"))
	resp.Report.Audio, _ = endpoint.Tokens(usage.Get("prompt_tokens_details.audio_tokens"))
	if !wholeIn || !wholeOut {
		resp.Report.Odd = m.Secrets.Line(usage.Raw)
		resp.Report.Total, _ = endpoint.Tokens(usage.Get("total_tokens"))
	}
}
