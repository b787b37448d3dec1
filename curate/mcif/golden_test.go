package mcif

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

// builtBy is how the published builder was called for a case.
type builtBy struct {
	Args     []string
	Warnings []string
}

// goldenOptions are the options that the published builder had for a case.
func goldenOptions(t *testing.T, name string) (Options, *builtBy) {
	t.Helper()
	need.FFmpeg(t)
	text, err := os.ReadFile(golden.Path(t, "mcif", "build", name, "run.json"))
	fixture.OK(t, err)
	by := &builtBy{}
	fixture.OK(t, json.Unmarshal(text, by))
	o := Options{Source: golden.Path(t, "mcif", "build", name, "TEST_SET"), Out: filepath.Join(t.TempDir(), "out"), Longest: 30, AsPublished: true}
	for i, arg := range by.Args {
		switch arg {
		case "--include-video":
			o.Video = true
		case "--include-text":
			o.Text = true
		case "--threshold-short-audio":
			fmt.Sscan(by.Args[i+1], &o.Longest)
		}
	}
	return o, by
}

func TestPublishedCases(t *testing.T) {
	for _, name := range []string{"case_a", "case_b"} {
		t.Run(name, func(t *testing.T) {
			o, by := goldenOptions(t, name)
			r, err := Build(t.Context(), o)
			fixture.OK(t, err)
			t.Run("files", func(t *testing.T) { compareFiles(t, golden.Path(t, "mcif", "build", name, "OUT.sha256.tsv"), &o, r) })
			t.Run("statistics", func(t *testing.T) { compareStatistics(t, golden.Path(t, "mcif", "build", name, "stats"), &o) })
			if got := warnings(r); strings.Join(got, "\n") != strings.Join(by.Warnings, "\n") {
				t.Errorf("skipped: %q, want %q", got, by.Warnings)
			}
		})
	}
}

// compareFiles compares all files of a set by digest. The videos of the cases are no videos, so that those of several segments
// cannot be joined.
func compareFiles(t *testing.T, list string, o *Options, r *Result) {
	unjoined := make(map[string]bool)
	for _, err := range r.Unjoined {
		file, _, _ := strings.Cut(err.Error(), " of ")
		unjoined[file] = true
	}
	want := digests(t, list)
	for file := range want {
		if got := digest(filepath.Join(o.Out, file)); got != want[file] && !unjoined[file] {
			t.Errorf("%s differs from the published one", file)
		}
	}
	if n := files(t, o.Out); n != len(want)-len(unjoined) || r.Files != len(want) || len(want) < 50 {
		t.Errorf("%d of %d files were written, and %d videos could not be joined; the published set has %d", n, r.Files, len(unjoined), len(want))
	}
}

func compareStatistics(t *testing.T, dir string, o *Options) {
	tables, err := filepath.Glob(dir + "/*.txt")
	if err != nil || len(tables) != 16 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, path := range tables { // such as long.de.chars.txt
		parts := strings.Split(filepath.Base(path), ".")
		s, err := Measure(t.Context(), filepath.Join(o.Out, "MCIF1.0.IF."+parts[0]+"."+parts[1]+".ref.xml"), filepath.Join(o.Out, strings.ToUpper(parts[0])+"_AUDIOS"), parts[2] == "chars")
		fixture.OK(t, err)
		var got strings.Builder
		fixture.OK(t, s.Write(&got))
		if want := fixture.Read(t, path); got.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", filepath.Base(path), &got, want)
		}
	}
}

// warnings are the skipped questions in the words of the published builder.
func warnings(r *Result) (list []string) {
	for _, s := range r.Skipped {
		list = append(list, fmt.Sprintf("Skipping question %s with duration %v seconds.", s.Question, s.Seconds))
	}
	return list
}

// digests reads a list of files with their sizes and digests.
func digests(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	all := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		all[cells[0]] = cells[2]
	}
	return all
}

func digest(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return sha256hex.Of(text)
}

// files counts the files of a set, without those of the folder itself.
func files(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			n++
		}
		return err
	})
	fixture.OK(t, err)
	return n
}

// TestOwnAbstracts shows what is mended: a talk that is only summarised gets its own translated abstract, and nothing else
// differs.
func TestOwnAbstracts(t *testing.T) {
	o, _ := goldenOptions(t, "case_a")
	published := fixture.Read(t, golden.Path(t, "mcif", "build", "case_a", "OUT", "MCIF1.0.IF.long.de.ref.xml"))
	o.AsPublished = false
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	mended := fixture.Read(t, filepath.Join(o.Out, "MCIF1.0.IF.long.de.ref.xml"))
	if mended == published {
		t.Error("nothing is mended")
	}
	own := regexp.MustCompile(`<reference>de nur Abstract \d\.</reference>`)
	of4 := "<reference>de Abstract 4 Teil 1. de Abstract 4 Teil 2.</reference>"
	if got := len(own.FindAllString(mended, -1)); got != 3 || strings.Count(mended, of4) != 1 || strings.Count(published, of4) != 4 {
		t.Errorf("%d talks have their own abstract; %d and, as published, %d have that of talk 4", got, strings.Count(mended, of4), strings.Count(published, of4))
	}
	if !sameButReferences(mended, published) {
		t.Error("more than the abstracts differs")
	}
}

var references = regexp.MustCompile(`<reference>de (nur )?Abstract[^<]*</reference>`)

func sameButReferences(a, b string) bool {
	return references.ReplaceAllString(a, "") == references.ReplaceAllString(b, "")
}
