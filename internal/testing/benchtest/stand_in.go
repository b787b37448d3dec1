package benchtest

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/internal/testing/fixture"
)

// standIn opens the benchmark on answers that stand in for answers that were not given yet, as a run does before its first call.
func (s *suite) standIn(t *testing.T) {
	w, ok := s.b.(bench.AnswerWriter)
	if !ok || s.good.Data == "" {
		t.Skip("no model is asked about its data")
	}
	a := &bench.Answers{System: "stand-in", Data: s.good.Data}
	for sample, err := range w.Samples(t.Context(), s.good.Data) {
		if err != nil {
			t.Skipf("the data is not what models are asked: %v", err)
		}
		if sample.Prompt != "" && s.good.Judge != nil {
			t.Skip("a judge answers the questions by captions of others")
		}
		answer := bench.Answer{Sample: sample.ID, Text: strings.Repeat("xyz ", 64)}
		if len(sample.Options) > 0 {
			answer.Text = sample.Options[0]
		}
		a.Track, a.Language, a.List = sample.Track, sample.Language, append(a.List, answer)
	}
	in := s.good
	in.Allow, in.Parts, in.CaptionField = true, nil, ""
	in.Predictions = filepath.Join(t.TempDir(), w.AnswersName(a))
	fixture.OK(t, outfile.Write(in.Predictions, func(to io.Writer) error {
		_, err := w.WriteAnswers(to, a)
		return err
	}))
	ev := opened(t, s.b, in)
	if ev.Plan().Units == 0 {
		t.Error("no unit would be scored")
	}
	for i := range ev.Plan().Units {
		if _, err := ev.Requests(i); err != nil {
			t.Errorf("unit %d has no forecast: %v", i, err)
		}
	}
}
