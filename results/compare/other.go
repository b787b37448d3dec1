package compare

import (
	"strings"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
)

// Other names the scores of a run that the other profile than p shows otherwise, with their values
// there, such as "profile strict: accuracy 10.0"; "" = none differs.
func Other(r *document.Results, m *metric.Metric, p bench.Scoring) string {
	here, there := r.In(p.String()), r.In((1 - p).String())
	var parts []string
	for _, d := range m.Scores {
		a, _, _ := strings.Cut(Scored(d, here.Headline.Scores[d.Name]), " [")
		b, _, _ := strings.Cut(Scored(d, there.Headline.Scores[d.Name]), " [")
		if a != b {
			parts = append(parts, d.Title+" "+b)
		}
	}
	if there.Headline.Scoring == here.Headline.Scoring || len(parts) == 0 {
		return ""
	}
	return "profile " + (1 - p).String() + ": " + strings.Join(parts, ", ")
}

// Remarks are what a table notes of its runs: their marks, and what the other profile shows.
func Remarks(runs []*Run, m *metric.Metric, p bench.Scoring) (notes []string) {
	for _, r := range runs {
		if marks := r.Results.Marked(); marks != "" {
			notes = append(notes, r.label+": "+marks)
		}
		if other := Other(r.Results, m, p); other != "" {
			notes = append(notes, r.label+", "+other)
		}
	}
	return notes
}
