package predict

import (
	"fmt"
	"slices"

	"omniscope/media"
	"omniscope/model"
)

const (
	// The parts of the tokens of pictures and of sound below which something was not perceived. Servers may make pictures smaller,
	// and half of the frames are half of the tokens. Rules of counting sound differ by version, in the margins and not by a fifth.
	leastSeen  = 0.58
	leastHeard = 0.8

	// markers are the tokens that begin and end a picture or a sound in a prompt (chat templates of Qwen2-VL to Qwen3-Omni).
	markers = 2

	// miscount is how far a count may be from the rules, in tokens.
	miscount = 6
)

// mediaTokens are the tokens that media of a request are by the rules of the model.
type mediaTokens struct {
	pictures, sound float64 // 0 = they were not sent, or their rule is unknown
	marks           float64 // of pictures, which some servers do not count
}

func (t mediaTokens) String() string {
	text := fmt.Sprintf("%.0f tokens", t.pictures+t.sound)
	if t.pictures > 0 && t.sound > 0 {
		text += fmt.Sprintf(" (pictures %.0f, sound %.0f)", t.pictures, t.sound)
	}
	return text
}

// tokensOf returns the tokens of what was sent, as it was sent: each frame is a picture of its own, and a token is Factor x Factor
// pixels of it (qwen-vl-utils; the Qwen processors of transformers); sound has as many a second as the profile says.
func (p *Profile) tokensOf(sent *Sent) (t mediaTokens) {
	if f := sent.Frames; f != nil {
		if policy, err := p.Frames.Policy(); err == nil && policy.Count != media.Spread && policy.Factor > 0 {
			t.marks = float64(markers * f.Count)
			t.pictures = float64(f.Count*(f.Width/policy.Factor)*(f.Height/policy.Factor)) + t.marks
		}
	}
	if s := sent.Sound; s != nil && p.Sound.Tokens > 0 {
		t.sound = s.Seconds*p.Sound.Tokens + markers*float64(max(len(s.Parts), 1))
	}
	return t
}

// leastPieces returns the tokens that media are at least for any model: one for a picture, and one for a second of sound. Models
// in use have 2 tokens for a picture (LLaMA-VID) and 3 for a second (SALMONN), or more.
func leastPieces(sent *Sent) (n float64) {
	if sent.Frames != nil {
		n += float64(sent.Frames.Count)
	}
	if sent.Sound != nil {
		n += sent.Sound.Seconds
	}
	if sent.Video != nil {
		n++
	}
	return n
}

// A textCount is how many tokens the texts of a request are, at least and at most.
type textCount struct {
	least, most float64
	measured    bool // the prompt's were counted by the endpoint
}

// Tokens for each byte of a text. Prose has a token for 3 to 6 bytes. Lines of times have digits, and each may be a token.
const (
	leastOfProse = 0.15
	mostOfProse  = 0.4
	leastOfTimes = 0.35
	mostOfTimes  = 0.8

	// wordsOnly is the highest count of a server that counts words instead of tokens.
	wordsOnly = 0.22
)

// textOf returns the tokens of the texts of p's request. prompt is what the endpoint counted for the prompt without media; 0 = it was
// not asked.
func textOf(p *Prediction, prompt int) textCount {
	own, times := float64(len(p.Sent.Prompt)+len(p.Sent.System)), float64(p.textBytes)
	if prompt == 0 {
		return textCount{least: leastOfProse*own + leastOfProse*times, most: mostOfProse*own + mostOfTimes*times}
	}
	least := leastOfTimes
	if rate := float64(prompt) / max(own, 1); rate < wordsOnly {
		least = rate
	}
	return textCount{least: float64(prompt) + least*times, most: float64(prompt) + mostOfTimes*times, measured: true}
}

// checkTokens returns a warning where the tokens that the endpoint counted cannot hold what was sent, "" where they can. Estimates
// of ours say nothing.
func (p *Profile) checkTokens(sent *Sent, u *model.Usage, text textCount) (warning string) {
	need := p.tokensOf(sent)
	if u == nil || u.Estimated || u.TokensIn == 0 {
		return ""
	}
	least, most := float64(u.TokensIn)-text.most, float64(u.TokensIn)-text.least // of the media
	switch {
	case text.measured && most < leastPieces(sent):
		return fmt.Sprintf("the endpoint counted %d tokens, as many as the texts alone: it did not perceive the media, or does not count them", u.TokensIn)
	case need.pictures+need.sound == 0:
		return ""
	}
	rules := fmt.Sprintf("by the model's rules the media are %s, and of the %d that the endpoint counted about %.0f are for media", need, u.TokensIn, max((least+most)/2, 0))
	// are reports whether the media can be just so many tokens, and not all that were sent.
	are := func(tokens, missing float64) bool {
		return text.measured && tokens > 0 && missing > 0 && least <= tokens+miscount && most >= tokens-need.marks-miscount &&
			need.pictures-need.marks+need.sound > most+miscount
	}
	switch {
	case are(need.pictures, need.sound):
		return rules + ", as many as the pictures alone need: it did not perceive all of them"
	case are(need.sound, need.pictures):
		return rules + ", as many as the sound alone needs: it did not perceive all of them"
	case most < leastSeen*need.pictures+leastHeard*need.sound:
		return rules + ": it did not perceive all of them, or made the pictures smaller"
	}
	return ""
}

// CheckTokens looks for media that the endpoint did not perceive, by its own count of tokens, and marks their samples. Blind twins measure
// how many of these are for the prompt; without them only a lack of about half of the media can be seen. It may be called again.
func (s *System) CheckTokens(all []*Prediction) {
	counted := make(map[string]int) // by prompt
	for _, p := range all {
		if p != nil && p.Blind != nil && p.Blind.TokensIn > 0 {
			counted[p.Sent.Prompt] = p.Blind.TokensIn
		}
	}
	for _, p := range all {
		if p == nil || p.Sent.Modality == Text {
			continue
		}
		p.Warnings = slices.DeleteFunc(p.Warnings, func(w string) bool { return p.Few && w == p.few })
		p.few = s.Profile.checkTokens(&p.Sent, p.Usage, textOf(p, counted[p.Sent.Prompt]))
		if p.Few = p.few != ""; p.Few {
			p.Warnings = append(p.Warnings, p.few)
		}
	}
}
