package main

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/need"
)

// TestLongPagesInABrowser looks at the pages that commands write: they complain of nothing,
// ask for nothing from elsewhere, show what they draw, and fit a phone.
func TestLongPagesInABrowser(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q := newInquest(t)
	tr := newTrial(t, 8)
	server := serve(t, fake.Config{})
	tr.eval(server.URL()).must(t, exitDone)
	run := filepath.Join(tr.dir, "out")
	scores := q.write("scores.csv", "system,A,B,C\none,1,2,3\ntwo,2,3,2\nthree,3,5,1\nfour,4,4,0\n")
	clip := q.shortClip("clip.mp4")
	for _, args := range [][]string{
		{"view", run, "--html", filepath.Join(run, "report.html")},
		{"correlate", "--table", scores, "--out", q.path("correlate")},
		{"compare", run, "--by", "modality", "--out", q.path("curve")},
		{"leaderboard", "omni-cloze", run, "--out", q.path("leaderboard")},
		q.args(clip, "--tools", "scene,sound"),
		{"view", q.path("out/clip"), "--html", q.path("out/clip/index.html")},
	} {
		if v := q.command(args...); v.code != exitDone {
			t.Fatalf("%v: exit code %d: %s", args, v.code, v.errOut)
		}
	}
	for path, drawn := range map[string]string{
		filepath.Join(run, "report.html"):      "svg circle",
		q.path("correlate/scatter.html"):       "svg circle",
		q.path("curve/curves.html"):            "svg circle",
		q.path("leaderboard/leaderboard.html"): "table tr.own, table tr td",
		q.path("out/clip/index.html"):          "svg.timeline rect, .shots img",
	} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if _, err := os.Stat(path); err != nil {
				t.Fatal(err)
			}
			p := browser.Open(t, "file://"+path, 1200, 900)
			p.WaitFor(`document.readyState === 'complete'`)
			var seen, wide int
			p.Value(`[...document.querySelectorAll('`+drawn+`')].filter((e) => e.getBoundingClientRect().width > 1).length`, &seen)
			if seen < 3 {
				t.Errorf("%d things that are drawn can be seen", seen)
			}
			p.Resize(320, 700)
			if p.Value(`document.documentElement.scrollWidth`, &wide); wide > 320 {
				t.Errorf("it is %d pixels wide on a phone of 320", wide)
			}
			p.Quiet("file://"+q.dir, "file://"+tr.dir)
		})
	}
}
