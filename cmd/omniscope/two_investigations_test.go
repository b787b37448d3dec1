package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"omniscope/detective"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// atOnce starts commands as processes of their own. Each must ask the server
// before any gets an answer, so that all of them surely run at the same time.
func (q inquest) atOnce(commands ...[]string) []verdict {
	q.t.Helper()
	need.Processes(q.t)
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	server := serve(q.t, fake.Config{Reply: func(*fake.Request) fake.Reply {
		mu.Lock()
		if waiting++; waiting == len(commands) {
			close(all)
		}
		mu.Unlock()
		<-all
		return fake.Reply{Content: `{"verdict": "supported", "why": "A test picture."}`} // an observation is any text
	}})
	verdicts := make([]verdict, len(commands))
	var running sync.WaitGroup
	for i, args := range commands {
		running.Go(func() {
			var out, errOut bytes.Buffer
			cmd := exec.Command("omniscope", append(args, "--observer", "openai/mock,base-url="+server.URL())...)
			cmd.Dir, cmd.Stdout, cmd.Stderr = q.dir, &out, &errOut
			err := cmd.Run()
			verdicts[i] = verdict{code: exitCodeOf(err), out: out.String(), errOut: errOut.String()}
			mu.Lock()
			defer mu.Unlock()
			if waiting < len(commands) { // it was refused: nobody waits for it
				waiting = len(commands)
				close(all)
			}
		})
	}
	running.Wait()
	return verdicts
}

// TestLongTwoInvestigationsAtOnce investigates different clips with equal flags, in
// one working folder and one folder of results.
func TestLongTwoInvestigationsAtOnce(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	for _, dir := range []string{"a", "b"} {
		fixture.OK(t, os.Mkdir(q.path(dir), 0o755))
	}
	one, other := q.shortClip("a/clip.mp4"), q.toneClip("b/clip.mp4", 880)
	first := func(clip string) []string {
		return []string{"caption", clip, "--tools", "sound", "--out", "found", "--pages", "--quiet"}
	}
	for i, v := range q.atOnce(first(one), first(other)) {
		if v.code != exitDone {
			t.Errorf("investigation %d: exit code %d: %s", i+1, v.code, v.errOut)
		}
	}
	rows, err := detective.ReadRows(strings.NewReader(q.read("found/captions.jsonl")), "captions.jsonl")
	if err != nil || len(rows) != 2 || rows[0].ID == rows[1].ID {
		t.Errorf("%d trajectories, %v: want one of each clip", len(rows), err)
	}
	paths := make(map[string]string)
	for _, name := range []string{"clip", "clip-2"} {
		paths[q.reportIn("found", name).Clip.Path] = name
	}
	if paths[one] == "" || paths[other] == "" {
		t.Fatalf("the reports are of %v", paths)
	}
	// Each finds its own folder again.
	for _, clip := range []string{other, one} {
		cmd := exec.Command("omniscope", append(first(clip), "--force")...) // without the observer
		cmd.Dir = q.dir
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), filepath.Join("found", paths[clip], "index.html")) {
			t.Errorf("again: %v: %s", err, out)
		}
	}
}

// The same clip is not investigated twice at the same time, for that would be
// paid twice; clips beside it are.
func TestSameClipTwiceAtOnce(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, other := q.shortClip("clip.mp4"), q.toneClip("other.mp4", 880)
	args := []string{"caption", "--tools", "sound", "--quiet"}
	both := q.atOnce(append(args, clip), append(args, clip, other, "--out", "elsewhere"))
	if both[0].code+both[1].code == 0 {
		t.Fatal("the same clip was investigated twice at once")
	}
	refused := both[1]
	if refused.code == exitDone {
		refused = both[0]
	}
	if refused.code != exitUsage || !strings.Contains(refused.errOut, "another process") {
		t.Errorf("exit code %d: %s", refused.code, refused.errOut)
	}
	q.reportIn("elsewhere", "other")
}

// TestLongTwoAuditsAtOnce audits different captions of one clip, and different
// clips, at the same time.
func TestLongTwoAuditsAtOnce(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, other := q.shortClip("clip.mp4"), q.toneClip("other.mp4", 880)
	caption, another := q.write("caption.txt", "A test picture."), q.write("another.txt", "A tone.")
	audit := func(caption, clip string) []string { return []string{"audit", caption, clip, "--tools", "sound"} }
	for i, v := range q.atOnce(audit(caption, clip), audit(another, clip), audit(caption, other)) {
		if v.code != exitDone {
			t.Errorf("audit %d: exit code %d: %s", i+1, v.code, v.errOut)
		}
	}
}
