package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/results/diff"
)

// A diffed run is the same as all others but for one thing.
type diffed struct {
	profile  string // of the model
	clip     string // ffmpeg's size of the picture
	prompt   string
	model    string // as the endpoint calls it
	reply    string
	strip    string
	flags    []string // of predict
	settings string   // of the model
	judge    string   // script
}

const (
	blankRow = `{"uuid":"a","video_path":"./film.mp4","cloze":{"passage":"A [BLANK_1] barks.","blanks":[{"number":1,` +
		`"options":["A: dog","B: cat","C: cow","D: hen","E: Not Given"],"answer":"dog","answer_key":"A","required_modality":"audio"}]},"metadata":{"category":"Life","subcategory":"Home"}}` + "\n"
	judgeOfA = `{"a":["{\"1\":\"A: dog\"}"]}`
	judgeOfB = `{"a":["{\"1\":\"B: cat\"}"]}`
)

// do runs and scores, in a folder of its own, and returns that of the results.
func (d diffed) do(q inquest, address, name string) (run string) {
	q.t.Helper()
	dir := q.path(name)
	fixture.OK(q.t, os.Mkdir(dir, 0o755))
	hertz := 440
	if d.clip != "" {
		hertz = 880
	}
	q.toneClip(name+"/film.mp4", hertz)
	profile := "name: made\nstrip: [" + d.strip + "]\nsenses: [audio-visual]\nprompts: [\"" + d.prompt + "\"]\nframes: {" + d.profile + "}\n"
	args := append([]string{"run", "omni-cloze", "--data", q.write(name+"/rows.jsonl", blankRow), "--media", dir, "--model",
		"openai/m,base-url=" + address + ",profile=" + q.write(name+"/profile.yaml", profile) + d.settings, "--work-dir", q.path(name + "/work"), "--out", q.path(name + "/out"),
		"--judge", "scripted/" + q.write(name+"/judge.json", d.judge), "--quiet", "--blind-share", "0"}, d.flags...)
	q.command(args...).must(q.t, exitDone)
	return q.path(name + "/out")
}

// TestLongDiffNamesThePlantedCause has runs that differ in exactly one thing.
func TestLongDiffNamesThePlantedCause(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	var now diffed
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: now.reply, Model: now.model} }})
	usual := diffed{profile: "fps: 2, max_frames: 8, max_pixels: 19200", prompt: "Describe it.", model: "m-1", reply: "<plan>Hm.</plan>A dog barks.", judge: judgeOfA}
	now = usual
	first := usual.do(q, server.URL(), "usual")
	for name, c := range map[string]struct {
		change func(*diffed)
		cause  diff.Cause
		what   string
	}{
		"the same":         {func(*diffed) {}, "", ""},
		"another film":     {func(d *diffed) { d.clip = "another" }, diff.Data, "SHA-256 of the file"},
		"fewer frames":     {func(d *diffed) { d.profile = "fps: 1, max_frames: 8, max_pixels: 19200" }, diff.FrameTimes, "frames"},
		"smaller pictures": {func(d *diffed) { d.profile = "fps: 2, max_frames: 8, max_pixels: 4800" }, diff.Pixels, "size of the pictures"},
		"worse pictures":   {func(d *diffed) { d.profile = "fps: 2, max_frames: 8, max_pixels: 19200, quality: 30" }, diff.Pixels, "bytes of the pictures"},
		"another space":    {func(d *diffed) { d.prompt = "Describe  it." }, diff.Prompt, "the prompt, from byte 10 on"},
		"a temperature":    {func(d *diffed) { d.settings = ",temperature=0.5" }, diff.Parameters, "model.temperature"},
		"another model":    {func(d *diffed) { d.model = "m-2" }, diff.Model, "as the endpoint calls it"},
		"another reply":    {func(d *diffed) { d.reply = "<plan>Hm.</plan>A cat barks." }, diff.Reply, "the reply, from byte 19 on"},
		"no thoughts":      {func(d *diffed) { d.strip = "{begin: <plan>, end: </plan>}" }, diff.Reading, "read from the same reply"},
		"another judge":    {func(d *diffed) { d.judge = judgeOfB }, diff.Judge, "judge"},
	} {
		t.Run(name, func(t *testing.T) {
			d := usual
			c.change(&d)
			now = d
			v := q.command("compare", "--samples", first, d.do(q, server.URL(), strings.ReplaceAll(name, " ", "-")), "--json")
			var r diff.Report
			if err := json.Unmarshal([]byte(v.out), &r); err != nil || v.code != exitDone {
				t.Fatalf("%v: exit code %d: %s%s", err, v.code, v.out, v.errOut)
			}
			if c.cause == "" {
				if len(r.Partings) != 0 {
					t.Errorf("%+v", r)
				}
				return
			}
			if len(r.Partings) != 1 || r.Partings[0].Cause != c.cause || !strings.Contains(r.Partings[0].What, c.what) {
				t.Errorf("want %s: %s; got %+v", c.cause, c.what, r)
			}
		})
	}
}
