package detective

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/perceive"
	"omniscope/run"
)

// Options say how tools are called.
type Options struct {
	// Once remembers the calls of tools; nil = remember nothing. Calls of models
	// are remembered by the model that is handed in, see package model/wrap.
	Once *run.Once
	// OnTurn is told of each turn, for progress; nil = not wanted.
	OnTurn func(Turn)
}

// Investigate asks until the planner has enough or the budget is used up, and
// has the planner conclude. The case is only read.
//
// An observer that fails is a turn without evidence, and a planner that fails
// ends the inquiries: both stand in the report. The error is non-nil when the
// run should stop: a budget of money is used up, a key is wrong, the run winds
// down, or the case cannot be investigated at all. Run again with the same
// journal, an investigation goes the way it went and pays for nothing twice;
// failures are part of that way until it has ended, and are asked again when
// it is run once more.
func Investigate(ctx context.Context, c *Case, p Planner, o Options) (*Report, error) {
	c, err := c.ready()
	if err != nil {
		return nil, err
	}
	clip, err := clipInfo(ctx, c.Clip)
	if err != nil {
		return nil, err
	}
	w := &way{once: o.Once, clip: clip}
	if err := w.begin(ctx, c, p.Name()); err != nil {
		return nil, err
	}
	ended, warnings := EndedBudget, []string(nil)
	for c.Remaining() > 0 {
		move, err := p.Next(ctx, c)
		if err != nil {
			return nil, err
		}
		if move.Outcome != omniscope.OK {
			ended = EndedPlanner
			warnings = append(warnings, fmt.Sprintf("the planner made no usable move after turn %d (%s): %s", len(c.Turns), move.Outcome, move.Why))
			break
		}
		if move.Done {
			ended, c.Enough = EndedEnough, true
			break
		}
		if err := w.take(ctx, c, move); err != nil {
			return nil, err
		}
		if o.OnTurn != nil {
			o.OnTurn(c.Turns[len(c.Turns)-1])
		}
	}
	caption, err := conclude(ctx, c, p)
	if err != nil {
		return nil, err
	}
	return c.report(clip, p.Name(), ended, caption, warnings), w.end(ctx, c)
}

// conclude asks for a caption if there is anything to make it of: without
// evidence a planner could only invent.
func conclude(ctx context.Context, c *Case, p Planner) (*Caption, error) {
	if len(c.Ledger) == 0 {
		return noCaption(omniscope.Failed, "nothing was observed, so there is nothing to describe"), nil
	}
	return p.Conclude(ctx, c)
}

// take makes the inquiry of a move and writes the turn into the case.
func (w *way) take(ctx context.Context, c *Case, move Move) error {
	tool := c.tool(move.Inquiry.Tool)
	if tool == nil {
		return fmt.Errorf("planner chose the tool %q, which is not offered", move.Inquiry.Tool)
	}
	n := len(c.Turns) + 1
	turn := Turn{Number: n, Inquiry: move.Inquiry, Asked: move.Asked, Evidence: []string{}}
	step := fmt.Sprintf("%s/turn-%d/%s", c.name(), n, move.Inquiry.Tool)
	said, err := w.observe(ctx, c, tool, move.Inquiry.Question, step)
	if err != nil {
		return err
	}
	turn.Answer, turn.Warnings, turn.Outcome, turn.Why = said.Text, said.Warnings, said.Outcome, said.Why
	if said.Outcome == omniscope.OK {
		turn.Evidence = c.Ledger.add(n, tool.Info(), move.Inquiry.Question, said.observations())
		if len(turn.Evidence) == 0 {
			turn.Outcome, turn.Why = omniscope.Abstained, "it observed nothing"
		}
	}
	c.Turns = append(c.Turns, turn)
	return nil
}

// observations are those of the answer; of an answer in words alone, the words.
func (a *answer) observations() []perceive.Observation {
	if len(a.Observations) > 0 || a.Text == "" {
		return a.Observations
	}
	return []perceive.Observation{{Kind: perceive.Reported, What: a.Text, Sure: reportedSure}}
}

// reportedSure is how sure an observer counts that did not say: as good as not.
const reportedSure = 0.5
