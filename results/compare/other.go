package compare

import (
	"slices"
	"strings"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
)

// Other lists the scores of a run that differ between p and the other profile, with the values of the
// other, such as "scoring strict: accuracy 10.0"; "" = no difference.
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
	return "scoring " + (1 - p).String() + ": " + strings.Join(parts, ", ")
}

// Remarks are the notes of a table about its runs: their marks, once for all runs with the same, and differences from the other
// profile.
func Remarks(runs []*Run, m *metric.Metric, p bench.Scoring) (notes []string) {
	var all []string
	for _, r := range runs {
		all = append(all, r.Results.Marked())
	}
	for i, r := range runs {
		if marks := all[i]; marks != "" && slices.Index(all, marks) == i {
			var labels []string
			for k, other := range runs {
				if all[k] == marks {
					labels = append(labels, other.label)
				}
			}
			notes = append(notes, strings.Join(labels, ", ")+": "+marks)
		}
		if other := Other(r.Results, m, p); other != "" {
			notes = append(notes, r.label+", "+other)
		}
	}
	return notes
}
