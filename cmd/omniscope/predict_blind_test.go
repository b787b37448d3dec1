package main

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
)

// TestBlindTwins: a server that ignores what it is shown gives itself away by answering
// alike without it.
func TestBlindTwins(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	film := q.made("film.mp4", append(picture("64x64", "5", 2), "-c:v", "libx264", "-preset", "ultrafast")...)
	for _, c := range []struct {
		name    string
		defects []fake.Defect
		row     string
		warned  bool
	}{
		{"ignores the video", []fake.Defect{fake.IgnoresVideo}, "1 (1 answered as with the media, 0 declined)", true},
		{"honest", nil, "1 (0 answered as with the media, 0 declined)", false},
	} {
		server := (&fake.Media{Defects: c.defects, Answer: func(s *fake.Seen) string {
			if len(s.Images) == 0 {
				return "A man walks down a busy street and talks to his friends about the weather, while cars pass by."
			}
			return fmt.Sprintf("A colourful card of %d by %d pixels is shown in %d pictures, with a counter that runs.", s.Images[0].Width, s.Images[0].Height, len(s.Images))
		}}).Start(t)
		run := func(out string, more ...string) verdict {
			return q.command(append([]string{"caption", film, "--model", "openai/m,base-url=" + server.URL(), "--modality", "visual",
				"--work-dir", q.path("work " + c.name), "--out", q.path(out), "--quiet"}, more...)...)
		}
		v := run(c.name + ".jsonl")
		if v.code != exitDone || !strings.Contains(v.out, c.row) || strings.Contains(v.errOut, "may not have been perceived") != c.warned {
			t.Errorf("%s: exit %d, %s%s", c.name, v.code, v.out, v.errOut)
		}
		details := q.read(c.name + ".details.jsonl")
		if !strings.Contains(details, `"blind":{"outcome":"ok","text":"A man walks`) || strings.Count(q.read(c.name+".jsonl"), "\n") != 1 {
			t.Errorf("%s: %s", c.name, details)
		}
		v = run(c.name + ".jsonl")
		if n := server.Stats().Answered; v.code != exitDone || n != 2 || q.read(c.name+".details.jsonl") != details {
			t.Errorf("%s: the same again took %d answers, want those of the first time: %s", c.name, n, v.errOut)
		}
		if v = run("none.jsonl", "--blind-share", "0", "--prompt", c.name, "--force"); v.code != exitDone || server.Stats().Answered != 3 || strings.Contains(q.read("none.details.jsonl"), `"blind"`) {
			t.Errorf("%s: without twins: %d answers: %s", c.name, server.Stats().Answered, v.errOut)
		}
		if v = run("budget.jsonl", "--max-calls", "1", "--prompt", "What is it?", "--force"); v.code != exitDone || server.Stats().Answered != 4 || !strings.Contains(v.out, "0 declined); 1 not ") {
			t.Errorf("%s: a budget for the answers alone: exit %d, %s%s", c.name, v.code, v.out, v.errOut)
		}
		run("x.jsonl", "--blind-share", "1.5").ends(t, exitUsage)
	}
}
