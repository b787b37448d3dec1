package main

import (
	"testing"
)

const compareFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
{"uuid": "0003", "caption": ""}
-- judge.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"E: not given\"}"]
}
-- scores.csv --
judge,system,score,value
first,one,acc,1
first,two,acc,2
first,three,acc,3
other,one,acc,1
other,two,acc,2
other,three,acc,5
-- judges.txt --
Judges of scores.csv

Correlation of judges
score  judge  other judge  systems  Pearson  Spearman  only judge  only other
─────────────────────────────────────────────────────────────────────────────
acc    first  other              3   0.9608    1.0000           0           0
over the systems that both judged, at least 3 of them; the last columns count those that one alone judged
-- brief.txt --
no difference between clips and captions could be shown: accuracy of captions -66.7 points, p 0.750, 3 clips

Omni-Cloze: cloze test of detailed audio-visual captions: 2 runs, scoring official

Runs
run       judge    n  unscored  folder    marked
──────────────────────────────────────────────────────────────────────────────────────────
clips     offline  6         0  released  not the published data, which have 2,320 samples
captions  offline  6         0  brief     not the published data, which have 2,320 samples
offline: baseline, not comparable with published scores

Scores
run       accuracy  not given ↓  hallucination ↓  score
───────────────────────────────────────────────────────
clips     83.3      16.7         0.0              83.3
captions  16.7      83.3         0.0              16.7
with 95 % intervals, over all units of a run; clips, captions: not the published data, which have 2,320
samples

Shared units
base   run       units  clusters  only in base  only in run  judged in one only
───────────────────────────────────────────────────────────────────────────────
clips  captions      3         3             0            0                   0
differences and agreement are of the units that both runs have; one that could be judged in one run only
counts there only

Differences
base   run       score            base has  run has  difference  95 % interval
──────────────────────────────────────────────────────────────────────────────
clips  captions  accuracy            83.33    16.67      -66.67  –
clips  captions  not given ↓         16.67    83.33      +66.67  –
clips  captions  hallucination ↓      0.00     0.00        0.00  –
clips  captions  score               83.33    16.67      -66.67  –
run less base, in percentage points where scores are percentages; no interval: too few clips, no variation
between clusters

Is there a difference?
base   run       score                p  p, corrected  finding              could be shown  clusters for it
───────────────────────────────────────────────────────────────────────────────────────────────────────────
clips  captions  accuracy         0.250         0.750  no difference shown           46.69                2
clips  captions  not given ↓      0.250         0.750  no difference shown           46.69                2
clips  captions  hallucination ↓  1.000         1.000  no difference shown               –                –
clips  captions  score            0.250         0.750  no difference shown           46.69                2
p: chance of so large a difference if there is no true one; corrected (Holm) for the 3 tests of this table
that can vary, and below 0.05 where a difference is shown; could be shown: the smallest true difference that
so many clusters show four times in five; clusters for it: how many like these would show the difference found
four times in five, if it is true; tests: paired permutation, exact

Agreement
base   run       items  agree, %  kappa  95 % interval   unjudged  only in base  only in run
────────────────────────────────────────────────────────────────────────────────────────────
clips  captions      6      33.3  0.077  [0.000, 0.182]         0             0            0
Cohen's kappa over the verdicts of scoring strict: 1 is agreement throughout, 0 what chance gives; items that
either run left unjudged, or lacks, are counted apart; of different systems it says how alike they are right
and wrong, not how far judges can be relied on; intervals: cluster bootstrap percentile

Agreement by verdict
base   run       verdict    base says  run says  kappa  95 % interval
──────────────────────────────────────────────────────────────────────
clips  captions  correct            5         1  0.077  [0.000, 0.182]
clips  captions  not_given          1         5  0.077  [0.000, 0.182]
each verdict against all others together; intervals: cluster bootstrap percentile

Confusion
base   run       base says  correct  not_given
──────────────────────────────────────────────
clips  captions  correct          1          4
clips  captions  not_given        0          1
items by what the base says, a row each, and the run, a column each
`

// Runs of one benchmark are compared by the folders of their results.
func TestCompareCommand(t *testing.T) {
	d := newDesk(t, compareFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/brief")
	d.run(0, "compare runs/released runs/brief")
	d.prints(`^no difference between clips and captions could be shown: accuracy of captions -66\.7 points, p 0\.750, 3 clips$`,
		`^accuracy +83\.3 +16\.7 +-66\.7 +– +0\.750 +3$`, `offline: baseline`, `not the published data`, `^all tables: --all$`)
	d.lacks(`kappa`)
	d.run(0, "compare runs/released runs/brief --all")
	d.printsFile(`brief.txt`)
	d.saysNothing()

	// Runs of the working folder have names.
	d.run(0, "eval omni-cloze -p clips.jsonl --system careful")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --system terse")
	d.run(0, "compare careful latest")
	d.prints(`between careful and terse could be shown`)
	d.refuse(1, "compare carefull terse", `carefull: no such folder, .*did you mean careful\?`)
	d.refuse(1, "compare careful terse --work-dir elsewhere", `no run of elsewhere has a system of this name`)
	d.refuse(1, "compare careful clips.jsonl", `clips.jsonl is a file, and a run is a folder with results.json: score answers with .omniscope eval BENCH -p clips.jsonl.`)
	d.run(0, "compare careful terse clips.jsonl")
	d.says(`warning: clips.jsonl is left out: it is a file`)
	d.run(0, "eval omni-cloze -p clips.jsonl --system careful --limit 2")
	d.refuse(2, "compare careful terse", `2 runs are called careful: name one by its folder: .*\(omni-cloze, 20`)

	// --json prints the tables for programs; --out keeps them, for people too.
	d.run(0, "compare runs/released runs/brief --json")
	d.prints(`"schema": "omniscope.tables/1"`, `"name": "differences"`)
	d.run(0, "compare runs/released runs/brief --out compared")
	d.prints(`written to compared: tables.md tables.json`)
	d.holds(`compared/tables.md`, `^## Differences`)
	d.holds(`compared/tables.json`, `"name": "agreement"`)

	// Each table may be a file of its own.
	d.refuse(2, "compare runs/released runs/brief --as csv", `name the folder for them with --out`)
	d.run(2, "compare runs/released runs/brief --as word --out compared")
	d.run(0, "compare runs/released runs/brief --out compared --as csv,parquet")
	d.prints(`written to compared: tables.md tables.json runs.csv scores.csv `)
	d.holds(`compared/differences.csv`, `^base,run,score,base has,run has,difference,95 % interval$`)
	d.holds(`compared/notes.csv`, `^table,note$`, `^scores,.*: not the published data`) // marks go with the numbers
	d.exist(`compared/confusion.parquet`)
	d.run(0, "compare runs/released runs/brief --out compared --as csv,parquet")
	d.copy(`captions.jsonl`, `compared/mine.txt`)
	d.refuse(2, "compare runs/released runs/brief --out compared --as csv,parquet", `mine.txt`)
}

// Two judges of one system are compared item by item, and two judges of two systems by their
// scores as well.
func TestCompareJudges(t *testing.T) {
	d := newDesk(t, compareFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/brief")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --out runs/judged")
	d.run(0, "compare runs/released runs/judged --scoring strict --seed 7 --all")
	d.prints(`offline +scripted/judge.json +6 +83.3 +0\.[0-9]+`, `prompt-.* differs: none \(offline\), `)

	// Two judges of two systems are compared by their scores as well.
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --judge scripted/judge.json --out runs/judged-brief")
	d.run(0, "compare runs/released runs/brief runs/judged runs/judged-brief --all")
	d.prints(`^Judges`, `accuracy +offline +scripted/judge.json +2 +– +– +0 +0`)

	// Runs that must not be compared.
	d.refuse(2, "compare runs/released", `one run cannot be compared: name a second one, .*--by WHAT`)
	d.refuse(2, "compare runs/released runs/../runs/released", `are the same folder`)
	d.refuse(2, "compare runs/released runs/brief --scoring lenient", `--scoring is official or strict, not "lenient"`)
	d.refuse(1, "compare runs/released runs", "runs/results.json: no such file: name folders that `omniscope eval` wrote")
	d.run(0, "eval omni-cloze -p clips.jsonl --limit 2 --out runs/short")
	d.refuse(1, "compare runs/released runs/short", `different data`)
	d.run(0, "compare runs/released runs/short --any-data")
	d.prints(`the runs are on different data`, `released? .*clips`)
	d.remove(`runs/brief/counts.jsonl`)
	d.refuse(1, "compare runs/released runs/brief", `runs/brief/counts.jsonl: no such file: an older version wrote this run`)

	// Answers that came from elsewhere are followed from their scores on.
	d.run(0, "compare --samples runs/released runs/judged --out parted")
	d.prints(`^judge +[1-9]`, `warning|no file of details`, `written to parted: samples.md samples.json`)
	d.refuse(2, "compare --samples runs/released", `--samples follows the samples of two runs, got 1`)
	d.refuse(2, "compare --samples runs/released runs/judged --by words", `give one of them`)
	d.refuse(1, "compare --samples runs/released nowhere", `nowhere: no such folder`)
}

// Judges are compared by scores that are known already.
func TestCompareTableOfScores(t *testing.T) {
	d := newDesk(t, compareFiles+`
-- ratings.csv --
judge,system,score,value
'=one,a,accuracy,-0.5
'=one,b,accuracy,0.5
'=one,c,accuracy,0.7
two,a,accuracy,-0.4
two,b,accuracy,0.6
two,c,accuracy,0.9
`)
	d.write("runs/released/results.json", "{}")
	d.run(0, "compare --table scores.csv")
	d.printsFile(`judges.txt`)
	d.refuse(2, "compare --table scores.csv runs/released", `not both`)
	d.refuse(1, "compare --table captions.jsonl", `captions.jsonl:1: `)
	d.refuse(1, "compare --table none.csv", `none.csv: no such file`)

	// A mark of text before a formula is removed.
	d.run(0, "compare --table ratings.csv --json")
	d.prints(`"=one"`)
	d.lacks(`'=one`)
}
