package results

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// workFolder makes a working folder with runs of these systems, each a day later than the one before.
func workFolder(t *testing.T, systems ...string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	for i, system := range systems {
		finished := time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		text := fmt.Sprintf(`{"schema": 1, "run": {"id": "r%d", "finished": %q}, "benchmark": {"name": "mmau"}, "system": %q, "tables": [`, i, finished, system)
		fixture.FileIn(t, "", fmt.Sprintf("work/runs/mmau-%d/results.json", i), text) // the rest is not read
	}
	return "work"
}

func TestFindRunByName(t *testing.T) {
	work := workFolder(t, "careful", "vllm/Qwen", "twice", "twice")
	fixture.FileIn(t, "", "work/runs/mcif-systems/a/results.json", `{"system": "below", "run": {}, "benchmark": {}}`)
	fixture.FileIn(t, "", "work/suites/mmau/mmau/model-a/results/results.json", `{"system": "model-a", "run": {}, "benchmark": {}}`)
	fixture.FileIn(t, "", "work/runs/damaged/results.json", `{"system": `)
	fixture.FileIn(t, "", "careless/results.json", "{}")
	fixture.FileIn(t, "", "tables.md", "")
	for name, test := range map[string]struct {
		names []string
		want  string // folders, or the error
		kind  omniscope.Kind
	}{
		"systems":     {[]string{"careful", "vllm/Qwen", "below"}, "work/runs/mmau-0 work/runs/mmau-1 work/runs/mcif-systems/a", 0},
		"of a suite":  {[]string{"model-a"}, "work/suites/mmau/mmau/model-a", 0},
		"latest":      {[]string{"latest"}, "work/runs/mmau-3", 0},
		"a folder":    {[]string{"careless"}, "careless", 0},
		"its results": {[]string{"careless/results.json"}, "careless", 0},
		"a run":       {[]string{"mmau-2"}, "work/runs/mmau-2", 0},
		"two runs":    {[]string{"twice"}, "2 runs are called twice: name one by its folder: work/runs/mmau-2 (mmau, 2026-01-03", omniscope.Usage},
		"misspelt":    {[]string{"carefull"}, "did you mean careful?", omniscope.NotFound},
		"a file":      {[]string{"tables.md"}, "tables.md is a file, and a run is a folder", omniscope.Invalid},
		"a file more": {[]string{"tables.md", "careful"}, "work/runs/mmau-0", 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := Finder{WorkDir: work}
			dirs, err := f.Folders(t.Context(), 1, test.names...)
			got := filepath.ToSlash(strings.Join(dirs, " "))
			if err != nil {
				got = filepath.ToSlash(err.Error())
			}
			if (err != nil) != (test.kind != 0) || err != nil && omniscope.KindOf(err) != test.kind || !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestAnotherRunOfTheBenchmark(t *testing.T) {
	f := Finder{WorkDir: workFolder(t, "careful", "terse", "careful")}
	for run, want := range map[string]string{"work/runs/mmau-2": "work/runs/mmau-1", "work/runs/mmau-1": "work/runs/mmau-2"} {
		if got, err := f.Another(t.Context(), run); err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s: %s, %v", run, got, err)
		}
	}
}

func TestLatestWithoutRuns(t *testing.T) {
	f := Finder{WorkDir: filepath.Join(t.TempDir(), "none")}
	if _, err := f.Folders(t.Context(), 1, latest); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(fmt.Sprint(err), "--work-dir") {
		t.Error(err)
	}
}
