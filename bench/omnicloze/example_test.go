package omnicloze_test

import (
	"context"
	"fmt"
	"log"

	"omniscope/bench"
	"omniscope/bench/omnicloze"
	"omniscope/run/local"
)

// Without a judge the benchmark's offline reader answers: no model is asked.
// session/eval does the same from a description of the run, and writes its results.
func Example() {
	data, captions := "../demo/cloze/clips.jsonl", "../demo/captions/careful.jsonl"
	ev, err := omnicloze.Benchmark{}.Open(context.Background(), bench.Inputs{Data: data, Predictions: captions, Scoring: bench.Strict})
	if err != nil {
		log.Fatal(err)
	}
	defer ev.Close()
	results, err := bench.Score(context.Background(), omnicloze.Benchmark{}, ev, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 4}})
	if err != nil {
		log.Fatal(err)
	}
	s := results.Headline.Scores["score"]
	if s.Value == nil {
		log.Fatal("no score: ", s.Why)
	}
	fmt.Printf("score %.3f of %d blanks, %d unscored\n", *s.Value, s.N, s.Unscored)
	// Output: score 0.733 of 120 blanks, 0 unscored
}
