package main

import (
	"testing"
)

const citeFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
{"uuid": "0003", "caption": ""}
-- judge.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"A: phone\"}"]
}
`

// Scores are cited as they go into model cards and papers.
func TestCiteCommand(t *testing.T) {
	d := newDesk(t, citeFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/brief")
	d.run(0, "cite runs/released runs/brief")
	d.prints(`^\| System \| Judge \| accuracy \| not given ↓ \| hallucination ↓ \| score \| n \|$`, `^\| brief|captions`, `^Profile official; in brackets 95 % intervals; n: items scored\.`, `Baseline, compares with no published scores: offline\.`, "^- .*: `omni-cloze\\|judge:offline\\|profile:official\\|")
	d.lacks(`\| \*\*`) // six clips show no difference
	d.saysNothing()

	d.run(0, "cite runs/released runs/brief --format latex --score accuracy --profile strict --runs-as-columns")
	d.prints(`^\\begin\{tabular\}\{lrr\}$`, `^accuracy & .*scriptsize`)
	d.lacks(`hallucination`)

	d.run(0, "cite runs/released --format html")
	d.prints(`^<tr><th>System</th><th>Judge</th>`)

	d.run(0, "cite runs/released --format model-index")
	d.prints(`^model-index:$`, `^      type: BoJack/Omni-Cloze$`, `^    - name: accuracy, profile official, 95 % interval \[`)

	d.run(0, "cite runs/released runs/brief --format bibtex")
	d.prints(`eprint        = \{2510.12720\}`, `^@software\{omniscope,$`)
	d.lacks(`2507.19634`)
	d.run(0, "cite --format bibtex")
	d.prints(`2507.19634`)

	// Runs of another judge are not marked, and the table says so.
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --out runs/judged")
	d.run(0, "cite runs/released runs/judged")
	d.prints(`No value is marked as best: the runs differ in judge: offline`)

	// Runs and scores that cannot be shown.
	d.refuse(2, "cite", `takes folders of runs`)
	d.refuse(2, "cite runs/released --format word", `--format is markdown, latex, html, model-index or bibtex, not "word"`)
	d.refuse(2, "cite runs/released --score speed", `omni-cloze has the scores accuracy, `)
	d.run(2, "cite runs/released --profile lenient")
	d.refuse(1, "cite nowhere", `no such file: name folders that`)
	d.refuse(2, "cite runs/released runs/released", `are the same folder`)
}

const correlateFiles = `
-- people.csv --
system,liking
long,4.5
short,2
other,3
-- arena.csv --
a,b,winner
long,short,long
short,other,tie
other,long,b
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
`

// Scores of runs are correlated with values from elsewhere, over systems joined by name.
func TestCorrelateCommand(t *testing.T) {
	d := newDesk(t, correlateFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/a --system long")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/b --system short")
	d.run(0, `correlate runs/a runs/b --table people.csv --x 'omni-cloze accuracy' --slices modality`)
	d.prints(`^omni-cloze accuracy +liking +2 +1\.0000 +– +1\.0000 +1\.0000$`, `^omni-cloze accuracy +omni-cloze accuracy, audio `, `^other +– `)
	d.run(0, "correlate --battles arena.csv --table people.csv --out out")
	d.prints(`arena.csv: 3 battles`, `written to out: tables.md tables.json scatter.html`)
	d.holds(`out/scatter.html`, `<svg`)
	d.holds(`out/scatter.html`, `>long</text>`)
	d.run(0, "correlate --battles arena.csv --table people.csv --json")
	d.prints(`"name": "correlations"`)

	// Values that cannot be correlated.
	d.refuse(2, "correlate", `takes folders of runs, --table, --battles or --ratings`)
	d.refuse(2, "correlate --table people.csv", `there is \["liking"\] alone`)
	d.refuse(2, "correlate --table people.csv --battles arena.csv --x elo", `there are no values "elo": there are \["liking" "Elo" "Bradley-Terry"\]`)
	d.refuse(1, "correlate runs/a runs/a", `long has two values of "omni-cloze accuracy": name one run of each system and benchmark`)
	d.refuse(1, "correlate runs", `results.json: no such file`)
	d.refuse(1, "correlate --table none.csv", `none.csv`)
	d.refuse(1, "correlate --ratings people.csv", `people.csv:1: there is no column "item"`)
	d.refuse(2, "correlate --battles arena.csv --table people.csv --out runs", `which is none of tables.md`)
}

const curveFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
`

// Scores are plotted over slices of a benchmark, and over parts of signatures.
func TestCurveCommand(t *testing.T) {
	d := newDesk(t, curveFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/a --system long")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/b --system short")
	d.run(0, "curve runs/a runs/b --by modality --score accuracy")
	d.prints(`^long +audio +3 +33\.3`, `^short +visual `)
	d.run(0, "curve runs/a --by judge --out out")
	d.prints(`^long +offline `, `written to out: tables.md tables.json curves.html`)
	d.holds(`out/curves.html`, `hallucination ↓`)

	// Lengths are known of answers that predict wrote.
	d.refuse(2, "curve runs/a --by words", `nothing to show: runs/a is left out: no file of details lies beside the answers`)
	d.refuse(2, "curve", `takes folders of runs`)
	d.refuse(2, "curve runs/a", `--by is missing: words, inquiries`)
	d.refuse(2, "curve runs/a --by length", `--by length is no quantity \(words, inquiries, frames, pixels, seconds, tokens\), no dimension of the runs. slices \(category, modality, subcategory\)`)
	d.refuse(2, "curve runs/a --by modality --score wer", `--score takes accuracy, not_given, hallucination, score`)
	d.refuse(2, "curve runs/a --by words --bins 0", `--bins must be at least 1`)
}

const leaderboardFiles = `
-- judge.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"A: phone\"}"]
}
`

// A leaderboard lists what the paper published, as it is printed, and runs.
func TestLeaderboardCommand(t *testing.T) {
	d := newDesk(t, leaderboardFiles)
	d.run(0, "leaderboard omni-cloze")
	d.prints(`^ +1 +Omni-Captioner-7B +open +56\.4 +33\.2 +10\.4 +Table 14$`, `^ +1 +Audio-Captioner-7B `)
	d.saysNothing()

	// Values that the paper contradicts are marked.
	d.run(0, "leaderboard omni-cloze --where modality=audio-visual --slice modality=visual")
	d.prints(`54\.6\*`, `Omni-Captioner-7B, accuracy: Table 4 has 57\.0`)
	d.lacks(`Audio-Captioner`)
	d.run(0, "leaderboard mcif --where track=short --by qa_bertscore --group mllm")
	d.prints(`track=short prompts=mix lang=avg`)
	d.lacks(`speech`)

	// Runs are listed with the interval of their rank, or without a rank if a baseline judged.
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/words")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --out runs/judged")
	d.run(0, "leaderboard omni-cloze runs/words runs/judged")
	d.lacks(`Audio-Captioner`)
	d.prints(`^ +– +clips +own .* runs/words`, `was judged by offline, a baseline`, `^ *1 \[1–2\] +clips +own +83\.3 \[50\.0, 100\.0\] .* runs/judged`)
	d.run(0, "leaderboard omni-cloze runs/judged --by hallucination --slice modality=audio")
	d.prints(`own`)

	// Files for a paper, a spreadsheet and a page.
	d.run(0, "leaderboard omni-cloze runs/judged --out board")
	d.prints(`written to board`)
	d.holds(`board/leaderboard.tex`, `^\\begin\{tabular\}\{rllrrrrl\}`)
	d.holds(`board/leaderboard.tex`, `Gemini 2.5 Pro & proprietary & 43.6 &`)
	d.holds(`board/leaderboard.md`, `\| Omni-Captioner-7B \|`)
	d.holds(`board/leaderboard.json`, `"shown": "56.4"`)
	d.holds(`board/leaderboard.csv`, `^omni-cloze,modality=audio-visual,,2,1,2,Omni-Captioner-7B,open,true,Table 14,accuracy,0.564`)
	d.holds(`board/leaderboard.html`, `<td[^>]*>Omni-Captioner-7B</td>`)
	d.run(0, "leaderboard omni-cloze --out board")

	// Benchmarks, slices and runs that cannot be listed.
	d.refuse(2, "leaderboard", `takes a benchmark: omni-cloze`)
	d.refuse(2, "leaderboard omnicloze", `omni-cloze`)
	d.refuse(2, "leaderboard omni-cloze --by wer", `accuracy, not_given, hallucination, score`)
	d.refuse(2, "leaderboard mcif --where lang=fr", `lang=avg\|en\|de\|it\|zh, prompts=fix\|mix, track=short\|long`)
	d.refuse(2, "leaderboard mcif --where lang", `--where wants NAME=VALUE`)
	d.refuse(2, "leaderboard capricorn --slice duration=long", `published slices are duration=\(0,120\]`)
	d.refuse(2, "leaderboard mcif runs/judged", `runs/judged is a run of omni-cloze, not of mcif`)
	d.refuse(1, "leaderboard omni-cloze runs", `results.json: no such file`)
	d.refuse(2, "leaderboard omni-cloze --out runs", `runs holds judged, which is none of leaderboard.md`)
}
