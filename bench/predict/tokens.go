package predict

import (
	"fmt"

	"omniscope/media"
	"omniscope/model"
)

// heard is the part of the least number of tokens below which something was not
// perceived: rules of counting differ by version, in the margins and not by a
// fifth.
const heard = 0.8

// leastTokens is how many tokens the media of a request are for the model at least,
// 0 where its rules are not known: a token is Factor x Factor pixels of a pair of
// frames (qwen-vl-utils; the Qwen processors of transformers), and sound has as many
// a second as the profile says.
func (p *Profile) leastTokens(sent *Sent) int {
	least := 0.0
	if f := sent.Frames; f != nil {
		if policy, err := p.Frames.Policy(); err == nil && policy.Count != media.Spread && policy.Factor > 0 {
			pairs := float64(f.Count) / 2
			least += pairs * float64(f.Width/policy.Factor) * float64(f.Height/policy.Factor)
		}
	}
	if s := sent.Sound; s != nil {
		least += s.Seconds * p.Sound.Tokens
	}
	return int(least)
}

// checkTokens warns where the tokens that the endpoint counted cannot hold what was
// sent. Estimates of ours say nothing.
func (p *Profile) checkTokens(sent *Sent, u model.Usage) (warning string, few bool) {
	least := p.leastTokens(sent)
	if u.Estimated || u.TokensIn == 0 || float64(u.TokensIn) >= heard*float64(least) {
		return "", false
	}
	return fmt.Sprintf("the endpoint counted %d tokens, and the media that it was sent are %d at least by the model's rules: it did not perceive all of them", u.TokensIn, least), true
}
