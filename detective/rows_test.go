package detective_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
)

func TestReadRows(t *testing.T) {
	rows, err := detective.ReadRows(strings.NewReader("\ufeff{\"id\": \"a\", \"url\": \"x.mp4\", \"n\": 1e3}\n\n  {\"url\": \"y.mp4\", \"id\": 7}"), "in.jsonl")
	fixture.OK(t, err)
	if len(rows) != 2 || rows[0].ID != "a" || rows[1].ID != "7" || rows[1].URL != "y.mp4" {
		t.Errorf("got %+v", rows)
	}
}

func TestReadRowsErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":         {"{\"id\": 1}\nid 2\n", "in.jsonl:2: "},
		"a number of 007": {"{\"id\": \"a\"}\n{\"id\": 007}\n", "in.jsonl:2: "},
		"no object":       {"[1]\n", "in.jsonl:1: it is not a JSON object"},
		"no id":           {"{\"url\": \"x\"}\n", `no "id"`},
		"an id again":     {"{\"id\": 1}\n\n{\"id\": 1}\n", "in.jsonl:3: id 1 is there already, on line 1"},
		"a bad path":      {`{"id": 1, "omni_detective_trajectory": "x"}`, "omni_detective_trajectory"},
		"a content of 12": {`{"id": 1, "omni_detective_trajectory": [{"role": "user", "content": 12}]}`, "neither a text nor a list"},
	} {
		_, err := detective.ReadRows(strings.NewReader(c.text), "in.jsonl")
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestRowsKeepFields(t *testing.T) {
	rows, err := detective.ReadRows(strings.NewReader(`{"url":"a<b>.mp4", "id": 12345678901234567890, "more": {"x": [1, 2.50]}}`), "in")
	fixture.OK(t, err)
	rows[0].Trajectory = detective.Trajectory{{Role: "system", Content: "<look>"}, {Role: "assistant", Content: "a dog"}}
	got, err := rows[0].MarshalJSON()
	want := `{"url": "a<b>.mp4", "id": 12345678901234567890, "more": {"x": [1, 2.50]}, "omni_detective_trajectory": ` +
		`[{"role":"system","content":"<look>"},{"role":"assistant","content":"a dog"}]}`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
	back, err := detective.ReadRows(strings.NewReader(want), "out")
	if err != nil || back[0].Trajectory.Description() != "a dog" {
		t.Errorf("%v: %+v", err, back)
	}
}

func TestTrajectoryContentInParts(t *testing.T) {
	rows, err := detective.ReadRows(strings.NewReader(
		`{"id": 1, "omni_detective_trajectory": [{"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}]}`), "in")
	fixture.OK(t, err)
	if diff := cmp.Diff(detective.Trajectory{{Role: "user", Content: "one\ntwo"}}, rows[0].Trajectory); diff != "" {
		t.Error(diff)
	}
}

// A file of trajectories goes on where it was left, whatever a crash did to
// its last line.
func TestTrajectoryFileResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	rows, err := detective.ReadRows(strings.NewReader("{\"id\": \"a\"}\n{\"id\": \"b\"}\n{\"id\": \"c\"}\n"), "in")
	fixture.OK(t, err)
	for i := range rows {
		rows[i].Trajectory = detective.Trajectory{{Role: "assistant", Content: "caption " + rows[i].ID}}
	}
	put := func(there string, which ...int) {
		t.Helper()
		f, err := detective.OpenTrajectories(path)
		fixture.OK(t, err)
		defer f.Close()
		text, _ := os.ReadFile(path)
		kept, err := detective.ReadRows(bytes.NewReader(text), path)
		ids := ""
		for _, r := range kept {
			ids += r.ID
		}
		if err != nil || ids != there {
			t.Errorf("the rows %q are there, want %q: %v", ids, there, err)
		}
		for _, i := range which {
			fixture.OK(t, f.Put(rows[i]))
		}
	}
	put("", 1)
	put("b", 0)
	text, _ := os.ReadFile(path)
	for cut := range 20 { // a crash in the middle of the last line
		fixture.OK(t, os.WriteFile(path, text[:len(text)-1-cut], 0o644))
		put("b")
	}
	put("b", 0, 2)
	put("bac", 0)
	if got, _ := os.ReadFile(path); strings.Count(string(got), "\n") != 3 || !strings.HasPrefix(string(got), string(text)) {
		t.Errorf("the file is\n%s", got)
	}
	f, err := detective.OpenTrajectories(path)
	fixture.OK(t, err)
	defer f.Close()
	if rows[0].Trajectory = nil; f.Put(rows[0]) == nil {
		t.Error("a row without a trajectory was added")
	}
}

func TestTrajectoryFileNotInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.jsonl")
	fixture.OK(t, os.WriteFile(path, []byte("{\"id\": \"a\", \"url\": \"x\"}\n"), 0o644))
	if _, err := detective.OpenTrajectories(path); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("%v, want an error of kind invalid", err)
	}
}

// A row that comes again takes the place of the first.
func TestTrajectoryFileRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	put := func(id, caption string) {
		t.Helper()
		f, err := detective.OpenTrajectories(path)
		fixture.OK(t, err)
		row, err := detective.NewRow(map[string]string{"id": id, "path": id + ".mp4"}, detective.Trajectory{{Role: "assistant", Content: caption}})
		if err == nil {
			err = f.Put(row)
		}
		// What comes after a replaced row still goes to the end.
		next, errNext := detective.NewRow(map[string]string{"id": "after " + id + caption}, row.Trajectory)
		fixture.OK(t, errors.Join(err, errNext, f.Put(next), f.Close()))
	}
	put("a", "one")
	put("b", "two")
	put("a", "one")
	put("a", "<three> & \u2028")
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	rows, err := detective.ReadRows(strings.NewReader(string(text)), path)
	fixture.OK(t, err)
	var got []string
	for _, r := range rows {
		got = append(got, r.ID+": "+r.Trajectory.Description())
	}
	want := []string{"a: <three> & \u2028", "after aone: one", "b: two", "after btwo: two", "after a<three> & \u2028: <three> & \u2028"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
