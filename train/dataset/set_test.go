package dataset

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

func TestSetRules(t *testing.T) {
	r := DefaultRules()
	for name, value := range map[string]string{"unfounded": "0.1", "words": "20-800", "still": "off", "planner": "required", "silent": "1"} {
		fixture.OK(t, r.Set(name, value))
	}
	if r.Unfounded != 0.1 || r.Least != 20 || r.Most != 800 || r.Quiet != 1 || !slices.Equal(r.Off, []string{"still"}) || !slices.Equal(r.Required, []string{"planner"}) {
		t.Errorf("%+v", r)
	}
	for set, says := range map[string]string{
		"word=off":       "words",
		"words=20":       "the fewest and the most words",
		"words=30-20":    "the fewest and the most words",
		"alike=80":       "a share from 0 to 1",
		"alike=NaN":      "a share from 0 to 1",
		"loop=3":         "has no number",
		"returned=off":   "never kept",
		"still=required": "both off and required",
	} {
		name, value, _ := strings.Cut(set, "=")
		if err := r.Set(name, value); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", set, err, says)
		}
	}
}

// TestSoundAloneIsLeftOut exports one film and one file of sound for the audio-visual stage: the sound is left out, and is no failure.
func TestSoundAloneIsLeftOut(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, `,"modality":"audio-visual","system":"offline"`), strings.Replace(plainRow(1, `,"modality":"audio-visual"`), "good.mp4", "good.wav", 1)), media, "ms-swift")
	r := build(t, o)
	if got := stageOf(t, r, rulePicture); got.Out != 1 || r.Failed != 0 || r.Kept["train"] != 1 {
		t.Errorf("%+v: the file of sound is left out", r)
	}
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "1 of 1 caption was written offline") {
		t.Errorf("warnings %q", r.Warnings)
	}
	o.Limit, o.Out = 1, filepath.Join(t.TempDir(), "first")
	if r := build(t, o); r.Captions != 1 {
		t.Errorf("%d captions, want the first alone", r.Captions)
	}
}

func TestRefusedExportLeavesNoFolder(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, `,"modality":"audio-visual"`)), media, "ms-swift")
	for _, rule := range []string{"unfounded", "still"} { // of captions, and of media
		o.Rules.Required = []string{rule}
		if rule == "still" {
			o.Captions = linesFile(t, "captions.jsonl", strings.Replace(plainRow(0, `,"modality":"audio"`), "good.mp4", "good.wav", 1))
		}
		_, err := Build(t.Context(), o)
		if omniscope.KindOf(err) != omniscope.Invalid || ondisk.Exists(o.Out) {
			t.Errorf("%s: %v; is the folder there: %v", rule, err, ondisk.Exists(o.Out))
		}
	}
}

func TestNoCaptionIsLeft(t *testing.T) {
	o := options(t, linesFile(t, "captions.jsonl", plainRow(0, `,"modality":"audio-visual","reviewed":false`)), "", "ms-swift")
	_, err := Build(t.Context(), o)
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "no caption is left after the rules (reviewed: 1)") || ondisk.Exists(o.Out) {
		t.Errorf("%v; is the folder there: %v", err, ondisk.Exists(o.Out))
	}
}

// TestMediaNextToTheirRows finds media by the rows' own folder if they are not in the folder that the user names.
func TestMediaNextToTheirRows(t *testing.T) {
	file := linesFile(t, "captions.jsonl", strings.Replace(plainRow(0, `,"modality":"audio-visual"`), "good.mp4", "clips/good.mp4", 1))
	media := filepath.Join(filepath.Dir(file), "clips")
	mediaIn(t, media)
	for _, folder := range []string{"", media, t.TempDir()} {
		if r := build(t, options(t, file, folder, "ms-swift")); r.Kept["train"] != 1 {
			t.Errorf("media folder %q: %+v", folder, r)
		}
	}
}
