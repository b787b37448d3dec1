package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/session/catalog"
)

const clozeOfFilm = `{"uuid":"0001","video_path":"film.mp4","cloze":{"passage":"A [BLANK_1] runs.","blanks":[{"number":1,"options":["A: clip","B: cat","C: cow","D: bird","E: not given"],"answer_key":"A","required_modality":"visual"}]}}` + "\n"

// suiteOf writes a suite of two models on two benchmarks.
func (q inquest) suiteOf(c *captioner, more string) string {
	q.shortClip("film.mp4")
	cloze := q.write("rows.jsonl", clozeOfFilm)
	keypoints := q.write("ann.jsonl", `{"video_id":"v1","video_path":"film.mp4","duration":100,"events":{"main_sbj_evts":[],"main_sbj_ints":[],"bg_desc":[],"trans_desc":[],"minor_evts":["a clip of a test card is shown"]}}`+"\n")
	return q.write("many.yaml", fmt.Sprintf(`models:
  - model: openai/m
    base-url: %[1]s
  - model: openai/n
    base-url: %[1]s
    modality: visual
benchmarks:
  - benchmark: omni-cloze
    data: %[2]s
  - benchmark: capricorn
    data: %[3]s
all:
  work-dir: %[4]s
  quiet: true
  blind-share: 0
%[5]s`, c.URL(), cloze, keypoints, q.path("work"), more))
}

func TestSuiteGoesOnAfterItsBudgetIsSpent(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	file := q.suiteOf(c, "")
	v := q.command("run", file, "--dry-run")
	if v.code != exitDone || strings.Count(v.out, ": ask ") != 4 || c.Stats().Answered != 0 {
		t.Fatalf("dry run: exit %d, %d calls: %s%s", v.code, c.Stats().Answered, v.out, v.errOut)
	}
	out := q.path("out")
	v = q.command("run", file, "--out", out, "--max-calls", "1")
	if v.code != exitBudget || strings.Count(v.out, "waiting") != 3 || c.Stats().Answered != 1 {
		t.Fatalf("one call: exit %d, %d calls: %s%s", v.code, c.Stats().Answered, v.out, v.errOut)
	}
	v = q.command("run", file, "--out", out)
	if v.code != exitDone || strings.Count(v.out, "1 of 1") != 4 || c.Stats().Answered != 2 { // both benchmarks ask for the same caption
		t.Fatalf("the rest: exit %d, %d calls: %s%s", v.code, c.Stats().Answered, v.out, v.errOut)
	}
	for _, name := range []string{"out/tables.json", "out/omni-cloze/n/results/results.json", "out/capricorn/m/report.txt", "out/capricorn/m/m.details.jsonl"} {
		if q.read(name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	q.write("out/mine.txt", "work of somebody")
	q.command("run", file, "--out", out).ends(t, exitUsage).says(t, "mine.txt")
}

func TestRunThatFailsStopsNoOtherOfItsSuite(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	gone := startCaptioner(t, fake.Fault{When: fake.Always(), Do: fake.Status(401, "no such key", "invalid_api_key")})
	file := q.suiteOf(c, "")
	text := strings.Replace(q.read("many.yaml"), c.URL(), gone.URL(), 1)
	fixture.OK(t, os.WriteFile(file, []byte(text), 0o600))
	v := q.command("run", file, "--out", q.path("out"))
	if v.code != exitFailed || strings.Count(v.out, "failed") != 2 || strings.Count(v.out, "1 of 1") != 2 || !strings.Contains(v.errOut, "2 of 4 runs") {
		t.Errorf("exit %d: %s%s", v.code, v.out, v.errOut)
	}
}

func TestSweepLeavesOutWhatIsOverItsTokens(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", clozeOfFilm)
	args := []string{"run", "omni-cloze", "--data", rows, "--model", "openai/m,profile=qwen3-vl,base-url=" + c.URL(), "--work-dir", q.path("work"), "--quiet", "--blind-share", "0"}
	v := q.command(append(args, "--sweep", "frames=4,8", "--sweep", "pixels=65536,262144", "--sweep", "visual-tokens=600", "--out", q.path("out"))...)
	// Tokens are 32 x 32 pixels of a pair of frames: 128, 512, 256, 1024.
	if v.code != exitDone || strings.Count(v.out, "left out") != 1 || c.Stats().Answered != 3 {
		t.Errorf("exit %d, %d calls: %s%s", v.code, c.Stats().Answered, v.out, v.errOut)
	}
	if !strings.Contains(q.read("out/tables.md"), "8 frames of 262144 pixels are 1024") || !strings.Contains(q.read("out/curves.html"), "<svg") {
		t.Errorf("%s", v.out)
	}
	q.command(append(args, "--sweep", "frames=4", "--sweep", "visual-tokens=1")...).ends(t, exitUsage).says(t, "less than a token each")
}

func TestDetectiveAsASystem(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	q.shortClip("film.mp4")
	q.write("broken.mp4", "no film")
	rows := q.write("rows.jsonl", clozeOfFilm+strings.NewReplacer("0001", "0002", "film.mp4", "broken.mp4").Replace(clozeOfFilm)+strings.Replace(clozeOfFilm, "0001", "0003", 1))
	args := []string{"run", "omni-cloze", "--model", "detective", "--tools", "scene", "--data", rows, "--work-dir", q.path("work"), "--out", q.path("out"), "--quiet", "--max-failures", "0.5"}
	q.command(append(args, "--dry-run")...).ends(t, exitDone).prints(t, "the detective asks no model")
	q.command(append(args, "--dry-run", "--observer", "openai/o,base-url="+c.URL())...).ends(t, exitUsage).says(t, "no forecast of a detective that asks models")
	v := q.command(args...)
	if v.code != exitDone || c.Stats().Answered != 0 {
		t.Fatalf("exit %d: %s%s", v.code, v.out, v.errOut)
	}
	details := strings.Split(strings.TrimSpace(q.read("out/detective-offline.details.jsonl")), "\n")
	if len(details) != 4 || !strings.Contains(details[1], `"inquiries":`) || !strings.Contains(details[2], `"outcome":"missing"`) {
		t.Errorf("details: %s", details)
	}
	if answers := q.read("out/detective-offline.jsonl"); strings.Count(answers, "\n") != 2 {
		t.Errorf("answers: %s", answers)
	}
	if q.read("out/detective-offline.investigations/film/index.html") == "" {
		t.Error("the investigation has no page")
	}
}

func TestSuiteMisuse(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	for _, x := range []struct{ old, new, says string }{
		{"model: openai/n", "modle: openai/n", "the entry has no field model"},
		{"modality: visual", "modalty: visual", "line 6: `omniscope run omni-cloze` has no flag --modalty; did you mean --modality?"},
		{"modality: visual", "modality: smell", "run omni-cloze/n: --modality is audio-visual, audio, visual or text"},
		{"modality: visual", "max-cost: 3", "line 6: max-cost is for all runs together"},
		{"modality: visual", "out: here", "line 6: out is a flag of the whole suite"},
		{"benchmark: capricorn", "benchmark: capricron", "did you mean capricorn?"},
		{"no-progress: true", "no-progres: true", "did you mean --quiet?"},
	} {
		file := q.suiteOf(c, "")
		q.write("many.yaml", strings.Replace(q.read("many.yaml"), x.old, x.new, 1))
		if v := q.command("run", file, "--out", q.path("out")); v.code != exitUsage && v.code != exitFailed || !strings.Contains(v.errOut, x.says) {
			t.Errorf("%s: exit %d, %q; want %q", x.new, v.code, v.errOut, x.says)
		}
	}
	for _, x := range []struct {
		args []string
		says string
	}{
		{[]string{"run"}, "name a benchmark, " + strings.Join(datasets(), ", ") + ", or the file of a suite"},
		{[]string{"run", "omni-clze"}, "did you mean omni-cloze?"},
		{[]string{"run", "none.yaml"}, "none.yaml"},
		{[]string{"run", "omni-cloze", "--model", "openai/m", "--sweep", "frames", "--data", film}, "--sweep frames: write NAME=VALUE"},
		{[]string{"caption", film, "--model", "openai/m", "--tools", "scene"}, "--tools belongs to an investigation"},
		{[]string{"run", "omni-cloze", "--data", film, "--model", "detective", "--prompt", "What?"}, "--prompt is for models"},
		{[]string{"run", "omni-cloze", "--data", film, "--model", "detective", "--modality", "text"}, "the detective investigates what is seen or heard"},
		{[]string{"caption", film, "--model", "detective"}, "for an investigation leave it out"},
		{[]string{"caption", film, "--model", "openai/m,max-pixels=9,profile=internvl3.5"}, "frames of exactly 448 x 448"},
	} {
		if v := q.command(append(x.args, "--work-dir", q.path("work"))...); v.code != exitUsage && v.code != exitFailed || !strings.Contains(v.errOut, x.says) {
			t.Errorf("%v: exit %d, %q; want %q", x.args, v.code, v.errOut, x.says)
		}
	}
	if n := c.Stats().Answered; n != 0 {
		t.Errorf("%d calls", n)
	}
}

// datasets are the benchmarks whose files say what models are asked, in order.
func datasets() (names []string) {
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.Dataset); ok {
			names = append(names, b.Info().Name)
		}
	}
	slices.Sort(names)
	return names
}
