package main

import (
	"testing"
)

const curateProjectFiles = `
-- misspelt.yaml --
recipe: mcif
sources: sources.jsonl
settings:
  build:
    include-vidoe: true
-- plain.yaml --
recipe: mcif
sources: sources.jsonl
settings:
  questions: {language: none}
-- talks.jsonl --
{"id": "one", "video_link": "https://aclanthology.org/one.mp4", "audio": "AUDIO/one.wav", "abstract": "About one. It is short.", "transcript": "Hello.", "lines": [{"source": "Hello.", "start": 0, "end": 1}]}
-- more.jsonl --
{"id": "one", "video_link": "https://aclanthology.org/one.mp4", "audio": "AUDIO/one.wav", "abstract": "About one. It is short.", "transcript": "Hello.", "lines": [{"source": "Hello.", "start": 0, "end": 1}]}
{"id": "two", "video_link": "https://aclanthology.org/two.mp4", "audio": "AUDIO/two.wav", "abstract": "About two. It is short.", "transcript": "Bye.", "lines": [{"source": "Bye.", "start": 0, "end": 1}]}
`

// A project of talks has a file and steps.
func TestCurateProjectOfTalks(t *testing.T) {
	d := newDesk(t, curateProjectFiles)
	d.run(0, "curate init talks --recipe mcif")
	d.prints(`omniscope curate run talks`)
	d.holds(`talks/curate.yaml`, `^recipe: mcif`)
	d.refuse(2, "curate init talks", `is there already: the project is made`)
	d.refuse(2, "curate init other --recipe mfic", `mcif`)
	d.refuse(2, "curate status nowhere", "make one with `omniscope curate init nowhere`")
	d.run(0, "curate status talks")
	d.prints(`^questions +people ask, verify, translate and review +ready`)
	d.refuse(2, "curate run talks", `the sources talks/sources.jsonl are not there: write the list`)
	d.run(0, "curate run talks --dry-run")
	d.prints(`^build: omniscope curate mcif build --source-dir talks --tables talks/steps/questions`)
	d.refuse(2, "curate run talks biuld", `there is no step "biuld": the steps are questions, segments, build`)

	// A flag that a step's command does not have is reported with its line.
	d.copy(`misspelt.yaml`, `talks/curate.yaml`)
	d.copy(`talks.jsonl`, `talks/sources.jsonl`)
	d.refuse(1, "curate run talks", "curate.yaml: line 5: `omniscope curate mcif build` has no flag --include-vidoe.*--include-video")

	// A step that has not begun cannot be done again.
	d.copy(`plain.yaml`, `talks/curate.yaml`)
	d.copy(`talks.jsonl`, `talks/sources.jsonl`)
	d.refuse(2, "curate run talks --redo build", `step build has not begun: there is nothing to do again`)

	// The step for people is made once, and the same command waits for them.
	d.run(0, "curate run talks")
	d.prints(`step questions waits for people: 3 of 3 items`, `omniscope people serve talks/steps/questions/project --media talks`)
	d.run(0, "curate run talks")
	d.lacks(`/join/`)
	d.prints(`waits for people`)
	d.run(0, "curate status talks --json")
	d.prints(`waiting for people: 3 of 3 open`)
	d.refuse(2, "curate export talks --out exported", `step questions is not done \(waiting\)`)
	d.gone(`exported`)
	d.refuse(2, "curate trace talks one", `has written anything of the item "one"`)

	// The sources changed: the step does not continue.
	d.copy(`more.jsonl`, `talks/sources.jsonl`)
	d.refuse(2, "curate run talks", `step questions was done with other settings.*--redo questions`)
	d.run(0, "curate run talks --redo questions")
	d.says(`the results of step questions were put aside to talks/put-aside/questions-`)
	d.prints(`waits for people: 6 of 6 items`)
}

const curateQuestionsFiles = `
-- talks.jsonl --
{"id": "one", "video": "one.mp4", "abstract": "We count sheep.", "lines": [{"source": "I am Ada. We count sheep.", "start": 0, "end": 9}, {"source": "We stop.", "start": 9, "end": 12}]}
-- people.jsonl --
{"talk": "one", "number": 1, "origin": "general", "label": "A", "question": "Who speaks?", "answer": "Ada is the speaker.", "state": "verified"}
{"talk": "one", "number": 2, "origin": "general", "label": "A", "question": "Is it late?", "answer": "It is very late.", "state": "verified"}
{"talk": "one", "number": 3, "origin": "general", "label": "A", "question": "No", "answer": "No", "state": "rejected"}
-- empty.json --
{"one/abstract": ["I cannot do that."]}
-- drafter.json --
{"one/abstract": ["{\"questions\": [\"What is counted?\", \"Where are they counted?\", \"Why are they counted?\"]}"],
 "one/talk": ["{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"Sheep\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}", "{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"Sheep\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}", "{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"Sheep\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}"],
 "one/repair/4": ["{\"question\": \"What is counted?\", \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}"],
 "one/repair/7": ["I cannot do that.", "I cannot do that.", "I cannot do that."]}
-- down.json --
{"one/abstract": ["{\"questions\": [\"What is counted?\", \"Where are they counted?\", \"Why are they counted?\"]}"],
 "one/talk": ["{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}", "{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}", "{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}"],
 "one/repair/4": ["{\"question\": \"What is counted?\", \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}"],
 "one/repair/7": [null, null, null]}
-- short.json --
{"one/abstract": ["{\"questions\": [\"What is counted?\", \"Where are they counted?\", \"Why are they counted?\"]}"], "one/talk": ["{\"given\": [{\"number\": 1, \"answer\": \"Her name is Ada.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 2, \"answer\": \"It has one author.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 3, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 4, \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}, {\"number\": 5, \"answer\": \"\", \"label\": \"NA\", \"from\": []}, {\"number\": 6, \"answer\": \"They do it for fun.\", \"label\": \"A\", \"from\": [\"T1\"]}], \"further\": [{\"question\": \"Do they stop?\", \"answer\": \"They stop at once.\", \"label\": \"A\", \"from\": [\"T2\"]}]}", null, null], "one/repair/4": ["{\"question\": \"What is counted?\", \"answer\": \"They count sheep.\", \"label\": \"A\", \"from\": [\"T1\"]}"], "one/repair/7": [null, null, null]}
-- judge.json --
{"one/blind/answer": ["{\"1\": \"NONE\", \"2\": \"One.\", \"3\": \"NONE\", \"4\": \"NONE\", \"5\": \"NONE\", \"6\": \"NONE\"}"], "one/blind/grade": ["{\"2\": \"right\"}"],
 "one/sound/answer": ["{\"1\": \"Ada.\", \"2\": \"One.\", \"3\": \"NONE\", \"4\": \"Sheep.\", \"5\": \"NONE\", \"6\": \"For fun.\"}"], "one/sound/grade": ["{\"1\": \"right\", \"2\": \"right\", \"4\": \"right\", \"6\": \"right\"}"]}
`

// A draft is kept where a model never asks enough. Questions that are unsound after correcting are rejected, and missing ones are reported.
func TestCurateQuestionsDraft(t *testing.T) {
	d := newDesk(t, curateQuestionsFiles)
	d.run(0, "curate questions draft talks.jsonl --drafter scripted/drafter.json --rounds 1 --out drafts --quiet")
	d.says(`for 1 of 1 talks nothing says what is to be seen \(--seen\)`, `talk one has too few questions: 0 from the transcript, not 4, 4 A, not 7; people`)
	d.prints(`^6 questions are sound, 1 are not; 1 were repaired; 0 of 1 talks have no draft`)
	d.holds(`drafts/questions.jsonl`, `^{"talk":"one","number":4,"origin":"abstract","label":"A","question":"What is counted\?","answer":"They count sheep\.","start":0,"end":9,"state":"drafted","author":"scripted/drafter.json","from":\["T1"\],"notes":\["rests on T1 \(0\.0 to 9\.0 s\): I am Ada\. We count sheep\."\]}$`)
	d.holds(`drafts/rejected.jsonl`, `^{"talk":"one","why":"findings are left after 1 rounds of mending: closed; the last asking to mend it brought nothing: it has no JSON object.*"repairs":\[{"number":7,"round":1,"outcome":"unparsed"`)
	d.holds(`drafts/drafts.jsonl`, `"mended":\[4\]`)

	// The same command makes no call again, with any other name of the file.
	d.run(0, "curate questions draft ./talks.jsonl --drafter scripted/drafter.json --rounds 1 --out drafts --quiet")
	d.prints(`^6 questions are sound`)

	// Other flags do not write over results.
	d.refuse(2, "curate questions draft talks.jsonl --drafter scripted/drafter.json --rounds 2 --out drafts --quiet", `drafts holds results of another run`)
	d.run(0, "curate questions draft talks.jsonl --drafter scripted/drafter.json --out drafts --dry-run")
	d.prints(`^1 talks, drafted by scripted/drafter.json; repairs take further calls, at most 9 for each question`)

	// A call that fails is not the model's answer: the question is rejected for now, the talk counts as a failure, and the same command asks again.
	d.run(3, "curate questions draft talks.jsonl --drafter scripted/down.json --rounds 1 --out down --quiet --max-retries 0")
	d.prints(`^6 questions are sound, 1 are not; 0 were repaired; 0 of 1 talks have no draft`)
	d.says(`calls to repair questions of 1 talks failed`, `1 of 1 talks have no draft, or a call to repair one of their questions failed`)
	d.holds(`down/rejected.jsonl`, `"repairs":\[{"number":7,"round":1,"outcome":"failed","why":".*","asked":3,"failed":true}\]`)
	d.holds(`down/drafts.jsonl`, `"repairs":\[{"number":7,"round":1,"outcome":"failed"`)
	d.run(3, "curate questions draft talks.jsonl --drafter scripted/short.json --rounds 1 --out short --quiet --max-retries 0")
	d.prints(`1 of 1 talks have no draft`)

	// An input is not written over, and results of another run are never labelled as this one's.
	d.refuse(2, "curate questions test drafts/questions.jsonl --talks talks.jsonl --judge scripted/judge.json --out drafts --force --quiet", `would write over drafts/questions.jsonl, which is read`)
	d.copy(`drafts/run.json`, `before.json`)
	d.run(1, "curate questions draft talks.jsonl --drafter scripted/missing.json --out drafts --force --quiet")
	d.same(`drafts/run.json`, `before.json`)
	d.holds(`drafts/run.json`, `"schema": "omniscope.model-run/1"`)

	// A talk without a draft is a failure.
	d.run(3, "curate questions draft talks.jsonl --drafter scripted/empty.json --out none --quiet")
	d.prints(`1 of 1 talks have no draft`)
	d.holds(`none/rejected.jsonl`, `^{"talk":"one","why":`)
	d.refuse(2, "curate questions draft talks.jsonl --out none", `name the model that asks and answers with --drafter`)
	d.refuse(2, "curate questions draft talks.jsonl --drafter scripted/empty.json --out other --rounds -1", `--rounds must not be negative`)
	d.refuse(1, "curate questions draft talks.jsonl --drafter scripted/empty.json --out other --seen missing", `what is seen in the talks`)
}

// A program checks questions of models and people. A judge who hears the talk answers, and one who
// does not guesses one.
func TestCurateQuestionsCheckAndTest(t *testing.T) {
	d := newDesk(t, curateQuestionsFiles)
	d.run(0, "curate questions draft talks.jsonl --drafter scripted/drafter.json --rounds 1 --out drafts --quiet")
	d.run(0, "curate questions check drafts/questions.jsonl --talks talks.jsonl")
	d.prints(`^6 questions about 1 talks, nothing found`)
	d.run(1, "curate questions check people.jsonl --talks talks.jsonl")
	d.prints(`^one: question 2: "Is": yes or no answers the question`)
	d.says(`1 findings in 2 questions`)
	d.run(1, "curate questions check people.jsonl --talks talks.jsonl --json")
	d.prints(`^{"talk":"one","check":"closed","number":2,"text":"Is",`)
	d.refuse(2, "curate questions check people.jsonl", `name the talks with --talks`)

	d.run(0, "curate questions test drafts/questions.jsonl --talks talks.jsonl --judge scripted/judge.json --blind-runs 1 --out tested --quiet")
	d.prints(`^one: question 2: "How many authors does the paper have\?": it is answered right without the talk \(in 1 of 1 runs\) \(guessable\)`, `^sound +A +1 +0 +4 +4 +4 +100.0 %`, `^guessable +1 +1`)
	d.holds(`tested/tests.md`, `^\| sound `)
	d.holds(`tested/tests.json`, `"name": "findings"`)
	d.holds(`tested/questions.jsonl`, `"number":2,.*"notes":\["rests on T1 .*","guessable: it is answered right without the talk \(in 1 of 1 runs\)"\]`)
	d.run(0, "curate questions test drafts/questions.jsonl --talks talks.jsonl --judge scripted/judge.json --dry-run")
	d.prints(`^6 questions about 1 talks, answered and compared by scripted/judge.json`, `^calls to make  4 \(2 more are remembered\); at most 10`, `^cost `)

	// People continue from there.
	d.run(0, "people new mcif project --talks talks.jsonl --questions tested/questions.jsonl --language none")
}

const curateReleaseFiles = `
-- sources.jsonl --
{"id":"1","file":"raw/1.mp4","span":{"start":3,"end":13},"licence":"CC-BY-4.0","origin":"Films","url":"https://example.org/1"}
{"id":"2","file":"raw/2.mp4","span":{"start":0,"end":20},"licence":"CC-BY-4.0","origin":"Films","url":"https://example.org/2"}
{"id":"3","file":"raw/3.mp4","span":{"start":5,"end":25},"licence":"CC0-1.0","url":"https://example.org/3"}
-- one.jsonl --
{"id":"1","licence":"CC-BY-4.0","url":"https://example.org/1"}
-- ids.txt --
0002
-- second.yaml --
name: kitchen-cloze
description: The second one.
version: 2.0.0
license: cc-by-4.0
languages: [en]
task_categories: [video-text-to-text]
annotations_creators: [machine-generated]
-- misspelt.yaml --
name: kitchen-cloze
licence: cc-by-4.0
-- agreement.json --
{"tables": [{"name": "agreement", "title": "Agreement", "columns": ["figure", "value"], "numbers": [1], "rows": [["raw agreement", "0.93"]]}]}
`

// Items are released with settings from the example.
func TestCurateRelease(t *testing.T) {
	d := newDesk(t, curateReleaseFiles)
	d.run(0, "curate release --example-settings")
	d.write("release.yaml", d.out)
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --out kitchen")
	d.prints(`^test +3 items`, `^version 1.0.0, digest [0-9a-f]{64}$`, `^7 files in kitchen$`)
	d.says(`warning: croissant.json lacks what Croissant 1.0 asks for: the settings have no homepage, no date`)
	d.same(`kitchen/data/test.jsonl`, `clips.jsonl`)
	d.holds(`kitchen/README.md`, `^license: cc-by-4.0$`)
	d.holds(`kitchen/README.md`, `^\| CC-BY-4.0 \| cc-by-4.0 \| 2 \| 2 \| yes \|`)
	d.holds(`kitchen/croissant.json`, `splits/name`)

	// The released rows have the scores of the original rows.
	d.run(0, "eval omni-cloze -p clips.jsonl --system one --out before")
	d.run(0, "eval omni-cloze -p kitchen/data/test.jsonl --system one --out after")
	d.same(`before/blanks.jsonl`, `after/blanks.jsonl`)

	// The same input gives the same files, and no file is written over.
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --out again")
	d.same(`again/data/test.parquet`, `kitchen/data/test.parquet`)
	d.same(`again/README.md`, `kitchen/README.md`)
	d.same(`again/croissant.json`, `kitchen/croissant.json`)
	d.refuse(2, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --out kitchen", `kitchen holds a release already: name another one with --out, or replace it with --force`)
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --out kitchen --force")

	// Without an item it is another version.
	d.refuse(1, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --without ids.txt --previous kitchen --out kitchen-2", `0 items changed, 0 are new and 1 are gone since version 1.0.0, and the version is still 1.0.0: set version to 2.0.0 \(0002\)`)
	d.gone(`kitchen-2`)
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings second.yaml --without ids.txt --previous kitchen --out kitchen-2")
	d.prints(`^left out +1 items on request`, `^since 1.0.0: 0 changed, 0 added, 1 removed`)
	d.holds(`kitchen-2/CHANGES.md`, `^- 0002$`)
	d.holdsNo(`kitchen-2/data/test.jsonl`, `Rain falls`)

	// Agreement of people is shown; items without a licence are refused.
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --agreement agreement.json --out agreed")
	d.holds(`agreed/README.md`, `raw agreement \| 0.93 \|`)
	d.refuse(1, "curate release clips.jsonl --sources one.jsonl --settings release.yaml --out refused", `2 items of clips.jsonl have no licence: add it in one.jsonl, or leave them out with --without-unlicensed: 0002, 0003`)
	d.gone(`refused`)
	d.run(0, "curate release clips.jsonl --sources one.jsonl --settings release.yaml --out one --without-unlicensed")
	d.prints(`^left out +2 items without a licence`)

	// Wrong settings and usage.
	d.refuse(1, "curate release clips.jsonl --sources sources.jsonl --settings misspelt.yaml --out bad", `misspelt.yaml: line 2: there is no field "licence"; did you mean license\?`)
	d.refuse(2, "curate release", `name the file of rows`)
	d.refuse(2, "curate release clips.jsonl --out x", `--settings`)
	d.refuse(2, "curate release clips.jsonl --settings release.yaml", `--out`)
}
