package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"time"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/mockllm"
)

// cascadeLetter is the index of the option that the model of these tests chooses for a clip.
func cascadeLetter(clip string) int {
	h := fnv.New32a()
	h.Write([]byte(clip))
	return int(h.Sum32() % 2)
}

// TestCascadeKilledAndResumed kills a cascade on MMAU's test-mini in the middle. The same
// command then asks what it had not asked, and little more: the calls that were on the wire.
// Its accuracies by task and difficulty are those that are counted here.
func TestCascadeKilledAndResumed(t *testing.T) {
	t.Parallel()
	const atOnce = 8
	data := golden.Path(t, "bench", "mmau", "mmau-test-mini.json")
	var rows []struct {
		ID, Answer, Task, Difficulty string
		Choices                      []string
	}
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	questions := len(rows)
	if err != nil || questions != 1000 {
		t.Fatalf("%d questions, %v", questions, err)
	}
	q := newInquest(t)
	var captions []string
	right, all := make(map[string]float64), make(map[string]float64)
	for _, r := range rows {
		captions = append(captions, fmt.Sprintf(`{"id": %q, "caption": "Sound of %s."}`, r.ID, r.ID))
		for _, group := range []string{"overall ", "task " + r.Task, "difficulty " + r.Difficulty} {
			all[group]++
			if r.Choices[cascadeLetter(r.ID)] == r.Answer {
				right[group]++
			}
		}
	}
	q.write("captions.jsonl", strings.Join(captions, "\n"))
	slow := mockllm.Config{Model: "mock", Latency: 20 * time.Millisecond, Reply: func(r *mockllm.Request) mockllm.Reply {
		_, clip, _ := strings.Cut(r.Text(), "Sound of ")
		clip, _, _ = strings.Cut(clip, ".")
		return mockllm.Reply{Content: string(rune('A' + cascadeLetter(clip)))}
	}}
	f := &fleetRun{inquest: q, args: []string{"eval", "mmau", "-d", data, "--captions", "captions.jsonl", "--answerer", "openai/mock", "-j", fmt.Sprint(atOnce)}, server: serve(t, slow)}
	wait, signal := f.start(f.in("run")...)
	for end := time.Now().Add(30 * time.Second); f.answered() < questions/3 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	signal(os.Kill)
	if said, err := wait(); err == nil {
		t.Fatalf("it was not killed: %s", said)
	}
	before := f.answered()
	wait, _ = f.start(f.in("run")...)
	if said, err := wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	// What was answered less than a moment before the kill may not be on the disk yet.
	const moment = 64
	if n := f.answered(); before < questions/3 || before >= questions || n < questions || n > questions+atOnce+moment {
		t.Errorf("%d answers were given before it was killed, and %d in all", before, n)
	}
	var r document.Results
	fixture.OK(t, json.Unmarshal([]byte(f.documents("run")["results.json"]), &r))
	checked := 0
	for _, slice := range r.Scorings[bench.Strict].Slices {
		group := slice.Dimension + " " + slice.Group
		if want, ok := right[group]; ok {
			checked++
			if got := slice.Counts["correct"]; got != want || want == 0 || want == all[group] {
				t.Errorf("%s: %g of %g right, want %g", group, got, all[group], want)
			}
		}
	}
	if checked != 1+3+3 {
		t.Errorf("%d groups were checked", checked)
	}
}
