package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"

	"omniscope"
	"omniscope/internal/rows"
)

// A Dataset is a Benchmark whose own file says what a model is given and asked.
// It needs no predictions: whoever runs models, builds on a benchmark or has it
// annotated starts from its samples.
type Dataset interface {
	Benchmark
	// Samples reads the benchmark's file and yields its samples in order, each id
	// once. An error ends the sequence; bad input is an Invalid error that names
	// file and line.
	Samples(ctx context.Context, path string) iter.Seq2[omniscope.Sample, error]
}

// SamplesOfLines yields the samples of a file of rows: read makes a sample of the
// text of one. Equal rows are one sample; rows of one id that differ are an error.
func SamplesOfLines(ctx context.Context, path string, read func(row []byte) (omniscope.Sample, error)) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		lines, err := rows.Open(ctx, path)
		if err != nil {
			yield(omniscope.Sample{}, err)
			return
		}
		defer lines.Close()
		r := &rowSamples{lines: lines, read: read, seen: make(map[omniscope.SampleID]seenRow)}
		for i := range lines.Len() {
			sample, again, err := r.at(i)
			if err = errors.Join(ctx.Err(), err); again && err == nil {
				continue
			}
			if !yield(sample, err) || err != nil {
				return
			}
		}
	}
}

// rowSamples reads samples from rows.
type rowSamples struct {
	lines *rows.File
	read  func(row []byte) (omniscope.Sample, error)
	text  []byte
	seen  map[omniscope.SampleID]seenRow
}

// A seenRow is a row that was read.
type seenRow struct {
	row int
	sum [sha256.Size]byte
}

// at reads row i. again says that an equal row was there before.
func (r *rowSamples) at(i int) (sample omniscope.Sample, again bool, err error) {
	if r.text, err = r.lines.AppendTo(r.text[:0], i); err != nil {
		return sample, false, err
	}
	if sample, err = r.read(r.text); err != nil {
		return sample, false, r.lines.Bad(i, r.text, err)
	}
	sum := sha256.Sum256(r.text)
	before, again := r.seen[sample.ID]
	if again && before.sum != sum {
		return sample, false, r.lines.Bad(i, nil, fmt.Errorf("sample %s is there already, and differs, on %s: leave one of the rows out", sample.ID, r.lines.LineName(before.row)))
	}
	r.seen[sample.ID] = seenRow{row: i, sum: sum}
	return sample, again, nil
}
