package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/logtest"
	"omniscope/people"
)

func TestLog(t *testing.T) {
	dirs := make(map[string]string)
	logtest.Run(t, func(t *testing.T) people.Log {
		if dirs[t.Name()] == "" {
			dirs[t.Name()] = t.TempDir()
		}
		l, err := Open(dirs[t.Name()])
		fixture.OK(t, err)
		return l
	})
}

func TestOneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir)
	fixture.OK(t, err)
	if _, err := Open(dir); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "another process works on") {
		t.Errorf("%v", err)
	}
	fixture.OK(t, l.Close())
	if l, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestOthersFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "people.db"), []byte("this is not a database, and long enough to be one............................................................................"), 0o600))
	if _, err := Open(dir); err == nil {
		t.Error("opened")
	}
}

func TestEventsAreOnlyAdded(t *testing.T) {
	l, err := Open(t.TempDir())
	fixture.OK(t, err)
	defer l.Close()
	e := people.NewEvent(people.ItemAdd, "", &people.Item{ID: "i"})
	e.Seq = 1
	fixture.OK(t, l.Append(t.Context(), []*people.Event{e}))
	for _, change := range []string{"UPDATE event SET by = 'me'", "DELETE FROM event"} {
		if _, err := l.db.Exec(change); err == nil || !strings.Contains(err.Error(), "events are only added") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

func TestReadingWhileAnotherWrites(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenToRead(dir); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("%v", err)
	}
	l, err := Open(dir)
	fixture.OK(t, err)
	add := func(seq int64) {
		t.Helper()
		e := people.NewEvent(people.ItemAdd, "", &people.Item{ID: "i"})
		e.Seq = seq
		fixture.OK(t, l.Append(t.Context(), []*people.Event{e}))
	}
	add(1)
	reader, err := OpenToRead(dir)
	fixture.OK(t, err)
	defer reader.Close()
	add(2)
	count := func() (n int) {
		for _, err := range reader.Events(t.Context(), 0) {
			fixture.OK(t, err)
			n++
		}
		return n
	}
	if n := count(); n != 2 {
		t.Errorf("a reader finds %d events", n)
	}
	e := people.NewEvent(people.ItemAdd, "", &people.Item{ID: "i"})
	e.Seq = 3
	if err := reader.Append(t.Context(), []*people.Event{e}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "reading only") {
		t.Errorf("a reader writes: %v", err)
	}
	fixture.OK(t, l.Close())
	if n := count(); n != 2 {
		t.Errorf("after the writer ended a reader finds %d events", n)
	}
}
