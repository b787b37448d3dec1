package eval

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/session"
)

// Verdict is an error when the run is done but too many of its calls failed:
// more than the allowed share of its samples.
func Verdict(info bench.Info, r *document.Results, allowed float64) error {
	if info.Judge == "" {
		return noScore(info, r)
	}
	failed := 0
	for _, outcome := range omniscope.Outcomes {
		if outcome.IsFailure() {
			failed += r.Outcomes[outcome.String()]
		}
	}
	switch pending := r.Outcomes[omniscope.Pending.String()]; {
	case r.Status == document.NoScore && pending > 0 && failed == 0:
		return noScoreError{fmt.Sprintf("%d of %d samples are pending; run the same command again when people have answered them", pending, r.Samples)}
	case r.Status == document.NoScore:
		return fmt.Errorf("%w: no score, none of %d samples could be judged%s", session.ErrTooManyFailures, r.Samples, askAgain(r))
	case failed > 0 && pending == 0 && !anyScore(r, bench.Strict):
		return fmt.Errorf("%w: no usable reply to any of %d samples; the official scores count replies of no use, and strict has no score%s", session.ErrTooManyFailures, failed, askAgain(r))
	case float64(failed) > allowed*float64(r.Samples):
		return fmt.Errorf("%w: judging failed for %d of %d samples, more than --max-failures %g allows%s",
			session.ErrTooManyFailures, failed, r.Samples, allowed, askAgain(r))
	}
	return nil
}

// Failures describes the samples that could not be judged, with the commonest reason; "" = all were judged.
func Failures(r *document.Results) string {
	var counts []string
	for _, outcome := range omniscope.Outcomes {
		if n := r.Outcomes[outcome.String()]; n > 0 && outcome.IsFailure() {
			counts = append(counts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of %d samples", strings.Join(counts, ", "), r.Samples)
	if r.FailedWhy != "" {
		text += "; commonest reason: " + r.FailedWhy
	}
	return text
}

// anyScore reports whether a profile has a score of the whole.
func anyScore(r *document.Results, p bench.Scoring) bool {
	for _, s := range r.Scorings[p].Slices {
		for _, score := range s.Scores {
			if s.Dimension == "overall" && score.Value != nil {
				return true
			}
		}
	}
	return false
}

// A noScoreError is returned by a command that did its work but has no score.
type noScoreError struct{ why string }

func (e noScoreError) Error() string { return "no score: " + e.why }

// Is gives it the exit code of commands whose work was in vain.
func (noScoreError) Is(target error) bool { return target == session.ErrTooManyFailures }

// noScore is an error where no score could be had without a judge. It says why,
// each reason once.
func noScore(info bench.Info, r *document.Results) error {
	if r.Status != document.NoScore {
		return nil
	}
	if r.Scoring == bench.Official.String() && anyScore(r, bench.Strict) {
		return nil // the published program stops; the report says why, and has the scores of strict
	}
	why, scores := make(map[string]string), r.In(bench.Strict.String()).Headline.Scores // strict continues where the published program stops
	for name, s := range scores {
		why[name] = s.Why
	}
	reasons := unavailable(info, why)
	if len(reasons) == 0 {
		return noScoreError{fmt.Sprintf("nothing of %d samples could be scored; the report says why", r.Samples)}
	}
	return noScoreError{strings.Join(reasons, "; ")}
}

// unavailable lists the scores that have a reason why they are not available, each reason once.
func unavailable(info bench.Info, why map[string]string) (list []string) {
	var order []string
	titles := make(map[string][]string)
	for _, s := range info.Metric.Scores {
		reason := why[s.Name]
		if reason == "" {
			continue
		}
		if titles[reason] == nil {
			order = append(order, reason)
		}
		titles[reason] = append(titles[reason], s.Title)
	}
	for _, reason := range order {
		list = append(list, strings.Join(titles[reason], ", ")+": not available: "+reason)
	}
	return list
}

// askAgain names the failed samples, and how to ask for them again: calls without an answer are
// made again, answers that cannot be used were paid for.
func askAgain(r *document.Results) string {
	unusable, unanswered := 0, r.Outcomes[omniscope.Failed.String()]
	for _, outcome := range omniscope.Outcomes {
		if outcome.IsFailure() && outcome != omniscope.Failed {
			unusable += r.Outcomes[outcome.String()]
		}
	}
	var text strings.Builder
	var about []string
	if n := unusable + unanswered; n > 0 {
		about = append(about, session.FirstIDs(r.Failed, n))
	}
	if r.FailedWhy != "" {
		about = append(about, "commonest reason: "+r.FailedWhy)
	}
	if len(about) > 0 {
		fmt.Fprintf(&text, " (%s)", strings.Join(about, "; "))
	}
	if unanswered > 0 {
		fmt.Fprintf(&text, "; run the same command again to ask again for the %d without an answer", unanswered)
	}
	if unusable > 0 {
		text.WriteString(session.AskFailed)
	}
	return text.String()
}

// isOver reports whether the run has come to its end: the same command has
// nothing more to ask.
func isOver(info bench.Info, r *document.Results, allowed float64) bool {
	return r.Outcomes[omniscope.Pending.String()] == 0 && (Verdict(info, r, allowed) == nil || r.Outcomes[omniscope.Failed.String()] == 0)
}
