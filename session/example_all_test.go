package session_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"omniscope/results"
	"omniscope/session"
	"omniscope/session/eval"
)

// Scores two systems with one budget. Both are checked before the first is scored.
func ExampleAll() {
	work, err := os.MkdirTemp("", "omniscope-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	var tasks []session.Task
	for _, system := range []string{"careful", "terse"} {
		tasks = append(tasks, &eval.Spec{Benchmark: "omni-cloze", Predictions: "../bench/demo/captions/" + system + ".jsonl", Data: "../bench/demo/cloze/clips.jsonl"})
	}
	if err := session.All(context.Background(), &session.Machine{Calls: &session.Calls{WorkDir: work, MaxCost: 5}}, tasks...); err != nil {
		log.Fatal(err)
	}
	dirs, _ := filepath.Glob(filepath.Join(work, "runs", "*"))
	for _, dir := range dirs {
		r, err := results.Open(context.Background(), dir)
		if err != nil {
			log.Fatal(err)
		}
		score, _ := r.Results.Score("score")
		fmt.Printf("%s %.3f\n", r.Results.System, score)
	}
	// Output:
	// careful 0.733
	// terse 0.100
}
