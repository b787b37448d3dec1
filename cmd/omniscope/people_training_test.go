package main

import (
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/people"
)

const tonedFilm = "-f lavfi -i testsrc2=d=3:s=64x48:r=10 -f lavfi -i sine=440:d=3:r=16000 -c:v libx264 -c:a aac"

// TestReviewedCaptionsBecomeTrainingRows reviews captions by three people and exports them for a trainer, from one folder and without
// telling again where the media are.
func TestReviewedCaptionsBecomeTrainingRows(t *testing.T) {
	t.Parallel()
	p := newPeopleProgram(t)
	for name, args := range map[string]string{"one.mp4": tonedFilm, "two.mp4": tonedFilm, "tone.wav": "-f lavfi -i sine=440:d=3:r=16000"} {
		clips.Make(t, filepath.Join(p.dir, "clips", name), strings.Fields(args)...)
	}
	p.write("captions.jsonl", strings.Join([]string{
		`{"id": "good", "path": "clips/one.mp4", "modality": "audio-visual", "system": "offline", "caption": "Squares and lines in bright green, red and blue slide over a dark ground, and something hums."}`,
		`{"id": "fixed", "path": "clips/two.mp4", "modality": "audio-visual", "caption": "A red square rolls from left to right while a low tone is heard in the same second each time."}`,
		`{"id": "wrong", "path": "clips/two.mp4", "modality": "audio-visual", "caption": "A crowd cheers as a man with a hat walks his three dogs along the river in winter."}`,
		`{"id": "sound", "path": "clips/tone.wav", "modality": "audio-visual", "caption": "A single steady tone of one pitch is heard for three seconds, and then it ends without any echo."}`,
	}, "\n"))
	says := p.exits(0, "people", "new", "captions", "review", "--captions", "captions.jsonl", "--people", "3")
	has(t, says, "omniscope people serve review\n", "http://127.0.0.1:7461/join/")
	if strings.Contains(says, "--media") {
		t.Errorf("the folder of the media is known, and asked for: %s", says)
	}
	reviews := 0
	workers := &staff{roles: map[people.ProjectRole][]string{people.Annotator: {"ann", "ben", "cas"}}, say: func(_ string, c *people.WorkItem, answers map[string]people.Value) {
		reviews++
		for key, v := range answers {
			if strings.HasPrefix(key, "sentence/") {
				v["verdict"] = "right"
			}
		}
		answers["approve"] = people.Value{"verdict": "approve"}
		switch c.Item.ID {
		case "fixed":
			answers["sentence/1"]["text"] = "A blue square rolls from left to right while a low tone is heard in the same second each time."
		case "wrong":
			answers["approve"] = people.Value{"verdict": "send back", "comment": "another clip"}
		}
	}}
	if n := workers.do(t, filepath.Join(p.dir, "review")); n != 12 {
		t.Errorf("%d reviews, want 3 of each of 4 captions", n)
	}
	has(t, p.exits(0, "people", "agreement", "review"), "captions approved", "raw agreement")
	p.exits(0, "people", "export", "review")

	says = p.exits(0, "train", "export", "review-export/captions.jsonl", "--for", "ms-swift", "--out", "rows", "--rule", "still=off", "--quiet")
	has(t, says, "2 for training", "1 of 2 captions were written offline")
	rows := p.read("rows/ms-swift/train.jsonl")
	has(t, rows, `"id":"good"`, "A blue square rolls")
	for _, id := range []string{"wrong", "sound"} {
		if strings.Contains(rows, `"id":"`+id+`"`) {
			t.Errorf("%s is a training row: %s", id, rows)
		}
	}
	has(t, p.read("rows/removed.jsonl"), `"id":"wrong","rule":"returned"`, `"id":"sound","rule":"picture"`)
	if text := p.read("rows/sources.jsonl"); strings.Contains(text, p.dir) {
		t.Errorf("sources name a folder of this machine: %s", text)
	}
}
