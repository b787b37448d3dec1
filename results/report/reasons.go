package report

import (
	"slices"
	"strings"

	"omniscope/bench/document"
)

// A reason says why scores have no value.
type reason struct {
	titles []string // of the scores it is the reason for
	why    string
}

func (r reason) String() string { return strings.Join(r.titles, ", ") + ": not available: " + r.why }

// reasons returns why scores of a slice have no value, each reason once.
func reasons(s document.Slice, columns []Column) []reason {
	var out []reason
	for _, c := range columns {
		why := s.Scores[c.Name].Why
		if why == "" {
			continue
		}
		i := slices.IndexFunc(out, func(r reason) bool { return r.why == why })
		if i < 0 {
			i, out = len(out), append(out, reason{why: why})
		}
		out[i].titles = append(out[i].titles, c.Title)
	}
	return out
}

// reasonsApart returns, by scoring, the reasons that the scorings do not share.
func reasonsApart(scorings []document.ScoringInfo, columns []Column) []string {
	apart := slices.DeleteFunc(slices.Clone(columns), func(c Column) bool {
		why := func(p document.ScoringInfo) string { return overall(p).Scores[c.Name].Why }
		return !slices.ContainsFunc(scorings, func(p document.ScoringInfo) bool { return why(p) != why(scorings[0]) })
	})
	var out []string
	for _, p := range scorings {
		for _, r := range reasons(overall(p), apart) {
			out = append(out, p.Name+": "+r.String())
		}
	}
	return out
}
