package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/web"
	"omniscope/web/view"
)

// TestLongReportOfAClip adds pictures and a waveform to the page of an investigation; the
// viewer makes them when they are looked at.
func TestLongReportOfAClip(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	q.run(clip, "--tools", "scene,sound").must(t, exitDone)
	if strings.Contains(q.read("out/clip/index.html"), "data:image") {
		t.Error("investigating took the time to make pictures")
	}
	q.command("view", q.path("out/clip"), "--html", q.path("out/clip/index.html")).must(t, exitDone).prints(t, "index.html")
	if page := q.read("out/clip/index.html"); !strings.Contains(page, "data:image/jpeg;base64,") || !strings.Contains(page, "data:image/svg+xml;base64,") {
		t.Error("no picture, or no waveform")
	}

	viewer, err := view.New(view.Options{Folder: q.dir, MetricOf: metricOf})
	fixture.OK(t, err)
	defer viewer.Close()
	s := httptest.NewServer(web.Handler(viewer.Handler(), view.Style, nil))
	defer s.Close()
	get := func(path string) (int, string, string) {
		resp, err := http.Get(s.URL + path)
		fixture.OK(t, err)
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, resp.Header.Get("Content-Type"), string(text)
	}
	if _, _, page := get("/run/out/clip"); !strings.Contains(page, "/picture/out/clip?at=") || !strings.Contains(page, "Calls about this clip") {
		t.Errorf("no addresses of pictures, or no calls: %s", page)
	}
	if code, kind, _ := get("/picture/out/clip?at=0.5"); code != 200 || kind != "image/jpeg" {
		t.Errorf("picture: %d, %s", code, kind)
	}
	if code, kind, text := get("/wave/out/clip"); code != 200 || kind != "image/svg+xml" || !strings.HasPrefix(text, "<svg") {
		t.Errorf("waveform: %d, %s", code, kind)
	}
	if code, _, _ := get("/picture/out/clip?at=NaN"); code != 400 {
		t.Errorf("no time: %d", code)
	}
	fixture.OK(t, os.Remove(clip))
	if v := q.command("view", q.path("out/clip"), "--html", q.path("out/clip/index.html")); v.code == exitDone {
		t.Error("a page without the clip")
	}
}
