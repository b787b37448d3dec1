package predict

import (
	"errors"

	"omniscope"
	"omniscope/media"
)

// Settings change how one model is asked by its profile. Zero changes nothing.
type Settings struct {
	frameLimits
	Prompt string  // instead of the profile's; a benchmark's own prompts stay
	System *string // message; nil = the profile's
	Longer string  // what to do with sound that is longer than the model takes: see SoundPolicy
	Send   Form
}

// With is the profile with other settings.
func (p *Profile) With(s Settings) (*Profile, error) {
	own := *p
	if s.Prompt != "" {
		if p.Prompt == NoPrompt {
			return nil, omniscope.Usagef("profile %s is for a model that is given no text: leave out prompt=, or name another profile", p.Name)
		}
		own.Prompts = []string{s.Prompt}
	}
	if s.System != nil {
		own.System = *s.System
	}
	if s.Longer != "" {
		own.Sound.Longer = s.Longer
	}
	if s.Send != "" {
		own.Send = s.Send
	}
	if err := own.Check(); err != nil {
		return nil, omniscope.Usagef("profile %s with these settings: %v", p.Name, err)
	}
	return own.withLimits(s.frameLimits)
}

// frameLimits bound what a profile shows of a video, instead of its own numbers. 0
// leaves these as they are.
type frameLimits struct {
	FPS    float64 // frames a second
	Frames int     // most frames of a clip
	Pixels int     // most pixels of a frame
	Tokens int     // that all frames of a clip may be for the model
}

// ErrOverBudget is what errors are that say that a clip's frames may be more tokens
// than allowed.
var ErrOverBudget = errors.New("more visual tokens than allowed")

// withLimits is the profile with other limits. With Tokens and no Pixels, frames are
// as large as the tokens allow for as many as there may be: a token is
// Factor x Factor pixels of a pair of frames, as leastTokens counts (CapRiCorn-1K,
// appendix C.2 and D).
func (p *Profile) withLimits(l frameLimits) (*Profile, error) {
	if l == (frameLimits{}) {
		return p, nil
	}
	policy, err := p.Frames.Policy()
	if err != nil {
		return nil, err
	}
	switch {
	case min(l.Frames, l.Pixels, l.Tokens) < 0 || !(l.FPS >= 0):
		return nil, omniscope.Usagef("fps, max-frames, max-pixels and visual-tokens must not be negative")
	case p.Send == AsVideo:
		return nil, omniscope.Usagef("profile %s sends the file itself, and the endpoint chooses the frames: fps, max-frames, max-pixels and visual-tokens have no effect (send=frames sends chosen ones)", p.Name)
	case policy.Width > 0 && (l.Pixels > 0 || l.Tokens > 0):
		return nil, omniscope.Usagef("profile %s sends frames of exactly %d x %d: max-pixels and visual-tokens have no effect", p.Name, policy.Width, policy.Height)
	}
	if l.Tokens > 0 {
		if l.Pixels, err = l.fit(p, policy); err != nil {
			return nil, err
		}
	}
	own := *p
	own.Frames = p.Frames.with(l.limit(policy))
	return &own, own.Frames.check()
}

// fit is how many pixels a frame may have.
func (l frameLimits) fit(p *Profile, policy media.Policy) (pixels int, err error) {
	if policy.Count == media.Spread || policy.Factor == 0 {
		return 0, omniscope.Usagef("visual-tokens: how profile %s's models count the tokens of a frame is not known: give max-frames and max-pixels", p.Name)
	}
	frames, token := l.Frames, policy.Factor*policy.Factor
	for _, own := range []int{policy.Frames, policy.MaxFrames, 768} {
		if frames == 0 {
			frames = own
		}
	}
	if l.Pixels == 0 {
		l.Pixels = 2 * l.Tokens * token / frames
	}
	switch {
	case l.Pixels < token:
		return 0, omniscope.Usagef("visual-tokens=%d: for %d frames that is less than a token each", l.Tokens, frames)
	case frames*(l.Pixels/token) > 2*l.Tokens:
		return 0, omniscope.Usagef("%w: %d frames of %d pixels are %d, and visual-tokens allows %d", ErrOverBudget, frames, l.Pixels, frames*(l.Pixels/token)/2, l.Tokens)
	}
	return l.Pixels, nil
}

// limit sets the limits. The least number of frames and pixels gives way.
func (l frameLimits) limit(policy media.Policy) media.Policy {
	if l.FPS > 0 {
		policy.FPS, policy.Frames = l.FPS, 0
	}
	if l.Frames > 0 {
		policy.MaxFrames = l.Frames
		if policy.Frames > 0 {
			policy.Frames = l.Frames
		}
		policy.MinFrames = lower(policy.MinFrames, l.Frames, 4, policy.Count)
	}
	if l.Pixels > 0 {
		policy.MaxPixels = l.Pixels
		policy.MinPixels = lower(policy.MinPixels, l.Pixels, 128*policy.Factor*policy.Factor, policy.Count)
	}
	return policy
}

// lower is the least of a policy under a limit. 0 stands for what Qwen's rules have.
func lower(least, limit, ofQwen int, count media.Counting) int {
	if least == 0 && count != media.Spread {
		least = ofQwen
	}
	return min(least, limit)
}

// with is the frames of another policy, written out.
func (f FramePolicy) with(p media.Policy) FramePolicy {
	f.Name = ""
	f.Count, f.FPS, f.Frames, f.MinFrames, f.MaxFrames = p.Count, p.FPS, p.Frames, p.MinFrames, p.MaxFrames
	f.Factor, f.MinPixels, f.MaxPixels, f.TotalPixels, f.PerFrame = p.Factor, p.MinPixels, p.MaxPixels, p.TotalPixels, p.PerFrame
	f.Width, f.Height, f.Quality = p.Width, p.Height, p.Quality
	return f
}
