package eval

import (
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/session"
)

func TestScoreClozeOffline(t *testing.T) {
	f := enter(t, `
-- captions.csv --
uuid,caption
0001,A dog barks.
0002,
0404,Who is this?
-- odd.jsonl --
{"uuid": "0001", "cloze": {"passage": "A [BLANK_1] and a [BLANK_2].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}, {"number": 2, "options": ["A: dog", "B: cat"], "answer_key": "X"}]}, "predicted_caption": "A dog."}
{"uuid": "0002", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": ""}
{"uuid": "0003", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": null}
-- mixed.jsonl --
{"uuid": "a", "predicted_caption": "A dog."}
{"uuid": "b", "caption": "A cat."}
-- rows.jsonl --
{"uuid": "a", "video_path": "a.mp4", "cloze": {"passage": "A [BLANK_1] barks.", "blanks": [{"number": 1, "options": ["A: dog", "B: cat", "C: owl", "D: fox", "E: not given"], "answer_key": "A", "required_modality": "audio"}]}, "metadata": {}}
{"uuid": "b", "video_path": "b.mp4", "cloze": {"passage": "A [BLANK_1] sleeps.", "blanks": [{"number": 1, "options": ["A: dog", "B: cat", "C: owl", "D: fox", "E: not given"], "answer_key": "B", "required_modality": "visual"}]}, "metadata": {}}
`)
	fixture.FileIn(t, "", "latin.jsonl", "{\"uuid\": \"a\", \"caption\": \"A d\377g.\"}\n")
	for _, c := range []struct {
		predictions string
		settings    []setting
		want        []string
	}{
		{"clips.jsonl", []setting{limit(2)}, []string{`samples +2: 2 ok`}},
		{"clips.jsonl", []setting{samples("0003")}, []string{`samples +1: 1 ok`}},
		{"clips.jsonl", []setting{samples("0003,0001")}, []string{`samples +2: 2 ok`}},
		{"captions.csv", []setting{data("clips.jsonl")}, []string{`system +captions`, `samples +3: 1 ok, 2 missing`, `captions belong to no uuid`}},
		{"odd.jsonl", nil, []string{`samples +3: 1 ok, 1 abstained, 1 missing`, `uuid 0001, blank 2 is not scored: the key "X" is not one of A to D`, `unscored`}},
		{"mixed.jsonl", []setting{data("rows.jsonl")}, []string{`captions left out because they stand in another field than "predicted_caption": 1`}},
		{"latin.jsonl", []setting{data("rows.jsonl")}, []string{`not UTF-8 in lines of the captions, read as U.FFFD: 1`}},
		{"clips.jsonl", []setting{func(r *evalRun) { r.spec.Modality = "audio" }}, []string{`samples +3: 3 ok`}},
	} {
		f.eval("omni-cloze", c.predictions, c.settings...).ok().prints(c.want...)
	}
	f.eval("omni-cloze", "clips.jsonl", asDocument).ok().prints(`"status": "scored"`)
}

func TestFilesOfResults(t *testing.T) {
	f := enter(t, "")
	f.eval("omni-cloze", "clips.jsonl").ok().quiet()
	f.prints(`Omni-Cloze`, `judge +offline: baseline, not comparable with published scores`, `samples +3: 3 ok`, `overall +6 +[0-9]`, `usage +no calls`)
	f.wrote("report.md", "results.json", "results.csv", "blanks.jsonl", "cases.jsonl", "counts.jsonl")
	if !strings.HasPrefix(f.dir, "omniscope-work/runs/omni-cloze-clips-") {
		t.Errorf("the results are in %s", f.dir)
	}
	f.eval("omni-cloze", "clips.jsonl", out("results")).ok()
	exist(t, "results/report.md", "results/results.json", "results/results.csv", "results/blanks.jsonl")
	holds(t, "results/results.json", `"schema": 1,`)
	if n := strings.Count(fixture.Read(t, "results/blanks.jsonl"), `"uuid":`); n != 6 {
		t.Errorf("%d blanks, want 6", n)
	}
	gone(t, "results/.blanks.partial", "results/.results.json.partial", "omniscope-work/journal")
}

// exist checks that files exist.
func exist(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// gone checks that there are no such files.
func gone(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("there is a file %s", path)
		}
	}
}

// A formula in a name or a category is marked as text in the table for spreadsheets; numbers
// stay numbers, and JSON knows no formulas.
func TestFormulasInResults(t *testing.T) {
	f := enter(t, `
-- rows.jsonl --
{"uuid":"0001","video_path":"v/1.mp4","cloze":{"passage":"A [BLANK_1] barks.","blanks":[{"number":1,"options":["A: dog","B: cat","C: cow","D: bird","E: not given"],"answer_key":"A","required_modality":"audio"}]},"metadata":{"category":"@SUM(1+1)","subcategory":"+cmd"},"predicted_caption":"A cat barks."}
`)
	f.eval("omni-cloze", "rows.jsonl", system(`=HYPERLINK("http://evil.example","open")`), out("a")).ok()
	holds(t, "a/results.csv", `,"'=HYPERLINK\(""http://evil.example"",""open""\)",`, `,'@SUM\(1\+1\),`, `,'\+cmd,`, `,strict,overall,,score,-1,`)
	if table := fixture.Read(t, "a/results.csv"); strings.Contains(table, ",=HYPERLINK") || strings.Contains(table, `,"=HYPERLINK`) {
		t.Errorf("the table has a formula:\n%s", table)
	}
	holds(t, "a/results.json", `"=HYPERLINK`)
}

const judgeFiles = `
-- judge.json --
{
  "0001": ["It is a dog in a red coat.", "{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"A: phone\"}"]
}
-- partly.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": [{"error": "declined"}],
  "0003": [null, null, null]
}
-- nothing.json --
{"0001": [], "0002": [], "0003": []}
-- broken.json --
{
  "0001": 7
}
-- people.json --
{
  "0001": ["{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": [{"error": "unanswered"}],
  "0003": ["{\"1\": \"C: cook\", \"2\": \"E: not given\"}"]
}
-- nobody.json --
{"0001": [{"error": "unanswered"}], "0002": [{"error": "unanswered"}], "0003": [{"error": "unanswered"}]}
`

// The judge's first reply about 0001 cannot be used. Scoring strict asks again; the published
// scorer asks once and counts "not given".
func TestUnusableFirstReply(t *testing.T) {
	f := enter(t, judgeFiles)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/judge.json"), asDocument).ok()
	f.prints(`"calls": 4`, `"status": "scored"`, `"what": "first reply unusable, asked again"`, `"warnings": \[\]`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/judge.json")).ok()
	f.prints(`scoring +strict`, `readable +first asking 2 of 3 \(66\.7%\) . second asking with a schema 1 of 1 \(100\.0%\)`, `samples +3: 3 ok`, `official and strict differ on this input`, `official +6 +50.0`, `strict +6 +83.3`,
		`official: not given for every blank`, `strict: +the repaired reply counts`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/judge.json"), official)
	f.failsToJudge(`judging failed for 1 of 3 samples, more than --max-failures 0.05 allows \(0001; commonest reason: .+\); --ask-failed asks again, and pays, for answers that cannot be used$`)
	f.prints(`scoring +official`, `samples +3: 2 ok, 1 unparsed`, `usage +0 calls . 3 remembered`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/judge.json"), official, failures(0.5)).ok()
}

// A sample that cannot be judged is counted, not scored. Where all failed there is no score,
// and never a number that looks like one.
func TestFailedJudging(t *testing.T) {
	f := enter(t, judgeFiles)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/partly.json"))
	f.failsToJudge(`judging failed for 2 of 3 samples, more than --max-failures 0.05 allows \(0002, 0003; commonest reason: .+\)`, `run the same command again to ask again for the 1 without an answer`)
	f.prints(`samples +3: 1 ok, 1 refused, 1 failed`, `overall +2 +100.0`, `uuid 0002: refused, asked once`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/nothing.json")).failsToJudge(`no score, none of 3 samples could be judged \(`)
	f.prints(`no score`).lacks(`overall .* 0\.0`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/nothing.json"), asDocument).failsToJudge(`no score`)
	f.prints(`"status": "no score"`, `"value": null`)

	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/broken.json")).fails(omniscope.Invalid, `broken.json:2: .*step "0001"`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/absent.json")).fails(omniscope.NotFound, `absent.json: no such file`)
}

// A person who is asked may not have answered yet. Such a sample is pending: it is counted, and
// neither scored nor called a failure. The same command asks again for it alone.
func TestPendingAnswers(t *testing.T) {
	f := enter(t, judgeFiles)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/people.json")).ok()
	f.prints(`samples +3: 2 ok, 1 pending`, `overall +4 +75.0`, `usage +2 calls . 0 remembered . 0 failed`, `1 of 3 samples wait for people.s answers`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/people.json"), official).ok()
	f.prints(`samples +3: 2 ok, 1 pending`, `overall +4 +75.0`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/people.json")).ok().prints(`this command: 0 calls . 2 remembered . 0 failed`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/nobody.json")).failsToJudge(`3 of 3 samples are pending`)
	f.prints(`samples +3: 3 pending`, `no score`)
}

// Names of results are in the script of the files' names, and differ as those do.
func TestResultNames(t *testing.T) {
	f := enter(t, "")
	for _, name := range []string{"视频一", "视频二", "plain", "my clips (1)"} {
		fixture.FileIn(t, "", name+".jsonl", fixture.Read(t, "clips.jsonl"))
	}
	f.eval("omni-cloze", "视频一.jsonl", also("视频二.jsonl"), out("out")).ok()
	exist(t, "out/视频一-offline/results.json", "out/视频二-offline/results.json")
	f.eval("omni-cloze", "视频一.jsonl").ok()
	if !strings.HasPrefix(f.dir, "omniscope-work/runs/omni-cloze-视频一-") {
		t.Errorf("the results are in %s", f.dir)
	}
	f.eval("omni-cloze", "my clips (1).jsonl", also("plain.jsonl"), out("plain")).ok()
	exist(t, "plain/my_clips__1_-offline/results.json", "plain/plain-offline/results.json")
}

// Systems of one name, a judge named twice and a later system that cannot be read are refused
// before the first call. All runs of a command have one budget.
func TestSeveralRuns(t *testing.T) {
	f, mock := enter(t, `
-- bench.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1] barks.", "blanks": [{"number": 1, "options": ["A: dog", "B: cat", "C: cow", "D: hen", "E: not given"], "answer_key": "A", "required_modality": "audio"}]}}
-- a.jsonl --
{"uuid": "1", "caption": "A dog barks."}
-- b.jsonl --
{"uuid": "1", "caption": "Somebody barks."}
-- other/a.jsonl --
{"uuid": "1", "caption": "A dog."}
-- broken.jsonl --
nothing
`), startJudge(t)
	f.eval("omni-cloze", "a.jsonl", also("b.jsonl"), data("bench.jsonl"), out("all")).ok().prints(`system     a`, `system     b`)
	exist(t, "all/a-offline/results.json", "all/b-offline/results.json")

	bad := func(want string, settings ...setting) invalidInput {
		return invalidInput{"a.jsonl", append(settings, data("bench.jsonl")), omniscope.Usage, want}
	}
	refuse(t, f, "omni-cloze", []invalidInput{
		bad(`two are called a: rename one`, also("other/a.jsonl"), out("twice")),
		bad(`the judge offline is named twice`, judgedBy(session.Offline, session.Offline)),
		bad(`two are called a: rename one`, also("A.jsonl"), out("both")), // one folder on some file systems
	})
	refuse(t, f, "capricorn", []invalidInput{bad(`--continue is for one judge and one file`, also("b.jsonl"), option("continue", "old"))})
	f.eval("omni-cloze", "a.jsonl", also("broken.jsonl"), data("bench.jsonl"), mock.judges, out("none")).fails(omniscope.Invalid, `broken.jsonl:1: not JSON`)
	mock.asked(0)

	f.eval("omni-cloze", "a.jsonl", also("b.jsonl"), data("bench.jsonl"), mock.judges, calls(func(c *session.Calls) { c.MaxCalls = 1 }), out("budget")).fails(omniscope.Budget)
	mock.asked(1)
}
