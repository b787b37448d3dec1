package wrap

import (
	"fmt"

	"omniscope/model"
)

// Estimate guesses the tokens of a request before it is sent: four bytes of
// text and schema to a token, a round figure for a piece of media, and for the
// answer the limit that was set, or 1,024.
func Estimate(req *model.Request) (tokensIn, tokensOut int) {
	const perMedia = 1000
	bytes, media := sizes(req)
	tokensOut = req.Params.MaxTokens
	if tokensOut == 0 {
		tokensOut = 1024
	}
	if req.Embed {
		tokensOut = 0
	}
	return quarter(bytes) + media*perMedia, tokensOut
}

// sizes returns the bytes of text and the pieces of media in a request.
func sizes(req *model.Request) (bytes, media int) {
	if req.Schema != nil {
		bytes = len(req.Schema.JSON)
	}
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			if p.Kind == model.TextPart {
				bytes += len(p.Text)
			} else {
				media++
			}
		}
	}
	return bytes, media
}

// soundIn is how many tokens of an answer's prompt are sound: as the endpoint counts them, else by estimate.
func soundIn(req *model.Request, resp *model.Response) int {
	if n := resp.Report.Audio; n > 0 {
		return min(n, resp.Usage.TokensIn)
	}
	return soundOf(req, resp.Usage.TokensIn)
}

// soundOf estimates how many tokens of a prompt are sound: of a request with sound and no other media, all that is not text.
func soundOf(req *model.Request, tokensIn int) int {
	bytes, media := sizes(req)
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			if p.Kind == model.AudioPart {
				media--
			}
		}
	}
	if _, all := sizes(req); media > 0 || all == 0 {
		return 0
	}
	return max(0, tokensIn-quarter(bytes))
}

func quarter(n int) int { return (n + 3) / 4 }

// Bounds of plausible token counts. They are far above what tokenizers,
// templates and reasoning produce.
const (
	perToken  = 64       // most bytes of text to a token: runs of spaces are long tokens
	template  = 64 << 10 // most tokens that an endpoint adds to a text of its own
	mostIn    = 16 << 20 // larger than any context
	mostOut   = 1 << 20  // larger than any answer with its reasoning
	unlimited = 16 << 10 // tokens of reasoning beyond max_tokens that are not reported as such
)

// believe replaces token counts that were not reported or cannot be true by
// estimates. Without that a budget would never stop, and a report would state a
// cost of zero that is false.
func believe(req *model.Request, resp *model.Response) {
	u, report := &resp.Usage, &resp.Report
	said := *u
	defer func() { u.Cached = min(u.Cached, u.TokensIn) }()
	in, _ := Estimate(req)
	out := quarter(len(resp.Text)+len(resp.Refusal)) + report.Reasoning
	knowsIn, knowsOut := believableIn(req, u.TokensIn), believableOut(req, u.TokensOut, out, report.Reasoning)
	if req.Embed { // vectors have no tokens
		u.TokensOut, out, knowsOut = 0, 0, true
	}
	switch {
	case knowsIn && knowsOut:
		return
	case knowsOut && believableIn(req, report.Total-u.TokensOut):
		u.TokensIn = report.Total - u.TokensOut
		return
	case knowsIn && u.TokensOut == 0 && believableOut(req, report.Total-u.TokensIn, out, report.Reasoning):
		u.TokensOut = report.Total - u.TokensIn
		return
	case knowsIn:
		u.TokensOut = out
	case knowsOut:
		u.TokensIn = in
	case believableIn(req, report.Total-out):
		u.TokensIn, u.TokensOut = report.Total-out, out
	default:
		u.TokensIn, u.TokensOut = in, out
	}
	u.Estimated, u.Reported = true, report.Odd
	if u.Reported == "" && said.TokensIn+said.TokensOut != 0 {
		u.Reported = fmt.Sprintf("%d tokens in, %d out", said.TokensIn, said.TokensOut)
	}
}

func believableIn(req *model.Request, tokens int) bool {
	bytes, media := sizes(req)
	most := bytes + template
	if media > 0 {
		most = mostIn
	}
	return tokens >= bytes/perToken && tokens <= most && (tokens > 0 || bytes+media == 0)
}

// believableOut compares tokens with the estimate of what arrived, reasoning
// included, and with the limit that was set.
func believableOut(req *model.Request, tokens, arrived, reasoning int) bool {
	most := mostOut
	if limit := req.Params.MaxTokens; limit > 0 {
		most = min(most, 4*max(limit, arrived)+reasoning+unlimited)
	}
	text := arrived - reasoning
	return tokens >= text*4/perToken && tokens <= most && (tokens > 0 || text == 0)
}
