package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"omniscope/session"
	"omniscope/session/eval"
)

// Does a run from its description in JSON. The results are in a folder.
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
