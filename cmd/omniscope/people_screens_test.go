package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// shortClip makes a clip of two seconds in a folder.
func shortClip(t *testing.T, dir, name string) {
	t.Helper()
	clips.Make(t, filepath.Join(dir, name), clips.Fields("-f lavfi -i testsrc=duration=2:size=320x180:rate=25 -f lavfi -i sine=duration=2 -c:v libx264 -c:a aac -shortest")...)
}

func writeText(t *testing.T, path, text string) string {
	t.Helper()
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// newRobot opens a browser for a site.
func newRobot(t *testing.T, s *peopleSite) *robot {
	t.Helper()
	return &robot{t: t, site: s, page: browser.Open(t, "about:blank", 1280, 900), shots: os.Getenv("SCREENSHOTS"),
		say: func(string, string, int) string { return "" }, add: make(map[string]int), drop: make(map[string]bool)}
}

// exported is a file that came of the site's project.
func (s *peopleSite) exported(name, file string) string {
	s.t.Helper()
	out := filepath.Join(s.t.TempDir(), "out")
	runPeople(s.t, "export", s.dir, name, "--out", out)
	return fixture.Read(s.t, filepath.Join(out, file))
}

func (r *robot) mustWork(id, stage string, items int) {
	r.t.Helper()
	if n := r.work(id, stage); n != items {
		r.t.Errorf("%s did %d items at %s, want %d", id, n, stage, items)
	}
}

func TestLongArenaByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "a.mp4")
	ours := writeText(t, filepath.Join(dir, "ours.jsonl"), `{"clip": "a", "caption": "Bars and a counter."}`)
	theirs := writeText(t, filepath.Join(dir, "theirs.jsonl"), `{"clip": "a", "caption": "A dog."}`)
	s := newPeopleSite(t, "arena", dir, []string{"--captions", ours, "--captions", theirs, "--twice", "0"}, "voter:vic")
	r := newRobot(t, s)
	r.reveals = true
	r.mustWork("vic", "vote", 1)
	has(t, s.exported("battles", "battles.csv"), "ours", ",a,vic,left,")
	r.page.Quiet(s.address)
}

func TestLongRatingsByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "a.mp4")
	shortClip(t, dir, "b.mp4")
	pairs := writeText(t, filepath.Join(dir, "pairs.jsonl"), `{"clip": "a", "original": "a.mp4", "reconstruction": "b.mp4", "system": "ours"}`)
	s := newPeopleSite(t, "rating", dir, []string{"--pairs", pairs}, "voter:ann", "voter:ben", "voter:cas")
	r := newRobot(t, s)
	r.say = func(_, field string, _ int) string { return map[string]string{"similarity": "4"}[field] }
	for _, id := range []string{"ann", "ben", "cas"} {
		r.mustWork(id, "rate", 1)
	}
	if got := s.exported("ratings", "ratings.csv"); strings.Count(got, "similarity,4") != 3 || strings.Count(got, "subject-consistency,1") != 3 {
		t.Errorf("ratings:\n%s", got)
	}
	r.page.Quiet(s.address)
}

func TestLongCapricornByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "film.mp4")
	clips := writeText(t, filepath.Join(dir, "clips.jsonl"), `{"video_id": "film", "duration": 2, "media": "film.mp4"}`)
	s := newPeopleSite(t, "capricorn", dir, []string{"--clips", clips}, "annotator:ann", "annotator:ben", "annotator:cas", "senior:sue", "senior:sam", "lead:lea")
	r := newRobot(t, s)
	r.add = map[string]int{"subjects": 1, "keypoints": 2}
	r.say = func(stage, field string, n int) string {
		switch field {
		case "name":
			return "Disc"
		case "class":
			return "main_sbj_evts"
		case "text":
			return fmt.Sprintf("<Disc> does thing %d.", n)
		}
		return ""
	}
	work := func(stage string, ids ...string) {
		for _, id := range ids {
			r.mustWork(id, stage, 1)
		}
	}
	work("subjects", "ann", "ben")
	work("keypoints", "ann", "ben", "cas")
	work("select", "sue", "sam")
	work("consolidate", "lea")
	work("vision", "ann", "ben")
	annotations := s.exported("annotations", "annotations.jsonl")
	if !strings.Contains(annotations, `"video_id":"film"`) || strings.Count(annotations, "<Disc> does thing") < 2 {
		t.Errorf("annotations: %s", annotations)
	}
	r.page.Quiet(s.address)
}

func TestLongCaptionsByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "one.mp4")
	captions := writeText(t, filepath.Join(dir, "captions.jsonl"), `{"id": "a", "path": "one.mp4", "caption": "A tone plays.", "sentences": [{"text": "A tone plays.", "evidence": ["o1"]}], "evidence": [{"id": "o1", "tool": "sound", "what": "a tone", "start_s": 0.5}]}`)
	s := newPeopleSite(t, "captions", "", []string{"--captions", captions, "--people", "3"}, "annotator:ann", "annotator:ben", "annotator:cas", "senior:sue")
	r := newRobot(t, s)
	r.add = map[string]int{"review": 1} // a sentence of their own, so that no two leave the same text
	r.say = func(_, field string, _ int) string {
		if field == "verdict" {
			return "right"
		}
		return ""
	}
	for _, who := range []string{"ann", "ben", "cas"} {
		r.mustWork(who, "review", 1)
	}
	r.mustWork("sue", "settle", 1)
	has(t, s.exported("captions", "captions.jsonl"), `"caption":"A tone plays."`, `"verdict":"approve"`, `"caption":"A tone plays. text `, `"by":"sue"`, `"settles":true`)
	r.page.Quiet(s.address)
}

func TestLongClozeByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "0000001.mp4")
	data := writeText(t, filepath.Join(dir, "cloze.jsonl"), `{"uuid": "u1", "video_path": "./videos/0000001.mp4", "cloze": {"passage": "A [BLANK_1] plays while a [BLANK_2] runs.", "blanks": [`+
		`{"number": 1, "answer": "tone", "distractors": ["song", "drum", "bell"], "options": ["A: song", "B: tone", "C: drum", "D: bell"], "answer_index": 1, "answer_key": "B", "required_modality": "audio"}, `+
		`{"number": 2, "answer": "counter", "distractors": ["dog", "cat", "child"], "options": ["A: counter", "B: dog", "C: cat", "D: child"], "answer_index": 0, "answer_key": "A", "required_modality": "visual"}]}}`)
	captions := writeText(t, filepath.Join(dir, "captions.jsonl"), `{"uuid": "u1", "caption": "A tone plays. A counter runs."}`)
	s := newPeopleSite(t, "cloze", dir, []string{"--data", data, "--descriptions", captions, "--blanks", "0"}, "annotator:ann", "annotator:ben", "senior:sue")
	r := newRobot(t, s)
	who := ""
	r.say = func(stage, field string, n int) string {
		if stage == "blanks-key" && field == "verdict" && who == "ben" {
			return "guessable"
		}
		if stage == "description" && field == "verdict" {
			return "right"
		}
		return ""
	}
	described := 0
	for _, id := range []string{"ann", "ben"} {
		described += r.work(id, "description")
	}
	if described == 0 {
		t.Error("nobody was asked about the description")
	}
	for _, stage := range []string{"blanks-open", "blanks-key"} {
		for _, who = range []string{"ann", "ben"} {
			r.mustWork(who, stage, 1)
		}
	}
	r.mustWork("sue", "settle", 1)
	if got := s.exported("review", "review.jsonl"); strings.Count(got, "guessable") == 0 {
		t.Errorf("review:\n%s", got)
	}
	has(t, s.exported("rows", "omni_cloze.jsonl"), "[BLANK_2]")
	r.page.Quiet(s.address)
}

func TestLongQuestionsByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "talk.mp4")
	talks := writeText(t, filepath.Join(dir, "talks.jsonl"), `{"id": "talk", "video": "talk.mp4", "abstract": "We show bars. They move. A counter counts.", "transcript": "Hello.", "lines": [{"source": "Hello.", "start": 0, "end": 1, "de": "Hallo."}]}`)
	s := newPeopleSite(t, "mcif", dir, []string{"--talks", talks, "--language", "de"}, "annotator:ann", "annotator:ben", "annotator:cas", "annotator:dan")
	r := newRobot(t, s)
	r.add = map[string]int{"questions-abstract": 3, "questions": 4}
	labels := []string{"AV", "AV", "AV", "AV", "AV", "A", "A", "V", "V", "NA"}
	asked := 0
	r.say = func(stage, field string, n int) string {
		switch {
		case stage == "questions" && field == "origin":
			return "transcript"
		case stage == "questions" && field == "label":
			asked++
			return labels[(asked-1)%len(labels)]
		case stage == "questions" && field == "span":
			return "here"
		case field == "answer":
			return fmt.Sprintf("answer %d", n)
		}
		return ""
	}
	r.mustWork("ann", "questions-abstract", 1)
	r.mustWork("ann", "questions", 1)
	r.mustWork("ben", "verify", 1)
	r.mustWork("cas", "translate-de", 1)
	r.mustWork("dan", "review-de", 1)
	if got := s.exported("questions", "questions.jsonl"); strings.Count(got, "\n") < 10 {
		t.Errorf("questions:\n%s", got)
	}
	r.page.Quiet(s.address)
}

func TestLongClaimsByKeyboard(t *testing.T) {
	dir := t.TempDir()
	shortClip(t, dir, "a.mp4")
	audits := writeText(t, filepath.Join(dir, "audits.jsonl"), `{"schema": "omniscope.audit/1", "outcome": "ok", "clip": {"id": "a", "path": "a.mp4"}, "caption": "Bars. A dog.", "claims": [{"id": "c1", "text": "There are bars.", "verdict": "supported"}, {"id": "c2", "text": "A dog barks.", "verdict": "contradicted"}]}`)
	s := newPeopleSite(t, "claims", dir, []string{"--audits", audits}, "annotator:ann", "annotator:ben", "senior:sue")
	r := newRobot(t, s)
	for _, id := range []string{"ann", "ben"} {
		r.say = func(_, field string, _ int) string {
			if id == "ben" && field == "verdict" {
				return "contradicted"
			}
			return ""
		}
		r.mustWork(id, "check", 1)
	}
	r.mustWork("sue", "settle", 1)
	if got := s.exported("verdicts", "verdicts.jsonl"); strings.Count(got, "\n") != 2 {
		t.Errorf("verdicts:\n%s", got)
	}
	r.page.Quiet(s.address)
}

func TestLongLabelsByKeyboard(t *testing.T) {
	dir := t.TempDir()
	clips.Make(t, filepath.Join(dir, "a.wav"), clips.Fields("-f lavfi -i sine=duration=2")...)
	data := writeText(t, filepath.Join(dir, "tasks.json"), `[{"id": 1, "data": {"audio": "a.wav"}, "annotations": [{"id": 5, "result": [{"id": "r1", "from_name": "label", "to_name": "audio", "type": "labels", "value": {"start": 0.5, "end": 1.5, "labels": ["speech"]}}]}]}]`)
	s := newPeopleSite(t, "labels", dir, []string{"--data", data}, "annotator:ann")
	r := newRobot(t, s)
	r.mustWork("ann", "label", 1)
	has(t, s.exported("tasks", "tasks.json"), "speech")
	r.page.Quiet(s.address)
}
