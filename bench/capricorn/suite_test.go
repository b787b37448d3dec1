package capricorn

import (
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
)

// someVideos are videos with something of everything: repeats, events of
// nobody, odd durations, a video without a caption, one that the published
// scorer stumbles over.
func someVideos() (annotations, captions string) {
	annotations = jsonl(
		aRow("1", 60, lists{evts: {"<a> runs right", "<a> sits wrong", "<a> sleeps"}, ints: {"<a> meets <b> right"}, bg: {"rain right"}, minor: {"a dog barks"}}),
		aRow("2", 601.5, lists{evts: {"<a> runs right", "<a> runs right", "<b> waits wrong", "<b> leaves right"}, trans: {"cut to black right"}}),
		aRow("3", 0, lists{evts: {"somebody runs right", "<c> falls"}, bg: {"fog wrong"}}),
		aRow("4", 300.25, lists{evts: {"<a> runs right"}, bg: {"rain right", "rain right"}}),
		aRow("5", 480, lists{evts: {"<a> runs right", "<a> sits right"}}),
		aRow("6", 120, lists{}),
		aRow("7", nil, lists{bg: {"rain right"}}),
	)
	captions = jsonl(aCaption("2", "Two."), aCaption("1", "One."), aCaption("3", "Three."), aCaption("4", "Four."), aCaption("6", "Six."), aCaption("7", "Seven."))
	return annotations, captions
}

func TestSuite(t *testing.T) {
	annotations, captions := someVideos()
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run("judged "+scoring.String(), func(t *testing.T) {
			benchtest.Run(t, Benchmark{}, inputs(t, scoring, &fake{}, annotations, captions), benchtest.Workers)
		})
		t.Run("offline "+scoring.String(), func(t *testing.T) {
			benchtest.Run(t, Benchmark{}, inputs(t, scoring, nil, annotations, captions), benchtest.Workers)
		})
	}
	t.Run("judged in one call", func(t *testing.T) {
		benchtest.Run(t, Benchmark{Batched: true}, inputs(t, bench.Strict, &fake{}, annotations, captions), benchtest.Workers)
	})
}
