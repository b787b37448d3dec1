package omnicloze

import (
	"context"
	"io"
	"iter"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/internal/rows"
)

var _ bench.AnswerWriter = Benchmark{}

// Samples implements bench.Dataset. A model is asked for a detailed caption of
// the clip, in whatever words suit it (section 5): there is no prompt.
func (Benchmark) Samples(ctx context.Context, path string) iter.Seq2[omniscope.Sample, error] {
	return bench.SamplesOfLines(ctx, path, func(row []byte) (omniscope.Sample, error) {
		if err := rows.CheckJSON(row); err != nil {
			return omniscope.Sample{}, err
		}
		p := parsers.Get().(*parser)
		defer parsers.Put(p)
		it, err := readItem(p, row)
		if err != nil {
			return omniscope.Sample{}, err
		}
		return omniscope.Sample{
			ID:       omniscope.SampleID(it.uuid),
			Media:    omniscope.Media{Video: scalar(it.row.Get("video_path"))},
			Category: it.category, Subcategory: it.subcategory,
		}, nil
	})
}

// AnswersName implements bench.AnswerWriter.
func (Benchmark) AnswersName(a *bench.Answers) string { return filename.Safe(a.System) + ".jsonl" }

// WriteAnswers implements bench.AnswerWriter.
func (Benchmark) WriteAnswers(w io.Writer, a *bench.Answers) ([]string, error) {
	return nil, bench.WriteCaptionLines(w, "uuid", "predicted_caption", a)
}

// ScoredWith implements bench.AnswerWriter.
func (Benchmark) ScoredWith(a *bench.Answers) map[string]string {
	return map[string]string{"data": a.Data}
}
