package results

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

const resultsJSON = `{"schema":1,"profiles":[
	{"name":"official","slices":[{"dimension":"modality","group":"audio"},{"dimension":"overall","group":"all"}]}]}`

func TestOpenFindsResultsInAFolderOrBelowIt(t *testing.T) {
	for _, name := range []string{"results.json", "results/results.json"} {
		dir := t.TempDir()
		path := fixture.FileIn(t, dir, name, resultsJSON)
		r, err := Open(t.Context(), dir)
		fixture.OK(t, err)
		if r.Dir != filepath.Dir(path) {
			t.Errorf("%s: found in %s", name, r.Dir)
		}
		if s, ok := r.Overall(bench.Official); !ok || s.Group != "all" {
			t.Errorf("overall: %+v, %v", s, ok)
		}
		if _, ok := r.Overall(bench.Strict); ok {
			t.Error("scores of a profile that is not there")
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, text, says string
		kind             omniscope.Kind
	}{
		{"no file", "", "no such file: name folders", omniscope.NotFound},
		{"an older version", `{"schema":"omniscope.results/0"}`, "make the results again with this version", omniscope.Invalid},
		{"a newer version", `{"schema":2}`, "install a newer omniscope", omniscope.Invalid},
		{"another document", `{"a":1}`, `it has no schema`, omniscope.Invalid},
		{"a file that breaks off", resultsJSON[:40], "is not a results document", omniscope.Invalid},
		{"more than any results", `{"a":[` + strings.Repeat("1,", 1_000_001) + `1]}`, "more than 1000000 commas", omniscope.Invalid},
	} {
		dir := t.TempDir()
		if c.text != "" {
			fixture.FileIn(t, dir, File, c.text)
		}
		_, err := Open(t.Context(), dir)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) || omniscope.KindOf(err) != c.kind {
			t.Errorf("%s: %v (%v)", c.name, err, omniscope.KindOf(err))
		}
	}
}

func TestOpenOfARunThatGoesOn(t *testing.T) {
	for _, name := range []string{".counts.jsonl.gathering", "results/.counts.jsonl.gathering"} {
		dir := t.TempDir()
		fixture.FileIn(t, dir, name, "")
		if _, err := Open(t.Context(), dir); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "has no results yet: its run still goes on") {
			t.Errorf("%v", err)
		}
	}
}

func TestCases(t *testing.T) {
	dir := t.TempDir()
	fixture.FileIn(t, dir, File, resultsJSON)
	r, err := Open(t.Context(), dir)
	fixture.OK(t, err)
	if cases, err := r.Cases(t.Context()); cases != nil || err != nil {
		t.Errorf("without a file: %v, %v", cases, err)
	}
	fixture.FileIn(t, dir, bench.CasesFile, `{"unit":"a"}`+"\n"+`{"unit":""}`+"\n"+`{"unit":"c"}`+"\n")
	cases, err := r.Cases(t.Context())
	fixture.OK(t, err)
	defer cases.Close()
	if cases.Len() != 3 {
		t.Errorf("%d cases", cases.Len())
	}
	for i, want := range []string{"a", "", "c"} {
		c, err := cases.At(i)
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "line 2") && !strings.Contains(err.Error(), ":2")):
			t.Errorf("a case without a unit: %v", err)
		case want != "" && (err != nil || c.Unit != want):
			t.Errorf("case %d: %+v, %v", i, c, err)
		}
	}
}

const head = `{"run":"0123456789ab","spec":{"model":"openai/a","frames":{"count":8},"temperature":0.10,"names":["x"]}}` + "\n"

func TestReadDetails(t *testing.T) {
	path := fixture.FileIn(t, t.TempDir(), "a.details.jsonl", head+`{"sample":"one","outcome":"ok","words":3}`+"\n"+`{"sample":"two","outcome":"refused"}`+"\n")
	d, err := ReadDetails(t.Context(), path)
	fixture.OK(t, err)
	if d.Run != "0123456789ab" || fmt.Sprint(d.Order) != "[one two]" || d.Predictions["one"].Words != 3 {
		t.Errorf("%+v", d)
	}
	for name, want := range map[string]string{"model": "openai/a", "frames.count": "8", "temperature": "0.10", "names": `["x"]`} {
		if d.Settings[name] != want {
			t.Errorf("setting %s is %q, want %q", name, d.Settings[name], want)
		}
	}
}

func TestReadDetailsSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"nothing", "", "is empty"},
		{"answers in place of details", `{"sample":"one","caption":"A dog."}` + "\n", "does not describe a run"},
		{"no sample", head + `{"outcome":"ok"}` + "\n", `"sample" is missing`},
		{"a sample twice", head + `{"sample":"one"}` + "\n" + `{"sample":"one"}` + "\n", `"one" is there twice`},
		{"a line that breaks off", head + `{"sample":"o`, ""},
	} {
		path := fixture.FileIn(t, t.TempDir(), "a.details.jsonl", c.text)
		if _, err := ReadDetails(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestDetailsOfAnswers finds details beside the answers, and tells where the answers
// are not those that were scored.
func TestDetailsOfAnswers(t *testing.T) {
	const answers = `{"id":"one"}` + "\n"
	dir := t.TempDir()
	fixture.FileIn(t, dir, "out/"+File, resultsJSON)
	fixture.FileIn(t, dir, "answers.jsonl", answers)
	r, err := Open(t.Context(), filepath.Join(dir, "out"))
	fixture.OK(t, err)
	r.Results.Run.Inputs = map[string]string{"answers.jsonl": sha256hex.Of(answers)}
	if d, why, err := r.Details(t.Context()); d != nil || err != nil || !strings.HasPrefix(why, "no file of details") {
		t.Errorf("answers made elsewhere: %v, %q, %v", d, why, err)
	}
	fixture.FileIn(t, dir, DetailsName("answers.jsonl"), head+`{"sample":"one"}`+"\n")
	if d, why, err := r.Details(t.Context()); d == nil || err != nil {
		t.Errorf("details beside the answers: %v, %q, %v", d, why, err)
	}
	fixture.FileIn(t, dir, "answers.jsonl", answers+answers)
	if d, why, err := r.Details(t.Context()); d != nil || err != nil || !strings.HasSuffix(why, "has changed since it was scored") {
		t.Errorf("other answers: %v, %q, %v", d, why, err)
	}
}

func TestDetailsName(t *testing.T) {
	for answers, want := range map[string]string{"a.jsonl": "a.details.jsonl", "b/a.xml": "b/a.details.jsonl", "a": "a.details.jsonl", "a.jsonl.gz": "a.details.jsonl", "a.csv.bz2": "a.details.jsonl"} {
		if got := DetailsName(answers); got != want || !IsDetails(got) {
			t.Errorf("%s: %s, want %s", answers, got, want)
		}
	}
}
