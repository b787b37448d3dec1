package session

import (
	"errors"
	"fmt"

	"omniscope"
)

// ErrTooManyFailures ends a command that did its work, but badly.
var ErrTooManyFailures = errors.New("too many failures")

// Verdict is an error when the run is done but too many of its calls failed:
// more than the allowed share of its samples.
func Verdict(r *omniscope.Results, allowed float64) error {
	failed := 0
	for _, outcome := range []omniscope.Outcome{omniscope.Failed, omniscope.Refused, omniscope.Unparsed, omniscope.Truncated} {
		failed += r.Outcomes[outcome.String()]
	}
	switch {
	case r.Status == omniscope.NoScore:
		return fmt.Errorf("%w: no score, none of %d samples could be judged", ErrTooManyFailures, r.Samples)
	case failed > 0 && failed == r.Samples:
		return fmt.Errorf("%w: no usable reply to any of %d samples; what the official profile scores is \"not given\" that nobody said, and strict has no score", ErrTooManyFailures, r.Samples)
	case float64(failed) > allowed*float64(r.Samples):
		return fmt.Errorf("%w: judging failed for %d of %d samples, more than --max-failures %g allows%s",
			ErrTooManyFailures, failed, r.Samples, allowed, askAgain(r.Outcomes))
	}
	return nil
}

// askAgain says what the same command would do about failed samples: calls
// without an answer are made again, answers that cannot be used were paid for.
func askAgain(outcomes map[string]int) string {
	if n := outcomes[omniscope.Failed.String()]; n > 0 {
		return fmt.Sprintf("; run the same command again to ask again for the %d without an answer", n)
	}
	return "; the answers are remembered, --fresh asks for new ones"
}

// isOver reports whether the run has come to its end: the same command has
// nothing more to ask.
func isOver(r *omniscope.Results, allowed float64) bool {
	return r.Outcomes[omniscope.Pending.String()] == 0 && (Verdict(r, allowed) == nil || r.Outcomes[omniscope.Failed.String()] == 0)
}
