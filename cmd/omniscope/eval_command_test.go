package main

import (
	"bytes"
	"os"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/results/tablefile"
)

// The exit code reports how a run ended. The results are printed with any exit code.
func TestExitCodesOfEval(t *testing.T) {
	d := newDesk(t, `
-- judge.json --
{"0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"], "0002": [{"error": "declined"}], "0003": []}
-- people.json --
{"0001": [{"error": "unanswered"}], "0002": [{"error": "unanswered"}], "0003": [{"error": "unanswered"}]}
-- broken.jsonl --
nothing
`)
	mock := serve(t, fake.Config{Model: "mock"})
	d.run(0, "eval omni-cloze -p clips.jsonl")
	d.prints(`samples +3: 3 ok`, `written to omniscope-work/runs/omni-cloze-clips-.*: report.md results.json results.csv blanks.jsonl`, `^next +omniscope leaderboard omni-cloze omniscope-work/runs/omni-cloze-clips-\S+\n\z`)
	d.saysNothing()
	d.run(0, "eval omni-cloze -p clips.jsonl --json")
	d.prints(`"status": "scored"`)
	d.lacks(`written to`)
	d.refuse(1, "eval omni-cloze -p broken.jsonl", `broken.jsonl:1: not JSON`)
	d.refuse(2, "eval omni-cloze -p clips.jsonl --sample 0009", `no such uuid in clips.jsonl: 0009`)
	d.refuse(3, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json", `^omniscope: too many failures: judging failed for 2 of 3 samples`)
	d.prints(`samples +3: 1 ok, 1 refused, 1 failed`)
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --max-failures 1")
	d.prints(`^failures +1 refused, 1 failed of 3 samples; commonest reason: .+ \(1 question\)$`, `^next +omniscope leaderboard .+\n\z`)
	d.refuse(3, "eval omni-cloze -p clips.jsonl --judge scripted/people.json", `no score`)
	d.saysNo(`too many failures`)
	d.refuse(4, "eval omni-cloze -p clips.jsonl --judge openai/mock,base-url="+mock.URL()+" --max-calls 2", `--max-calls 2 is used up`)
}

func TestSeveralRunsCompared(t *testing.T) {
	d := newDesk(t, `
-- a.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
-- b.jsonl --
{"uuid": "0001", "caption": "Somebody barks."}
`)
	d.run(0, "eval omni-cloze -d clips.jsonl -p a.jsonl -p b.jsonl --judge offline --out all")
	d.prints(`system     a`, `system     b`, `could not be tested|better than|no difference`)
	d.exist("all/a-offline/results.json", "all/b-offline/results.json", "all/tables.md")
}

func TestFlagsOfEval(t *testing.T) {
	d := newDesk(t, `
-- annotations.jsonl --
{"video_id": "hall", "duration": 60.5, "events": {"bg_desc": ["Rain falls on the roof"]}}
-- captions.jsonl --
{"video_id": "hall", "caption": "Rain."}
-- out.xml --
<testset name="n" type="output"><task track="long" text_lang="en"><sample id="1">a b</sample></task></testset>
-- ref.xml --
<testset name="n"><task track="long" text_lang="en"><sample id="1" iid="ASR_1" task="ASR"><audio_path>a</audio_path><reference>a b</reference></sample></task></testset>
`)
	d.refuse(2, "eval capricorn -d annotations.jsonl -p captions.jsonl --judge-mode both", `--judge-mode is single or batched, not "both"`)
	d.refuse(2, "eval capricorn -p captions.jsonl", "give the benchmark's file with --data FILE, or download it with .omniscope data get capricorn")
	d.refuse(2, "eval omni-cloze -p clips.jsonl --max-input-size much", `want a size such as 500MB or 2GiB`)

	mcif := "eval mcif -s out.xml -r ref.xml -t long -l en "
	d.refuse(2, "eval mcif", `give a system.s outputs with --hypothesis FILE, or a folder of output files with --systems DIR`)
	d.refuse(2, "eval mcif -s out.xml -r ref.xml -t tall -l en --compat", `--track is short or long, not "tall"`)
	d.run(2, "eval mcif -s out.xml -r ref.xml -t long --compat")
	d.run(2, "eval mcif -s out.xml -r ref.xml -t long -l ''")
	d.refuse(2, mcif+"-m smell", `--filter-modality is audio, text or video, not "smell"`)
	d.refuse(2, mcif+"-v 2.0", `--mcif-version is 1.0 or 1.1, not "2.0"`)
	d.refuse(2, mcif+"--scorers bleu", `--scorers is published or lengths, not "bleu"`)
	d.refuse(2, mcif+"--scoring lenient", `--scoring is official or strict, not "lenient"`)
	d.refuse(2, mcif+"--no-cache --cache-dir kept", `give --cache-dir or --no-cache, not both`)
	d.refuse(2, "eval mcif out.xml", `name the --track`)
	d.refuse(1, "eval capricorn -d annotations.jsonl annotations.jsonl", `annotations.jsonl is the file of capricorn itself: name the file with what a system said`)
	d.run(3, "eval capricorn -d annotations.jsonl captions.jsonl --quiet --out results")
	d.refuse(1, "eval capricorn -d annotations.jsonl results", `results has the results of a run on captions.jsonl, which has its predictions`)
	d.refuse(2, "eval mcif --reverence ref.xml", `unknown flag: --reverence`)

	// The flags of the published program have letters and names. What stops it has exit code 0.
	d.run(0, mcif+"-m audio --models-dir none")
	d.prints(`no score: the published scorer stops .* scoring strict has`, `^strict +2 +0\.0`)
	letters := d.out
	d.run(0, "eval mcif --hypothesis out.xml --reference ref.xml --track long --language en --filter-modality audio --models-dir none")
	if d.out != letters {
		t.Errorf("by names it prints\n%s\nby letters\n%s", d.out, letters)
	}
	d.run(0, "eval mcif -s absent.xml -r ref.xml -t long -l en --compat")
	d.prints(`\A\{"state": "ERROR", "reason": "\[Errno 2\] No such file or directory: 'absent.xml'", "scores": \{\}\}\n\z`)
	d.saysNothing()
}

const systemsFiles = `
-- references/MCIF1.0.IF.long.en.ref.xml --
<testset name="MCIF1.0">
  <task track="long" text_lang="en">
    <sample id="0" iid="ASR_t1" task="ASR">
      <audio_path>a.wav</audio_path>
      <reference>The cat sat on the mat.</reference>
    </sample>
    <sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="General">
      <audio_path>a.wav</audio_path>
      <text_path>a.en</text_path>
      <reference>a cat</reference>
    </sample>
    <sample id="2" iid="SUM_t1" task="SUM">
      <audio_path>a.wav</audio_path>
      <reference>cats sit</reference>
    </sample>
  </task>
</testset>
-- outputs/me/audio_long_en_fixed_me_output.xml --
<testset name="invented" type="output">
  <task track="long" text_lang="en">
    <sample id="0">the cat sat on a mat</sample>
    <sample id="1">a cat</sample>
    <sample id="2">cats</sample>
  </task>
</testset>
`

// A name may be given by other names of a flag. A variable does not replace the other name of a
// flag on the command line.
func TestOtherNamesOfFlags(t *testing.T) {
	d := newDesk(t, systemsFiles)
	flags := " outputs/me/audio_long_en_fixed_me_output.xml -t long -l en --out named --models-dir none"
	d.run(0, "eval mcif --system mine -r references -s"+flags)
	d.prints(`system +mine`)
	d.run(0, "eval mcif --name mine -d references -p"+flags)
	d.prints(`system +mine`)
	t.Setenv("OMNISCOPE_HYPOTHESIS", "absent.xml")
	d.run(0, "eval mcif --system mine -r references -p"+flags)
}

// Stand-in scorers make a baseline, and this is written where such a run is shared, although no
// judge was asked.
func TestStandInRunsShared(t *testing.T) {
	d := newDesk(t, mcifFiles+`-- rest.xml --
<?xml version='1.0' encoding='utf-8'?>
<testset name="rest" type="output">
  <task track="long" text_lang="de">
    <sample id="0">Eins &amp; zwei</sample>
    <sample id="1">Anna</sample>
    <sample id="2" />
    <sample id="3">Zahlen</sample>
  </task>
</testset>
`)
	d.run(0, "eval mcif -s out.xml -r ref.xml -t long -l de --scorers lengths --breakdown-qa-types --out parts")
	d.run(0, "export parts --as markdown")
	d.prints(`Baseline, compares with no published scores: out\.`)
	d.run(0, "export parts --as model-index")
	d.prints(`TRANS-COMET, scoring official, n 1–2, baseline \(compares with no published scores\)`)
	d.run(0, "push parts shared --yes")
	d.holds("shared/README.md", `\| none \(baseline: compares with no published scores\) \|`)
	d.run(0, "eval mcif -s rest.xml -r ref.xml -t long -l de --scorers lengths --out rest")
	d.run(0, "compare parts rest")
	d.prints(`out, rest: baseline, not comparable with\s+published scores`)
}

// Rows without the benchmark's own id are found by their media, and files may be arguments.
func TestIDsOfOtherFields(t *testing.T) {
	d := newDesk(t, `
-- data.json --
[{"id": "a", "audio_id": "./x/a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"},
{"id": "b", "audio_id": "./x/b.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Woman", "task": "sound", "difficulty": "hard"}]
-- answers.jsonl --
{"audio": "a.wav", "model_output": "Man", "key": 1}
{"audio": "b", "model_output": "Man", "key": 2}
-- other.jsonl --
{"key": "a", "model_output": "Man"}
{"key": "c", "model_output": "Man"}
-- captions.jsonl --
{"video": "deep/1.mp4", "caption": "A dog barks."}
{"video": "v/2.mp4", "caption": "Rain falls."}
{"video": "3.mp4", "caption": "A cook."}
-- responses.jsonl --
{"video": "v/2.mp4", "response": "Rain falls."}
{"video": "3.mp4", "response": "A cook."}
{"video": "1.mp4", "response": "A dog barks."}
-- annotations.jsonl --
{"video_id": "hall", "duration": 60.5, "events": {"bg_desc": ["Rain falls on the roof"]}}
-- halls.jsonl --
{"path": "/clips/hall.mp4", "caption": "Rain falls on the roof."}
`)
	d.run(0, "eval mmau answers.jsonl -d data.json --quiet")
	d.prints(`ids: taken from "audio" as names of the media`, `accuracy 50\.0`)
	d.refuse(1, "eval mmau other.jsonl -d data.json --quiet", `the row has no id.*"key" names samples in 1 of 2 rows: take it with --id-field key`)
	d.run(0, "eval mmau other.jsonl -d data.json --quiet --id-field key")
	d.prints(`ids: taken from "key" as ids \(1 of 2 rows; the others are left out\)`)
	d.refuse(2, "eval mmau answers.jsonl -d data.json --quiet --id-field kex", `--id-field kex: answers.jsonl:1: no field "kex" .*did you mean`)
	d.run(0, "eval omni-cloze captions.jsonl -d clips.jsonl --quiet")
	d.prints(`ids: taken from "video" as names of the media`, `samples +3: 3 ok`)
	d.run(0, "eval omni-cloze responses.jsonl -d clips.jsonl --quiet")
	d.prints(`ids: taken from "video" as names of the media`, `samples +3: 3 ok`, `next +omniscope compare omniscope-work/runs/omni-cloze-captions-\S+ omniscope-work/runs/omni-cloze-responses-`)
	d.refuse(2, "eval omni-cloze clips.jsonl --id-field video", `--id-field is for captions in a file of their own`)
	d.run(3, "eval capricorn halls.jsonl -d annotations.jsonl --quiet")
	d.prints(`ids: taken from "path" as names of the media`, `samples +1: 1 ok`)
}

// Runs of several benchmarks are one table, next to the published rows.
func TestLeaderboardAcrossBenchmarks(t *testing.T) {
	d := newDesk(t, `
-- data.json --
[{"id": "a", "audio_id": "./x/a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"},
{"id": "b", "audio_id": "./x/b.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Woman", "task": "sound", "difficulty": "hard"}]
-- captions.jsonl --
{"audio_id": "a.wav", "caption": "A man speaks."}
{"audio_id": "b.wav", "caption": "Somebody speaks."}
-- mmar.jsonl --
{"id": "m", "audio_path": "./x/b.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "modality": "speech"}
-- both.json --
{"a": ["A"], "b": ["N/A"], "m": ["A"]}
`)
	t.Setenv("OPENAI_API_KEY", "sk-test-0123456789")
	for _, captions := range []string{"captions.jsonl", "none"} {
		answered := " --captions " + captions + " --answerer scripted/both.json --work-dir w5 --quiet --out "
		d.run(0, "eval mmau --data data.json"+answered+"mmau-"+captions)
		d.run(0, "eval mmar --data mmar.jsonl"+answered+"mmar-"+captions)
	}
	runs := "mmau-captions.jsonl mmau-none mmar-captions.jsonl mmar-none"
	d.run(0, "leaderboard mmau,mmar "+runs+" --out board")
	d.prints(`system +answered by +mmau +mmar`, `captions † +scripted/both.json +50\.0 +100\.0`, `none † +scripted/both.json +50\.0 +100\.0`,
		`Gemini 2.5 Pro +published +70\.00 +64\.10`, `SALMONN-13B`)
	d.exist("board/leaderboard.md", "board/leaderboard.csv")
	d.refuse(2, "leaderboard mmau,mmra "+runs, `mmra.*mmar`)
	d.refuse(2, "leaderboard mmau,mmau", `mmau is named twice`)
	d.refuse(2, "leaderboard mmau,mmar --slice task=speech", `--slice is for one benchmark`)
	d.refuse(2, "leaderboard mmau,worldsense "+runs, `mmar-captions.jsonl is a run of mmar, which is not among`)
	d.run(0, "eval mmau --data data.json --captions captions.jsonl --answerer scripted/both.json --work-dir w5 --quiet --out again")
	d.refuse(2, "leaderboard mmau,mmar again "+runs, `are both runs of captions on mmau`)
}

// A released benchmark has the scores of the rows that it was made of.
func TestScoresOfRelease(t *testing.T) {
	d := newDesk(t, `
-- sources.jsonl --
{"id":"1","file":"raw/1.mp4","span":{"start":3,"end":13},"licence":"CC-BY-4.0","origin":"Films","url":"https://example.org/1"}
{"id":"2","file":"raw/2.mp4","span":{"start":0,"end":20},"licence":"CC-BY-4.0","origin":"Films","url":"https://example.org/2"}
{"id":"3","file":"raw/3.mp4","span":{"start":5,"end":25},"licence":"CC0-1.0","url":"https://example.org/3"}
-- texts.jsonl --
{"hyp": "one two three four", "ref": "one two three four"}
-- list.jsonl --
{"id": "one", "url": "one.mp4"}
{"id": "two", "url": "two.mp4"}
`)
	d.run(0, "curate release --example-settings")
	d.write("release.yaml", d.out)
	d.run(0, "curate release clips.jsonl --sources sources.jsonl --settings release.yaml --out kitchen")
	d.run(0, "eval omni-cloze -p clips.jsonl --system one --out lines --quiet")
	for dir, predictions := range map[string]string{"parquet": "kitchen/data/test.parquet", "folder": "kitchen", "split": "'kitchen#test'"} {
		d.run(0, "eval omni-cloze -p "+predictions+" --system one --out "+dir+" --quiet")
		d.same("lines/blanks.jsonl", dir+"/blanks.jsonl")
	}
	d.same("folder/results.csv", "split/results.csv")
	d.refuse(1, "eval omni-cloze -p 'kitchen#train'", `kitchen: it has no #train but #default/test`)
}

// Texts are also read from standard input, from packed files and from Parquet.
func TestTextsFromStandardInput(t *testing.T) {
	d := newDesk(t, `
-- lines.txt --
The lake froze in March.
Nobody skated on it.
-- rows.jsonl --
{"mt": "The lake froze in March.", "ref": "The lake froze in March."}
{"mt": "Nobody skated on it.", "ref": "Nobody skated on it."}
`)
	d.runWith("lines.txt", 0, "score bleu --hyp - --ref lines.txt")
	d.prints(`100.00`)
	d.runWith("rows.jsonl", 0, "score bleu --data - --as jsonl")
	d.prints(`100.00`)
	d.write("lines.txt.gz", fixture.Gzip(fixture.Read(t, "lines.txt")))
	d.runWith("lines.txt.gz", 0, "score normalize --scheme whisper-basic --plain")
	d.prints(`^nobody skated on it $`)
	var table bytes.Buffer
	fixture.OK(t, tablefile.Write(&table, "parquet", omniscope.Table{Name: "texts", Columns: []string{"hyp", "ref"}, Rows: [][]string{{"one two three four", "one two three four"}}}))
	d.write("texts.bin", table.String())
	d.run(0, "score bleu --data texts.bin")
	d.prints(`100.00`)
	d.write("clip.mp4", "\000\000\000\040ftypisom")
	d.refuse(1, "audit clip.mp4 clip.mp4", `clip.mp4 is an MP4`)
}

// An export is written into the file that is there: a link stays a link.
func TestExportIntoLink(t *testing.T) {
	d := newDesk(t, "-- judge.json --\n{}\n-- target --\n")
	d.run(3, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json")
	fixture.OK(t, os.Symlink("target", "link"))
	d.run(0, "journal export -o link")
	if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	d.holds("target", `"step":`)
}

// The tables of all systems in a folder are printed, and a line of the files that were written.
func TestSystemsCommand(t *testing.T) {
	d := newDesk(t, systemsFiles+`
-- outputs/notes.xml --
<notes/>
-- broken/audio_long_en_fixed_it_output.xml --
<testset name="invented" type="output"><task track="long" text_lang="en"><sample id="0">cats & dogs</sample></task></testset>
-- text/text_long_en_fixed_me_output.xml --
<testset name="invented" type="output"><task track="long" text_lang="en"><sample id="1">a cat</sample></task></testset>
`)
	d.run(0, "eval mcif --systems outputs -r references --scorers lengths -o tables")
	d.prints(`Overview \(the paper.s Table 2\)`, `written to tables: tables.md tables.json details.csv, and a folder for the one file`)
	d.says(`left out: outputs.notes.xml \(its name is not`)
	d.refuse(1, "eval mcif --systems broken -r references -o none", `audio_long_en_fixed_it_output.xml:[0-9]+:[0-9]+: not well-formed`)
	d.refuse(3, "eval mcif --systems text -r references -o unscored --models-dir none", `^omniscope: no score: QA-BERTScore: not available: needs the model bert_score`)
}

// A list of clips may be in a folder of the hub's layout.
func TestListOfClipsInFolder(t *testing.T) {
	d := newDesk(t, "")
	var table bytes.Buffer
	fixture.OK(t, tablefile.Write(&table, "parquet", omniscope.Table{Name: "clips", Columns: []string{"id", "url"}, Rows: [][]string{{"one", "one.mp4"}, {"two", "two.mp4"}}}))
	d.write("lists/data/train-00000-of-00001.parquet", table.String())
	d.run(0, "caption --list 'lists#train' --media . --dry-run")
	d.prints(`2 (rows|clips)`)
}
