package detective

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// An LLM plans with a language model, which reads what observers say and never
// the media.
type LLM struct {
	// Judge is the model and its settings. Its Attempts bound the askings of each
	// move and of the caption; 0 = 3.
	Judge *judge.Judge
}

var _ Planner = (*LLM)(nil)

const plannerAttempts = 3

// Name implements Planner.
func (p *LLM) Name() string { return p.Judge.Name }

// Next implements Planner. Its step is CLIP/turn-N.
func (p *LLM) Next(ctx context.Context, c *Investigation) (Move, error) {
	got, err := judge.Ask(ctx, bounded(p.Judge), judge.Question[Move]{
		Step:     fmt.Sprintf("%s/turn-%d", c.name(), len(c.Turns)+1),
		Messages: c.conversation().messages(),
		Schema:   func() *model.Schema { return moveSchema },
		Read:     c.readMove,
	})
	if err != nil {
		return Move{}, err
	}
	move := got.Value
	move.Outcome, move.Asked, move.Why = got.Outcome, len(got.Attempts), lastReason(got.Attempts)
	return move, nil
}

// captionStep is the step of the investigation's caption: CLIP/caption, or CLIP/caption-N after N of its inquiries.
func (c *Investigation) captionStep() string {
	if c.At > 0 {
		return fmt.Sprintf("%s/caption-%d", c.name(), c.At)
	}
	return c.name() + "/caption"
}

// Conclude implements Planner. Its step is CLIP/caption, or CLIP/caption-N.
//
// A caption whose evidence stays unknown to the ledger after all askings is
// not thrown away: the unknown ids are, with a warning.
func (p *LLM) Conclude(ctx context.Context, c *Investigation) (*Caption, error) {
	reader := &captionReader{ledger: c.Ledger}
	got, err := judge.Ask(ctx, bounded(p.Judge), judge.Question[*Caption]{
		Step:     c.captionStep(),
		Messages: c.request(c.Prompts.conclude).messages(),
		Schema:   func() *model.Schema { return captionSchema },
		Read:     reader.read,
	})
	if err != nil {
		return nil, err
	}
	caption := got.Value
	if got.Outcome != omniscope.OK {
		if caption = reader.mended; caption == nil {
			caption = noCaption(got.Outcome, lastReason(got.Attempts))
		}
	}
	caption.Asked = len(got.Attempts)
	return caption, nil
}

// bounded is the judge with its attempts filled in.
func bounded(j *judge.Judge) *judge.Judge {
	b := *j
	if b.Attempts == 0 {
		b.Attempts = plannerAttempts
	}
	return &b
}

// lastReason is why the last asking brought nothing, "" if it did.
func lastReason(attempts []judge.Attempt) string {
	if n := len(attempts); n > 0 && attempts[n-1].Err != nil {
		return attempts[n-1].Err.Error()
	}
	return ""
}
