package main

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestProjectModelsAndDefaults has models, defaults and settings in omniscope.yaml, also one of a folder above.
func TestProjectModelsAndDefaults(t *testing.T) {
	server := serve(t, fake.Config{Model: "mock"})
	tr := newTrial(t, 3)
	t.Chdir(tr.dir)
	fixture.OK(t, os.WriteFile("omniscope.yaml", []byte("models:\n  mine: {model: openai/mock, base-url: \""+server.URL()+"\"}\ndefaults: {judge: mine, limit: 2}\nsettings: {endpoint-wait: 1s}\n"), 0o600))
	v := command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--judge-exam=false")
	v.ends(t, exitDone).says(t, "omniscope.yaml: judge mine; limit 2; endpoint-wait 1s", "judge openai/mock at "+server.URL())
	if n := server.Stats().Requests; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	v = command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--judge-exam=false", "--judge", "mine,temperature=1", "--limit", "1")
	v.ends(t, exitDone).says(t, "omniscope.yaml: endpoint-wait 1s")
	if n := server.Stats().Requests; n != 3 {
		t.Errorf("%d requests with flags, want one more than 2", n)
	}
	fixture.OK(t, os.Mkdir("below", 0o755))
	t.Chdir(filepath.Join(tr.dir, "below"))
	t.Setenv("OPENAI_API_KEY", "sk-test-0123456789")
	v = command(t.Context(), "eval", "omni-cloze", "-p", "../rows.jsonl", "--quiet")
	v.ends(t, exitUsage).says(t, "above the working folder is used only with a key of the same folder")
}

func TestProjectWithErrors(t *testing.T) {
	tr := newTrial(t, 1)
	t.Chdir(tr.dir)
	for text, why := range map[string]string{
		"defaults: {judg: offline}":                            "omniscope.yaml: line 1: judg: no command has this flag; did you mean judge?",
		"defaults:\n  limit: many":                             "omniscope.yaml: line 2: limit: ",
		"defaults: {tool: \"exec:sh x\"}":                      "a file may not set it",
		"defaults: {set: \"endpoint-wait=1s\"}":                "write each setting under settings:",
		"defaults: {force: true}":                              "a file may not set it",
		"defaults: {judge: mine}":                              "omniscope.yaml: line 1: judge: --judge: ",
		"models: {a: {model: openai/m, fsp: 2}}":               "line 1: models: a: ",
		"models: {a: {model: openai/m}}\nmodels: {}":           "omniscope.yaml: ",
		"models: {b: {model: openai/m}}\ndefaults: {judge: a}": "defines no model \"a\"",
	} {
		fixture.OK(t, os.WriteFile("omniscope.yaml", []byte(text), 0o600))
		command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl").ends(t, exitUsage).says(t, why)
		command(t.Context(), "docs").ends(t, exitDone)
	}
}

func TestFlagGivenTwice(t *testing.T) {
	q := newInquest(t)
	q.command("run", "mmau", "--data", q.write("mmau.json", "[]"), "--detective", "openai/a", "--detective", "openai/b", "--model", "openai/c").ends(t, exitUsage).
		says(t, "--detective is given twice, openai/a and openai/b: give it once")
}

// TestProjectSystem runs a detective that omniscope.yaml defines on a benchmark.
func TestProjectSystem(t *testing.T) {
	need.FFmpeg(t)
	q := newInquest(t)
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: "A test picture."} }})
	q.shortClip("film.mp4")
	rows := q.write("rows.jsonl", clozeOfFilm)
	t.Chdir(q.dir)
	fixture.OK(t, os.WriteFile("omniscope.yaml", []byte("models:\n  eye: {model: openai/m, base-url: \""+server.URL()+"\"}\nsystems:\n  det: {detective: offline, observers: [eye], tools: [scene], max-inquiries: 2}\n"), 0o600))
	args := []string{"run", "omni-cloze", "--data", rows, "--model", "det", "--quiet", "--no-score", "--out", "out"}
	q.command(args...).ends(t, exitDone)
	if server.Stats().Answered == 0 {
		t.Error("the observer was not asked")
	}
	q.command(append(args, "--observer", "openai/x")...).ends(t, exitUsage).says(t, "--observer: det is a system of")
}

func TestSettingsByFlagAndVariable(t *testing.T) {
	tr := newTrial(t, 1)
	t.Chdir(tr.dir)
	command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--set", "endpoint-wait=soon").ends(t, exitUsage).says(t, "--set endpoint-wait=soon: ", "a time with its unit")
	command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--set", "limit=1").ends(t, exitUsage).says(t, "has no such setting")
	command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet", "--set", "endpoint-wait=1s").ends(t, exitDone)
	t.Setenv("OMNISCOPE_SET", "endpoint-wait=1s")
	command(t.Context(), "eval", "omni-cloze", "-p", "rows.jsonl", "--quiet").ends(t, exitUsage).says(t, "OMNISCOPE_SET is not read")
}
