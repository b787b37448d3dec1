package eval

import (
	"fmt"
	"testing"
)

// TestAnswersMadeWithAnotherVersionOfTheFile: the details next to the answers name the file and the questions. If another
// version is scored, letters are translated to its order, and answers to other questions count as missing.
func TestAnswersMadeWithAnotherVersionOfTheFile(t *testing.T) {
	const row = `{"id": %q, "audio_id": "%[1]s.wav", "question": %q, "choices": ["a kettle", "a drill", "a flute"], "answer": "a drill"}` + "\n"
	const detail = `{"sample": %q, "outcome": "ok", "answer": %q, "sent": {"modality": "audio", "prompt": "%s\nA. a drill\nB. a kettle\nC. a flute\nReply with the letter."}}` + "\n"
	f := enter(t, "-- data.json --\n"+fmt.Sprintf(row, "q1", "What is heard?")+fmt.Sprintf(row, "q2", "What is played?")+
		"-- p.jsonl --\n"+`{"id": "q1", "model_output": "A"}`+"\n"+`{"id": "q2", "model_output": "A"}`+"\n"+
		"-- p.details.jsonl --\n"+`{"run": "predict-1", "spec": {"dataset": "mmau", "data_sha256": "0123456789abcdef", "modality": "audio", "seed": 0}}`+"\n"+
		fmt.Sprintf(detail, "q1", "A", "What is heard?")+fmt.Sprintf(detail, "q2", "A", "What is sung?"))
	f.eval("mmau", "p.jsonl", data("data.json")).ok().prints(`samples +2: 1 ok, 1 missing`, `accuracy 100\.0`, `another version of the benchmark's file`, `another question`, `another order`)
}
