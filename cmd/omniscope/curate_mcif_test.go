package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// run runs the program, which must exit with a code, and returns what it printed.
func runProgram(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	if got := execute(t.Context(), args, &out, &errOut); got != code {
		t.Fatalf("omniscope %q: exit code %d, want %d\n%s%s", args, got, code, &out, &errOut)
	}
	return out.String() + errOut.String()
}

// writeFiles writes files below a folder.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

const mcifProject = `recipe: mcif
sources: talks.jsonl
settings:
  questions: {language: [de, it, zh]}
  segments: {detector: energy, max: 3}
  build: {include-text: true, threshold-short-audio: 100, include-video: true}
`

const mcifTalk = `{"id": "1", "video_link": "https://aclanthology.org/talk.mp4", "video": "VIDEO/talk.mp4", "abstract": "We show a tone. It stops. It goes on.", "transcript": "Hello there.",` +
	` "lines": [{"source": "Hello there.", "start": 0, "end": 6, "de": "Hallo.", "it": "Ciao.", "zh": "你好。"}]}`

// TestLongCurateMCIF builds a test set of a talk: people ask, verify and translate, the talk is cut, and the set is built and can be
// scored on. Every command of it is run twice, as after a crash.
func TestLongCurateMCIF(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "talks")
	runProgram(t, 0, "curate", "init", dir, "--recipe", "mcif")
	writeFiles(t, dir, map[string]string{"curate.yaml": mcifProject, "talks.jsonl": mcifTalk + "\n"})
	filmTalk(t, dir)
	for range 2 {
		has(t, runProgram(t, 0, "curate", "run", dir), "step questions waits for people: 9 of 9")
	}
	workers := &staff{roles: map[people.ProjectRole][]string{people.Annotator: {"ann", "ben", "cas"}}, say: askQuestions}
	workers.do(t, filepath.Join(dir, "steps", "questions", "project"))
	has(t, runProgram(t, 0, "curate", "status", dir), "people are done")
	for range 2 {
		has(t, runProgram(t, 0, "curate", "run", dir), "all steps of")
	}
	set := filepath.Join(dir, "steps", "build")
	films, err := filepath.Glob(filepath.Join(set, "SHORT_VIDEOS", "*.mp4"))
	if err != nil || len(films) < 3 {
		t.Errorf("%d short videos, %v", len(films), err)
	}
	exported := filepath.Join(t.TempDir(), "exported")
	if said := runProgram(t, 0, "curate", "export", dir, "--out", exported); strings.Contains(said, "step.json") || !strings.Contains(said, "MCIF1.0.IF.long.it.ref.xml") {
		t.Error(said)
	}
	runProgram(t, 2, "curate", "export", dir, "--out", exported) // it holds something
	said := runProgram(t, 0, "curate", "mcif", "stats", "-r", filepath.Join(exported, "MCIF1.0.IF.long.it.ref.xml"), "-d", filepath.Join(exported, "LONG_AUDIOS"))
	if !strings.Contains(said, "QA_AV_General ") || !strings.Contains(said, "TRANS ") {
		t.Error(said)
	}
}

// filmTalk makes the video and the sound of mcifTalk in a project: a tone with a pause after each 2 s.
func filmTalk(t *testing.T, dir string) {
	t.Helper()
	writeFiles(t, dir, map[string]string{"AUDIO/x": "", "VIDEO/x": ""})
	const sound = "-f lavfi -i aevalsrc='0.3*sin(880*t)*lt(mod(t,2),1.6)':d=6:s=16000"
	clips.Make(t, filepath.Join(dir, "VIDEO", "talk.mp4"), clips.Fields("-f lavfi -i testsrc2=d=6:s=64x48:r=10 "+sound+" -c:v libx264 -c:a aac")...)
	clips.Make(t, filepath.Join(dir, "AUDIO", "talk.wav"), clips.Fields(sound+" -c:a pcm_s16le")...)
}

// askQuestions writes the questions of a talk: three from its abstract, and seven more.
func askQuestions(stage string, _ *people.WorkItem, answers map[string]people.Value) {
	switch stage {
	case "questions-abstract":
		for i := range 3 {
			answers[fmt.Sprintf("qa/a%d", i)] = people.Value{"question": fmt.Sprintf("Abstract %d?", i)}
		}
	case "questions":
		for i := range 4 {
			answers[fmt.Sprintf("qa/t%d", i)] = people.Value{"question": fmt.Sprintf("Transcript %d?", i), "origin": "transcript"}
		}
		labels := []string{"AV", "AV", "AV", "AV", "AV", "A", "A", "V", "V", "NA"}
		for n, key := range slices.Sorted(maps.Keys(answers)) {
			v := answers[key]
			v["label"], v["answer"], v["span"] = labels[n%len(labels)], fmt.Sprintf("Answer %d.", n), []any{0.4, 1.2}
			if v["label"] == "NA" {
				delete(v, "answer")
				delete(v, "span")
			}
		}
	case "verify":
		for _, v := range answers {
			if v.Text("answer") == "" {
				v["label"] = "NA"
			}
		}
	}
}
