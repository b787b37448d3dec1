package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/session/measure"
)

// runCloze is a run of one sample of Omni-Cloze.
func (q inquest) runCloze(c *captioner, more ...string) []string {
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", clozeOfFilm)
	return append([]string{"run", "omni-cloze", "--data", rows, "--work-dir", q.path("work"), "--quiet", "--blind-share", "0"}, more...)
}

func TestSeveralModelsAreComparedOnOneBudget(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	args := q.runCloze(c, "--model", "openai/m,base-url="+c.URL(), "--model", "openai/n,temperature=0.5,base-url="+c.URL(), "--out", q.path("out"))
	q.command(append(args, "--max-calls", "1")...).ends(t, exitBudget)
	v := q.command(args...).must(t, exitDone)
	if c.Stats().Answered != 2 {
		t.Errorf("%d calls, want one of each model", c.Stats().Answered)
	}
	v.prints(t, "took").prints(t, "omniscope compare "+q.path("out/omni-cloze/m/results")+" "+q.path("out/omni-cloze/n/results"))
	if details := q.read("out/omni-cloze/n/n.details.jsonl"); !strings.Contains(details, `"temperature":0.5`) {
		t.Errorf("the settings of the second model were lost: %.600s", details)
	}
	for _, name := range []string{"out/tables.md", "out/omni-cloze/m/m.jsonl", "out/omni-cloze/n/results/results.json"} {
		if !ondisk.Exists(q.path(name)) {
			t.Errorf("%s is not there", name)
		}
	}
}

func TestSeveralModelsAreCheckedBeforeTheFirst(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	one := "openai/m,base-url=" + c.URL()
	for _, x := range []struct {
		model string
		more  []string
		says  string
	}{
		{one, nil, "is named twice"},
		{"openia/n", nil, "openai"},
		{"openai/n", nil, "OPENAI_API_KEY"},
		{"openai/n,profile=qwen3-omny,base-url=" + c.URL(), nil, "did you mean qwen3-omni?"},
		{"openai/n,base-url=" + c.URL(), []string{"--system", "s"}, "--system names one system"},
		{"openai/n,base-url=" + c.URL(), []string{"--judge", "openai/j"}, "OPENAI_API_KEY"},
	} {
		args := q.runCloze(c, append(x.more, "--model", one, "--model", x.model, "--out", q.path("out"))...)
		if v := q.command(args...).says(t, x.says); v.code == exitDone {
			t.Errorf("%s %s: exit %d", x.model, x.more, v.code)
		}
	}
	if n := c.Stats().Answered; n != 0 {
		t.Errorf("%d calls", n)
	}
	q.command(q.runCloze(c, "--model", one, "--model", "openai/n,base-url="+c.URL(), "--out", q.path("out"))...).must(t, exitDone)
	q.write("out/omni-cloze/m/results/mine.txt", "other work")
	fixture.OK(t, os.Remove(q.path("out/omni-cloze/m/results/results.json")))
	asked := c.Stats().Answered
	q.command(q.runCloze(c, "--model", one, "--model", "openai/o,base-url="+c.URL(), "--out", q.path("out2"))...).must(t, exitDone)
	q.command(q.runCloze(c, "--model", one, "--prompt", "Other?", "--out", q.path("out/omni-cloze/m"))...).ends(t, exitUsage)
	if n := c.Stats().Answered - asked; n != 1 {
		t.Errorf("%d calls, want 1 of openai/o", n)
	}
}

func TestForecastOfARunAsksNothing(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	model, judge := "openai/m,profile=qwen2.5-omni,max-tokens=300,base-url="+c.URL(), "openai/gpt-4o-2024-11-20,max-tokens=50,base-url="+c.URL()
	args := q.runCloze(c, "--model", model, "--judge", judge, "--judge-exam=false", "--out", q.path("out"))
	forecast := func(more ...string) (f measure.Forecast) {
		t.Helper()
		v := q.command(append(args, append(more, "--dry-run", "--json")...)...).must(t, exitDone)
		fixture.OK(t, json.Unmarshal([]byte(v.out), &f))
		return f
	}
	before := forecast()
	if len(before.Parts) != 2 || before.Parts[0].Calls != 1 || before.Parts[0].TokensOut != 300 || before.Parts[1].Calls == 0 || before.Parts[1].TokensIn < 300 || before.Parts[1].CostUSD == nil {
		t.Fatalf("%+v", before)
	}
	if before.Total.Calls != before.Parts[0].Calls+before.Parts[1].Calls || before.Total.CallsAtMost == nil || *before.Total.CallsAtMost < before.Total.Calls {
		t.Errorf("total %+v", before.Total)
	}
	if before.Parts[0].TokensInAtMost == nil || *before.Parts[0].TokensInAtMost < before.Parts[0].TokensIn {
		t.Errorf("at most %+v", before.Parts[0])
	}
	if c.Stats().Requests != 0 || ondisk.Exists(q.path("out")) {
		t.Errorf("%d requests; out exists: %t", c.Stats().Requests, ondisk.Exists(q.path("out")))
	}
	q.command(append(args, "--dry-run")...).must(t, exitDone).prints(t, "at most").prints(t, "assumed: answers of openai/m as long as their limit of 300 tokens")
	q.command(append(args, "--no-score")...).must(t, exitDone)
	if after := forecast(); after.Parts[0].Calls != 0 || after.Parts[0].Remembered != 1 || after.Parts[1].TokensIn >= before.Parts[1].TokensIn {
		t.Errorf("the answer is remembered, and shorter than its limit: %+v", after.Parts)
	}
	if both := forecast("--model", "openai/n,base-url="+c.URL(), "--out", q.path("both")); len(both.Parts) != 4 || both.Parts[2].TokensInAtMost != nil || both.Total.CostAtMostUSD != nil {
		t.Errorf("two models, one without a limit: %+v", both.Parts)
	}
}

func TestMissingScorerStopsARunBeforeItAsks(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	const task = `<task track="long" text_lang="en"><sample id="1"%s><audio_path>a.wav</audio_path><text_path>a.txt</text_path>%s</sample></task>`
	source := q.write("MCIF1.0.IF.long.en.src.fixedprompts.xml", `<testset name="MCIF1.0">`+fmt.Sprintf(task, "", "<instruction>What sits?</instruction>")+`</testset>`)
	q.write("MCIF1.0.IF.long.en.ref.xml", `<testset name="MCIF1.0">`+fmt.Sprintf(task, ` iid="QA_t1_1" task="QA" qa_type="A" qa_origin="General"`, "<reference>a cat</reference>")+`</testset>`)
	fixture.OK(t, os.MkdirAll(q.path("LONG_TEXTS"), 0o755))
	q.write("LONG_TEXTS/a.txt", "Hello world.")
	args := []string{"run", "mcif", "--data", source, "--modality", "text", "--model", "openai/m,base-url=" + c.URL(), "--models-dir", q.path("none"), "--work-dir", q.path("work"), "--out", q.path("out"), "--quiet"}
	q.command(args...).ends(t, exitUsage).says(t, "QA-BERTScore").says(t, "nothing was asked yet").says(t, "--no-score only asks")
	if n := c.Stats().Answered; n != 0 {
		t.Errorf("%d calls", n)
	}
	if v := q.command(append(args, "--anyway")...); v.code != exitFailures || c.Stats().Answered != 1 {
		t.Errorf("--anyway: exit %d, %d calls: %s", v.code, c.Stats().Answered, v.errOut)
	}
	q.command(append(args, "--no-score")...).ends(t, exitDone).prints(t, "omniscope eval mcif --data")
}

func TestMediaAreFoundByName(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	fixture.OK(t, os.MkdirAll(q.path("flat"), 0o755))
	q.shortClip("flat/film.mp4")
	cloze := strings.Replace(clozeOfFilm, "film.mp4", "videos/part1/film.mp4", 1)
	rows := q.write("rows.jsonl", cloze)
	args := []string{"run", "omni-cloze", "--no-score", "--media", q.path("flat"), "--model", "openai/m,base-url=" + c.URL(), "--work-dir", q.path("work"), "--quiet", "--blind-share", "0"}
	q.command(append(args, "--data", rows, "--out", q.path("a.jsonl"))...).ends(t, exitDone).says(t, "1 files are not under their paths in the benchmark and were found by name")
	two := q.write("two.jsonl", cloze+strings.NewReplacer("0001", "0002", "part1", "part2").Replace(cloze))
	q.command(append(args, "--data", two, "--out", q.path("b.jsonl"))...).ends(t, exitUsage).says(t, "none of the media of 2 samples")
	q.shortClip("flat/v1.mp4")
	keypoints := q.write("ann.jsonl", `{"video_id":"v1","duration":100,"events":{"main_sbj_evts":[],"main_sbj_ints":[],"bg_desc":[],"trans_desc":[],"minor_evts":["a clip of a test card is shown"]}}`+"\n")
	args[1] = "capricorn"
	q.command(append(args, "--data", keypoints, "--out", q.path("c.jsonl"))...).ends(t, exitDone).prints(t, "1 of 1 samples")
}

func TestEndOfARun(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	args := q.runCloze(c, "--model", "openai/m,base-url="+c.URL(), "--out", q.path("out"))
	rows := q.write("rows.jsonl", clozeOfFilm+strings.NewReplacer("0001", "0002", "film.mp4", "broken.mp4").Replace(clozeOfFilm))
	q.write("broken.mp4", "no film")
	args[3] = rows
	v := q.command(append(args, "--max-failures", "0.5")...).must(t, exitDone)
	end := v.out[strings.LastIndex(v.out, "\n\n"):]
	has(t, end, "score      ", ", n 2, ", "answers    1 of 2 samples", "failures   1 missing of 2 samples (1: ", "took       1 call, ", "folder     "+q.path("out/results"), "next       omniscope view "+filepath.Clean(q.path("out")))
	if strings.Contains(v.out, "no calls") {
		t.Errorf("usage of one half is shown: %s", v.out)
	}
	v = q.command(append(args, "--max-failures", "0.5", "--json")...).must(t, exitDone)
	if !json.Valid([]byte(v.out)) {
		t.Errorf("--json prints more than the document: %s", v.out)
	}
}
