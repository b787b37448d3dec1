package capricorn

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
)

var _ bench.Dataset = Benchmark{}

// Samples implements bench.Dataset. The annotations have no prompt: the paper
// asks each model for a caption with a prompt of its own (Table 6).
func (Benchmark) Samples(ctx context.Context, path string) iter.Seq2[omniscope.Sample, error] {
	return bench.SamplesOfLines(ctx, path, func(row []byte) (omniscope.Sample, error) {
		v, err := parseVideo(row)
		if err != nil {
			return omniscope.Sample{}, err
		}
		s := omniscope.Sample{
			ID:    omniscope.SampleID(v.id),
			Media: omniscope.Media{Video: gjson.GetBytes(row, "video_path").Str},
		}
		if v.duration != nil {
			s.Seconds = *v.duration
		}
		return s, nil
	})
}
