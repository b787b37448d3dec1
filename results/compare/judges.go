package compare

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/sha256hex"
	"omniscope/metric/stats"
)

// leastSystems is from how many systems on a correlation of judges is shown:
// with two it is 1 or -1 whatever they say.
const leastSystems = 3

// A rating is the score that a system has by a judge.
type rating struct {
	Judge, System, Score string
	Value                float64
}

// judges shows what several judges make of several systems.
func (s *session) judges() (tables []omniscope.Table, warnings []string) {
	var kept []*Run
	var judges, systems []string
	for _, r := range s.runs {
		judge, system := r.Results.Judge.Name, r.Results.System
		if slices.ContainsFunc(kept, func(k *Run) bool { return k.Results.Judge.Name == judge && k.Results.System == system }) {
			warnings = append(warnings, fmt.Sprintf("%s is not among the judges: an earlier run has the same judge, %s, and system, %s", r.label, judge, system))
			continue
		}
		kept = append(kept, r)
		judges, systems = append(judges, judge), append(systems, system)
	}
	judges, systems = distinct(judges), distinct(systems)
	if len(judges) < 2 || len(systems) < 2 {
		return nil, nil
	}
	t := omniscope.Table{Name: "judges", Title: "Judges", Columns: []string{"judge", "system"},
		Note: "each judge's scores of each system, over all units of its run"}
	for _, d := range s.scores {
		t.Columns = append(t.Columns, Heading(d))
	}
	for _, judge := range judges {
		for _, r := range kept {
			if r.Results.Judge.Name == judge {
				t.Rows = append(t.Rows, append([]string{judge, r.Results.System}, s.scoreCells(r)...))
			}
		}
	}
	return []omniscope.Table{t, correlations(s.ratings(kept))}, warnings
}

// ratings are the runs' scores, named as in the tables.
func (s *session) ratings(runs []*Run) []rating {
	var all []rating
	for _, d := range s.scores {
		for _, r := range runs {
			whole, _ := r.Overall(s.options.Scoring)
			if v := whole.Scores[d.Name].Value; v != nil {
				all = append(all, rating{Judge: r.Results.Judge.Name, System: r.Results.System, Score: d.Title, Value: *v})
			}
		}
	}
	return all
}

// Table compares judges by the scores in a CSV file with the columns judge, system, score and value.
func Table(ctx context.Context, path string) (*Comparison, error) {
	ratings, err := readRatings(ctx, path)
	if err != nil {
		return nil, err
	}
	c := ofRatings(filepath.Base(path), ratings)
	c.Runs = []string{sha256hex.Of(fmt.Append(nil, ratings))[:12]}
	return c, nil
}

func ofRatings(name string, ratings []rating) *Comparison {
	return &Comparison{Title: "Judges of " + name, Tables: []omniscope.Table{correlations(ratings)}, Warnings: []string{}}
}

// correlations has a row for each score and pair of judges.
func correlations(ratings []rating) omniscope.Table {
	t := omniscope.Table{Name: "correlations", Title: "Correlation of judges", Numbers: []int{3, 4, 5, 6, 7},
		Columns: []string{"score", "judge", "other judge", "systems", "Pearson", "Spearman", "only judge", "only other"},
		Note:    fmt.Sprintf("over the systems that both judged, at least %d of them; the last columns count those that one alone judged", leastSystems)}
	var scores, judges []string
	for _, r := range ratings {
		scores, judges = append(scores, r.Score), append(judges, r.Judge)
	}
	judges = distinct(judges)
	for _, score := range distinct(scores) {
		for i, first := range judges {
			for _, second := range judges[i+1:] {
				t.Rows = append(t.Rows, correlationRow(ratings, score, first, second))
			}
		}
	}
	return t
}

func correlationRow(ratings []rating, score, first, second string) []string {
	a, b := valuesOf(ratings, score, first), valuesOf(ratings, score, second)
	var x, y []float64
	for _, r := range ratings {
		if v, ok := b[r.System]; ok && r.Judge == first && r.Score == score {
			x, y = append(x, r.Value), append(y, v)
		}
	}
	return []string{score, first, second, quantity.Grouped(len(x)), coefficient(stats.Pearson(x, y)), coefficient(stats.Spearman(x, y)),
		quantity.Grouped(len(a) - len(x)), quantity.Grouped(len(b) - len(x))}
}

// valuesOf are a judge's values of one score, by system.
func valuesOf(ratings []rating, score, judge string) map[string]float64 {
	values := make(map[string]float64)
	for _, r := range ratings {
		if r.Score == score && r.Judge == judge {
			values[r.System] = r.Value
		}
	}
	return values
}

func coefficient(c stats.Correlation) string {
	if !c.Known || c.N < leastSystems {
		return notAvailable
	}
	return fixed(c.R, 4)
}
