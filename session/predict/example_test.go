package predict_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/journals"
	"omniscope/session/predict"
)

// Asks a model about a dataset and scores its answers. In place of scripted/FILE, which answers from a file, name a model as
// PROVIDER/NAME, such as vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct.
func ExampleAsk() {
	work, data := dataset()
	defer os.RemoveAll(work)
	m := &session.Machine{Calls: &session.Calls{WorkDir: work, Journals: journals.All}, Out: filepath.Join(work, "answers.json"), Warnings: io.Discard}
	spec := &predict.Spec{Benchmark: "mmau", Data: data, Model: &session.Role{Model: "scripted/" + filepath.Join(work, "script.json")}}
	answered, err := predict.Ask(context.Background(), spec, m)
	if err != nil {
		log.Fatal(err)
	}
	m.Out = filepath.Join(work, "results")
	results, err := eval.Score(context.Background(), &eval.Spec{Benchmark: "mmau", Predictions: answered.File, Data: data}, m)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, _ := results.Score("accuracy")
	fmt.Printf("%d answers, accuracy %.2f\n", answered.Outcomes["ok"], accuracy)
	// Output: 2 answers, accuracy 0.50
}

// dataset writes two questions of MMAU's form about a second of silence, and a script of answers.
func dataset() (work, data string) {
	work, err := os.MkdirTemp("", "omniscope-")
	const second = "RIFF\x24\x7d\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x00\x7d\x00\x00"
	for name, text := range map[string]string{
		"a.wav": second + strings.Repeat("\x00", 32000),
		"mmau.json": `[{"id": "q1", "audio_id": "a.wav", "question": "What is heard?", "choices": ["nothing", "a dog"], "answer": "nothing", "task": "sound", "difficulty": "easy"},
			{"id": "q2", "audio_id": "a.wav", "question": "Who speaks?", "choices": ["nobody", "a man"], "answer": "nobody", "task": "speech", "difficulty": "easy"}]`,
		"script.json": `{"q1": ["nothing"], "q2": ["a man"]}`,
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(work, name), []byte(text), 0o644))
	}
	if err != nil {
		log.Fatal(err)
	}
	return work, filepath.Join(work, "mmau.json")
}
