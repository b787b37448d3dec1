package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"omniscope/internal/mockllm"
)

// TestCascadeKilledAndResumed kills a cascade in the middle. The same command then asks what
// it had not asked, and little more: the calls that were on the wire.
func TestCascadeKilledAndResumed(t *testing.T) {
	t.Parallel()
	const questions, atOnce = 300, 8
	q := newInquest(t)
	var rows, captions []string
	for i := range questions {
		rows = append(rows, fmt.Sprintf(`{"id": "q%d", "audio_id": "a%d.wav", "question": "Which of %d?", "choices": ["one", "two"], "answer": "two", "task": "sound", "difficulty": "easy"}`, i, i, i))
		captions = append(captions, fmt.Sprintf(`{"id": "a%d", "caption": "It is %d."}`, i, i))
	}
	q.write("data.json", "["+strings.Join(rows, ",")+"]")
	q.write("captions.jsonl", strings.Join(captions, "\n"))
	slow := mockllm.Config{Model: "mock", Latency: 20 * time.Millisecond, Reply: letterB.Reply}
	f := &fleetRun{inquest: q, args: []string{"eval", "mmau", "-d", "data.json", "--captions", "captions.jsonl", "--answerer", "openai/mock", "-j", fmt.Sprint(atOnce)}, server: serve(t, slow)}
	wait, signal := f.start(f.in("run")...)
	for end := time.Now().Add(30 * time.Second); f.answered() < questions/3 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	signal(os.Kill)
	if said, err := wait(); err == nil {
		t.Fatalf("it was not killed: %s", said)
	}
	before := f.answered()
	wait, _ = f.start(f.in("run")...)
	said, err := wait()
	if err != nil || !strings.Contains(said, "accuracy 100.0") {
		t.Fatalf("%v: %s", err, said)
	}
	// What was answered less than a moment before the kill may not be on the disk yet.
	const moment = 64
	if n := f.answered(); before < questions/3 || before >= questions || n < questions || n > questions+atOnce+moment {
		t.Errorf("%d answers were given before it was killed, and %d in all", before, n)
	}
}
