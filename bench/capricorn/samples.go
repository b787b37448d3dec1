package capricorn

import (
	"cmp"
	"context"
	"io"
	"iter"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
)

var _ bench.AnswerWriter = Benchmark{}

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
			Media: omniscope.Media{Video: cmp.Or(gjson.GetBytes(row, "video_path").Str, v.id+".mp4")}, // as the authors name the files
		}
		if v.duration != nil {
			s.Seconds = *v.duration
		}
		return s, nil
	})
}

// AnswersName implements bench.AnswerWriter.
func (Benchmark) AnswersName(a *bench.Answers) string { return filename.Safe(a.System) + ".jsonl" }

// WriteAnswers implements bench.AnswerWriter.
func (Benchmark) WriteAnswers(w io.Writer, a *bench.Answers) ([]string, error) {
	return nil, bench.WriteCaptionLines(w, "video_id", "caption", a)
}

// ScoredWith implements bench.AnswerWriter.
func (Benchmark) ScoredWith(a *bench.Answers) map[string]string {
	return map[string]string{"data": a.Data}
}
