package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/smalldisk"
)

// TestFullDisk fills the disk of the working folder in the middle of a run:
// every answer that was served is kept, nothing is asked while the disk is
// full, and once there is room the run goes on and pays for nothing twice.
func TestFullDisk(t *testing.T) {
	const samples = 600
	for _, c := range []struct {
		name string
		out  bool // the results lie on the small disk, too
	}{{"journal", false}, {"journal and results", true}} {
		t.Run(c.name, func(t *testing.T) {
			server := serve(t, fake.Config{Reply: fake.ClozeReply(nil, 3000)})
			tr := newTrial(t, samples, "-j", "8")
			small := smalldisk.Mount(t, "5m")
			flags := []string{"--work-dir", filepath.Join(small.Dir, "work")}
			if c.out {
				flags = append(flags, "--out", filepath.Join(small.Dir, "out"))
			}
			v := tr.eval(server.URL(), flags...)
			served := server.Stats().Answered
			if v.code != exitFailed || !strings.Contains(v.errOut, "make room") || served == 0 || served == samples {
				t.Fatalf("exit code %d after %d answers: %s", v.code, served, v.errOut)
			}
			// A run that ends, or opens a journal that was left in haste, gives some room
			// back, which the next one may use. Once there is none, nothing is asked.
			for quiet, round := 0, 0; quiet < 2; round++ {
				fillDisk(t, filepath.Join(small.Dir, fmt.Sprintf("filler%d", round)))
				before := server.Stats().Requests
				v = tr.eval(server.URL(), flags...).ends(t, exitFailed).says(t, "make room")
				if quiet++; server.Stats().Requests > before {
					quiet = 0
				}
				if round == 6 {
					t.Fatalf("runs on the full disk go on asking: %d calls in the last: %s", server.Stats().Requests-before, v.errOut)
				}
			}
			served = server.Stats().Answered
			small.Resize(t, "64m")
			tr.eval(server.URL(), flags...).ends(t, exitDone)
			if n := server.Stats().Answered; n != samples {
				t.Errorf("%d answers were served to %d samples: of %d before the disk was full %d were lost", n, samples, served, n-samples)
			}
		})
	}
}

// fillDisk writes until there is no room left.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	fixture.OK(t, err)
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

// TestCacheOnAFullDisk says so once, and frames are made anew for each call.
func TestCacheOnAFullDisk(t *testing.T) {
	q, c := newInquest(t), startCaptioner(t)
	film := q.shortClip("film.mp4")
	small := smalldisk.Mount(t, "3m") // half of it is the journal's reserve
	v := q.predict("captions", c, film, "--work-dir", filepath.Join(small.Dir, "work"), "--out", q.path("captions.jsonl"))
	if v.code != exitDone || strings.Count(v.errOut, "are not kept: there is room for") != 1 {
		t.Fatalf("exit code %d: %s%s", v.code, v.out, v.errOut)
	}
	if got := q.read("captions.jsonl"); !strings.HasPrefix(got, `{"id":"film","path":"`) {
		t.Errorf("answers: %s", got)
	}
}
