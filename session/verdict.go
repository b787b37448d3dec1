package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/model"
)

// ErrTooManyFailures ends a command that did its work, but badly.
var ErrTooManyFailures = errors.New("too many failures")

// AskFailed is how to go on after answers of no use, for messages.
const AskFailed = "; --ask-failed asks again, and pays, for answers that cannot be used"

// AskFailed is the advice after an outcome of an investigation; "" = models were not asked, or gave what is of use.
func (m *Models) AskFailed(o omniscope.Outcome) string {
	if o.IsFailure() && len(m.All) > 0 {
		return AskFailed
	}
	return ""
}

// FailedWhy returns the commonest reason why questions have no answer, with its count; "" = all have one.
func FailedWhy(models []*Model) string {
	most, times := "", 0
	for _, m := range models {
		if m.Judge == nil {
			continue
		}
		if why, n := m.Judge.Reasons.Commonest(); n > times {
			most, times = why, n
		}
	}
	if times == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", model.FirstWords(most), quantity.Of(times, "question", "questions"))
}

// FirstIDs lists ids of n samples, at most five.
func FirstIDs(ids []string, n int) string {
	const most = 5
	if n > most || len(ids) < n {
		return strings.Join(append(slices.Clone(ids[:min(len(ids), most)]), "..."), ", ")
	}
	return strings.Join(ids, ", ")
}
