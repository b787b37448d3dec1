package choice_test

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/fixture"
)

// TestModelsAreAskedForWhatTheOfficialScorerCounts has a model that answers rightly in the form that
// its prompt asks for.
func TestModelsAreAskedForWhatTheOfficialScorerCounts(t *testing.T) {
	const mmauRow = `[{"id": "q", "%s": "./q.wav", "question": "What is heard?", "choices": ["a drill", "a kettle"], "answer": "a kettle"}]`
	for name, c := range map[string]struct {
		b            bench.Benchmark
		data, answer string // by letter, and in words
	}{
		"mmau":       {choice.MMAU(), fmt.Sprintf(mmauRow, "audio_id"), `{"id": "q", "model_output": %q}`},
		"mmar":       {choice.MMAR(), fmt.Sprintf(mmauRow, "audio_path"), `{"id": "q", "answer_prediction": %q}`},
		"daily-omni": {choice.DailyOmni(), `[{"Question": "What is heard?", "Choice": ["A. a drill", "B. a kettle"], "Answer": "B", "video_id": "v", "Type": "x"}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var samples []omniscope.Sample
			for s, err := range c.b.(bench.Dataset).Samples(t.Context(), fixture.File(t, "data.json", c.data)) {
				fixture.OK(t, err)
				samples = append(samples, s)
			}
			byLetter := strings.Contains(samples[0].Prompt, "Reply with the letter of the right option")
			if byLetter != (c.answer == "") {
				t.Fatalf("%s asks %q", name, samples[0].Prompt)
			}
			if byLetter {
				return
			}
			ev, err := opened(t, c.b, c.data, fmt.Sprintf(c.answer, "a kettle"), nil)
			fixture.OK(t, err)
			defer ev.Close()
			r, err := ev.Evaluate(t.Context(), 0)
			fixture.OK(t, err)
			for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
				if counts := r.Tallies[p][0].Counts; counts[0] != 1 { // correct
					t.Errorf("%s: counts %v", p, counts)
				}
			}
		})
	}
}
