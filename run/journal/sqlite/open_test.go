package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/journaltest"
	"omniscope/run/journal/sqlite"
)

func TestOpenCreatesJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if sqlite.Exists(dir) {
		t.Error("a journal that was never made exists")
	}
	openRun(t, dir, "run")
	if !sqlite.Exists(dir) {
		t.Error("a journal that was made does not exist")
	}
}

func TestOpenForeignFile(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(t *testing.T, path string)
		tells string
	}{
		{"a text file", func(t *testing.T, path string) {
			fixture.OK(t, os.WriteFile(path, bytes.Repeat([]byte("these are my notes\n"), 100), 0o644))
		}, "not a database"},
		{"another program's database", func(t *testing.T, path string) {
			execute(t, path, "CREATE TABLE notes(text)", "INSERT INTO notes VALUES('mine')", "PRAGMA user_version = 1")
		}, "another program"},
		{"another program's empty database", func(t *testing.T, path string) {
			execute(t, path, "PRAGMA application_id = 1234")
		}, "another program"},
		{"a newer journal", func(t *testing.T, path string) {
			openRun(t, filepath.Dir(path), "run").Close()
			execute(t, path, "PRAGMA user_version = 99", "PRAGMA journal_mode = delete")
		}, "newer omniscope (version 99"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "journal.db")
			c.make(t, path)
			before, err := os.ReadFile(path)
			fixture.OK(t, err)
			for range 2 {
				_, err = sqlite.Open(dir)
				fixture.WantError(t, err, omniscope.Usage, path, c.tells, "name another folder")
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed (%v)", err)
			}
			if left, _ := filepath.Glob(path + "-*"); left != nil {
				t.Errorf("files were left behind: %v", left)
			}
		})
	}
}

func execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	fixture.OK(t, err)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestOpenNeedsAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	fixture.OK(t, os.WriteFile(path, nil, 0o644))
	_, err := sqlite.Open(path)
	fixture.WantError(t, err, omniscope.Internal, path, "not a directory")
}

func TestKindsOfEarlierRuns(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	for _, name := range []string{"001_journal", "002_usage"} {
		text, err := os.ReadFile(filepath.Join("migrations", name+".sql"))
		fixture.OK(t, err)
		execute(t, path, string(text))
	}
	execute(t, path, "PRAGMA user_version = 2")
	for _, r := range journaltest.EarlierRuns {
		execute(t, path, fmt.Sprintf("INSERT INTO run(name, created, manifest) VALUES('%s', '2026-11-27T20:00:00Z', '%s')", r.Name, r.Manifest))
	}
	s, err := sqlite.Open(dir)
	fixture.OK(t, err)
	journaltest.CheckKinds(t, s)
	fixture.OK(t, s.Close())

	// Runs that are recovered from a damaged file have kinds, too.
	into := filepath.Join(t.TempDir(), "new")
	if _, err := sqlite.Recover(t.Context(), dir, into); err != nil {
		t.Fatal(err)
	}
	if s, err = sqlite.Open(into); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	journaltest.CheckKinds(t, s)
}
