package eval_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"omniscope/session"
	"omniscope/session/eval"
)

// Scores captions without a model: rules read the answers from them. The program links no database.
func ExampleScore() {
	out, err := os.MkdirTemp("", "omniscope-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	spec := &eval.Spec{Benchmark: "omni-cloze", Predictions: "../../bench/demo/captions/careful.jsonl", Data: "../../bench/demo/cloze/clips.jsonl"}
	results, err := eval.Score(context.Background(), spec, &session.Machine{Out: out})
	if err != nil {
		log.Fatal(err)
	}
	if score, ok := results.Score("score"); ok {
		fmt.Printf("score %.3f of %d captions\n", score, results.Samples)
	}
	// Output: score 0.733 of 12 captions
}
