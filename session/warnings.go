package session

import (
	"fmt"
	"io"

	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/model/wrap"
)

// EndpointWarnings says what an endpoint did that its user should know of and
// that harmed no answer.
func EndpointWarnings(t *wrap.Meter) (warnings []string) {
	if n, said := t.Estimated(); n > 0 {
		said = "it reported " + said
		if said == "it reported " {
			said = "it reported none"
		}
		warnings = append(warnings, fmt.Sprintf("the endpoint's counts of tokens are missing or cannot be true (%s): %s counted by estimate, 4 bytes to a token", said, quantity.Of(n, "answer was", "answers were")))
	}
	if n := t.Streamed(); n > 0 {
		warnings = append(warnings, fmt.Sprintf("the endpoint sent streams of events (text/event-stream), which were not asked for: %s read from them", quantity.Of(n, "answer was", "answers were")))
	}
	if dropped := t.Dropped(); len(dropped) > 0 {
		warnings = append(warnings, fmt.Sprintf("the endpoint does not take %v; calls went without", dropped))
	}
	if reasons := Counts(t.UnknownFinishes()); len(reasons) > 0 {
		warnings = append(warnings, "the endpoint ended answers with unknown finish reasons, and they count as complete (finish reason and answers: "+JoinCounts(reasons)+")")
	}
	return warnings
}

// costOf is what lost tries took, as they are paid for.
func costOf(lost model.Lost) string {
	if tokens := lost.TokensIn + lost.TokensOut; tokens > 0 || lost.CostUSD == 0 {
		return fmt.Sprintf("%d tokens", tokens)
	}
	return fmt.Sprintf("$%.4f", lost.CostUSD)
}

// warnOf prints the warnings of models whose run writes them into no results.
func warnOf(w io.Writer, models ...*Model) {
	for _, m := range models {
		if names := Counts(m.Meter.Models()); len(names) > 1 {
			fmt.Fprintf(w, "warning: %s answered under %d names: %s\n", m.Role.Model, len(names), JoinCounts(names))
		}
		for _, warning := range EndpointWarnings(m.Meter) {
			fmt.Fprintf(w, "warning: %s: %s\n", m.Role.Model, warning)
		}
		if lost := m.Meter.Lost(); lost.Tries > 0 {
			fmt.Fprintf(w, "warning: %s: %d of its tries brought nothing usable and may have to be paid for (about %s)\n", m.Role.Model, lost.Tries, costOf(lost))
		}
	}
}
