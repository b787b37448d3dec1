package main

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/eval"
	"omniscope/session/journals"
	"omniscope/session/predict"
)

// TestSpecsHaveTheCommandsDefaults: a Spec with nothing but its inputs is the run of the command without flags, by its name.
func TestSpecsHaveTheCommandsDefaults(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	rows := newTrial(t, 2).path("rows.jsonl")
	videos := q.write("videos.jsonl", videoRow("a")+videoRow("b"))
	captions := q.write("captions.jsonl", `{"video_id": "a", "caption": "A dog barks at a cat."}`+"\n"+`{"video_id": "b", "caption": "A dog runs."}`+"\n")
	questions := q.write("mmau.json", `[{"id": "a", "audio_id": "a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"}]`)
	chosen := q.write("answers.json", `[{"id": "a", "audio_id": "a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy", "model_prediction": "Man"}]`)
	for name, files := range map[string][2]string{"omni-cloze": {rows, ""}, "capricorn": {captions, videos}, "mmau": {chosen, questions}} {
		work := q.path("work-" + name)
		args := []string{"eval", name, "--predictions", files[0], "--work-dir", work, "--quiet"}
		if files[1] != "" {
			args = append(args, "--data", files[1])
		}
		q.command(args...).must(t, exitDone)
		runs := runFolders(t, work)
		spec := &eval.Spec{Benchmark: name, Predictions: files[0], Data: files[1]}
		if _, err := eval.Score(t.Context(), spec, &session.Machine{Calls: &session.Calls{WorkDir: work}, Warnings: io.Discard}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now := runFolders(t, work); len(runs) != 1 || !slices.Equal(now, runs) {
			t.Errorf("%s: the command's run is %q, and with the Spec's they are %q", name, runs, now)
		}
	}
}

func runFolders(t *testing.T, work string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(work, "runs", "*"))
	fixture.OK(t, err)
	return found
}

// TestSpecsOfClipsHaveTheCommandsDefaults is the same with media.
func TestSpecsOfClipsHaveTheCommandsDefaults(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	clip, script := q.made("clip.wav", tone(1)...), q.write("script.json", `{"clip": ["A tone."]}`)
	m := &session.Machine{Calls: &session.Calls{WorkDir: q.path("work"), Journals: journals.All}, Warnings: io.Discard}
	q.command("caption", clip, "--model", "scripted/"+script, "--modality", "audio", "--work-dir", q.path("work"), "--out", q.path("a.jsonl"), "--quiet").must(t, exitDone)
	q.command("caption", clip, "--work-dir", q.path("work"), "--out", q.path("first"), "--quiet").must(t, exitDone)
	before := q.runsIn("work")
	m.Out = q.path("b.jsonl")
	if _, err := predict.Ask(t.Context(), &predict.Spec{Clips: []string{clip}, Modality: "audio", Model: &session.Role{Model: "scripted/" + script}}, m); err != nil {
		t.Error(err)
	}
	m.Out = q.path("second")
	if _, err := caption.Describe(t.Context(), &caption.Spec{Clips: []string{clip}}, m); err != nil {
		t.Error(err)
	}
	if now := q.runsIn("work"); len(before) != 2 || !slices.Equal(now, before) {
		t.Errorf("the commands' runs are %q, and with the Specs' they are %q", before, now)
	}
}

// runsIn are the names of the runs in the journal of a working folder.
func (q inquest) runsIn(work string) (names []string) {
	q.t.Helper()
	s, err := sqlite.OpenExisting(session.JournalDir(q.path(work)))
	fixture.OK(q.t, err)
	defer s.Close()
	all, err := s.List(q.t.Context())
	fixture.OK(q.t, err)
	for _, r := range all {
		names = append(names, r.Name)
	}
	return names
}
