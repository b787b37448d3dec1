package repeat

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results"
)

var letters = map[rune]omniscope.Verdict{
	'c': omniscope.Correct, 'n': omniscope.NotGiven, 'w': omniscope.Wrong, '?': omniscope.Unjudged,
}

// A made run of a metric of verdicts. Its lines are "SAMPLE CLUSTER LETTERS", one letter for each item; a sample of question marks has
// failed. Official counts a failed sample as wrong.
type made struct {
	metric *metric.Metric
	lines  []string
	change func(*document.Results)
}

// count adds a verdict to the counts of either metric.
func (m made) count(c metric.Counts, v omniscope.Verdict) {
	if m.metric == &metric.Cloze {
		metric.CountCloze(c, v, false)
	} else {
		metric.CountChoice(c, v, false)
	}
}

// dir writes the run with a seed to a folder.
func (m made) dir(t *testing.T, name string, seed int) string {
	t.Helper()
	fixture.OK(t, os.MkdirAll(name, 0o755))
	var lines strings.Builder
	totals := [2]metric.Counts{make(metric.Counts, len(m.metric.Fields)), make(metric.Counts, len(m.metric.Fields))}
	for _, text := range m.lines {
		parts := strings.Fields(text)
		line := bench.CountLine{Unit: parts[0], Cluster: parts[1], Outcome: omniscope.OK, Verdicts: map[string]omniscope.Verdict{}}
		counts := [2]metric.Counts{make(metric.Counts, len(m.metric.Fields)), make(metric.Counts, len(m.metric.Fields))}
		for i, letter := range parts[2] {
			v := letters[letter]
			line.Verdicts[fmt.Sprint("q", i+1)] = v
			m.count(counts[bench.Strict], v)
			if v == omniscope.Unjudged {
				v = omniscope.Wrong
			}
			m.count(counts[bench.Official], v)
		}
		if strings.Trim(parts[2], "?") == "" {
			line.Outcome = omniscope.Failed
		}
		line.Official, line.Strict = m.named(counts[bench.Official]), m.named(counts[bench.Strict])
		for p := range totals {
			totals[p].Add(counts[p])
		}
		encoded, err := json.Marshal(line)
		fixture.OK(t, err)
		fmt.Fprintf(&lines, "%s\n", encoded)
	}
	fixture.OK(t, os.WriteFile(filepath.Join(name, bench.CountsFile), []byte(lines.String()), 0o644))
	text, err := json.Marshal(m.results(totals, name, seed))
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(filepath.Join(name, results.File), text, 0o644))
	return name
}

// named are the counts that are not 0.
func (m made) named(c metric.Counts) map[string]float64 {
	out := make(map[string]float64)
	for i, n := range c {
		if n != 0 {
			out[m.metric.Fields[i]] = n
		}
	}
	return out
}

func (m made) results(totals [2]metric.Counts, name string, seed int) *document.Results {
	r := &document.Results{Schema: document.Schema, Run: document.RunInfo{ID: "run-" + name}, System: "captioner", Scoring: "strict", Samples: len(m.lines),
		Benchmark: document.BenchmarkInfo{Name: m.metric.Name, Title: "Made " + m.metric.Name}, Judge: document.JudgeInfo{Name: "openai/gpt-4o"},
		Signature: fmt.Sprintf("%s|judge:openai/gpt-4o|profile:strict|reader1|data:0a1b2c|seed:%d|omniscope:1.0", m.metric.Name, seed)}
	for p, total := range totals {
		whole := document.Slice{Dimension: "overall", Counts: m.named(total), Scores: map[string]omniscope.Score{}}
		for _, d := range m.metric.Scores {
			score := omniscope.Score{Name: d.Name, N: d.N(total), Unscored: d.Unscored(total)}
			if v, ok := d.Value(total); ok {
				score.Value = &v
			}
			whole.Scores[d.Name] = score
		}
		r.Scorings = append(r.Scorings, document.ScoringInfo{Name: bench.Scoring(p).String(), Slices: []document.Slice{whole}})
	}
	if m.change != nil {
		m.change(r)
	}
	return r
}

// repeated summarises runs with the seeds 0, 1 and so on, which are written to folders r0, r1 and so on.
func repeated(t *testing.T, runs ...made) (*Document, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	var dirs []string
	for i, m := range runs {
		dirs = append(dirs, m.dir(t, fmt.Sprint("r", i), i))
	}
	return Of(t.Context(), dirs, Options{Metric: runs[0].metric})
}

func mustRepeat(t *testing.T, runs ...made) *Document {
	t.Helper()
	d, err := repeated(t, runs...)
	fixture.OK(t, err)
	return d
}

// score is a score of a profile.
func (d *Document) score(t *testing.T, profile, name string) spread {
	t.Helper()
	for _, s := range d.scoresOf(profile) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no score %s of profile %s", name, profile)
	return spread{}
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is not known, want %v", what, want)
	} else if math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s = %v, want %v", what, *got, want)
	}
}

// choices is a multiple-choice run: a letter for each sample, each a cluster of its own. The samples are called s1, s2 and so on.
func choices(answers string) made {
	m := made{metric: &metric.Choice}
	for i, letter := range answers {
		m.lines = append(m.lines, fmt.Sprintf("s%02d c%02d %c", i+1, i+1, letter))
	}
	return m
}

// resampled is the interval that resampling gives for the mean accuracy of right answers out of n, by cluster.
func resampled(right []float64, n float64, o stats.Options) stats.Interval {
	c := stats.Clusters{Width: 2}
	for _, r := range right {
		c.Rows = append(c.Rows, r, n)
	}
	return stats.Scores(c, []stats.Statistic{func(sum []float64) (float64, bool) { return sum[0] / sum[1], true }}, []bool{true}, o)[0]
}
