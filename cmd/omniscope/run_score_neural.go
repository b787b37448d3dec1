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
)

// A neuralMeasure is a measure that needs a network, which is opened once the
// texts have been read.
type neuralMeasure struct {
	measure
	usual string // the model, where none is named

	// open opens the network of a folder and fills in what only it knows.
	open func(m *measure, folder string, o neural.Options) (close func() error, warnings func() []string, err error)
}

func (o *neuralOptions) runNeural(cmd *cobra.Command, m *neuralMeasure) (err error) {
	if err := o.checkPython(&m.measure); err != nil {
		return err
	}
	in, err := o.read(cmd.Context(), &m.measure)
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
	closeModel, warnings, err := m.open(&m.measure, folder, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeModel()) }()
	count := m.count
	m.count = func(ctx context.Context, in *scoreInput, system column) ([][]float64, error) {
		e.progress.what = system.name
		return count(ctx, in, system)
	}
	s, err := m.score(cmd.Context(), in, o.Seed)
	if err != nil {
		return err
	}
	e.progress.stop()
	s.warnings = slices.Concat(s.warnings, warnings(), e.warnings())
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
	m.measure = measure{
		name: "bertscore", title: "BERTScore", fields: []string{"f_sum", "p_sum", "r_sum", "segments"},
		scores: []scoreOf{
			{name: "f", title: "F", digits: 4, value: meanOf(0, 3)},
			{name: "p", title: "P", digits: 4, value: meanOf(1, 3)},
			{name: "r", title: "R", digits: 4, value: meanOf(2, 3)}},
		python: pythonForm{segments: true, lines: bertScoreLines},
	}
	m.open = func(m *measure, folder string, options neural.Options) (func() error, func() []string, error) {
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
		m.signature = func(int, bool) string { return signature }
		m.count = func(ctx context.Context, in *scoreInput, system column) ([][]float64, error) {
			scores, err := b.Score(ctx, system.texts, in.refs[0].texts, o.Profile == "official")
			return rows(scores), err
		}
		return b.Close, b.Warnings, nil
	}
	return m
}

// bertScoreLines are bert_score's, whose means are float32.
func bertScoreLines(s *scored, _, perSegment bool) []string {
	var f, p, r []float32
	for _, row := range s.systems[0].rows {
		f, p, r = append(f, float32(row[0])), append(p, float32(row[1])), append(r, float32(row[2]))
	}
	fixed := func(v float64) string { return strings.ToLower(strconv.FormatFloat(v, 'f', 6, 64)) } // Python's nan
	mean := func(values []float32) string { return fixed(float64(neural.Mean32(values))) }
	lines := []string{strings.ReplaceAll(s.signature, " ", "_") + " P: " + mean(p) + " R: " + mean(r) + " F1: " + mean(f)}
	if perSegment {
		lines = append(lines, s.each(0, func(row []float64) string { return fixed(row[1]) + "\t" + fixed(row[2]) + "\t" + fixed(row[0]) })...)
	}
	return lines
}

// cometLines are comet-score's: segments of all systems, then the systems.
func cometLines(s *scored, _, perSegment bool) (lines []string) {
	file := func(c column) string {
		if c.field != "" {
			return c.name // comet-score has no fields, and so no word for it
		}
		return c.path
	}
	if perSegment {
		for i := range s.in.Len() {
			for _, system := range s.systems {
				lines = append(lines, fmt.Sprintf("%s\tSegment %d\tscore: %.4f", file(system.column), i, system.rows[i][0]))
			}
		}
	}
	for _, system := range s.systems {
		value, _ := s.m.scores[0].value(system.sum) // there is at least one segment
		lines = append(lines, fmt.Sprintf("%s\tscore: %.4f", file(system.column), value))
	}
	return lines
}

func (o *cometOptions) measure() *neuralMeasure {
	m := &neuralMeasure{usual: cometModel}
	m.measure = measure{
		name: "comet", title: "COMET", source: true, fields: []string{"comet_sum", "segments"},
		scores: []scoreOf{{name: "comet", title: "COMET", digits: 4, value: meanOf(0, 1)}},
		python: pythonForm{several: true, segments: true, lines: cometLines},
	}
	m.open = func(m *measure, folder string, options neural.Options) (func() error, func() []string, error) {
		c, err := neural.OpenCOMET(folder, options)
		if err != nil {
			return nil, nil, err
		}
		signature, err := c.Signature()
		if err != nil {
			return nil, nil, errors.Join(err, c.Close())
		}
		m.signature = func(int, bool) string { return signature }
		m.count = func(ctx context.Context, in *scoreInput, system column) ([][]float64, error) {
			scores, err := c.Score(ctx, in.src.texts, system.texts, in.refs[0].texts)
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
