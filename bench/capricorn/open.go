package capricorn

import (
	"context"
	"crypto/sha256"
	"errors"

	"omniscope/bench"
	"omniscope/internal/rows"
)

// openData indexes and checks both files. It keeps only the places of the rows. Where the fields of captions name no video, other
// fields may.
func openData(ctx context.Context, in bench.Inputs) (_ *data, err error) {
	d := &data{scoring: in.Scoring}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if d.rows, err = rows.Open(ctx, in.Data); err != nil {
		return d, err
	}
	if d.captions, err = rows.Open(ctx, in.Predictions); err != nil {
		return d, err
	}
	var unnamed error
	if in.IDField == "" {
		read, err := d.read(ctx, in, nil)
		if unnamed = err; !bench.IsUnnamed(err) {
			return read, err
		}
	}
	videos, err := bench.NamedSamples(Benchmark{}.Samples(ctx, in.Data))
	if err != nil {
		return d, err
	}
	ids, err := bench.FindIDs(d.captions, in, videos, unnamed)
	if err != nil {
		return d, err
	}
	return d.read(ctx, in, ids)
}

// read indexes and checks the opened files. ids has the sample of each row of captions; nil = the rows name it themselves.
func (d *data) read(ctx context.Context, in bench.Inputs, ids *bench.RowIDs) (*data, error) {
	out := *d
	out.digest = sha256.New()
	if ids != nil {
		out.warnings = append(out.warnings, ids.As)
	}
	captions, err := out.indexCaptions(ctx, in.CaptionField, ids)
	if err != nil {
		return d, err
	}
	if err := out.indexRows(ctx, in, captions); err != nil {
		return d, err
	}
	if !in.Allow {
		if err := out.refuseCaptions(captions); err != nil {
			return d, err
		}
	}
	return &out, out.checkUnknownCaptions(in, captions)
}
