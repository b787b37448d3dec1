package view

import (
	"io"
	"net/http"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// TestPicturesOfAClipThatWasReplaced asks for a picture and a waveform of an investigation's clip, and again
// after another clip took its place. Neither the server nor a browser answers with what it kept of the first.
func TestPicturesOfAClipThatWasReplaced(t *testing.T) {
	f := newFolder(t)
	f.write("one/report.json", `{"schema": "omniscope.investigation/1", "clip": {"id": "a", "path": "a.mp4", "start_s": 0, "end_s": 1}, "modality": "audio-visual", "outcome": "ok", "caption": {}}`)
	clip := func(args string) {
		clips.Make(t, filepath.Join(f.dir, "media", "a.mp4"), clips.Fields(args+" -t 1 -c:v libx264 -preset ultrafast -c:a aac -y")...)
	}
	clip("-f lavfi -i testsrc=s=64x48:r=10 -f lavfi -i sine=440")
	s := f.viewer(filepath.Join(f.dir, "media"))
	ask := func(path, tag string) (int, string, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
		fixture.OK(t, err)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		answer, err := http.DefaultClient.Do(r)
		fixture.OK(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		fixture.OK(t, err)
		return answer.StatusCode, string(text), answer.Header
	}
	paths := []string{"/picture/one?at=0.000", "/wave/one"}
	var first [2]string
	var tags [2]string
	for i, path := range paths {
		code, text, header := ask(path, "")
		if code != 200 || header.Get("Cache-Control") != "no-cache" || header.Get("ETag") == "" {
			t.Errorf("%s: %d %.100s %v", path, code, text, header)
		}
		first[i], tags[i] = text, header.Get("ETag")
		if code, _, _ := ask(path, tags[i]); code != http.StatusNotModified {
			t.Errorf("%s, which the browser has: %d", path, code)
		}
	}
	clip("-f lavfi -i color=red:s=64x48:r=10 -f lavfi -i anullsrc")
	for i, path := range paths {
		if code, text, _ := ask(path, tags[i]); code != 200 || text == first[i] {
			t.Errorf("%s of another clip: %d, the same: %t", path, code, text == first[i])
		}
	}
}
