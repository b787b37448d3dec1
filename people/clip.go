package people

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"omniscope"
)

// A ClipName is how items name a clip. Items with the same name are about the same file.
type ClipName struct {
	File   string
	SHA256 string // of the file that items are about, in hex; "" = they do not say
}

// Clip is the name of the clip that a medium is.
func (m Media) Clip() ClipName { return ClipName{m.File, m.SHA256} }

// A ClipNote is what the server found when it looked for a clip. It is the body of an event of
// kind ClipFound.
type ClipNote struct {
	File    string `json:"file"`              // as items name it
	Wanted  string `json:"wanted,omitempty"`  // SHA-256 that items name; "" = not named
	SHA256  string `json:"sha256,omitempty"`  // of the file that was found, in hex; "" = not known
	Path    string `json:"path,omitempty"`    // of that file
	Trouble string `json:"trouble,omitempty"` // why it cannot be shown; "" = it can
}

func (n *ClipNote) name() ClipName { return ClipName{n.File, n.Wanted} }

// A shownClip is the body of an event of kind Shown.
type shownClip struct {
	N      int    `json:"n"` // which of the item's media
	SHA256 string `json:"sha256"`
}

// A submission is the body of an event of kind Submit; no body = the zero value.
type submission struct {
	// Unseen says that the person could not see the clips, and says so in the answers.
	Unseen bool `json:"unseen,omitempty"`
}

// A LeftOut is the reason why submitted work does not count; "" = it counts.
type LeftOut string

// Why submitted work does not count.
const (
	NotShown  LeftOut = "no clip was shown to the person"            // in a project with NotesClips
	OtherClip LeftOut = "the clip has been replaced by another file" // the work is about the earlier one
)

// A clipState is a clip, the items that it belongs to, and which files it was.
type clipState struct {
	note  ClipNote // the last one
	files []clipFile
	items []*itemState
}

// A clipFile is a file that was found for a clip.
type clipFile struct {
	sha256 string
	seq    int64 // of the event that noted it; 0 = the items name it
}

// file is the digest of the clip's current file; "" = not known yet.
func (c *clipState) file() string {
	if len(c.files) == 0 {
		return ""
	}
	return c.files[len(c.files)-1].sha256
}

// fileAt is the digest of the clip's file at an event. Before the first note it is the file of the
// first note, since the server did not check earlier. "" = not known.
func (c *clipState) fileAt(seq int64) string {
	at := ""
	for i, f := range c.files {
		if i == 0 || f.seq <= seq {
			at = f.sha256
		}
	}
	return at
}

// clip is the state of a clip, made where it is new.
func (s *state) clip(name ClipName) *clipState {
	c := s.clips[name]
	if c == nil {
		c = &clipState{note: ClipNote{File: name.File, Wanted: name.SHA256}}
		if name.SHA256 != "" {
			c.files = []clipFile{{sha256: name.SHA256}}
		}
		s.clips[name] = c
	}
	return c
}

// addClips has the clips of a new item know it.
func (s *state) addClips(one *itemState) {
	for _, m := range one.media {
		if c := s.clip(m.Clip()); len(c.items) == 0 || c.items[len(c.items)-1] != one {
			c.items = append(c.items, one)
		}
	}
}

// applyClip applies a note on a clip. If the file has changed, the work on it is weighed again.
func (s *state) applyClip(e *Event) error {
	var note ClipNote
	if err := readBody(e, &note); err != nil {
		return err
	}
	c := s.clips[note.name()]
	if c == nil {
		return omniscope.Invalidf("event %d is about the clip %q, which no item has", e.Seq, note.File)
	}
	c.note = note
	if note.SHA256 == "" || note.SHA256 == c.file() {
		return nil
	}
	c.files = append(c.files, clipFile{note.SHA256, e.Seq})
	for _, one := range c.items {
		one.version++
		for _, t := range one.tasks {
			s.weigh(one, t)
		}
	}
	return nil
}

// applyShown notes that a clip was shown to the person of a task.
func (s *state) applyShown(one *itemState, e *Event) error {
	var body shownClip
	if err := readBody(e, &body); err != nil {
		return err
	}
	t := s.task(e.Task)
	if t == nil || body.N < 0 || body.N >= len(one.media) {
		return omniscope.Invalidf("event %d is about clip %d of %s, which is not there", e.Seq, body.N, e.Task)
	}
	shown := make([]string, len(one.media))
	copy(shown, t.shown)
	shown[body.N] = body.SHA256
	for _, f := range s.clip(one.media[body.N].Clip()).files {
		if f.sha256 == body.SHA256 {
			shown[body.N] = f.sha256 // one text for all tasks
		}
	}
	t.shown = shown
	return nil
}

// shownOf is the digest of the file that was shown to the person as the n-th clip; "" = not shown.
func (t *taskState) shownOf(n int) string {
	if n < len(t.shown) {
		return t.shown[n]
	}
	return ""
}

// weigh decides whether submitted work counts. It counts if it is about the current files of the
// item's clips. Work at stages without media, and answers that the person cannot judge, always count.
// Work that was done elsewhere needs no note of a shown clip.
func (s *state) weigh(one *itemState, t *taskState) {
	t.LeftOut = ""
	stage := s.project.Stage(t.Stage)
	if t.State != Submitted || t.unseen || stage == nil || stage.Sound == NoMedia {
		return
	}
	for n, m := range one.media {
		c := s.clip(m.Clip())
		about := t.shownOf(n)
		switch {
		case about == "" && s.project.NotesClips && !t.elsewhere:
			t.LeftOut = NotShown
			return
		case about == "": // no note of the shown file: assume the file of that time
			about = c.fileAt(t.SubmitSeq)
		}
		if about != c.file() {
			t.LeftOut = OtherClip
		}
	}
}

// notShown reports, in words for the person, the first clip that was not shown to them in its current
// file, and what they can do; nil = they have been shown all clips of the item.
func (s *state) notShown(one *itemState, stage *Stage, t *taskState, form *Form) error {
	if stage.Sound == NoMedia {
		return nil
	}
	for n, m := range one.media {
		c, which := s.clip(m.Clip()), "the clip"
		if len(one.media) > 1 {
			which = fmt.Sprintf("clip %d", n+1)
		}
		switch shown := t.shownOf(n); {
		case shown != "" && shown == c.file():
		case c.note.Trouble != "":
			return omniscope.Usagef("%s of %s cannot be shown now: %s", which, one.id, form.wayOut())
		case shown == "":
			return omniscope.Usagef("%s of %s was not shown to you: load the page again and play it, or %s", which, one.id, form.wayOut())
		default:
			return omniscope.Usagef("%s of %s has been replaced by another file since it was shown to you: load the page again and play it, or %s", which, one.id, form.wayOut())
		}
	}
	return nil
}

// mayNote refuses notes on clips that no item has, and on files with another SHA-256 than items name.
func (s *state) mayNote(e *Event) error {
	var note ClipNote
	if err := readBody(e, &note); err != nil {
		return err
	}
	switch {
	case s.clips[note.name()] == nil:
		return omniscope.NotFoundf("no item has the clip %q", note.File)
	case note.Wanted != "" && note.SHA256 != "" && note.SHA256 != note.Wanted:
		return omniscope.Invalidf("the file of the clip %q has the SHA-256 %s, items name %s", note.File, note.SHA256, note.Wanted)
	}
	return nil
}

// mayShow refuses to note another file than the clip's current one.
func (s *state) mayShow(one *itemState, e *Event) error {
	var body shownClip
	if err := readBody(e, &body); err != nil {
		return err
	}
	if body.N < 0 || body.N >= len(one.media) {
		return omniscope.NotFoundf("%s has no clip %d", one.id, body.N)
	}
	if body.SHA256 == "" || body.SHA256 != s.clip(one.media[body.N].Clip()).file() {
		return omniscope.Usagef("clip %d of %s has been replaced by another file: load the page again", body.N+1, one.id)
	}
	return nil
}

// NoteClips saves the results of looking for clips, except notes that repeat the last one.
func (w *Workplace) NoteClips(ctx context.Context, notes ...ClipNote) error {
	var events []*Event
	w.mu.Lock()
	for i := range notes {
		if c := w.state.clips[notes[i].name()]; c == nil || c.note != notes[i] {
			events = append(events, NewEvent(ClipFound, "", &notes[i]))
		}
	}
	w.mu.Unlock()
	if len(events) == 0 {
		return nil
	}
	return w.saveAll(ctx, events...)
}

// NoteShown saves that the server showed the n-th clip of an item to the person of a task, a file
// with this SHA-256. Where the task is not open, or that is known, nothing is saved.
func (w *Workplace) NoteShown(ctx context.Context, id TaskID, n int, sha256 string) error {
	w.mu.Lock()
	t := w.state.task(id)
	known := t == nil || t.State != Started || t.shownOf(n) == sha256
	w.mu.Unlock()
	if known {
		return nil
	}
	e := NewEvent(Shown, id.Person, &shownClip{n, sha256})
	e.Task = id
	err := w.saveAll(ctx, e)
	if t, ok := w.Task(id); err != nil && (!ok || t.State != Started) {
		return nil // it was submitted or given back meanwhile
	}
	return err
}

// A ClipStatus is what is known of a clip.
type ClipStatus struct {
	ClipNote
	Items    int  // that it belongs to
	Replaced bool // another file was found for it earlier
	LeftOut  int  // submitted tasks that are about such a file
}

// Clip is what is known of a clip.
func (w *Workplace) Clip(name ClipName) ClipStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.state.clips[name]; c != nil {
		return c.status(name)
	}
	return ClipStatus{ClipNote: ClipNote{File: name.File, Wanted: name.SHA256}}
}

// Clips are the clips of the project, in the order of its items.
func (w *Workplace) Clips() (out []ClipStatus) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := make(map[ClipName]bool, len(w.state.clips))
	for _, one := range w.state.items {
		for _, m := range one.media {
			if name := m.Clip(); !seen[name] {
				seen[name] = true
				out = append(out, w.state.clip(name).status(name))
			}
		}
	}
	return out
}

func (c *clipState) status(name ClipName) ClipStatus {
	out := ClipStatus{ClipNote: c.note, Items: len(c.items), Replaced: len(c.files) > 1}
	if out.SHA256 == "" { // the last look found no file
		out.SHA256 = c.file()
	}
	for _, one := range c.items {
		n := slices.IndexFunc(one.media, func(m Media) bool { return m.Clip() == name })
		for _, t := range one.tasks {
			if about := t.shownOf(n); t.LeftOut == OtherClip && (about == "" || about != c.file()) {
				out.LeftOut++
			}
		}
	}
	return out
}

// LeftOut is how many submitted tasks do not count, by reason.
func (w *Workplace) LeftOut() map[LeftOut]int {
	out := make(map[LeftOut]int)
	for _, t := range w.Tasks() {
		if t.LeftOut != "" {
			out[t.LeftOut]++
		}
	}
	return out
}

// LeftOutTable is the table of submitted work that does not count; false = all counts.
func LeftOutTable(w *Workplace) (omniscope.Table, bool) {
	t := omniscope.Table{Name: "left-out", Title: "Work that does not count", Columns: []string{"why", "tasks"}, Numbers: []int{1},
		Note: "Submitted tasks that are in no result, figure or file except the log. Their items are given to people again."}
	counts := w.LeftOut()
	for _, why := range []LeftOut{NotShown, OtherClip} {
		if n := counts[why]; n > 0 {
			t.Rows = append(t.Rows, []string{string(why), strconv.Itoa(n)})
		}
	}
	return t, len(t.Rows) > 0
}

// mostListed is how many clips a table lists.
const mostListed = 100

// ClipTable is the table of clips that cannot be shown or were replaced; false = no such clip.
func ClipTable(w *Workplace) (omniscope.Table, bool) {
	t := omniscope.Table{Name: "clips", Title: "Clips that cannot be shown or were replaced", Columns: []string{"clip", "items", "trouble", "left out"}, Numbers: []int{1, 3},
		Note: "As of the last check. While the project is served, failed clips are tried again. Left out: submitted tasks about an earlier file."}
	n := 0
	for _, c := range w.Clips() {
		trouble := c.Trouble
		switch {
		case c.Replaced && trouble == "":
			trouble = "replaced by another file"
		case c.Replaced:
			trouble += "; replaced by another file before"
		}
		if trouble == "" {
			continue
		}
		if n++; n <= mostListed {
			t.Rows = append(t.Rows, []string{c.File, strconv.Itoa(c.Items), trouble, strconv.Itoa(c.LeftOut)})
		}
	}
	if n > mostListed {
		t.Note = fmt.Sprintf("The first %d of %d clips. %s", mostListed, n, t.Note)
	}
	return t, len(t.Rows) > 0
}

// noteUnseen notes in a Submit that the person could not see the clips.
func noteUnseen(e *Event) (err error) {
	e.Body, err = json.Marshal(submission{Unseen: true})
	return err
}
