package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
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

// Scores are exported for model cards and papers.
func TestExportAsText(t *testing.T) {
	d := newDesk(t, citeFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/brief")
	d.run(0, "export runs/released runs/brief --as markdown")
	d.prints(`^\| System \| Judge \| accuracy \| not given ↓ \| hallucination ↓ \| score \| n \|$`, `^\| brief|captions`, `^Scoring official; in brackets 95 % intervals; n: items scored\.`, `Baseline, compares with no published scores: offline\.`, "^- .*: `omni-cloze\\|judge:offline\\|profile:official\\|")
	d.lacks(`\| \*\*`) // six clips show no difference
	d.saysNothing()

	d.run(0, "export runs/released runs/brief --as latex --score accuracy --scoring strict --runs-as-columns")
	d.prints(`^\\begin\{tabular\}\{lrr\}$`, `^accuracy & 83\.3 `)
	d.lacks(`hallucination`)

	d.run(0, "export runs/released --as html")
	d.prints(`^<tr><th>System</th><th>Judge</th>`)

	d.run(0, "export runs/released --as model-index")
	d.prints(`^model-index:$`, `^      type: BoJack/Omni-Cloze$`, `^    - name: accuracy, scoring official, .*n 6, judge offline, .*marked as not the published data`)

	d.run(0, "export runs/released runs/brief --as bibtex")
	d.prints(`eprint        = \{2510.12720\}`, `^@software\{omniscope,$`)
	d.lacks(`2507.19634`)
	d.run(0, "export --as bibtex")
	d.prints(`2507.19634`)

	// Runs of another judge are not marked, and the table says so.
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --out runs/judged")
	d.run(0, "export runs/released runs/judged --as markdown")
	d.prints(`No value is marked as best: the runs differ in judge: offline`)

	// Runs and scores that cannot be shown.
	d.refuse(2, "export --as markdown", `takes runs: folders, names of systems, or latest`)
	d.refuse(2, "export runs/released --as word", `--as is parquet, csv, jsonl, markdown, latex, html, model-index, bibtex, lm-eval, lmms-eval or inspect, not "word"`)
	d.refuse(2, "export runs/released --score speed --as markdown", `omni-cloze has the scores accuracy, `)
	d.run(2, "export runs/released --scoring lenient --as markdown")
	d.refuse(1, "export nowhere --as markdown", `nowhere: no such folder`)
	d.refuse(2, "export runs/released runs/released --as markdown", `are the same folder`)
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
	d.refuse(2, "correlate", `takes runs, --table, --battles or --ratings`)
	d.refuse(2, "correlate --table people.csv", `there is \["liking"\] alone`)
	d.refuse(2, "correlate --table people.csv --battles arena.csv --x elo", `there are no values "elo": there are \["liking" "Elo" "Bradley-Terry"\]`)
	d.refuse(1, "correlate runs/a runs/a", `long has two values of "omni-cloze accuracy": name one run of each system and benchmark`)
	d.refuse(1, "correlate runs", `results.json: no such file`)
	d.refuse(1, "correlate --table none.csv", `none.csv`)
	d.refuse(1, "correlate --ratings people.csv", `people.csv:1: there is no column "item"`)
	d.refuse(2, "correlate --battles arena.csv --table people.csv --out runs", `which is not one of tables.md`)
}

const curveFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
`

// Scores are plotted over slices of a benchmark, and over parts of signatures.
func TestCompareBy(t *testing.T) {
	d := newDesk(t, curveFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/a --system long")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/b --system short")
	d.run(0, "compare runs/a runs/b --by modality --score accuracy")
	d.prints(`^long +audio +3 +66\.7`, `^short +visual `)
	d.run(0, "compare runs/a --by judge --out out")
	d.prints(`^long +offline `, `written to out: tables.md tables.json curves.html`)
	d.holds(`out/curves.html`, `hallucination ↓`)

	// Lengths are known of answers that predict wrote.
	d.refuse(2, "compare runs/a --by words", `nothing to show: runs/a is left out: no file of details lies beside the answers`)
	d.refuse(2, "compare --by words", `--by takes a run or more`)
	d.refuse(2, "compare runs/a runs/b --score accuracy", `--score is for --by: give --by WHAT as well`)
	d.write("runs/details.csv", "")
	d.run(0, "compare runs/a runs/b runs/details.csv --by modality")
	d.says(`warning: runs/details.csv is left out: it is a file`)
	d.refuse(2, "compare runs/a --by length", `--by length is no quantity \(words, inquiries, frames, pixels, seconds, tokens\), no dimension of the runs. slices \(category, modality, subcategory\)`)
	d.refuse(2, "compare runs/a --by modality --score wer", `--score takes accuracy, not_given, hallucination, score`)
	d.refuse(2, "compare runs/a --by words --bins 0", `--bins must be at least 1`)
}

const leaderboardFiles = `
-- judge.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"A: phone\"}"]
}
-- mmar.json --
[{"id": "q1", "audio_path": "./a.ogg", "question": "Which instrument is heard?", "choices": ["trumpet", "violin"], "answer": "trumpet", "modality": "music"}]
-- direct.jsonl --
{"id": "q1", "answer_prediction": "trumpet"}
`

// A leaderboard lists what the paper published, as it is printed, and runs.
func TestLeaderboardCommand(t *testing.T) {
	d := newDesk(t, leaderboardFiles)
	d.run(0, "leaderboard omni-cloze")
	d.prints(`^ +1 +Omni-Captioner-7B +open +56\.4 +33\.2 +10\.4 +2,320 +– +Table 14$`, `published rows by judge gpt-4o-2024-11-20`, `^ +1 +Audio-Captioner-7B `, `modality=audio, slice modality=audio`,
		`^Qwen3\.5-Omni-Plus +64\.8 +2,320 +– +– +published +README$`, `^Qwen3\.5-Omni-Plus +README +its source names no judge$`)
	d.saysNothing()

	// Values that the paper contradicts are marked.
	d.run(0, "leaderboard omni-cloze --where modality=audio-visual --slice modality=visual")
	d.prints(`54\.6\*`, `Omni-Captioner-7B, accuracy: Table 4 has\s+57\.0`)
	d.lacks(`Audio-Captioner`)
	d.run(0, "leaderboard mcif --where track=short --by qa_bertscore --group mllm")
	d.prints(`track=short prompts=mix lang=avg`)
	d.lacks(`speech`)
	d.run(0, "leaderboard mcif --where track=short --where lang=de --where prompts=fix")
	d.prints(`^ +1 +\S`, `by trans_comet`)

	// Rows of another judge are shown on request.
	d.run(0, "leaderboard capricorn")
	d.lacks(`Table 4`)
	d.run(0, "leaderboard capricorn --published-judge qwen3-235b")
	d.prints(`^ +1 +Gemini-3\.1-Pro +proprietary +27\.2 +51\.6 +35\.4 .*Table 4$`, `judge Qwen3-235B-A22B-Instruct`)

	// Runs that are not like the published rows are listed separately, with the reasons.
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/words")
	d.run(0, "eval omni-cloze -p clips.jsonl --judge scripted/judge.json --out runs/judged")
	d.run(0, "eval mmar --data mmar.json --predictions direct.jsonl --out runs/direct")
	d.run(0, "leaderboard omni-cloze runs/words runs/judged")
	d.lacks(`Audio-Captioner`, `runs/`)
	d.prints(`^Not ranked: modality=audio-visual`, `^clips +[0-9a-f]+ +a baseline judged it, offline$`, `^clips +83\.3 .*3 +3 +scripted/judge\.json +other +[0-9a-f]{12}$`,
		`^clips +[0-9a-f]+ +its data have 3 samples, the published data 2,320$`, `^clips +[0-9a-f]+ +judged by scripted/judge\.json, published rows by gpt-4o-2024-11-20$`)
	d.run(0, "leaderboard mmar runs/direct")
	d.prints(`^direct +[0-9a-f]+ +its data have 1 sample, the published data 1,000$`, `^direct +[0-9a-f]+ +a model's own answers; published ones are of gpt-4o, from captions$`)
	d.run(0, "leaderboard omni-cloze runs/judged --published-data")
	d.lacks(`its data have`)
	d.prints(`judged by scripted/judge\.json`)
	d.run(0, "leaderboard omni-cloze runs/judged --by hallucination --slice modality=audio")
	d.prints(`^clips +0\.0 `)

	// Files for a paper, a spreadsheet and a page.
	d.run(0, "leaderboard omni-cloze runs/judged --out board")
	d.prints(`written to board`)
	d.holds(`board/leaderboard.tex`, `^\\begin\{tabular\}\{rllrrrrrlll\}`, `rank & model & group & accuracy & .* & n & answered & judge & data & from`, `^\\begin\{tabular\}\{lrrrrrrlll\}`, `^\\begin\{tabular\}\{lll\}`)
	d.holds(`board/leaderboard.tex`, `Gemini 2.5 Pro & proprietary & 43.6 &`, `its data have 3 samples`)
	d.holds(`board/leaderboard.md`, `\| Omni-Captioner-7B \|`, `its data have 3 samples`)
	d.holds(`board/leaderboard.json`, `"shown": "56.4"`, `"its data have 3 samples, the published data 2,320"`)
	d.holds(`board/leaderboard.csv`, `^omni-cloze,modality=audio-visual,,1,,,Omni-Captioner-7B,open,true,Table 14,accuracy,0.564`, `^omni-cloze,modality=audio-visual,,,,,clips,own,false,[0-9a-f]{12},.*its data have 3 samples`)
	d.holds(`board/leaderboard.html`, `<td[^>]*>Omni-Captioner-7B</td>`, `its data have 3 samples`)
	d.run(0, "leaderboard omni-cloze --out board")

	// Benchmarks, slices and runs that cannot be listed.
	d.refuse(2, "leaderboard", `takes a benchmark: omni-cloze`)
	d.refuse(2, "leaderboard omnicloze", `omni-cloze`)
	d.refuse(2, "leaderboard omni-cloze --by wer", `accuracy, not_given, hallucination, score`)
	d.refuse(2, "leaderboard capricorn --published-judge gpt-5", `another judge than openai/gpt-4.1 scored are of Qwen3-235B-A22B-Instruct`)
	d.refuse(2, "leaderboard mcif --where lang=fr", `lang=avg\|en\|de\|it\|zh, prompts=fix\|mix, track=short\|long`)
	d.refuse(2, "leaderboard mcif --where lang", `--where wants NAME=VALUE`)
	d.refuse(2, "leaderboard capricorn --slice duration=long", `published slices are duration=\(0,120\]`)
	d.refuse(2, "leaderboard mcif runs/judged", `runs/judged is a run of omni-cloze, not of mcif`)
	d.refuse(1, "leaderboard omni-cloze runs", `results.json: no such file`)
	d.refuse(2, "leaderboard omni-cloze --out runs", `runs holds direct, which is not one of leaderboard.md`)
}

const oneNumberFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks at a red ball."}
{"uuid": "0002", "caption": ""}
`

// One run has one number, and a run of a part of the data is marked wherever a number is printed.
func TestOneNumberPerRun(t *testing.T) {
	d := newDesk(t, oneNumberFiles)
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --limit 2 --out runs/two")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --limit 2 --scoring strict --system other --out runs/other")
	accuracy := regexp.MustCompile(`"profile": "official",\n\s+"scores": \{\n\s+"accuracy": \{\n\s+"name": "accuracy",\n\s+"value": ([0-9.]+)`).FindStringSubmatch(fixture.Read(t, "runs/two/results.json"))
	if accuracy == nil {
		t.Fatal("runs/two has no official headline")
	}
	share, _ := strconv.ParseFloat(accuracy[1], 64)
	official := regexp.QuoteMeta(strconv.FormatFloat(100*share, 'f', 1, 64))
	const marked = `2 of 3 samples; not the published data, which have 2,320 samples`
	for _, command := range []string{
		"view runs/two --html two.html",
		"compare runs/two runs/other", "compare runs/other runs/two",
		"export runs/two --as markdown", "export runs/two --as latex", "export runs/two --as html", "export runs/two --as model-index", "export runs/two runs/other --runs-as-columns --as markdown",
		"compare runs/two --by judge", "leaderboard omni-cloze runs/two",
	} {
		d.run(0, command)
		shown := d.out
		if command == "view runs/two --html two.html" {
			shown = fixture.Read(t, "two.html")
		}
		shown = strings.Join(strings.Fields(shown), " ")
		d.find(command, shown, []string{official + `\b`})
		if strings.HasPrefix(command, "leaderboard") {
			d.find(command, shown, []string{`its data have 3 samples, the published data 2,320`, `it scored 2 of 3 samples`})
		} else {
			d.find(command, shown, []string{marked})
		}
	}
	d.run(0, "export runs/two --out tables --as csv")
	d.holds("tables/scores.csv", `,"2 of 3 samples; not the published data, which have 2,320 samples"$`)
	d.run(0, "export runs/two --out lm --as lm-eval")
	d.holds("runs/two/report.md", `marked \| `+marked, `official`)
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/three")
	d.prints(`^scoring +official`, `^marked +not the published data, which have 2,320 samples`)
}
