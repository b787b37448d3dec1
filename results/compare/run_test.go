package compare

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/results"
)

func TestCompareInvalidFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	a := calm.dir(t, "", "a")
	other := bold
	other.change = func(r *document.Results) { r.Benchmark.Name = "chess" }
	old := bold
	old.change = func(r *document.Results) { r.Schema = -1 }
	fixture.OK(t, os.Symlink("a", "same"))
	write(t, ".", results.File, "{\"schema\": \n")
	for _, c := range []struct {
		dirs  []string
		kind  omniscope.Kind
		words []string
	}{
		{[]string{a, "./a"}, omniscope.Usage, []string{"a and ./a are the same folder"}},
		{[]string{a, "same"}, omniscope.Usage, []string{"a and same are the same folder"}},
		{[]string{a, "nowhere"}, omniscope.NotFound, []string{"nowhere/results.json", "omniscope eval"}},
		{[]string{a, other.dir(t, "", "chess")}, omniscope.Invalid, []string{"a is a run of cloze, chess one of chess"}},
		{[]string{a, old.dir(t, "", "old")}, omniscope.Invalid, []string{"old/results.json", "make the results again"}},
		{[]string{a, "."}, omniscope.Invalid, []string{"results.json is not a results document", "character"}},
	} {
		_, err := Open(t.Context(), c.dirs)
		fixture.WantError(t, err, c.kind, c.words...)
	}
}

func TestCompareRunsWithoutCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	a, b := calm.dir(t, "", "a"), bold.dir(t, "", "b")
	fixture.OK(t, os.Remove(filepath.Join(b, bench.CountsFile)))
	_, err := opened(t, Options{}, a, b)
	fixture.WantError(t, err, omniscope.NotFound, "b/counts.jsonl", "run the same eval again")
}

func TestUnknownScoring(t *testing.T) {
	half := bold
	half.change = func(r *document.Results) { r.Scorings = r.Scorings[:1] }
	_, err := compared(t, Options{}, calm, half)
	fixture.WantError(t, err, omniscope.Invalid, "b/results.json has no scores of scoring strict")
}

func TestBadLinesQuoted(t *testing.T) {
	const good = `{"unit":"u1","cluster":"k","outcome":"ok","official":{},"strict":{}}` + "\n"
	for line, words := range map[string]string{
		`{"unit":`:                              "not JSON at character",
		`[]`:                                    "cannot unmarshal",
		`{"cluster":"k","strict":{}}`:           `"unit" is missing`,
		`{"unit":"u2","official":{}}`:           "counts of scoring strict are missing",
		`{"unit":"u2","strict":{"goals":1}}`:    `"goals" is not a count of cloze`,
		`{"unit":"u2","strict":{"correct":""}}`: "cannot unmarshal",
		`{"unit":"u2","outcome":"great"}`:       `unknown outcome "great"`,
		`{"unit":"u2","strict":{},"verdicts":{"1":"maybe"}}`: `unknown verdict "maybe"`,
		strings.TrimSpace(good):                              `unit "u1" is there twice`,
	} {
		t.Chdir(t.TempDir())
		a, b := calm.dir(t, "", "a"), bold.dir(t, "", "b")
		write(t, b, bench.CountsFile, good+line+"\n")
		_, err := opened(t, Options{}, a, b)
		fixture.WantError(t, err, omniscope.Invalid, "b/counts.jsonl:2: ", words)
	}
}

// A run killed between its two files leaves a document of one run and counts of
// another.
func TestFilesOfTwoRuns(t *testing.T) {
	for name, lines := range map[string][]string{
		"fewer units":  bold.lines[:7],
		"other counts": append([]string{"u1 k1 nnnn"}, bold.lines[1:]...),
	} {
		t.Chdir(t.TempDir())
		a, b := calm.dir(t, "", "a"), bold.dir(t, "", "b")
		mixed := bold
		mixed.lines = lines
		text, err := os.ReadFile(filepath.Join(mixed.dir(t, "", "c"), bench.CountsFile))
		if err != nil {
			t.Fatal(name, err)
		}
		write(t, b, bench.CountsFile, string(text))
		_, err = opened(t, Options{}, a, b)
		fixture.WantError(t, err, omniscope.Invalid, "are not of one run", "in b")
	}
}

func TestUnitOfOtherCluster(t *testing.T) {
	moved := bold
	moved.lines = append([]string{"u1 k2 cccc"}, bold.lines[1:]...)
	_, err := compared(t, Options{}, calm, moved)
	fixture.WantError(t, err, omniscope.Invalid, `unit "u1" is of cluster "k1" in a and of "k2" in b`)
}

func TestCompareInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	runs, err := Open(t.Context(), []string{calm.dir(t, "", "a"), bold.dir(t, "", "b")})
	fixture.OK(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Runs(ctx, runs, &metric.Cloze, Options{Scoring: bench.Strict}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
