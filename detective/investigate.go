package detective

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/perceive"
	"omniscope/run"
)

// Options say how tools are called.
type Options struct {
	// Once remembers the calls of tools; nil = remember nothing. Calls of models
	// are remembered by the model that is handed in, see package model/wrap.
	Once *run.Once
	// OnTurn is called after each turn, for progress; may be nil.
	OnTurn func(Turn)
	// Keep is called with the report before the investigation counts as ended: until then, a
	// resumed run goes the same way, failures of tools included. May be nil.
	Keep func(*Report) error
	// Back is by how many rounds to go back: 1 is the last round that has ended, with its failures. It is for replays.
	Back int
}

// Investigate asks until the planner has enough or the budget is used up, and
// lets the planner write the caption. It does not change the investigation.
//
// If an observer fails, its turn has no evidence; if the planner fails, the
// inquiries end. The report contains both. The error is non-nil when the run
// should stop: a budget of money is used up, a key is wrong, the run winds
// down, or the investigation is invalid. A resumed run with the same journal repeats the
// recorded turns, failures included, and pays for nothing twice; a run after
// the investigation has ended calls the failed tools again.
func Investigate(ctx context.Context, c *Investigation, p Planner, o Options) (*Report, error) {
	c, err := c.ready()
	if err != nil {
		return nil, err
	}
	clip, err := clipInfo(ctx, c.Clip)
	if err != nil {
		return nil, err
	}
	c.Clip.Expect(c.Offered())
	w := &session{once: o.Once, clip: clip}
	if err := w.findRound(ctx, c, p.Name()); err != nil {
		return nil, err
	}
	w.round = max(0, w.round-o.Back)
	early := earlier{}
	ended, err := w.inquire(ctx, c, p, o, &early)
	if err != nil {
		return nil, err
	}
	caption, err := w.conclude(ctx, c, p)
	if err != nil {
		return nil, err
	}
	r := c.report(clip, p.Name(), ended, caption, w.unmoved)
	r.Earlier = early.captions
	if o.Keep != nil {
		if err := o.Keep(r); err != nil {
			return nil, err
		}
	}
	return r, w.closeRound(ctx, c)
}

// inquire asks turn by turn, and returns why there are no more inquiries.
func (w *session) inquire(ctx context.Context, c *Investigation, p Planner, o Options, early *earlier) (Ended, error) {
	for c.Remaining() > 0 {
		move, err := p.Next(ctx, c)
		switch {
		case err != nil:
			return "", err
		case move.Outcome != omniscope.OK:
			w.unmoved = move
			return EndedPlanner, nil
		case move.Done:
			c.Enough = true
			return EndedEnough, nil
		}
		if err := w.runTurn(ctx, c, move); err != nil {
			return "", err
		}
		if o.OnTurn != nil {
			o.OnTurn(c.Turns[len(c.Turns)-1])
		}
		if err := early.after(ctx, w, c, p); err != nil {
			return "", err
		}
		if c.EnoughAfter > 0 && c.Remaining() > 0 && c.idle() >= c.EnoughAfter {
			return EndedIdle, nil
		}
	}
	return EndedBudget, nil
}

// An EarlierCaption is the caption after some of the inquiries of an investigation.
type EarlierCaption struct {
	Inquiries  int        `json:"inquiries"`
	Caption    *Caption   `json:"caption"`
	Trajectory Trajectory `json:"omni_detective_trajectory"`

	Observations   int             `json:"observations"` // up to then
	Contradictions []Contradiction `json:"contradictions"`
}

// earlier collects the captions after the numbers of inquiries that an investigation wants some at.
type earlier struct{ captions []EarlierCaption }

// after writes a caption if one is wanted after the turns there are. It goes by a copy of the investigation: what is
// confirmed for it is not known to the planner later.
func (a *earlier) after(ctx context.Context, w *session, c *Investigation, p Planner) error {
	n := len(c.Turns)
	if !slices.Contains(c.ConcludeAt, n) {
		return nil
	}
	then := *c
	then.At = n
	caption, err := w.conclude(ctx, &then, p)
	if err == nil {
		a.captions = append(a.captions, EarlierCaption{Inquiries: n, Caption: caption, Trajectory: then.trajectory(caption),
			Observations: len(c.Ledger), Contradictions: then.contradictions(caption)})
	}
	return err
}

// conclude has claims confirmed and asks the planner for a caption, but only if there is evidence:
// without any, the planner could only invent.
func (w *session) conclude(ctx context.Context, c *Investigation, p Planner) (*Caption, error) {
	if len(c.Ledger) == 0 {
		return w.withoutEvidence(c), nil
	}
	if err := w.confirm(ctx, c); err != nil {
		return nil, err
	}
	caption, err := p.Conclude(ctx, c)
	if err == nil {
		c.dispute(caption)
	}
	return caption, err
}

// withoutEvidence returns the caption of an investigation without evidence, with what kept it from evidence: the planner's last move, or the
// first tool that was asked and failed. A filter that refused the question makes it refused.
func (w *session) withoutEvidence(c *Investigation) *Caption {
	outcome, cause := w.unmoved.Outcome, w.unmoved.Why
	for i := 0; i < len(c.Turns) && cause == ""; i++ {
		if t := &c.Turns[i]; t.Outcome != omniscope.OK && t.Outcome != omniscope.Abstained {
			outcome, cause = t.Outcome, t.Inquiry.Tool+": "+t.Why
		}
	}
	if outcome != omniscope.Refused {
		outcome = omniscope.Failed
	}
	return noCaption(outcome, strings.TrimSuffix("nothing was observed, so there is nothing to describe: "+cause, ": "))
}

// runTurn calls the tool that a move names and appends the turn to the investigation.
func (w *session) runTurn(ctx context.Context, c *Investigation, move Move) error {
	tool := c.tool(move.Inquiry.Tool)
	if tool == nil {
		return fmt.Errorf("planner chose the tool %q, which is not offered", move.Inquiry.Tool)
	}
	n := len(c.Turns) + 1
	turn := Turn{Number: n, Inquiry: move.Inquiry, Asked: move.Asked, Evidence: []string{}}
	step := fmt.Sprintf("%s/turn-%d/%s", c.name(), n, move.Inquiry.Tool)
	said, err := w.callOrReplayFailure(ctx, c, tool, move.Inquiry, step)
	if err != nil {
		return err
	}
	turn.Answer, turn.Warnings, turn.Outcome, turn.Why, turn.Closer = said.Text, said.Warnings, said.Outcome, said.Why, said.Closer
	if said.Outcome == omniscope.OK {
		turn.Evidence = c.Ledger.Add(n, tool.Info(), move.Inquiry.Question, move.Inquiry.Focus, said.observations())
		if len(turn.Evidence) == 0 {
			turn.Outcome, turn.Why = omniscope.Abstained, "it observed nothing"
		}
	}
	c.Turns = append(c.Turns, turn)
	return nil
}

// observations returns the answer's observations. An answer of text alone
// becomes one observation.
func (a *answer) observations() []perceive.Observation {
	if len(a.Observations) > 0 || a.Text == "" {
		return a.Observations
	}
	return []perceive.Observation{{Kind: perceive.Reported, What: a.Text, Sure: reportedSure}}
}

// reportedSure is the assumed certainty of an observer that gives none.
const reportedSure = 0.5
