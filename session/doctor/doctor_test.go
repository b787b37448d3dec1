package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
)

func TestJournalOfFolder(t *testing.T) {
	need.Processes(t)
	dir := t.TempDir()
	e := Examine(t.Context(), filepath.Join(dir, "not", "yet"))
	if e.Journal.There || !e.Journal.Writable || e.Journal.Problem != "" {
		t.Errorf("of a folder that is to be made: %+v", e.Journal)
	}
	s, err := sqlite.Open(filepath.Join(dir, "journal"))
	fixture.OK(t, err)
	fixture.OK(t, s.Close())
	if e = Examine(t.Context(), dir); !e.Journal.There || e.Journal.Runs != 0 {
		t.Errorf("of an empty journal: %+v", e.Journal)
	}
}

func TestJudge(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "script.json")
	for _, c := range []struct {
		spec, says string
		kind       omniscope.Kind
	}{
		{"offline", "no model, no key and no network", omniscope.Internal},
		{"scripted/" + missing, "", omniscope.NotFound},
		{"chess/engine", "", omniscope.Usage},
	} {
		e := &examination{}
		err := e.ExamineJudge(t.Context(), c.spec, &session.Role{Name: session.Judge}, true)
		if omniscope.KindOf(err) != c.kind || (err == nil) != (e.Judge.Problem == "") {
			t.Errorf("%s: %v, %q", c.spec, err, e.Judge.Problem)
		}
		if says := strings.Join(e.Judge.Says, "\n"); !strings.Contains(says, c.says) {
			t.Errorf("%s: %s", c.spec, says)
		}
	}
}
