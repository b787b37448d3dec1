package questions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// aReport is an investigation: what to be seen of which a question can rest on, and what not.
const aReport = `{"schema": "omniscope.investigation/1", "clip": {"id": "%s", "path": "%s"}, "contradictions": [{"evidence": ["o5", "o6"], "what": "x"}], "ledger": [
	{"id": "o1", "sense": "visual", "sure": 1, "what": "a slide", "quote": "23,000\nsheep", "start_s": 40, "end_s": 60},
	{"id": "o2", "sense": "audio", "sure": 1, "what": "a voice", "start_s": 1, "end_s": 2},
	{"id": "o3", "sense": "visual", "sure": 0.5, "what": "a lectern", "start_s": 0},
	{"id": "o4", "sense": "visual", "sure": 0.9, "what": "a flash", "start_s": 7, "end_s": 7},
	{"id": "o5", "sense": "visual", "sure": 0.9, "what": "a cow", "start_s": 9, "end_s": 10},
	{"id": "o6", "sense": "visual", "sure": 0.9, "what": "a horse", "start_s": 9, "end_s": 10},
	{"id": "o7", "sense": "visual", "sure": 0.4, "what": "a goat", "start_s": 9, "end_s": 10},
	{"id": "o8", "sense": "visual", "sure": 1, "kind": "absence", "what": "the clip has no picture"},
	{"id": "o9", "sense": "visual", "sure": 1, "kind": "text", "what": "there is no text", "start_s": 9, "end_s": 10}]}`

// TestSeenComesFromInvestigations reads observations by sight, with their times: not what was heard, what is not there, what is not sure and what
// another observation contradicts.
func TestSeenComesFromInvestigations(t *testing.T) {
	for name, clip := range map[string][2]string{"by its id": {"sheep", "x.mp4"}, "by its file": {"something", "elsewhere/sheep.mkv"}} {
		dir := written(t, map[string]string{"talks.jsonl": oneLine(aTalk), "elsewhere/one/report.json": fmt.Sprintf(aReport, clip[0], clip[1]), "reports/two/report.json": fmt.Sprintf(aReport, "other", "other.mp4")})
		fixture.OK(t, os.Symlink(filepath.Join(dir, "elsewhere", "one"), filepath.Join(dir, "reports", "one")))
		talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), filepath.Join(dir, "reports"))
		fixture.OK(t, err)
		if got, want := talks.All[0].text(pictures), "S1 (40.0 to 60.0 s): a slide \"23,000 sheep\"\nS2: a lectern\nS3 (7.0 to 7.0 s): a flash"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		d := &Draft{Talk: talks.All[0]}
		if r := d.Row(&draftQuestion{From: []string{"T1", "S2"}}, "m"); fmt.Sprint(r.Evidence) != "[o3]" {
			t.Errorf("%s: evidence %q", name, r.Evidence)
		}
	}
}

func TestBadInvestigations(t *testing.T) {
	report := func(id, path string) string { return fmt.Sprintf(aReport, id, path) }
	for want, files := range map[string]map[string]string{
		"no investigation of any of the talks": {"reports/two/report.json": report("other", "other.mp4")},
		"are both of the talk sheep":           {"reports/one/report.json": report("sheep", "x.mp4"), "reports/two/report.json": report("other", "sheep.mp4")},
	} {
		files["talks.jsonl"] = oneLine(aTalk)
		dir := written(t, files)
		if _, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), filepath.Join(dir, "reports")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestAudioHasNoPictures: an investigation of a talk that is sound alone shows nothing.
func TestAudioHasNoPictures(t *testing.T) {
	talk := strings.Replace(oneLine(aTalk), `"video": "VIDEO/sheep.mp4"`, `"audio": "sheep.wav"`, 1)
	dir := written(t, map[string]string{"talks.jsonl": talk, "reports/one/report.json": fmt.Sprintf(aReport, "sheep", "sheep.wav")})
	talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), filepath.Join(dir, "reports"))
	if err != nil || talks.WithoutPictures() != 1 {
		t.Errorf("%v: %q", err, talks.All[0].text(pictures))
	}
}
