package openai

import (
	"github.com/tidwall/gjson"

	"omniscope/model"
)

// readUsage reads what an answer says of tokens. What is no count stays 0, and
// the words of the endpoint are kept for the estimate.
func (m *Model) readUsage(usage gjson.Result, resp *model.Response) {
	if !usage.Exists() || usage.Type == gjson.Null {
		return
	}
	in, wholeIn := tokens(usage.Get("prompt_tokens"))
	out, wholeOut := tokens(usage.Get("completion_tokens"))
	resp.Usage.TokensIn, resp.Usage.TokensOut = in, out
	resp.Report = model.Report{}
	resp.Report.Reasoning, _ = tokens(usage.Get("completion_tokens_details.reasoning_tokens"))
	if !wholeIn || !wholeOut {
		resp.Report.Odd = m.words(usage.Raw)
		resp.Report.Total, _ = tokens(usage.Get("total_tokens"))
	}
}

// tokens reads a count of tokens, and reports whether it can be one.
func tokens(v gjson.Result) (int, bool) {
	if v.Type != gjson.Number || v.Num < 0 || v.Num >= 1<<31 || v.Num != float64(int(v.Num)) {
		return 0, false
	}
	return int(v.Num), true
}
