package capricorn

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
)

var _ bench.Dataset = Benchmark{}

// Samples implements bench.Dataset. A model is asked for a caption of the video,
// each by a prompt of its own (Table 6): the annotations have none.
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
