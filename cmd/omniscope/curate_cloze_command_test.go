package main

import (
	"testing"

	"omniscope/internal/testing/fixture"
)

const curateClozeCheckFiles = `
-- rows.jsonl --
{"uuid": "one", "cloze": {"passage": "A [BLANK_1] rings, and the bell swings. A woman wears [BLANK_2].", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio"}, {"number": 2, "answer": "a red coat", "distractors": ["the red coat", "a blue coat", "a green coat"], "required_modality": "visual"}]}}
{"uuid": "two", "cloze": {"passage": "A [BLANK_1] rings.", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio"}]}}
-- broken.jsonl --
{"uuid": "two", "cloze": {"passage": "A [BLANK_1] rings.", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio"}]}}
{"uuid": "three"}
-- descriptions.jsonl --
{"uuid": "one", "caption": "A bell rings."}
{"uuid": "back", "caption": "A dog.", "verdict": "send back", "comment": "wrong clip"}
-- drafter.json --
{"one/draft": ["{\"passage\": \"A [BLANK_1] rings.\", \"blanks\": [{\"number\": 1, \"answer\": \"bell\", \"distractors\": [\"horn\", \"drum\", \"whistle\"], \"required_modality\": \"audio\", \"from\": [1]}]}", "no", "no"]}
`

// Faults of passages and blanks are found without a model; drafts need one.
func TestCurateClozeCheckAndDraft(t *testing.T) {
	d := newDesk(t, curateClozeCheckFiles)
	d.run(1, "curate cloze check rows.jsonl --blanks 0")
	d.prints(`^one: blank 1: "bell": the answer can be read elsewhere in the passage: .*\(leak\)$`, `^one: blank 2: .*it says the same as "a red coat" \(distinct\)$`)
	d.lacks(`^two:`)
	d.says(`2 findings in 1 of 2 rows`)
	d.run(1, "curate cloze check rows.jsonl")
	d.prints(`^two: passage: there are 1 blanks, not 30 \(count\)$`)
	d.run(1, "curate cloze check rows.jsonl --blanks 0 --json")
	d.prints(`^{"uuid":"two","findings":\[\]}$`)
	d.refuse(1, "curate cloze check broken.jsonl", `broken.jsonl:2: `)

	// Drafts are asked for in one run, which needs a model and a folder.
	d.refuse(2, "curate cloze draft descriptions.jsonl --out drafts", `name the model that writes and mends with --drafter`)
	d.run(0, "curate cloze draft descriptions.jsonl --drafter scripted/drafter.json --dry-run")
	d.prints(`^1 descriptions, drafted by scripted/drafter.json`)

	// A model that never writes 30 blanks is asked three times, and its draft is rejected.
	d.run(3, "curate cloze draft descriptions.jsonl --drafter scripted/drafter.json --out drafts --quiet")
	d.prints(`^0 rows are sound, 1 are not; 0 blanks were repaired; 1 descriptions were sent back or are empty`, `^3 calls`)
	d.says(`1 of 1 drafts are not sound`)
	d.holds(`drafts/rejected.jsonl`, `"uuid":"one","why":"it has no JSON object"`)
	d.holds(`drafts/rejected.jsonl`, `"uuid":"back","why":"people sent the description back: wrong clip"`)
	d.run(3, "curate cloze draft descriptions.jsonl --drafter scripted/drafter.json --out drafts --quiet")
	d.prints(`^3 calls`)
	d.refuse(2, "curate cloze draft descriptions.jsonl --drafter scripted/drafter.json --rounds 1 --out drafts", `drafts holds results of another run`)

	// Results of a run that was written over keep its name until there are others.
	d.copy(`drafts/run.json`, `before.json`)
	d.run(1, "curate cloze draft descriptions.jsonl --drafter scripted/missing.json --out drafts --force --quiet")
	d.same(`drafts/run.json`, `before.json`)
	d.run(3, "curate cloze draft descriptions.jsonl --drafter scripted/drafter.json --rounds 1 --out drafts --force --quiet")
	if fixture.Read(t, "drafts/run.json") == fixture.Read(t, "before.json") {
		t.Error("--force leaves the results of the other run")
	}
}

const curateClozeMendFiles = `
-- rows.jsonl --
{"uuid": "one", "cloze": {"passage": "A [BLANK_1] rings.", "blanks": [{"number": 1, "answer": "bell", "distractors": ["horn", "drum", "whistle"], "required_modality": "audio", "options": ["A: bell", "B: horn", "C: drum", "D: whistle", "E: not given"], "answer_index": 0, "answer_key": "A"}]}}
{"uuid": "two", "cloze": {"passage": "A [BLANK_1] falls.", "blanks": [{"number": 1, "answer": "cup", "distractors": ["fork", "spoon", "plate"], "required_modality": "visual"}]}, "mine": {"kept": 1}}
-- descriptions.jsonl --
{"uuid": "one", "caption": "A bell rings."}
-- drafter.json --
{}
-- judge.json --
{"two/guess/1": ["{\"1\": \"E\"}"], "two/guess/2": ["{\"1\": \"E\"}"], "two/guess/3": ["{\"1\": \"E\"}"],
 "one/guess/1": ["{\"1\": \"D\"}"], "one/guess/2": ["{\"1\": \"D\"}"], "one/guess/3": ["{\"1\": \"C\"}"]}
`

// A judge guesses a blank: it is found, corrected and not found again. Rows without findings do not change.
func TestCurateClozeTestAndMend(t *testing.T) {
	d := newDesk(t, curateClozeMendFiles)
	d.run(0, "curate cloze test rows.jsonl --judge scripted/judge.json --out tested --quiet")
	d.prints(`^guess +6 +0 +6 +3 +100.0 %`, `^guessable +1 +1`)
	d.holds(`tested/tested.jsonl`, `^{"uuid":"one","findings":\[{"check":"guessable","blank":1,"text":"bell"`)
	d.holds(`tested/tested.jsonl`, `^{"uuid":"two","findings":\[\],`)
	d.run(0, "curate cloze test rows.jsonl --judge scripted/judge.json --out tested --quiet")
	d.prints(`^6 calls`)

	// Correcting takes the findings, the descriptions and a model. A row of one blank has too few for the benchmark, and is not corrected.
	d.run(3, "curate cloze mend rows.jsonl --findings tested/tested.jsonl --descriptions descriptions.jsonl --drafter scripted/drafter.json --out mended --quiet")
	d.prints(`^1 rows are sound, 1 are not; 0 blanks were repaired`)
	d.holds(`mended/omni_cloze.jsonl`, `^{"uuid":"two","cloze":.*,"mine":\{"kept":1\}}$`)
	d.holds(`mended/rejected.jsonl`, `^{"uuid":"one","why":"5 findings are left after 0 rounds of mending: guessable, count, quota"`)
	d.refuse(2, "curate cloze mend rows.jsonl --findings tested/tested.jsonl --drafter scripted/drafter.json --out mended", `--descriptions`)
	d.refuse(1, "curate cloze mend rows.jsonl --findings rows.jsonl --descriptions descriptions.jsonl --drafter scripted/drafter.json --out other", `rows.jsonl:1: .*it is not of tested.jsonl`)
	d.refuse(2, "curate cloze test rows.jsonl --judge scripted/judge.json --blind-runs 0 --out other", `there is nothing to test`)
}
