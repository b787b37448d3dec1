package suite

import (
	"context"
	"errors"
	"fmt"
	"io"

	"omniscope"
	"omniscope/session"
)

// Do does runs one after another and sets their states. A run that fails stops no other; an interruption and a spent budget do.
func Do(ctx context.Context, outcomes []Outcome, progress io.Writer, do func(i int) error) error {
	var failures []error
	for i := range outcomes {
		o := &outcomes[i]
		if o.State == LeftOut {
			continue
		}
		fmt.Fprintf(progress, "run %d of %d: %s\n", i+1, len(outcomes), o.Name)
		err := do(i)
		if err == nil {
			o.State = done
			continue
		}
		if ctx.Err() != nil || omniscope.KindOf(err) == omniscope.Budget {
			o.State = Waiting
			return err
		}
		failures = append(failures, err)
		o.State, o.Why = done, err.Error()
		if !errors.Is(err, session.ErrTooManyFailures) {
			o.State = failed
			fmt.Fprintf(progress, "run %s failed: %v\n", o.Name, err)
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d runs did not come to a good end; run the same command again to go on with them: %w", len(failures), len(outcomes), failures[len(failures)-1])
}
