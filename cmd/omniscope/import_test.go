package main

import (
	"testing"
)

const importFiles = `
-- data.json --
{"id": "q1", "audio_id": "1.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a dog"}
{"id": "q2", "audio_id": "2.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a dog"}
{"id": "q3", "audio_id": "3.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q4", "audio_id": "4.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q5", "audio_id": "5.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q6", "audio_id": "6.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
-- world.json --
{"v": {"task0": {"question": "?", "candidates": ["A. one", "B. two"], "answer": "B"}, "task1": {"question": "?", "candidates": ["A. one", "B. two"], "answer": "A"}}}
-- qwen/20260801_samples_mmau.jsonl --
{"doc_id": 0, "input": "?", "target": "a dog", "filtered_resps": ["A. a dog"], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q1", "model_prediction": "a dog"}}
{"doc_id": 1, "input": "?", "target": "a dog", "filtered_resps": ["[LMMS_EVAL_REQUEST_FAILED after 5 retries] timed out"], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q2", "model_prediction": "a dog"}}
{"doc_id": 2, "input": "?", "target": "a cat", "filtered_resps": [""], "doc_hash": "h", "accuracy": {"overall": 0.0, "task": "sound"}, "submission": {"id": "q3", "model_prediction": "a dog"}}
{"doc_id": 3, "input": "?", "target": "a cat", "filtered_resps": ["It could be anything, really."], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q4", "model_prediction": "a cat"}}
{"doc_id": 4, "input": "?", "target": "a cat", "filtered_resps": ["A. a dog"], "doc_hash": "h", "accuracy": {"overall": 0.0, "task": "sound"}, "submission": {"id": "q5", "model_prediction": "a dog"}}
-- want.jsonl --
{"id":"q1","model_output":"A. a dog"}
{"id":"q3","model_output":""}
{"id":"q4","model_output":"It could be anything, really."}
{"id":"q5","model_output":"A. a dog"}
`

// Answers are imported from a log of lmms-eval: failures are left out, and lucky guesses are marked.
func TestImportCommand(t *testing.T) {
	d := newDesk(t, importFiles)
	d.run(3, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o answers.jsonl")
	d.prints(`a log of lmms-eval \(mmau\), samples matched by submission\.id: 4 of 6 samples have an answer; 1 have no answer and are left out; suspicious answers among them: 1; lmms-eval judges 1 of 3 answers otherwise`, `accuracy\.overall, points`, ` answers +│ 3 +│ 2 `, `no option can be read +│ 1 +│ 1 `, `failed: request failed +│ 1 +│ 1 `, `abstained: empty answer.*│ 1 +│ 0 `, `missing: not in the log +│ 1 `)
	d.says(`1 of the 5 samples of the log have no answer, more than --max-failures 0.05 allows; answers.import.jsonl says why`)
	d.same(`answers.jsonl`, `want.jsonl`)
	d.holds(`answers.import.jsonl`, `"id":"q2","outcome":"failed","reason":"request failed".*"harness_scores":{"accuracy.overall":1}.*"line":2`)
	d.holds(`answers.import.jsonl`, `"id":"q6","outcome":"missing","reason":"not in the log"`)

	// The same command again changes no file; more failures may be allowed.
	d.run(3, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o answers.jsonl --max-failures 0.5")
	d.says(`judges 1 of 3 answers otherwise than omniscope's strict reading: \[q4\], more than --max-differences 0.02 allows`)
	d.run(0, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o answers.jsonl --max-failures 0.5 --max-differences 0.5")
	d.same(`answers.jsonl`, `want.jsonl`)
	d.copy(`data.json`, `other.jsonl`)
	d.refuse(2, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o other.jsonl --max-failures 0.5", `other.jsonl is there already`)
	d.same(`other.jsonl`, `data.json`)

	// A folder gets the file by the system's name, which is the model's folder.
	d.write("out/readme.txt", "")
	d.run(0, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o out --max-failures 0.5 --max-differences 0.5")
	d.same(`out/qwen.jsonl`, `want.jsonl`)

	// An unclear log is refused, with what to do.
	d.refuse(1, "import lm-eval qwen/20260801_samples_mmau.jsonl --bench mmau -d data.json -o x.jsonl", "is a log of lmms-eval and not of lm-evaluation-harness: import it by `omniscope import lmms-eval`")
	d.refuse(2, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench worldsense -d world.json -o x.jsonl --id submission.id", `--id submission.id.*submission.id \(0 of 5\)`)
	d.run(3, "import lmms-eval qwen/20260801_samples_mmau.jsonl --bench worldsense -d world.json -o x.jsonl --row doc_id")
	d.prints(`matched by the row number in doc_id`)
	d.refuse(1, "import lmms-eval data.json --bench mmau -d data.json -o x.jsonl", `data.json is no log of lmms-eval: name files called`)

	// Wrong usage.
	d.run(2, "import")
	d.run(2, "import lmms-eval --bench mmau -o x.jsonl")
	d.refuse(2, "import lmms-eval a.jsonl -o x.jsonl", `name the benchmark with --bench`)
	d.refuse(2, "import lmms-eval a.jsonl --bench mmau", `name the file to write`)
	d.run(2, "import lmms-eval a.jsonl --bench mmau -o x.jsonl --id a --row b")
	d.run(2, "import lmms-eval a.jsonl --bench mmau -o x.jsonl --epoch -1")
	d.run(2, "import lmms-eval a.jsonl --bench mmau -o x.jsonl --max-failures 2")
	d.run(2, "import lmms-eval a.jsonl --bench mmau -o x.jsonl --max-differences -1")
	d.run(2, "import lmms-eval a.jsonl --bench claims -o x.jsonl -d data.json")
	d.refuse(2, "import lmms-eval a.jsonl --bench mmua -o x.jsonl -d data.json", `mmau`)
}
