package omnicloze

import (
	"context"
	"errors"

	"omniscope/bench"
	"omniscope/internal/rows"
)

// openCaptions opens the file of captions, and reads both files. Where the field uuid names no sample, other fields may.
func (d *data) openCaptions(ctx context.Context, in bench.Inputs) (*data, error) {
	lines, err := rows.Open(ctx, in.Predictions)
	if err != nil {
		return nil, errors.Join(err, d.rows.Close())
	}
	read := func(ids *bench.RowIDs) (*data, error) {
		out := *d
		var err error
		if out.captions, err = readCaptions(ctx, lines, in.CaptionField, ids); err != nil {
			return nil, err
		}
		if ids != nil {
			out.warnings = append(out.warnings, ids.As)
		}
		return &out, out.read(ctx, in)
	}
	opened, unnamed := (*data)(nil), error(nil)
	if in.IDField == "" {
		opened, unnamed = read(nil)
	}
	if err = unnamed; in.IDField != "" || bench.IsUnnamed(unnamed) {
		if opened, err = d.findIDs(ctx, in, lines, unnamed, read); err == nil {
			return opened, nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, d.rows.Close(), lines.Close())
	}
	return opened, nil
}

// findIDs reads both files with the uuids of another field.
func (d *data) findIDs(ctx context.Context, in bench.Inputs, lines *rows.File, unnamed error, read func(*bench.RowIDs) (*data, error)) (*data, error) {
	samples, err := bench.NamedSamples(Benchmark{}.Samples(ctx, in.Data))
	if err != nil {
		return nil, err
	}
	ids, err := bench.FindIDs(lines, in, samples, unnamed)
	if err != nil {
		return nil, err
	}
	return read(ids)
}
