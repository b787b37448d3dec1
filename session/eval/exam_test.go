package eval

import (
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fake"
	"omniscope/session"
	"omniscope/session/catalog"
)

// judgedFiles are small files of every benchmark that a model judges.
var judgedFiles = capricornFiles + strings.NewReplacer("-- captions.jsonl --", "-- of-captions.jsonl --", "-- empty.json --", "-- of-empty.json --").Replace(captionBenchFiles) + spokenFiles

// judgedRuns has a run of each benchmark with an examined judge: its captions and its file.
var judgedRuns = map[string][2]string{
	"omni-cloze": {"clips.jsonl", ""}, "capricorn": {"captions.jsonl", "annotations.jsonl"}, "vdc": {"of-captions.jsonl", "vdc.jsonl"},
	"video-salmonn2": {"of-captions.jsonl", "salmonn.json"}, "dream-1k": {"of-captions.jsonl", "dream.jsonl"}, "ugc-videocap": {"of-captions.jsonl", "ugc.json"},
	"m3-bench-web": {"of-captions.jsonl", "web.json"}, "mmau": {"spoken.jsonl", "data.json"},
}

func examined(r *evalRun) { r.calls.SkipExam, r.calls.StopUnusable = false, session.None }

// The judge of every benchmark is examined once, whichever profile is run first: forecasts count the calls, and a judge of no
// use is marked.
func TestEveryJudgeIsExamined(t *testing.T) {
	f := enter(t, judgedFiles)
	for name, files := range judgedRuns {
		t.Run(name, func(t *testing.T) {
			f.t = t
			judge := startJudge(t, fake.Fault{When: fake.Always(), Do: fake.Say("Let me see.")})
			more := []setting{judge.judges, data(files[1]), examined, failures(1), work("w-" + name)}
			f.eval(name, files[0], append(more, official, dryRun)...).ok().prints(`10 of the calls examine the judge`)
			f.eval(name, files[0], append(more, official)...).warns(`the judge answered 10 of 10 examination items wrong`)
			if x := f.results.Judge.Exam; x == nil || x.Items != 10 || x.Right != 0 || !strings.Contains(strings.Join(f.results.Marks, " "), "examination") {
				t.Errorf("examination %+v, marks %q", x, f.results.Marks)
			}
			f.eval(name, files[0], append(more, dryRun)...).ok().lacks(`examine the judge`)
			if calls := judge.Stats().Answered; calls > 0 {
				f.eval(name, files[0], append(more, official, out("again-"+name))...)
				if now := judge.Stats().Answered; now != calls {
					t.Errorf("the same run asks %d more", now-calls)
				}
			}
		})
	}
	for _, open := range catalog.Benchmarks {
		info := open().Info()
		if _, tried := judgedRuns[info.Name]; info.Examined && !info.JudgeOptional && !tried {
			t.Errorf("the judge of %s is examined, and no run here tries it", info.Name)
		}
	}
}

// The wanted form goes with every asking where schema=true is given, also of an examination: the report counts these replies
// apart, and official refuses.
func TestSchemaWithTheFirstAsking(t *testing.T) {
	f := enter(t, judgedFiles)
	schema := func(r *evalRun) { r.schema = true }
	for name, files := range judgedRuns {
		t.Run(name, func(t *testing.T) {
			f.t = t
			judge := startJudge(t, fake.Fault{When: fake.Always(), Do: fake.Say("Let me see.")})
			more := []setting{judge.judges, data(files[1]), examined, failures(1), schema}
			f.eval(name, files[0], more...)
			for _, r := range f.results.Judge.Readable {
				if !r.Schema {
					t.Errorf("asking %d of %d replies went without a schema", r.Asking, r.Replies)
				}
			}
			if !slices.ContainsFunc(f.results.Warnings, func(w string) bool {
				return strings.HasPrefix(w, "official here counts replies to requests with a schema")
			}) ||
				!strings.Contains(f.results.Signature, "|schema:first") || f.results.Status == document.Scored {
				t.Errorf("%s, signature %s, warnings %q", f.results.Status, f.results.Signature, f.results.Warnings)
			}
			f.eval(name, files[0], append(more, dryRun)...).ok().prints(`calls to make +0 `)
			f.eval(name, files[0], append(more, official)...).fails(omniscope.Usage, `schema=true of the judge is for --scoring strict`)
		})
	}
}
