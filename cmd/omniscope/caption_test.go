package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench/captionrow"
	"omniscope/internal/testing/fixture"
	"omniscope/session/caption"
)

// The last lines of the command have the numbers, the file and the next command, and the rows lead to the media.
func TestCaptionResult(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	film := q.toneClip("film.mp4", 300)
	v := q.command("caption", film, q.write("broken.mp4", "no film"), "--tools", "sound", "--work-dir", q.path("work"), "--quiet").
		ends(t, exitFailed).prints(t, "captions  1 of 2 clips, ", "failed    1, 1 of them: not media", "add a model that looks with --observer", "next      omniscope people new captions")
	_, rest, _ := strings.Cut(v.out, "\nwritten   ")
	file, _, _ := strings.Cut(rest, "\n")
	row, err := captionrow.Read([]byte(fixture.Read(t, file)))
	fixture.OK(t, err)
	if row.ID != "film" || row.Find(file, "") != film || row.System != captionrow.Offline || row.Modality != "audio-visual" || len(row.Sentences) == 0 || len(row.Evidence) == 0 {
		t.Errorf("the row is %+v", row)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "film", caption.PageFile)); err == nil {
		t.Error("there is a page without --pages")
	}
	for _, where := range []string{file, filepath.Dir(file)} {
		q.command("train", "export", where, "--for", "ms-swift", "--modality", "audio-visual", "--out", q.path("rows"), "--dry-run", "--quiet").ends(t, exitDone)
	}
}

func TestCaptionLimit(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	one, two := q.toneClip("one.mp4", 300), q.toneClip("two.mp4", 500)
	list := q.write("list.txt", one+"\n"+two+"\n")
	common := []string{"--tools", "sound", "--limit", "1", "--work-dir", q.path("work"), "--quiet"}
	q.command(append([]string{"caption", one, two}, common...)...).must(t, exitDone).prints(t, "captions  1 of 1 clip, ")
	q.command(append([]string{"caption", "--list", list}, common...)...).must(t, exitDone).prints(t, "captions  1 of 1 clip, ")
	q.command("caption", one, "--limit", "-1").ends(t, exitUsage).says(t, "--limit must not be negative")
}

// A forecast counts calls, tokens and dollars, and asks nothing.
func TestCaptionForecast(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	film := q.toneClip("film.mp4", 300)
	args := []string{"caption", film, "--detective", "openai/gpt-4.1", "--observer", "openai/gpt-4o", "--inquiries", "4", "--dry-run", "--work-dir", q.path("work")}
	q.command(args...).must(t, exitDone).prints(t, "calls of models: at most 19", "openai/gpt-4.1: about 5 calls", "openai/gpt-4o: about 4 calls", "expected: $", "assumed: every inquiry is used")
	v := q.command(append(args, "--json")...).must(t, exitDone)
	var f caption.Forecast
	fixture.OK(t, json.Unmarshal([]byte(v.out), &f))
	if f.Calls != 19 || len(f.Models) != 2 || f.CostUSD == nil || *f.CostUSD <= 0 || f.Measured != 1 {
		t.Errorf("the forecast is %+v", f)
	}
	if _, err := os.Stat(q.path("work/captions")); err == nil {
		t.Error("a forecast wrote captions")
	}
	q.command("caption", film, "--dry-run", "--work-dir", q.path("work")).must(t, exitDone).prints(t, "no model is asked: it costs nothing")
	q.command("caption", film, "--model", "openai/gpt-4o,max-tokens=500", "--modality", "visual", "--dry-run", "--work-dir", q.path("work")).must(t, exitDone).prints(t, "nothing was asked", "openai/gpt-4o", "as long as their limit of 500 tokens")
}

func TestCaptionFlagsTogether(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	for args, says := range map[string]string{
		"a.mp4 --model openai/m --detective openai/d": "--model asks one model, and --detective has another ask",
		"a.mp4 --model openai/m --observer openai/o":  "--observer belongs to an investigation",
		"a.mp4 --system ours":                         "--system goes with --model",
		"a.mp4 --passes a,v":                          "--passes goes with --list",
		"a.mp4 --tools-only --detective openai/d":     "--detective is about captions, and --tools-only writes none",
		"a.mp4 --seed 3":                              "--seed goes with --pilot or --model",
	} {
		q.command(append([]string{"caption"}, strings.Fields(args)...)...).ends(t, exitUsage).says(t, says)
	}
}

// Captions that a model writes for a benchmark lead to their media, too.
func TestAnswersHavePaths(t *testing.T) {
	t.Parallel()
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	q.predict("omni-cloze", c, "--data", q.write("rows.jsonl", clozeOfFilm), "--media", q.dir, "--out", q.path("answers.jsonl")).must(t, exitDone)
	row, err := captionrow.Read([]byte(q.read("answers.jsonl")))
	fixture.OK(t, err)
	if row.ID != "0001" || row.Find(q.path("answers.jsonl"), "") != film || row.System != "m" || !strings.HasPrefix(row.Caption, "A clip of") {
		t.Errorf("the row is %+v", row)
	}
}
