// Package networks has the measures of package score that need a network:
// BERTScore and COMET. It opens the networks that are installed and prints
// nothing.
package networks

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"omniscope/metric"
	"omniscope/metric/neural"
	"omniscope/metric/neural/installed"
	"omniscope/results/score"
	"omniscope/run"
)

// A Measure needs a network, which Open opens once the texts have been read.
type Measure struct {
	score.Measure
	Warnings []string  // of the network, once it is open
	Once     *run.Once // remembers the scores of segments; nil = nothing does

	open func(*installed.Networks) error
}

// Open opens the network. The measure can score then, as long as the network is
// open.
func (m *Measure) Open(n *installed.Networks) error { return m.open(n) }

// BERTScoreOptions say how BERTScore is computed.
type BERTScoreOptions struct {
	Model     string // name or folder; "" = the usual one of the language
	Lang      string
	Scoring   string // official: in batches, as bert_score does; strict: each pair by itself
	NoRescale bool
}

// BERTScore is the measure of bert_score 0.3.13.
func BERTScore(o BERTScoreOptions) *Measure {
	m := &Measure{Measure: score.Measure{
		Metric: metric.Metric{Name: "bertscore", Fields: []string{"f_sum", "p_sum", "r_sum", "segments"},
			Scores: []metric.Score{
				{Name: "f", Title: "F", Digits: 4, Value: meanOf(0, 3)},
				{Name: "p", Title: "P", Digits: 4, Value: meanOf(1, 3)},
				{Name: "r", Title: "R", Digits: 4, Value: meanOf(2, 3)}}},
		Title:  "BERTScore",
		Python: score.Python{Segments: true, Lines: bertScoreLines},
	}}
	m.open = func(n *installed.Networks) error {
		b, err := n.BERTScore(o.Model, o.Lang)
		if err != nil {
			return err
		}
		signature, err := b.Signature(o.Scoring)
		if err != nil {
			return err
		}
		if o.NoRescale {
			signature = strings.Replace(signature, "|rescaled:"+o.Lang, "|rescaled:no", 1)
		}
		matches, err := n.Matches(b)
		if err != nil {
			return err
		}
		m.Signature = func(int, bool) string { return signature }
		m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			found, err := matches.Scores(ctx, m.Once, m.steps(system), system.Texts, in.Refs[0].Texts)
			if err != nil {
				return nil, err
			}
			if o.Scoring == "official" {
				return o.rows(b.Official(found)), nil
			}
			return o.rows(b.Strict(found)), nil
		}
		m.Warnings = b.Warnings()
		return nil
	}
	return m
}

// steps names a system's segments for the journal, if there is one.
func (m *Measure) steps(system score.Column) []string {
	if m.Once == nil {
		return nil
	}
	steps := make([]string, len(system.Texts))
	for i := range steps {
		number := i + 1
		if system.Numbers != nil {
			number = system.Numbers[i]
		}
		steps[i] = system.Name + "/" + strconv.Itoa(number)
	}
	return steps
}

// rows are the counts of segments.
func (o BERTScoreOptions) rows(scores []neural.PairScore) [][]float64 {
	out := make([][]float64, len(scores))
	for i, s := range scores {
		prf := s.Rescaled
		if o.NoRescale {
			prf = s.Raw
		}
		out[i] = []float64{float64(prf.F), float64(prf.P), float64(prf.R), 1}
	}
	return out
}

// meanOf is the mean of the sum in one field over the number in another. The sum is
// NaN where BERTScore has no precision or recall of a text.
func meanOf(sum, n int) func(metric.Counts) (float64, bool) {
	return func(counts metric.Counts) (float64, bool) {
		mean := counts[sum] / counts[n]
		return mean, !math.IsNaN(mean)
	}
}

// bertScoreLines are bert_score's, whose means are float32.
func bertScoreLines(s *score.Scored, _, perSegment bool) []string {
	var f, p, r []float32
	for _, row := range s.Systems[0].Rows {
		f, p, r = append(f, float32(row[0])), append(p, float32(row[1])), append(r, float32(row[2]))
	}
	fixed := func(v float64) string { return strings.ToLower(strconv.FormatFloat(v, 'f', 6, 64)) } // Python's nan
	mean := func(values []float32) string { return fixed(float64(neural.Mean32(values))) }
	lines := []string{strings.ReplaceAll(s.Signature, " ", "_") + " P: " + mean(p) + " R: " + mean(r) + " F1: " + mean(f)}
	if perSegment {
		lines = append(lines, s.Each(0, func(row []float64) string { return fixed(row[1]) + "\t" + fixed(row[2]) + "\t" + fixed(row[0]) })...)
	}
	return lines
}

// COMET is the measure of unbabel-comet 2.2.4. model is a name or a folder; "" =
// wmt22-comet-da.
func COMET(model string) *Measure {
	m := &Measure{Measure: score.Measure{
		Metric: metric.Metric{Name: "comet", Fields: []string{"comet_sum", "segments"},
			Scores: []metric.Score{{Name: "comet", Title: "COMET", Digits: 4, Value: meanOf(0, 1)}}},
		Title: "COMET", Source: true,
		Python: score.Python{Several: true, Segments: true, Lines: cometLines},
	}}
	m.open = func(n *installed.Networks) error {
		c, err := n.COMET(model)
		if err != nil {
			return err
		}
		signature, err := c.Signature()
		if err != nil {
			return err
		}
		triples, err := n.Scores(c)
		if err != nil {
			return err
		}
		m.Signature = func(int, bool) string { return signature }
		m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			scores, err := triples.Scores(ctx, m.Once, m.steps(system), in.Source.Texts, system.Texts, in.Refs[0].Texts)
			rows := make([][]float64, len(scores))
			for i, v := range scores {
				rows[i] = []float64{v, 1}
			}
			return rows, err
		}
		m.Warnings = c.Warnings()
		return nil
	}
	return m
}

// cometLines are comet-score's: segments of all systems, then the systems.
func cometLines(s *score.Scored, _, perSegment bool) (lines []string) {
	file := func(c score.Column) string {
		if c.Field != "" {
			return c.Name // comet-score has no fields, and so no word for it
		}
		return c.Path
	}
	if perSegment {
		for i := range s.Input.Len() {
			for _, system := range s.Systems {
				lines = append(lines, fmt.Sprintf("%s\tSegment %d\tscore: %.4f", file(system.Column), i, system.Rows[i][0]))
			}
		}
	}
	for _, system := range s.Systems {
		value, _ := s.Measure.Scores[0].Value(system.Sum) // there is at least one segment
		lines = append(lines, fmt.Sprintf("%s\tscore: %.4f", file(system.Column), value))
	}
	return lines
}
