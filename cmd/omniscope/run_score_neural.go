package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/metric/neural"
	"omniscope/score"
)

// A neuralMeasure is a measure that needs a network, which is opened once the
// texts have been read.
type neuralMeasure struct {
	score.Measure
	usual string // the model, where none is named

	// open opens the network of a folder and fills in what only it knows.
	open func(m *score.Measure, folder string, o neural.Options) (close func() error, warnings func() []string, err error)
}

func (o *neuralOptions) runNeural(cmd *cobra.Command, m *neuralMeasure) (err error) {
	if err := o.checkPython(&m.Measure); err != nil {
		return err
	}
	in, err := o.Files.Read(cmd.Context(), &m.Measure)
	if err != nil {
		return err
	}
	e, err := o.openEncoders(cmd.ErrOrStderr(), o.NoProgress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	folder, err := o.folder(e.root, m.usual)
	if err != nil {
		return err
	}
	options, err := e.options()
	if err != nil {
		return err
	}
	closeModel, warnings, err := m.open(&m.Measure, folder, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeModel()) }()
	count := m.Count
	m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
		e.progress.what = system.Name
		return count(ctx, in, system)
	}
	s, err := m.Score(cmd.Context(), in, o.Seed)
	if err != nil {
		return err
	}
	e.progress.stop()
	s.Warnings = slices.Concat(s.Warnings, warnings(), e.warnings())
	return o.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), s)
}

// meanOf is the mean of the sum in one field over the number in another. The sum is
// NaN where BERTScore has no precision or recall of a text.
func meanOf(sum, n int) func(counts []float64) (float64, bool) {
	return func(counts []float64) (float64, bool) {
		mean := counts[sum] / counts[n]
		return mean, !math.IsNaN(mean)
	}
}

func (o *bertScoreOptions) measure() *neuralMeasure {
	rows := func(scores []neural.PairScore) [][]float64 {
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
	m := &neuralMeasure{usual: bertScoreModel(o.Lang)}
	m.Measure = score.Measure{
		Name: "bertscore", Title: "BERTScore", Fields: []string{"f_sum", "p_sum", "r_sum", "segments"},
		Scores: []score.Score{
			{Name: "f", Title: "F", Digits: 4, Value: meanOf(0, 3)},
			{Name: "p", Title: "P", Digits: 4, Value: meanOf(1, 3)},
			{Name: "r", Title: "R", Digits: 4, Value: meanOf(2, 3)}},
		Python: score.Python{Segments: true, Lines: bertScoreLines},
	}
	m.open = func(m *score.Measure, folder string, options neural.Options) (func() error, func() []string, error) {
		b, err := neural.OpenBERTScore(folder, o.Lang, options)
		if err != nil {
			return nil, nil, err
		}
		signature, err := b.Signature(o.Profile)
		if err != nil {
			return nil, nil, errors.Join(err, b.Close())
		}
		if o.NoRescale {
			signature = strings.Replace(signature, "|rescaled:"+o.Lang, "|rescaled:no", 1)
		}
		m.Signature = func(int, bool) string { return signature }
		m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			scores, err := b.Score(ctx, system.Texts, in.Refs[0].Texts, o.Profile == "official")
			return rows(scores), err
		}
		return b.Close, b.Warnings, nil
	}
	return m
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

func (o *cometOptions) measure() *neuralMeasure {
	m := &neuralMeasure{usual: cometModel}
	m.Measure = score.Measure{
		Name: "comet", Title: "COMET", Source: true, Fields: []string{"comet_sum", "segments"},
		Scores: []score.Score{{Name: "comet", Title: "COMET", Digits: 4, Value: meanOf(0, 1)}},
		Python: score.Python{Several: true, Segments: true, Lines: cometLines},
	}
	m.open = func(m *score.Measure, folder string, options neural.Options) (func() error, func() []string, error) {
		c, err := neural.OpenCOMET(folder, options)
		if err != nil {
			return nil, nil, err
		}
		signature, err := c.Signature()
		if err != nil {
			return nil, nil, errors.Join(err, c.Close())
		}
		m.Signature = func(int, bool) string { return signature }
		m.Count = func(ctx context.Context, in *score.Input, system score.Column) ([][]float64, error) {
			scores, err := c.Score(ctx, in.Source.Texts, system.Texts, in.Refs[0].Texts)
			rows := make([][]float64, len(scores))
			for i, v := range scores {
				rows[i] = []float64{v, 1}
			}
			return rows, err
		}
		return c.Close, c.Warnings, nil
	}
	return m
}

// A tokenProgress shows how far the encoding of texts is.
type tokenProgress struct {
	w     io.Writer
	quiet bool
	what  string // whose texts they are
	now   *progress
}

// tell hears how many tokens of how many are done.
func (p *tokenProgress) tell(done, total int) {
	if p.now != nil && p.now.total != int64(total) {
		p.stop()
	}
	if p.now == nil {
		p.now = startProgress(p.w, p.quiet, total, nil)
		p.now.note("tokens of " + p.what)
	}
	p.now.done(done)
}

func (p *tokenProgress) stop() {
	if p.now != nil {
		p.now.stop()
		p.now = nil
	}
}
