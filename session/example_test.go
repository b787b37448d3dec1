package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"omniscope/results"
	"omniscope/session"
	"omniscope/session/eval"
)

// Does a run from its description, as it may stand in a file. The results are in a folder.
func ExampleRun() {
	out, err := os.MkdirTemp("", "omniscope-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	var spec eval.Spec
	text := `{"spec": 2, "benchmark": "omni-cloze", "predictions": "../bench/demo/captions/careful.jsonl", "data": "../bench/demo/cloze/clips.jsonl", "roles": {"judge": {"model": "offline"}}}`
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		log.Fatal(err)
	}
	if err := session.Run(context.Background(), &spec, &session.Machine{Out: out}); err != nil {
		log.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(out, "results.json"))
	fmt.Println(err == nil)
	// Output: true
}

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
