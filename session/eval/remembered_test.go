package eval

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/results/report"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/journals"
)

// inJournal does something with the journal of a working folder.
func (f *evalFolder) inJournal(workDir string, do func(s journal.Store) error) {
	f.t.Helper()
	s, err := journals.All.OpenExisting(f.t.Context(), session.JournalAt(workDir, ""), io.Discard)
	fixture.OK(f.t, err)
	f.err = do(s)
	fixture.OK(f.t, s.Close())
}

// shows lists runs, or the calls of a run, as `omniscope journal show` does.
func (f *evalFolder) shows(workDir, run, step string, failed bool) *evalFolder {
	f.t.Helper()
	var b bytes.Buffer
	f.inJournal(workDir, func(s journal.Store) error {
		if run == "" {
			runs, err := (session.Kinds{Kind}).ListRuns(f.t.Context(), s)
			session.WriteRuns(&b, runs)
			return err
		}
		r, err := journal.FindRun(f.t.Context(), s, run)
		if err != nil {
			return err
		}
		if step != "" {
			return session.WriteStep(f.t.Context(), &b, s, r.Name, step)
		}
		return session.WriteCalls(f.t.Context(), &b, s, r.Name, failed)
	})
	f.text = b.String()
	return f
}

// replay computes a run again from its remembered answers.
func (f *evalFolder) replay(workDir, run string) *evalFolder {
	f.t.Helper()
	var b bytes.Buffer
	f.inJournal(workDir, func(s journal.Store) error {
		r, err := journal.FindRun(f.t.Context(), s, run)
		if err != nil {
			return err
		}
		results, info, err := Replay(f.t.Context(), s, r, About{Version: "test"})
		if err != nil {
			return err
		}
		f.results = results
		return report.Text(&b, results, report.TextOptions{Columns: report.Columns(info.Metric)})
	})
	f.text = b.String()
	return f
}

// export writes all calls, or the calls of a run, as JSON Lines.
func (f *evalFolder) export(workDir, run string) string {
	f.t.Helper()
	var b bytes.Buffer
	f.inJournal(workDir, func(s journal.Store) error {
		runs, err := s.Runs(f.t.Context())
		if run != "" {
			runs = make([]journal.Run, 1)
			runs[0], err = journal.FindRun(f.t.Context(), s, run)
		}
		if err != nil {
			return err
		}
		return journal.Export(f.t.Context(), s, &b, runs, run == "")
	})
	f.ok()
	return b.String()
}

// A forecast makes no call and writes no file.
func TestForecast(t *testing.T) {
	f, mock := enter(t, pricesFile+`
-- data.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}}
-- good.jsonl --
{"uuid": "1", "caption": "A dog."}
`), startJudge(t)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, prices("prices.yaml"), dryRun).ok()
	f.prints(`omni-cloze, clips: 3 samples, judged by openai/mock http://127.0.0.1`, `calls to make +3 \(0 more are remembered\)`, `calls to make .*; at most 90$`,
		`tokens in +about 1[0-9][0-9][0-9]; no bound without max-tokens of the judge`, `tokens out +about 3072; no bound without max-tokens of the judge`,
		`cost +expected \$0.03; no bound without max-tokens of the judge`, `Expected is one asking of each question.* 4 bytes a token in,`,
		`1024 tokens an answer, as the judge has no max-tokens`, `Nothing was spent`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, prices("prices.yaml"), calls(noRetries), func(r *evalRun) { r.maxTokens = 1024 }, dryRun).ok()
	f.prints(`calls to make +3 .*; at most 9$`, `tokens out +about 3072; at most 9216$`, `cost +expected \$0.03; at most \$0.[12]`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, dryRun, asDocument).ok()
	f.prints(`"calls_at_most": 90`, `"tokens_out_at_most": null`, `"schema": "omniscope.forecast/1"`, `"calls": 3`, `"cost_usd": null`)
	f.eval("omni-cloze", "good.jsonl", data("data.jsonl"), dryRun).ok()
	f.prints(`judged by offline$`, `one asking of each question, one try of each, all that may follow`)
	mock.asked(0)
	gone(t, "omniscope-work")
}

const pricesFile = `
-- prices.yaml --
openai/mock: {in: 2.50, out: 10.00}
`

func noRetries(c *session.Calls) { c.MaxRetries = session.None }

// A budget stops the run, which goes on where it stopped when the same command is run again.
func TestBudget(t *testing.T) {
	f, mock := enter(t, pricesFile), startJudge(t)
	two := calls(func(c *session.Calls) { c.MaxCalls = 2 })
	f.eval("omni-cloze", "clips.jsonl", mock.judges, two)
	f.fails(omniscope.Budget, `--max-calls 2 is used up \(this command made 2 calls, [0-9]+ tokens.*\): run the same command again to go on`)
	mock.asked(2)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, two).ok().prints(`usage +3 calls . 0 remembered`, `this command: 1 call . 2 remembered`)
	mock.asked(3)

	f.eval("omni-cloze", "clips.jsonl", mock.judges, work("other"), calls(func(c *session.Calls) { c.MaxTokens = 100 }))
	f.fails(omniscope.Budget, `--max-total-tokens 100 is less than one call is likely to take \(about [0-9]+ tokens.*: raise it`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, work("other"), prices("prices.yaml"), calls(func(c *session.Calls) { c.MaxCost = 0.001 }))
	f.fails(omniscope.Budget, `--max-cost 0.001 is less than one call is likely to take`)
	mock.asked(3)
}

// Every answer is remembered: the same command makes no call twice, and a run that needs some of
// the answers takes them.
func TestRememberedAnswers(t *testing.T) {
	f, mock := enter(t, ""), startJudge(t)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, out("first")).ok().prints(`usage +3 calls . 0 remembered`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, out("second")).ok().prints(`usage +3 calls . 0 remembered`, `this command: 0 calls . 3 remembered`)
	sameFile(t, "first/blanks.jsonl", "second/blanks.jsonl")
	mock.asked(3)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, dryRun).ok().prints(`calls to make +0 \(3 more are remembered\)`, `cost +nothing`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, limit(2)).ok().prints(`usage +0 calls . 2 remembered`).lacks(`this command`)

	// Another address might give other answers, unless the user denies that.
	fixture.FileIn(t, "", "moved.jsonl", fixture.Read(t, "clips.jsonl"))
	mock = startJudge(t)
	f.eval("omni-cloze", "moved.jsonl", mock.judges, anyEndpoint).ok().prints(`usage +0 calls . 3 remembered`)
	mock.asked(0)
	f.eval("omni-cloze", "moved.jsonl", mock.judges).ok().prints(`usage +3 calls . 0 remembered`)
	mock.asked(3)

	// A fresh run asks again. Its answers are remembered from then on; the old ones stay.
	f.eval("omni-cloze", "clips.jsonl", mock.judges, fresh).ok().prints(`usage +3 calls . 0 remembered`)
	mock.asked(6)
	f.eval("omni-cloze", "clips.jsonl", mock.judges).ok().prints(`this command: 0 calls . 3 remembered`)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, fresh).ok().prints(`usage +6 calls . 0 remembered`, `this command: 3 calls . 0 remembered`)
	mock.asked(9)
	f.shows("omniscope-work", "", "", false).ok().prints(`│ 6 of 6 +│ [0-9]+ +│ \? +│ omni-cloze`)
}

// Calls that failed are asked again by the same command, and only those.
func TestFailedCallsAskedAgain(t *testing.T) {
	f, mock := enter(t, ""), startJudge(t, fake.Fault{When: fake.Containing("Heavy"), Do: fake.ServerError(500)})
	f.eval("omni-cloze", "clips.jsonl", mock.judges, calls(noRetries)).failsToJudge(`run the same command again to ask again for the 1 without an answer`)
	f.prints(`samples +3: 2 ok, 1 failed`)
	mock.asked(3)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, calls(noRetries)).failsToJudge()
	f.prints(`usage +4 calls . 0 remembered . 2 failed`, `this command: 1 call . 2 remembered . 1 failed`)
	mock.asked(4)
}

// usageOfAll is the usage of all commands of a run, without its seconds.
func usageOfAll(t *testing.T, r *document.Results) string {
	t.Helper()
	u := r.Usage
	u.Seconds, u.ThisCommand = 0, nil
	text, err := json.Marshal(u)
	fixture.OK(t, err)
	return string(text)
}

// A run's usage is that of all its commands, and this command's part is next to it. It costs as
// much as in one go, and a replay reports it as it was.
func TestUsageOfSeveralCommands(t *testing.T) {
	f, mock := enter(t, pricesFile), startJudge(t)
	two, priced := calls(func(c *session.Calls) { c.MaxCalls = 2 }), prices("prices.yaml")
	f.eval("omni-cloze", "clips.jsonl", mock.judges, priced, two).fails(omniscope.Budget)
	mock.asked(2)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, priced, out("resumed")).ok()
	f.prints(`usage +3 calls . 0 remembered . 0 failed`, `this command: 1 call . 2 remembered`)
	holds(t, "resumed/report.md", `- this command: 1 call`)
	mock.asked(3)
	resumed, id := usageOfAll(t, f.results), f.results.Run.ID

	f.eval("omni-cloze", "clips.jsonl", mock.judges, priced, work("other")).ok().lacks(`this command`)
	whole := usageOfAll(t, f.results)
	if resumed != whole || !regexp.MustCompile(`"cost_usd":0\.00[0-9]`).MatchString(whole) {
		t.Errorf("the usage is\n%s\nand in one go\n%s", resumed, whole)
	}
	f.eval("omni-cloze", "clips.jsonl", mock.judges, priced, limit(2)).ok().prints(`usage +0 calls . 2 remembered`)
	if got := usageOfAll(t, f.replay("omniscope-work", id).ok().results); got != whole {
		t.Errorf("the usage of the replay is\n%s\nwant\n%s", got, whole)
	}

	// Without a price at first, the price given later counts.
	f.eval("omni-cloze", "clips.jsonl", mock.judges, two, work("third")).fails(omniscope.Budget)
	f.eval("omni-cloze", "clips.jsonl", mock.judges, priced, work("third")).ok()
	if got := usageOfAll(t, f.results); got != whole {
		t.Errorf("the usage with a later price is\n%s\nwant\n%s", got, whole)
	}
}

const onlyFiles = `
-- right.json --
{"only": ["{\"1\": \"A: dog\"}"]}
-- wrong.json --
{"only": ["{\"1\": \"B: cat\"}"]}
-- one.jsonl --
{"uuid": "only", "video_path": "v.mp4", "cloze": {"passage": "A [BLANK_1] barks.", "blanks": [{"number": 1, "options": ["A: dog", "B: cat", "C: owl", "D: fox", "E: not given"], "answer_key": "A", "required_modality": "audio"}]}, "metadata": {}, "predicted_caption": "A dog."}
`

// A replay uses the answers of the run itself, also if other runs of the same folder had other
// answers since.
func TestReplayOwnAnswers(t *testing.T) {
	f := enter(t, onlyFiles)
	f.eval("omni-cloze", "one.jsonl", judgedBy("scripted/right.json")).ok()
	right := f.results.Run.ID
	f.eval("omni-cloze", "one.jsonl", judgedBy("scripted/wrong.json"), fresh).ok().prints(`accuracy 0.0`)
	f.replay("omniscope-work", right).ok().prints(`accuracy 100.0`)

	// A script that changed under its name is another judge, and another run.
	fixture.FileIn(t, "", "right.json", fixture.Read(t, "wrong.json"))
	f.eval("omni-cloze", "one.jsonl", judgedBy("scripted/right.json")).ok().prints(`accuracy 0.0`)
	f.replay("omniscope-work", right).ok().prints(`accuracy 100.0`)

	// A run that took its answers from an earlier one rests on those calls: they are shown,
	// exported and replayed as its own.
	f.eval("omni-cloze", "one.jsonl", judgedBy("scripted/wrong.json"), seed(7)).ok().prints(`usage +0 calls . 1 remembered`)
	seven := f.results.Run.ID
	f.shows("omniscope-work", seven, "only", false).ok().prints(`== only, attempt 1: ok`, `A dog`)
	matches(t, "the export", f.export("omniscope-work", seven), []string{`"step":"only"`})
	f.replay("omniscope-work", seven).ok().prints(`accuracy 0.0`)
}

// The journal shows questions and answers.
func TestShowCalls(t *testing.T) {
	f := enter(t, `
-- judge.json --
{
  "0001": ["It is a dog in a red coat.", "{\"1\": \"A: dog\", \"2\": \"B: red\"}"],
  "0002": ["{\"1\": \"C: tent\", \"2\": \"E: not given\"}"],
  "0003": [null, {"error": "declined"}]
}
`)
	f.eval("omni-cloze", "clips.jsonl", judgedBy("scripted/judge.json")).failsToJudge()
	ran, id := f.results, f.results.Run.ID
	f.shows("omniscope-work", "", "", false).ok()
	f.prints(`run .*answers .*tokens .*cost .*what`, `│ 3 of 5 +│ 1272 +│ \? +│ omni-cloze clips.jsonl by`, `scripted/judge.json`)
	f.shows("omniscope-work", id[:6], "", false).ok()
	f.prints(`0001 +1 +ok +scripted .*It is a dog`, `0001 +2 +ok +scripted .*"A: dog"`, `0003 +1 +failed .*the script lets this`)
	f.shows("omniscope-work", id, "", true).ok().prints(`0003`).lacks(`0001`)
	f.shows("omniscope-work", id, "0001", false).ok()
	f.prints(`== 0001, attempt 1: ok`, `-- system`, `A \[BLANK_1\] barks`, `== 0001, attempt 2: ok`, `That reply cannot be used`)
	for step, want := range map[string]string{"0404": `has no step "0404"`, "1": `has no step "1"; did you mean 0001\?`, "clip": `has no step "clip"; it has \["0001" "0002" "0003"\]`} {
		f.shows("omniscope-work", id, step, false).fails(omniscope.NotFound, want)
	}
	f.shows("omniscope-work", "ffff", "", false).fails(omniscope.NotFound, `no run "ffff"`)
	f.shows("omniscope-work", id+"0", "", false).fails(omniscope.NotFound, `did you mean [0-9a-f]+\?`)
	f.shows("omniscope-work", "clips", "", false).fails(omniscope.NotFound, "no run \"clips\".*`omniscope journal show` lists the runs")
	if strings.Contains(f.err.Error(), "did you mean") {
		t.Error(f.err)
	}

	exported := f.export("omniscope-work", "")
	if n := len(regexp.MustCompile(`(?m)^\{"run":"[0-9a-f]*","step":"`).FindAllString(exported, -1)); n != 5 {
		t.Errorf("%d calls, want 5", n)
	}
	matches(t, "the export", exported, []string{`"step":"0003","attempt":2,.*"outcome":"refused"`, `"outcome":"ok".*"request":\{.*"result":\{`})
	if f.export("omniscope-work", id) != exported {
		t.Error("the export of the only run differs from that of all")
	}

	// A replay computes the same scores without any call, even where the judge is gone.
	fixture.OK(t, os.Remove("judge.json"))
	f.replay("omniscope-work", id).ok().prints(`samples +3: 2 ok, 1 refused`)
	if scores(t, f.results) != scores(t, ran) || f.results.Usage.ThisCommand.Calls != 0 {
		t.Errorf("the replay makes %d calls and scores\n%s\nwant\n%s", f.results.Usage.ThisCommand.Calls, scores(t, f.results), scores(t, ran))
	}
	matches(t, "the warnings", strings.Join(f.results.Warnings, "\n"), []string{`uuid 0003: refused, asked 2 times: .*the script lets this call fail`})
	fixture.FileIn(t, "", "clips.jsonl", strings.ReplaceAll(fixture.Read(t, "clips.jsonl"), "kitchen", "hall"))
	f.replay("omniscope-work", id).fails(omniscope.Invalid, `clips.jsonl has changed since the run`)
}

func TestNoJournal(t *testing.T) {
	enter(t, "")
	_, err := journals.All.OpenExisting(t.Context(), session.JournalAt("omniscope-work", ""), io.Discard)
	if omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "there is no journal in omniscope-work/journal; name the folder with --work-dir") {
		t.Error(err)
	}
}

// An answer that cannot be used is described by what it was, also in the journal.
func TestUnusableAnswers(t *testing.T) {
	f := enter(t, `
-- annotations.jsonl --
{"video_id": "roof", "duration": 301, "events": {"main_sbj_evts": [], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": ["A dog barks"]}}
-- captions.jsonl --
{"video_id": "roof", "caption": "A dog barks."}
-- single.json --
{"roof/other|A dog barks": [{"refusal": "I will not."}]}
-- batched.json --
{"roof/batch": [{"text": "{\"1\": ", "finish": "length"}]}
`)
	for _, c := range []struct {
		work   string
		effect fake.Effect
		warns  string
		shows  string
	}{
		{"tool", fake.CallTool("lookup"), `uuid 0001: unparsed, asked 3 times: it calls the tool "lookup" and says nothing`, `0001 .*\(it calls the tool "lookup" and says nothing\)`},
		{"refused", fake.Refuse("I would rather not."), `uuid 0001: refused, asked 3 times: it was refused: "I would rather not."`, `0001 .*\(it was refused: "I would rather not."\)`},
	} {
		f.eval("omni-cloze", "clips.jsonl", startJudge(t, fake.Fault{When: fake.Always(), Do: c.effect}).judges, work(c.work)).failsToJudge()
		f.prints(c.warns)
		f.shows(c.work, f.results.Run.ID, "", false).ok().prints(c.shows)
	}
	once := func(r *evalRun) { r.attempts = 1 }
	f.eval("capricorn", "captions.jsonl", data("annotations.jsonl"), judgedBy("scripted/single.json"), once, out("single")).failsToJudge()
	f.prints(`video roof: 1 of 1 keypoints have no usable judgement; the last one: it was refused: "I will not."`)
	holds(t, "single/keypoints.jsonl", `"event":"A dog barks","verdict":"unjudged","reason":"it was refused: .*I will not`)
	f.eval("capricorn", "captions.jsonl", data("annotations.jsonl"), judgedBy("scripted/batched.json"), option("judge-mode", "batched"), once).failsToJudge()
	f.prints(`the last one: it was cut off by the length limit$`)
}
