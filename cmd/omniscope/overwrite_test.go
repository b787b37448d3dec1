package main

import (
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

const overwriteFiles = `
-- notes.md --
my own notes
-- notes2.md --
more notes
-- force.env --
OMNISCOPE_FORCE=true
-- caption.txt --
A red car.
-- clip.mp4 --
no clip
-- weights.bin --
no weights
-- annotations.jsonl --
{"video_id": "hall", "duration": 60.5, "events": {"main_sbj_evts": ["<guard> opens the door", "<girl> sits down"], "main_sbj_ints": ["<guard> scolds <girl>"], "bg_desc": ["Rain falls on the roof"], "trans_desc": ["The view moves outside"], "minor_evts": []}}
{"video_path": "videos/roof.mp4", "duration": 301, "events": {"main_sbj_evts": [], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": ["A dog barks"]}}
-- captions.jsonl --
{"video_id": "roof", "caption": "A dog barks."}
{"video_id": "hall", "caption": "A tall guard opens the door. The man in uniform scolds a girl, who sits down on a chair. Then we are outside."}
` + mcifFiles

// mcifFiles are references of MCIF and the output of a system.
const mcifFiles = `-- ref.xml --
<testset name="MCIF1.0">
  <task track="long" text_lang="de">
    <sample id="0" iid="TRANS_t1" task="TRANS">
      <audio_path>a.wav</audio_path>
      <reference>Eins.
Zwei.</reference>
      <metadata>
        <transcript>One.
Two.</transcript>
      </metadata>
    </sample>
    <sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="Abstract">
      <audio_path>a.wav</audio_path>
      <reference>Anna</reference>
    </sample>
    <sample id="2" iid="QA_t1_2" task="QA" qa_type="AV" qa_origin="Abstract">
      <audio_path>a.wav</audio_path>
      <reference>X</reference>
    </sample>
    <sample id="3" iid="SUM_t1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>Zahlen</reference>
    </sample>
  </task>
</testset>
-- out.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="de">
    <sample id="0">Einer. Zwei.</sample>
    <sample id="1">Anna</sample>
    <sample id="2" />
    <sample id="3">Zahlen</sample>
  </task>
</testset>
`

// The folder that --out names is written to only if it is new, empty, or holds results of the
// same run. A refusal comes before the first call.
func TestOverwriteResults(t *testing.T) {
	d := newDesk(t, overwriteFiles)
	server := serve(t, fake.Config{Model: "mock"})
	t.Setenv("OPENAI_BASE_URL", server.URL())
	moreCaptions(d)
	asked := func(n int) {
		t.Helper()
		if got := server.Stats().Requests; got != n {
			t.Errorf("the server was asked %d times, want %d", got, n)
		}
	}

	// A user's own report.
	d.copy(`notes.md`, `mine/report.md`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/mock --out mine", `mine holds what is no result of this run \(report.md\): name another one with --out, or replace it with --force`)
	d.same(`mine/report.md`, `notes.md`)
	asked(0)

	// Its own results, several times, also in an empty folder.
	d.write("new/.lock", "")
	d.remove("new/.lock")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge openai/mock --out new")
	asked(3)
	d.run(0, "eval omni-cloze -p clips.jsonl --judge openai/mock --out new")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge openai/mock")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge openai/mock")
	asked(3)

	// Another run: other flags, other inputs.
	d.copy(`new/report.md`, `before.md`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --judge openai/mock,temperature=1 --out new", `new holds the results of another run, [0-9a-f]+ of clips; this is [0-9a-f]+, with other inputs, flags, addresses or another version: name another one with --out, or replace it with --force`)
	d.run(2, "eval omni-cloze -p two.jsonl --judge openai/mock --out new")
	d.same(`new/report.md`, `before.md`)
	asked(3)
	d.run(2, "eval capricorn -d annotations.jsonl -p captions.jsonl --out new")
	d.refuse(2, "eval omni-cloze -p clips.jsonl -p two.jsonl --judge openai/mock --out new", `new holds what is no result of these runs \(blanks.jsonl, `)
	asked(3)
	d.run(0, "eval omni-cloze -p clips.jsonl --judge openai/mock,temperature=1 --out new --force")
	if fixture.Read(t, "new/report.md") == fixture.Read(t, "before.md") {
		t.Error("--force leaves the report of the other run")
	}
	asked(6)

	// Files of another run do not stay among ours.
	d.run(0, "eval capricorn -d annotations.jsonl -p captions.jsonl --out new --force")
	d.exist(`new/keypoints.jsonl`)
	d.gone(`new/blanks.jsonl`)
	d.copy(`notes.md`, `new/notes.md`)
	d.run(0, "eval omni-cloze -p clips.jsonl --out new --force")
	d.gone(`new/keypoints.jsonl`)
	d.exist(`new/blanks.jsonl`)
	d.same(`new/notes.md`, `notes.md`)
}

// moreCaptions makes files of the captions of two further systems.
func moreCaptions(d *desk) {
	for _, n := range []string{"two", "three"} {
		d.write(n+".jsonl", strings.ReplaceAll(fixture.Read(d.t, "clips.jsonl"), `predicted_caption":"`, `predicted_caption":"In `+n+` words: `))
	}
}

// Several runs and their tables are in one folder. A further run needs no other folder.
func TestOverwriteTables(t *testing.T) {
	d := newDesk(t, overwriteFiles)
	moreCaptions(d)
	d.copy("notes.md", "mine/report.md")
	d.run(0, "eval omni-cloze -p clips.jsonl --out new")
	d.run(0, "eval omni-cloze -p clips.jsonl -p two.jsonl --out several")
	d.run(0, "eval omni-cloze -p clips.jsonl -p two.jsonl --out several")
	d.run(0, "eval omni-cloze -p clips.jsonl -p two.jsonl -p three.jsonl --out several")
	d.refuse(2, "eval omni-cloze -p clips.jsonl -p two.jsonl --out several", `several holds`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl -p two.jsonl --seed 5 --out several", `holds the results of another run`)
	d.run(0, "eval omni-cloze -p clips.jsonl -p two.jsonl --seed 5 --out several --force")

	// The tables of compare.
	d.refuse(2, "compare several/clips-offline several/two-offline --out mine", `mine holds what is no result of these runs \(report.md\)`)
	d.run(0, "compare several/clips-offline several/two-offline --out tables")
	d.run(0, "compare several/clips-offline several/two-offline --out tables")
	d.refuse(2, "compare several/clips-offline new --out tables", `tables holds what is no result of these runs \(tables.json, tables.md\)`)
	d.run(0, "compare several/clips-offline several/two-offline --out mine --force")
	d.same(`mine/report.md`, `notes.md`)
}

// A file is written over by the same command, or with --force.
func TestOverwriteFiles(t *testing.T) {
	d := newDesk(t, overwriteFiles+"-- judge.json --\n{}\n")
	d.run(3, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json")
	d.refuse(2, "journal export --out notes.md", `notes.md is there already and was not written by the same command`)
	d.run(0, "journal export --out calls.jsonl")
	d.run(0, "journal export --out calls.jsonl")
	d.run(0, "journal export --out notes2.md --force")
	d.refuse(2, "data import weights.bin --out notes.md", `notes.md is there already`)
	d.refuse(2, "audit caption.txt clip.mp4 --out notes.md", `notes.md is there already`)
	d.refuse(2, "eval mcif -s out.xml -r ref.xml -t long -l de --write-output notes.md --scorers lengths --out m1", `notes.md is there already`)
	d.run(0, "eval mcif -s out.xml -r ref.xml -t long -l de --write-output written.xml --scorers lengths --out m1")
	d.run(0, "eval mcif -s out.xml -r ref.xml -t long -l de --write-output written.xml --scorers lengths --out m1")
	d.refuse(2, "eval mcif -s out.xml -r ref.xml -t long -l de --scorers lengths --limit 1 --out m1", `m1 holds the results of another run`)

	// A .env cannot force.
	d.copy(`force.env`, `.env`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --out m1", `m1 holds the results of another run`)
}
