package correlate

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/results"
)

// AddRuns adds the scores of runs, each by its system, and the mean length of its answers
// in words where it is known. Columns are called BENCHMARK SCORE. With a dimension, such as
// modality, there are those of its slices, too.
func (v *Values) AddRuns(ctx context.Context, runs []*results.Run, metricOf func(benchmark string) (*metric.Metric, error), p bench.Scoring, dimension string) error {
	for _, r := range runs {
		m, err := metricOf(r.Results.Benchmark.Name)
		if err != nil {
			return err
		}
		found := false
		for _, scoring := range r.Results.Scorings {
			for _, s := range scoring.Slices {
				if scoring.Name != p.String() || s.Dimension != "overall" && s.Dimension != dimension {
					continue
				}
				found = found || s.Dimension == "overall"
				if err := v.addSlice(r, m, s); err != nil {
					return omniscope.Invalidf("%s: %w: name one run of each system and benchmark", r.Dir, err)
				}
			}
		}
		if !found {
			return omniscope.Invalidf("%s has no scores of scoring %s", r.Dir, p)
		}
		v.remark(r, p)
		if err := v.addWords(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// remark notes the marks of a run, and whether its other profile has other scores.
func (v *Values) remark(r *results.Run, p bench.Scoring) {
	if marks := r.Results.Marked(); marks != "" {
		v.Notes = append(v.Notes, fmt.Sprintf("%s on %s: %s", r.Results.System, r.Results.Benchmark.Name, marks))
	}
	if !results.ProfilesAgree(r.Results) {
		v.Notes = append(v.Notes, fmt.Sprintf("%s on %s: scores of scoring %s; scoring %s has other scores", r.Results.System, r.Results.Benchmark.Name, p, 1-p))
	}
}

func (v *Values) addSlice(r *results.Run, m *metric.Metric, s document.Slice) error {
	for _, d := range m.Scores {
		score := s.Scores[d.Name]
		if score.Value == nil {
			continue
		}
		factor := 1.
		if d.Percent {
			factor = 100
		}
		name := r.Results.Benchmark.Name + " " + d.Name
		if s.Dimension != "overall" {
			name += ", " + s.Group
		}
		value := exactly(*score.Value * factor)
		if score.Interval != nil {
			value.Low, value.High = score.Interval.Low*factor, score.Interval.High*factor
		}
		if err := v.set(name, r.Results.System, value); err != nil {
			return err
		}
	}
	return nil
}

// wordsMeasure is the column of the mean length of answers.
const wordsMeasure = "words"

// addWords adds the mean length of a run's answers, which its details have. One of
// another benchmark's run of the same system stays.
func (v *Values) addWords(ctx context.Context, r *results.Run) error {
	details, _, err := r.Details(ctx)
	if err != nil || details == nil {
		return err
	}
	words, answers := 0, 0
	for _, p := range details.Predictions {
		if p.Outcome == omniscope.OK {
			words, answers = words+p.Length(), answers+1
		}
	}
	if answers == 0 {
		return nil
	}
	name := r.Results.Benchmark.Name + " " + wordsMeasure
	return v.set(name, r.Results.System, exactly(float64(words)/float64(answers)))
}
