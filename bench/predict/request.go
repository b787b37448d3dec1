package predict

import (
	"context"
	"math"

	"omniscope"
	"omniscope/model"
)

// Request returns the first request about a sample and a description of its media, for forecasts. It calls no model and decodes no
// media.
func (s *System) Request(ctx context.Context, sample *omniscope.Sample) (*model.Request, *Sent, error) {
	sh, err := s.show(ctx, sample, manner{})
	if err != nil {
		return nil, nil, err
	}
	q := s.question(string(sample.ID), sample, sh, s.Profile.promptFor(sample, s.Seed))
	return q.First(s.Asker), &sh.sent, nil
}

// BlindRequest returns the first request about a sample without its media: see AskBlind.
func (s *System) BlindRequest(sample *omniscope.Sample) *model.Request {
	q := s.blindQuestion(sample)
	return q.First(s.Asker)
}

// MediaTokens returns the tokens of a request's media by the model's rules. known is false where the profile has no rule for one of
// them.
func (p *Profile) MediaTokens(sent *Sent) (tokens int, known bool) {
	t := p.tokensOf(sent)
	if sent.Frames != nil && t.pictures == 0 || sent.Sound != nil && t.sound == 0 || sent.Video != nil {
		return 0, false
	}
	return int(math.Ceil(t.pictures + t.sound)), true
}
