package session

import (
	"context"
	"errors"
	"fmt"
	"io"

	"omniscope"
)

// EvaluateUnits evaluates some units of an evaluation and throws the results away:
// whatever was asked is in the journal then, where the run that scores finds it.
// It needs the Spec and nothing else of that run. Endpoints are those of the
// Spec's roles, or of the environment; networks are those of this machine.
func EvaluateUnits(ctx context.Context, s *Spec, c *Calls, units []int, warnings io.Writer) (err error) {
	shared := &Shared{}
	defer func() { err = errors.Join(err, shared.Close()) }()
	e, err := OpenEvaluation(ctx, s, c, shared)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	journal, err := e.openJournal(ctx, warnings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	e.connect(journal)
	for _, i := range units {
		if i < 0 || i >= e.Plan.Units {
			return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("there is no unit %d: the run has %d", i, e.Plan.Units)}
		}
		if _, err := e.opened.Evaluate(ctx, i); err != nil {
			return err
		}
	}
	return nil
}
