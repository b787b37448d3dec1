package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/results/report"
)

// offlineRuns scores the same captions under each name with the offline reader,
// and returns the folders of the runs.
func offlineRuns(t *testing.T, names ...string) (dirs []string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		out := filepath.Join(dir, name)
		must(t, 0, "eval", "omni-cloze", "-p", "testdata/clips.jsonl", "--system", name, "--judge", "offline",
			"--work-dir", filepath.Join(dir, "work"), "--out", out, "--quiet")
		dirs = append(dirs, out)
	}
	return dirs
}

// must executes a command that ends with the code, and returns what it prints.
func must(t *testing.T, code int, args ...string) (out, errOut string) {
	t.Helper()
	v := command(context.Background(), args...).must(t, code)
	return v.out, v.errOut
}

func TestCompareFiles(t *testing.T) {
	dirs := offlineRuns(t, "one", "two", "three")
	kept := filepath.Join(t.TempDir(), "new", "tables")
	printed, _ := must(t, 0, append([]string{"compare", "--json", "--out", kept}, dirs...)...)
	written, err := os.ReadFile(filepath.Join(kept, "tables.json"))
	if err != nil || string(written) != printed {
		t.Errorf("tables.json is not what --json prints: %v\n%s", err, printed)
	}
	var c report.Comparison
	if err := json.Unmarshal(written, &c); err != nil || c.Schema != report.ComparisonSchema {
		t.Fatalf("schema %q, %v", c.Schema, err)
	}
	for _, table := range c.Tables {
		if table.Name != "differences" {
			continue
		}
		if len(table.Rows) != 3*4 { // pairs and scores
			t.Errorf("%d rows of differences", len(table.Rows))
		}
		for _, row := range table.Rows {
			if row[5] != "0.00" || row[6] != "[0.00, 0.00]" {
				t.Errorf("the same captions differ: %v", row)
			}
		}
	}
	again, _ := must(t, 0, append([]string{"compare", "--json"}, dirs...)...)
	if again != printed {
		t.Error("the second time it prints otherwise")
	}
}

func TestCompareUnknownBenchmark(t *testing.T) {
	dirs := offlineRuns(t, "one", "two")
	for _, dir := range dirs {
		path := filepath.Join(dir, "results.json")
		text, err := os.ReadFile(path)
		fixture.OK(t, err)
		fixture.OK(t, os.WriteFile(path, bytes.Replace(text, []byte(`"name": "omni-cloze"`), []byte(`"name": "chess"`), 1), 0o644))
	}
	_, errOut := must(t, 1, append([]string{"compare"}, dirs...)...)
	has(t, errOut, `no benchmark "chess"`)
}

func TestCompareUnwritable(t *testing.T) {
	dirs := offlineRuns(t, "one", "two")
	file := filepath.Join(t.TempDir(), "file")
	fixture.OK(t, os.WriteFile(file, nil, 0o644))
	out, errOut := must(t, 1, append([]string{"compare", "--out", file}, dirs...)...)
	if out != "" || !strings.Contains(errOut, file) {
		t.Errorf("printed %q, complained %q", out, errOut)
	}
}
