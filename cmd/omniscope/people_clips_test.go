package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/people"
)

// madeProjects makes a project of each kind of work that is about clips, in folders called as the kinds.
func madeProjects(t *testing.T, p *peopleProgram) (kinds []string) {
	t.Helper()
	p.arena("arena")
	p.write("pairs.jsonl", `{"clip": "a", "original": "a.mp4", "reconstruction": "b.mp4", "system": "ours"}`)
	p.write("clips.jsonl", `{"video_id": "film", "duration": 2, "media": "film.mp4"}`)
	p.write("rows.jsonl", `{"uuid": "u1", "video_path": "./videos/0000001.mp4", "cloze": {"passage": "A [BLANK_1] plays.", "blanks": [`+
		`{"number": 1, "answer": "tone", "distractors": ["song", "drum", "bell"], "options": ["A: song", "B: tone", "C: drum", "D: bell"], "answer_index": 1, "answer_key": "B", "required_modality": "audio"}]}}`)
	p.write("talks.jsonl", `{"id": "talk", "video": "talk.mp4", "abstract": "We show bars. They move. A counter counts.", "transcript": "Hello.", "lines": [{"source": "Hello.", "start": 0, "end": 1, "de": "Hallo."}]}`)
	p.write("audits.jsonl", `{"schema": "omniscope.audit/1", "outcome": "ok", "clip": {"id": "a", "path": "a.mp4"}, "caption": "Bars.", "claims": [{"id": "c1", "text": "There are bars.", "verdict": "supported"}]}`)
	p.write("tasks.json", `[{"id": 1, "data": {"audio": "a.wav"}, "annotations": [{"id": 5, "result": [{"id": "r1", "from_name": "label", "to_name": "audio", "type": "labels", "value": {"start": 0.5, "end": 1.5, "labels": ["speech"]}}]}]}]`)
	p.write("captions.jsonl", `{"id": "a", "path": "a.mp4", "caption": "Bars."}`)
	for _, args := range [][]string{{"captions", "--captions", "captions.jsonl"}, {"rating", "--pairs", "pairs.jsonl"}, {"capricorn", "--clips", "clips.jsonl"}, {"cloze", "--data", "rows.jsonl", "--blanks", "0"},
		{"mcif", "--talks", "talks.jsonl", "--language", "de"}, {"claims", "--audits", "audits.jsonl"}, {"labels", "--data", "tasks.json"}} {
		p.exits(0, append([]string{"people", "new", args[0], args[0]}, args[1:]...)...)
		kinds = append(kinds, args[0])
	}
	return append(kinds, "arena")
}

// TestNoKindTakesWorkOnClipsThatWereNotShown has the owner of a project of each kind submit what can be
// taken first at each stage, where no clip was ever shown.
func TestNoKindTakesWorkOnClipsThatWereNotShown(t *testing.T) {
	t.Parallel()
	p := newPeopleProgram(t)
	for _, kind := range madeProjects(t, p) {
		var l peoplePlace
		w, err := l.open(t.Context(), filepath.Join(p.dir, kind))
		fixture.OK(t, err)
		tried := 0
		for _, stage := range w.Project().Stages {
			id, ok := w.Next("owner", stage.Name)
			if !ok || stage.Sound == people.NoMedia {
				continue
			}
			tried++
			for _, event := range []people.EventKind{people.Take, people.Submit, people.Release} {
				e := people.NewEvent(event, "owner", nil)
				e.Task = id
				got, err := w.Save(t.Context(), e)
				switch {
				case err != nil:
					t.Fatal(err)
				case event == people.Submit && (omniscope.KindOf(got[0].Err) != omniscope.Usage || !strings.Contains(got[0].Err.Error(), "was not shown to you")):
					t.Errorf("%s: %s is submitted: %v", kind, id, got[0].Err)
				case event != people.Submit && got[0].Err != nil:
					t.Errorf("%s: %s of %s: %v", kind, event, id, got[0].Err)
				}
			}
		}
		if tried == 0 && kind != "mcif" { // the first stage of mcif is about texts
			t.Errorf("%s: nothing was tried", kind)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPeopleSeeTheAuditedFile serves audits of a film to people where a sound of the same name is nearer, then
// with the film replaced, then with the film under another name.
func TestPeopleSeeTheAuditedFile(t *testing.T) {
	t.Parallel()
	p := newPeopleProgram(t)
	film := filepath.Join(p.dir, "clips", "kitchen.mp4")
	shortClip(t, filepath.Dir(film), "kitchen.mp4")
	digest, err := sha256hex.File(film)
	fixture.OK(t, err)
	p.write("kitchen.wav", "an extracted sound")
	p.write("audits.jsonl", fmt.Sprintf(`{"schema": "omniscope.audit/1", "outcome": "ok", "clip": {"id": "kitchen", "path": "clips/kitchen.mp4", "sha256": %q}, "caption": "Bars.", "claims": [{"id": "c1", "text": "There are bars.", "verdict": "supported"}]}`, digest))
	owner := p.link(p.exits(0, "people", "new", "claims", "p-claims", "--audits", "audits.jsonl", "--people", "1"))
	serve := []string{"people", "serve", "p-claims", "--media", ".", "--listen", "127.0.0.1:0"}
	s := p.serve(serve...)
	b := s.signIn(owner)
	item := b.next("check").Item
	if clip := b.clip("check", item, 0); !clip.Film || !strings.Contains(clip.Address, digest) {
		t.Errorf("%+v is shown", clip)
	}
	b.watch("check", item, 1)
	b.submit("check", item, "claim/c1", map[string]any{"verdict": "supported"})
	s.kill()

	// Another film is at the path now.
	elsewhere := filepath.Join(t.TempDir(), "renamed.mp4")
	fixture.OK(t, os.Rename(film, elsewhere))
	fixture.OK(t, os.WriteFile(film, []byte("another film"), 0o600))
	s = p.serve(serve...)
	status := p.statusWith("p-claims", "is another file than the clip clips/kitchen.mp4")
	if !strings.Contains(status, "1 of 1") {
		t.Errorf("work on the audited file does not count:\n%s", status)
	}
	s.kill()

	// The audited one is there under another name.
	if err := os.Rename(elsewhere, filepath.Join(p.dir, "clips", "0001.mp4")); err != nil {
		t.Skip(err) // another disk
	}
	s = p.serve(serve...)
	s.browser()
	deadline := time.Now().Add(time.Minute)
	for strings.Contains(p.exits(0, "people", "status", "p-claims"), "another file") {
		if time.Now().After(deadline) {
			t.Fatal("the file is not found by its SHA-256")
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.exits(0, "people", "export", "p-claims", "verdicts")
	has(t, p.read("p-claims-export/verdicts.jsonl"), `"final":"supported"`)
}

// statusWith is what `people status` prints, once it says something.
func (p *peopleProgram) statusWith(project, says string) string {
	p.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		out := p.exits(0, "people", "status", project)
		if strings.Contains(strings.Join(strings.Fields(out), " "), says) {
			return out
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%q is never in the status:\n%s", says, out)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestVotesOnUnseenAndReplacedClips votes where the clip is not there, votes on one that is, and replaces it.
func TestVotesOnUnseenAndReplacedClips(t *testing.T) {
	t.Parallel()
	p := newPeopleProgram(t)
	p.arena("votes")
	vic := p.link(p.exits(0, "people", "invite", "votes", "vic", "--role", "voter"))
	ann := p.link(p.exits(0, "people", "invite", "votes", "ann", "--role", "voter"))
	serve := []string{"people", "serve", "votes", "--media", ".", "--listen", "127.0.0.1:0"}
	s := p.serve("people", "serve", "votes", "--listen", "127.0.0.1:0")
	b := s.signIn(vic)
	item := b.next("vote").Item
	set := []byte(`{"events": [{"id": "0123456789abcdef-set", "kind": "set", "key": "vote", "value": {"winner": "left"}}, {"id": "0123456789abcdef-end", "kind": "submit"}]}`)
	if _, page := b.do("POST", "/save/vote/"+item, set); !strings.Contains(page, "cannot be shown now") || !strings.Contains(page, "Cannot judge") {
		t.Errorf("a vote on nothing: %s", page)
	}
	p.statusWith("votes", "cannot be looked for: no folder is named with --media")
	s.kill()
	shortClip(t, p.dir, "a.mp4")
	s = p.serve(serve...)
	b.address = s.address
	b.watch("vote", item, 1)
	b.save("vote", item, map[string]any{"kind": "submit"})
	s.kill()
	p.exits(0, "people", "export", "votes", "battles")
	has(t, p.read("votes-export/battles.csv"), ",a,vic,left,")

	fixture.OK(t, os.WriteFile(filepath.Join(p.dir, "a.mp4"), []byte("another film"), 0o600))
	s = p.serve(serve...)
	status := p.statusWith("votes", "replaced by another file")
	has(t, status, "0 of 2", "Work that does not count")
	has(t, p.exits(0, "people", "export", "votes", "battles", "--force"), "1 submitted tasks are in no file but events.jsonl: the clip has been replaced by another file")
	if got := p.read("votes-export/battles.csv"); strings.Contains(got, "vic") {
		t.Errorf("battles:\n%s", got)
	}
	has(t, p.exits(0, "people", "agreement", "votes"), "There are no votes yet", "Work that does not count")
	if task := s.signIn(ann).next("vote"); task == nil || task.Item != item {
		t.Errorf("the item is not given to somebody else: %+v", task)
	}
}
