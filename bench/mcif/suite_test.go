package mcif

import (
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
)

// trusted are the stand-ins taken at their word: the suite expects no baseline
// of a benchmark that has no judge to stand in for.
func trusted() *Scorers {
	s := lengths()
	s.StandIn = false
	return s
}

func TestSuite(t *testing.T) {
	missing := without(saying, "1") // official stops, strict goes on
	for _, c := range []struct {
		name, out, ref string
		b              Benchmark
	}{
		{"long English", outputFile(t, "long", "en", saying...), referenceFile(t, "long", "en", english...), Benchmark{Track: "long", Lang: "en"}},
		{"long German", outputFile(t, "long", "de", sagend...), referenceFile(t, "long", "de", german...), Benchmark{Track: "long", Lang: "de", Input: "mllm"}},
		{"short English", outputFile(t, "short", "en", "0", "the cat", "3", "sat", "1", "cat"),
			referenceFile(t, "short", "en", transcriptOf("t1", "0,3", "the cat sat"), answerTo("t1_1", "1", "a cat")), Benchmark{Track: "short", Lang: "en"}},
		{"short Chinese", outputFile(t, "short", "zh", "0", "甲乙", "3", "丙", "1", "猫"),
			referenceFile(t, "short", "zh", translationOf("t1", "0,3", "a b\nc", "甲乙\n丙"), answerTo("t1_1", "1", "猫")), Benchmark{Track: "short", Lang: "zh"}},
		{"broken off", outputFile(t, "long", "en", missing...), referenceFile(t, "long", "en", english...), Benchmark{Track: "long", Lang: "en"}},
		{"filtered", outputFile(t, "long", "en", saying...), referenceFile(t, "long", "en", english...), Benchmark{Track: "long", Lang: "en", Modality: "audio"}},
	} {
		for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
			if c.name == "broken off" && scoring == bench.Official {
				continue // has no score
			}
			t.Run(c.name+" "+scoring.String(), func(t *testing.T) {
				c.b.Scorers = trusted()
				benchtest.Run(t, c.b, bench.Inputs{Predictions: c.out, Data: c.ref, Scoring: scoring}, benchtest.Workers)
			})
		}
	}
	t.Run("questions in parts", func(t *testing.T) {
		other := answerTo("t2_1", "3", "two cats")
		other.QAType, other.QAOrigin = "NA", "Abstract"
		b := Benchmark{Track: "short", Lang: "en", Breakdown: true, Scorers: trusted()}
		in := bench.Inputs{Predictions: outputFile(t, "short", "en", "1", "a cat", "3", "cats", "0", "x"), Data: referenceFile(t, "short", "en", answerTo("t1_1", "1", "a cat"), other, transcriptOf("t1", "0", "x"))}
		benchtest.Run(t, b, in, benchtest.Workers)
	})
	t.Run("without models", func(t *testing.T) {
		in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", english...)}
		benchtest.Run(t, Benchmark{Track: "long", Lang: "en"}, in, benchtest.Workers)
	})
}
