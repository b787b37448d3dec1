package captionrow_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
)

func TestRowOfInvestigation(t *testing.T) {
	r := &detective.Report{Modality: omniscope.AudioVisual,
		Ledger: detective.Ledger{
			{ID: "o1", Tool: "scene", What: "A cut."},
			{ID: "o2", Tool: "ocr", What: "A sign <OPEN>.", StartS: 1, EndS: 2},
		},
		Caption: &detective.Caption{Text: "A sign. A dog.", Sentences: []detective.Sentence{{Text: "A sign.", Evidence: []string{"o2"}, Disputed: true}, {Text: "A dog."}}}}
	var got bytes.Buffer
	fixture.OK(t, captionrow.Write(&got, []captionrow.Row{captionrow.Of(r, "a", "a.mp4", captionrow.Offline)}))
	want := `{"id":"a","path":"a.mp4","caption":"A sign. A dog.","modality":"audio-visual","system":"offline",` +
		`"sentences":[{"text":"A sign.","evidence":["o2"],"disputed":true},{"text":"A dog.","evidence":[]}],` +
		`"evidence":[{"id":"o2","tool":"ocr","what":"A sign <OPEN>.","start_s":1,"end_s":2}]}` + "\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestReadForms(t *testing.T) {
	for text, want := range map[string]captionrow.Row{
		`{"id":7,"path":"a.mp4","caption":"x","modality":"audio","system":"m"}`:                                                   {ID: "7", Path: "a.mp4", Caption: "x", Modality: "audio", System: "m"},
		`{"uuid":"u","video_path":"b.mp4","pred":"y"}`:                                                                            {ID: "u", Path: "b.mp4", Caption: "y"},
		`{"id":"c","url":"c.mp4","omni_detective_trajectory":[{"role":"user","content":"?"},{"role":"assistant","content":"z"}]}`: {ID: "c", Path: "c.mp4", Caption: "z"},
		`{"id":"d","caption":null}`: {ID: "d"},
		`{"id":"e","caption":"A dog.\nIt barks.","sentences":[{"text":"A dog.","evidence":["o1"]},{"text":"It barks."}],"evidence":[{"id":"o1","tool":"eye","what":"A dog."}]}`: {ID: "e", Caption: "A dog.\nIt barks.",
			Sentences: []captionrow.Sentence{{Text: "A dog.", Evidence: []string{"o1"}}, {Text: "It barks."}}, Evidence: []captionrow.Observation{{ID: "o1", Tool: "eye", What: "A dog."}}},
		`{"id":"f","caption":"A cat.","sentences":[{"text":"A dog."}]}`: {ID: "f", Caption: "A cat."},
		`{"id":"g","caption":"A cat.","evidence":"none"}`:               {ID: "g", Caption: "A cat."},
	} {
		got, err := captionrow.Read([]byte(text))
		fixture.OK(t, err)
		if diff := cmp.Diff(want, *got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for text, want := range map[string]string{
		`{"caption":"x"}`:          "no id",
		`{"id":"a","text":"x"}`:    "no caption",
		`{"id":"a","caption":[1]}`: "no caption",
		`[]`:                       "",
	} {
		if _, err := captionrow.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestFilesOfFolder(t *testing.T) {
	dir := t.TempDir()
	put := func(name string) { fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o644)) }
	if _, err := captionrow.Files(dir); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("an empty folder: %v", err)
	}
	put("captions-00001.jsonl")
	put("captions-00000.jsonl")
	put("failures.jsonl")
	got, err := captionrow.Files(dir)
	fixture.OK(t, err)
	if diff := cmp.Diff([]string{filepath.Join(dir, "captions-00000.jsonl"), filepath.Join(dir, "captions-00001.jsonl")}, got); diff != "" {
		t.Error(diff)
	}
	put("unfinished-00002.jsonl")
	if _, err := captionrow.Files(dir); err == nil || !strings.Contains(err.Error(), "unfinished-00002.jsonl is not finished") {
		t.Errorf("an unfinished file: %v", err)
	}
}

// A path that is written for a file in another folder leads to the same media file from there.
func TestPathIsFoundAgain(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	fixture.OK(t, os.MkdirAll("clips", 0o755))
	fixture.OK(t, os.MkdirAll("out/deep", 0o755))
	fixture.OK(t, os.MkdirAll("clips/sub", 0o755))
	fixture.OK(t, os.WriteFile("clips/a.mp4", nil, 0o644))
	fixture.OK(t, os.WriteFile("clips/sub/a.mp4", nil, 0o644))
	path := captionrow.PathFrom("out/deep", filepath.Join("clips", "a.mp4"))
	if path != "../../clips/a.mp4" {
		t.Errorf("the row has %s", path)
	}
	for _, c := range []struct{ path, media, want string }{
		{path, "", "clips/a.mp4"},
		{path + "#t=1,2", "", "clips/a.mp4"},
		{"clips/a.mp4", "", "clips/a.mp4"}, // from the working directory
		{"../far/sub/a.mp4", "clips", "clips/sub/a.mp4"},
		{"far/away/a.mp4", "clips", "clips/a.mp4"},
		{"b.mp4", "clips", "clips/b.mp4"}, // nowhere
		{"https://host/a.mp4", "clips", "https://host/a.mp4"},
	} {
		r := captionrow.Row{Path: c.path}
		if got := filepath.ToSlash(r.Find("out/deep/captions.jsonl", c.media)); got != c.want {
			t.Errorf("%s with --media %q is %s, want %s", c.path, c.media, got, c.want)
		}
	}
	if abs := filepath.Join(dir, "a.mp4"); captionrow.PathFrom("out", abs) != abs {
		t.Error("an absolute path changed")
	}
}
