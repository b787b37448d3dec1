package caption

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/journals"
	"omniscope/session/tools"
)

// Runs keep the names and the manifests that earlier versions gave them: the same
// command finds what it has paid for.
func TestRunsOnClipsKeepTheirNames(t *testing.T) {
	warm := 0.5
	for _, c := range []struct {
		kind     string
		prefix   string
		spec     any
		manifest string
		name     string
	}{
		{auditKind, auditKind, &AuditSpec{Splitter: "offline", Clip: "/clips/a.mp4", Caption: "00ff"},
			`{"splitter":"offline","clip":"/clips/a.mp4","caption":"00ff"}`, "audit-e958873da54b"},
		{auditKind, auditKind, &AuditSpec{Splitter: "openai/x", Tools: []string{"ocr"}, Observers: []string{"openai/y"}, ASR: "openai/z", Prompts: "p", Clip: "/c", Caption: "0",
			Roles: map[string]*session.Role{session.Splitter: {Name: session.Splitter, Temperature: &warm, Attempts: 2}}},
			`{"splitter":"openai/x","tools":["ocr"],"observers":["openai/y"],"asr":"openai/z","prompts":"p","roles":{"splitter":{"model":"","temperature":0.5,"attempts":2}},"clip":"/c","caption":"0"}`, "audit-6186fa59c3b7"},
		{captionKind, captionKind, &Spec{Modality: "av", Detective: "offline", Inquiries: 10, Clips: []string{"/clips/a.mp4"}},
			`{"modality":"av","detective":"offline","max_inquiries":10,"clips":["/clips/a.mp4"]}`, "investigate-4fc979c6dcdd"},
	} {
		d, err := session.Describe(c.kind, c.prefix, c.spec)
		if err != nil || d.Manifest != c.manifest || d.Name != c.name || d.Kind != c.kind {
			t.Errorf("%v: run %s is described by\n%s\nwant %s\n%s", err, d.Name, d.Manifest, c.name, c.manifest)
		}
	}
}

func TestRolesOfClips(t *testing.T) {
	own := &session.Role{Name: session.Observer, MaxTokens: 7}
	who := &tools.Roles{Observers: []string{"a/1", "a/2"}, ASR: "b/3", Roles: map[string]*session.Role{session.Observer: own}}
	look := who.Look(func(r *session.Role) { r.BaseURL = "http://" + r.Name })
	if len(look.Observers) != 2 || look.Observers[1].Model != "a/2" || look.Observers[1].MaxTokens != 7 || look.ASR.BaseURL != "http://asr" {
		t.Errorf("observers %+v, asr %+v", look.Observers, look.ASR)
	}
	if own.Model != "" || own.BaseURL != "" {
		t.Errorf("the Spec's role was changed to %+v", own)
	}
	if d := who.Role(session.Detective, "c/4", nil); d.Attempts != 3 || d.Temperature == nil || *d.Temperature != 0 || d.Model != "c/4" {
		t.Errorf("the detective is %+v", d)
	}
}

func TestWorkOfARunThatHasNone(t *testing.T) {
	calls := &session.Calls{WorkDir: t.TempDir(), MaxConcurrency: 1, Journals: journals.All}
	s, err := sqlite.Open(session.JournalDir(calls.WorkDir))
	fixture.OK(t, err)
	run, err := s.Run(t.Context(), journal.Description{Name: "audit-1", Kind: auditKind, Manifest: `{"splitter":"offline"}`})
	fixture.OK(t, err)
	run.Close()
	s.Close()
	for name, kind := range map[string]omniscope.Kind{"audit-1": omniscope.Usage, "investigate-1": omniscope.NotFound} {
		if _, err := (session.Kinds{AuditKind}).OpenWork(t.Context(), calls, name, &session.Order{}, io.Discard); omniscope.KindOf(err) != kind {
			t.Errorf("%s: %v, want a %v error", name, err, kind)
		}
	}
}

func TestReadCaption(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	if text, err := readCaption(t.Context(), write("caption.txt", "A boat.\nIt sails.")); err != nil || text != "A boat.\nIt sails." {
		t.Errorf("%q, %v", text, err)
	}
	for name, text := range map[string]string{"not text": "a\x00b", "too long": strings.Repeat("a", mostCaption+1)} {
		if _, err := readCaption(t.Context(), write("caption.txt", text)); omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
