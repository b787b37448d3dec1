package collect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestSourcesOfAList(t *testing.T) {
	path := fixture.File(t, "sources.jsonl", `{"id": 7, "path": "a/b.mp4", "url": "https://example.org/b", "license": "CC0-1.0", "attribution": "Ann", "category": "news", "source": "x", "mood": ["calm"]}

{"file": "/clips/c.webm"}
`)
	s, err := ReadSources(t.Context(), path, "")
	fixture.OK(t, err)
	if len(s.List) != 2 {
		t.Fatalf("%d sources, want 2", len(s.List))
	}
	a, b := s.List[0], s.List[1]
	if a.ID != "7" || a.Path != filepath.Join(filepath.Dir(path), "a", "b.mp4") || a.Licence != "CC0-1.0" || a.Attribution != "Ann" || a.Category != "news" || a.Of != "x" {
		t.Errorf("%+v", a)
	}
	if b.ID != "/clips/c" || b.Path != "/clips/c.webm" {
		t.Errorf("%+v", b)
	}
	text, err := collected{ID: "7", row: a.Row}.MarshalJSON()
	if err != nil || !strings.HasSuffix(string(text), `,"columns":{"mood":["calm"]}}`) {
		t.Errorf("%s, %v, want the further column mood and no other", text, err)
	}
}

func TestBadSources(t *testing.T) {
	for text, says := range map[string]string{
		`{"path": "a.mp4"}` + "\n" + `{"path": "b.mp4"`: "sources.jsonl:2: not JSON",
		`["a.mp4"]`:                        "sources.jsonl:1: a row is a JSON object",
		`{"url": "https://example.org/b"}`: `it does not say where its file is: give the column "path"`,
		`{"path": ["a.mp4"]}`:              `"path" is json, and should be text`,
		`{"path": "a.mp4", "id": true}`:    `"id" is true, and should be text`,
		"\n":                               "there is no media file in it",
	} {
		_, err := ReadSources(t.Context(), fixture.File(t, "sources.jsonl", text), "")
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want one that says %q", text, err, says)
		}
	}
}

func TestSourcesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.mp4", "a.wav", "below/b.mkv", "out/c.mp4", "notes.txt", ".hidden.mp4"} {
		fixture.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	s, err := ReadSources(t.Context(), dir, filepath.Join(dir, "out"))
	fixture.OK(t, err)
	var ids []string
	for _, source := range s.List {
		ids = append(ids, source.ID)
	}
	if got := strings.Join(ids, " "); got != "a a.wav below/b" {
		t.Errorf("%s, want a, a.wav for the second of that name, and below/b", got)
	}
}
