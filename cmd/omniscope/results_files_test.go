package main

import (
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fake"
)

const exportFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
{"uuid": "0003", "caption": "A cook telephones."}
-- judge.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["no idea", "no idea", "no idea"]
}
`

// Results are exported as tables for other programs, and as other harnesses write them.
func TestExportCommand(t *testing.T) {
	d := newDesk(t, exportFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --judge scripted/judge.json --max-failures 1 --out runs/brief")
	d.run(0, "export runs/released runs/brief --out tables --as csv")
	d.prints(`^scores +[1-9][0-9]+  run benchmark system judge profile`)
	d.holds(`tables/usage.csv`, `^run,benchmark,system,judge,calls,.*,cost_usd,`)
	d.holds(`tables/scores.csv`, `^run,benchmark,system,judge,profile,dimension,group,score,value,low,high,level,method,`)
	d.exist(`tables/blanks.csv`, `tables/counts.csv`)
	d.run(0, "export runs/released --out parquet")
	d.exist(`parquet/scores.parquet`, `parquet/blanks.parquet`)

	d.run(0, "export runs/released runs/brief --out jsonl --as jsonl")
	d.holds(`jsonl/blanks.jsonl`, `"system":"captions","judge":"scripted/judge.json","uuid":"0002","number":1,`)
	d.holds(`jsonl/scores.jsonl`, `"score":"accuracy"`)

	// In the forms of other harnesses, items without a verdict have no score.
	d.run(0, "export runs/brief --out harness --as lm-eval")
	d.prints(`^harness.captions.results_.*\.json$`)
	d.holds(only(t, "harness/captions/results_*.json"), `"accuracy,official": 0`, `"accuracy_stderr,strict": "N/A"`, `"original": 3`, `"effective": 2`, `"model_name": "captions"`, `"higher_is_better"`)
	samples := only(t, "harness/captions/samples_omni-cloze_*.jsonl")
	d.holds(samples, `"filter":"strict","filtered_resps":\[\],"metrics":\[\],"outcome":"unparsed"`)
	d.holdsNo(samples, `"accuracy":[^}]*"filter":"strict".*unparsed`)
	d.refuse(2, "export runs/brief --out harness --as lm-eval", `is there already`)
	d.run(0, "export runs/brief --out harness --as lm-eval --force")

	d.run(0, "export runs/brief --out harness --as lmms-eval")
	d.prints(`_results.json$`)
	d.holds(only(t, "harness/captions/*_samples_omni-cloze.jsonl"), `"input":"0001"`)
	d.holdsNo(only(t, "harness/captions/*_samples_omni-cloze.jsonl"), `"doc":`)

	d.refuse(2, "export runs/brief --out x --as word", `--as is parquet, csv, jsonl, markdown, .*lm-eval, lmms-eval or inspect, not "word"`)
	d.refuse(2, "export runs/brief", `--out is missing`)
}

// only is the one file of a pattern.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v; want one file", pattern, found, err)
	}
	return found[0]
}

// A run is written as one page.
func TestViewAsHTML(t *testing.T) {
	d := newDesk(t, "")
	d.run(0, "eval omni-cloze -p clips.jsonl --out run")
	d.run(0, "view run --html run/report.html")
	d.prints(`^written to run/report.html$`)
	d.holds(`run/report.html`, `<h1>omni-cloze: clips</h1>`)
	d.holds(`run/report.html`, `id="index"`)
	d.holdsNo(`run/report.html`, `src="http`)
	d.run(0, "view run --html page.html")
	d.run(0, "view run --html page.html")
	d.copy(`clips.jsonl`, `mine.txt`)
	d.refuse(2, "view run --html mine.txt", `mine.txt`)
	d.same(`clips.jsonl`, `mine.txt`)
	d.run(0, "view run --html mine.txt --force")

	// The page of results that are replaced goes with them.
	d.run(0, "eval omni-cloze -p clips.jsonl --limit 2 --out run --force")
	d.gone(`run/report.html`)

	// A run without cases, of an older version, has no such part.
	d.remove(`run/cases.jsonl`)
	d.run(0, "view run --html run/report.html")
	d.holdsNo(`run/report.html`, `id="cases"`)

	// Folders that are not a run.
	d.refuse(1, "view nowhere --html page.html", `nowhere: no such folder`)
	d.refuse(2, "view --html page.html", `--html writes one run: name it`)
	d.copy(`clips.jsonl`, `run/cases.jsonl`)
	d.refuse(1, "view run --html run/report.html", `run/cases.jsonl:1: `)
	d.copy(`clips.jsonl`, `run/results.json`)
	d.refuse(1, "view run --html run/report.html", `run/results.json`)
}

const pushFiles = `
-- captions.jsonl --
{"uuid": "0001", "caption": "A dog barks."}
{"uuid": "0002", "caption": "Rain falls."}
{"uuid": "0003", "caption": ""}
-- leak.txt --
curl -H
"x-key: open-sesame-12345"
`

// Runs are pushed to where others see them. Without --yes a list of the files is printed.
func TestPushToFolder(t *testing.T) {
	d := newDesk(t, pushFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	d.run(0, "eval omni-cloze --data clips.jsonl -p captions.jsonl --out runs/brief")
	d.run(0, "push runs/released runs/brief shared")
	d.prints(`^new +runs/released/results.json `, `^new +data/omni-cloze/blanks.parquet .*made now$`, `^nothing was sent: give --yes to do it$`)
	d.gone(`shared`)

	d.run(0, "push runs/released runs/brief shared --yes")
	d.says(`^pushed to shared$`)
	d.same(`shared/runs/brief/results.json`, `runs/brief/results.json`)
	d.holds(`shared/README.md`, `^- config_name: omni-cloze-blanks$`)
	d.holds(`shared/README.md`, `^    path: data/omni-cloze/blanks.parquet$`)
	d.holds(`shared/README.md`, "`omni-cloze\\|judge:offline")
	d.run(0, "push runs/released runs/brief shared")
	d.prints(`^0 files to send`)

	// A file with a secret is named, and no file is sent.
	t.Setenv(`MY_SERVER_KEY`, `open-sesame-12345`)
	d.copy(`captions.jsonl`, `runs/brief/notes.txt`)
	d.copy(`leak.txt`, `runs/brief/leak.txt`)
	d.refuse(1, "push runs/brief shared --yes", `^refused: runs/brief/leak.txt:2: it holds the value of MY_SERVER_KEY$`, `nothing was pushed`)
	d.saysNo(`sesame`)
	d.gone(`shared/runs/brief/notes.txt`)
	d.run(0, `push runs/brief shared --leave-out 'leak.*' --yes`)
	d.exist(`shared/runs/brief/notes.txt`)
	d.gone(`shared/runs/brief/leak.txt`)

	// Wrong usage.
	d.refuse(2, "push runs/released", `hub:ORG/NAME or a folder`)
	d.refuse(2, "push runs/released hub:results", `is no data set: write hub:ORG/NAME`)
	d.refuse(2, "push runs/released shared --create", `are for hub:ORG/NAME`)
	d.refuse(2, `push runs/released shared --leave-out '[x'`, `is no pattern`)
	d.refuse(1, "push nowhere shared", `nowhere: no such folder`)
	d.copy(`leak.txt`, `mine/README.md`)
	d.refuse(2, "push runs/released mine --yes", `mine has a README.md that omniscope did not make: keep it with --no-card`)
	d.run(0, "push runs/released mine --replace-card --yes")
	d.holds(`mine/README.md`, `made by omniscope push`)
}

// A push to the hub is one commit, once the data set exists.
func TestPushToHub(t *testing.T) {
	d := newDesk(t, pushFiles)
	d.run(0, "eval omni-cloze -p clips.jsonl --out runs/released")
	hub := (&fake.Hub{Token: "hf_writer"}).Start(t)
	t.Setenv("HF_ENDPOINT", hub.URL())
	t.Setenv(`HF_TOKEN`, `hf_writer`)
	t.Setenv(`HF_HOME`, "hf")
	d.refuse(1, "push runs/released hub:org/results", `there is no dataset org/results that this token may see: .*--create`)
	d.run(0, "push runs/released hub:org/results --create")
	d.prints(`^new +runs/released/results.json `)
	d.run(0, "push runs/released hub:org/results --create --yes --quiet")
	d.says(`^pushed to http://.*/datasets/org/results, commit [0-9a-f]{12}$`)
	d.run(0, "push runs/released hub:org/results")
	d.prints(`^0 files to send`)
	d.run(0, "push captions.jsonl hub:org/results --no-card --yes --json --quiet")
	d.prints(`"name": "predictions/captions.jsonl"`)
	t.Setenv(`HF_TOKEN`, `hf_reader`)
	d.refuse(1, "push runs/released hub:org/results", `401`)
	d.saysNo(`hf_reader`)
}
