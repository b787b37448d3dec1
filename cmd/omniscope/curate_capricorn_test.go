package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/people"
)

const capricornProject = `recipe: capricorn
sources: sources.jsonl
settings:
  collect: {rules: "{project}/rules.yaml"}
  captions: {detective: offline, tools: "scene,sound"}
`

// TestLongCurateCapricorn has annotators accept the sentences of an investigation as keypoints, at once, and seniors and a lead
// keep them: official files come out, and the drafts are shown as accepted unread.
func TestLongCurateCapricorn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "films")
	writeFiles(t, dir, map[string]string{"curate.yaml": capricornProject, "sources.jsonl": `{"path": "film.mp4", "licence": "CC0-1.0"}`,
		"rules.yaml": "min_height: 0\nmin_seconds: 1\nmin_transitions: 0\nmax_still_share: 1\nmax_subtitle_share: 1\n"})
	clips.Make(t, filepath.Join(dir, "film.mp4"), clips.Fields("-f lavfi -i testsrc2=d=6:s=320x240:r=10 -f lavfi -i sine=d=6 -c:v libx264 -c:a aac")...)
	has(t, runProgram(t, 0, "curate", "run", dir), "step keypoints waits for people")
	workers := &staff{roles: map[people.ProjectRole][]string{people.Annotator: {"ann", "ben", "cas"}, people.Senior: {"sue", "sam"}, people.Lead: {"lea"}}, say: noteKeypoints}
	project := filepath.Join(dir, "steps", "keypoints", "project")
	workers.do(t, project)
	has(t, runProgram(t, 0, "curate", "run", dir), "all steps of")
	exported := filepath.Join(t.TempDir(), "keypoints")
	runProgram(t, 0, "curate", "export", dir, "--out", exported)
	for file, want := range map[string]string{"annotations.jsonl": `"bg_desc":["`, "annotations_vision_only.jsonl": `"bg_desc":["`, "provenance.jsonl": `"stage":"draft"`} {
		text, err := os.ReadFile(filepath.Join(exported, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, without %s: %.300s", file, err, want, text)
		}
	}
	has(t, runProgram(t, 0, "people", "agreement", project), "accepted unread", "100 %")
	writeFiles(t, dir, map[string]string{"captions.jsonl": `{"video_id": "film", "caption": "A test picture and a tone."}`})
	runProgram(t, 0, "eval", "capricorn", "--data", filepath.Join(exported, "annotations.jsonl"), "--predictions", filepath.Join(dir, "captions.jsonl"), "--judge", "offline",
		"--out", filepath.Join(t.TempDir(), "scored"), "--work-dir", t.TempDir())
}

// noteKeypoints answers the stages of keypoints: one subject, of whom two keypoints are noted, and all drafts as background.
func noteKeypoints(stage string, _ *people.WorkItem, answers map[string]people.Value) {
	switch stage {
	case "subjects":
		answers["subject/a"] = people.Value{"name": "Disc", "look": "a round thing", "seen": []any{1.0, 1.0}}
	case "keypoints":
		for _, v := range answers {
			v["class"] = "bg_desc"
		}
		for key, text := range map[string]string{"keypoint/a": "<Disc> turns.", "keypoint/b": "<Disc> stops."} {
			answers[key] = people.Value{"class": "main_sbj_evts", "text": text, "span": []any{1.0, 2.0}, "senses": []any{"sight"}}
		}
	}
}
