package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/people"
	"omniscope/people/logtest"
)

func TestLog(t *testing.T) {
	dirs := make(map[string]string)
	logtest.Run(t, func(t *testing.T) people.Log {
		if dirs[t.Name()] == "" {
			dirs[t.Name()] = t.TempDir()
		}
		l, err := Open(dirs[t.Name()])
		if err != nil {
			t.Fatal(err)
		}
		return l
	})
}

func TestOneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "another process works on") {
		t.Errorf("%v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestOthersFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "people.db"), []byte("this is no database, and long enough to be one............................................................................"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("opened")
	}
}

func TestEventsAreOnlyAdded(t *testing.T) {
	l, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	e := people.NewEvent(people.ItemAdd, "", &people.Item{ID: "i"})
	e.Seq = 1
	if err := l.Append(t.Context(), []*people.Event{e}); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"UPDATE event SET by = 'me'", "DELETE FROM event"} {
		if _, err := l.db.Exec(change); err == nil || !strings.Contains(err.Error(), "events are only added") {
			t.Errorf("%s: %v", change, err)
		}
	}
}
