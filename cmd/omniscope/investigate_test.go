package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/bench/claims"
	"omniscope/detective"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/perceive"
	"omniscope/session/caption"
)

// An inquest is a folder in which commands investigate clips.
type inquest struct {
	t   testing.TB
	dir string
}

func newInquest(t *testing.T) inquest {
	t.Helper()
	return inquest{t, t.TempDir()}
}

func (q inquest) path(name string) string { return filepath.Join(q.dir, name) }

// args are the arguments of an investigation in the folder.
func (q inquest) args(more ...string) []string {
	return append([]string{"caption", "--work-dir", q.path("work"), "--out", q.path("out"), "--pages", "--quiet"}, more...)
}

// run investigates in this process.
func (q inquest) run(more ...string) verdict {
	q.t.Helper()
	return q.command(q.args(more...)...)
}

func (q inquest) command(args ...string) verdict {
	q.t.Helper()
	return command(context.Background(), args...)
}

// report reads the report of a clip.
func (q inquest) report(clip string) *detective.Report {
	q.t.Helper()
	return q.reportIn("out", clip)
}

func (q inquest) reportIn(out, clip string) *detective.Report {
	q.t.Helper()
	var r detective.Report
	fixture.OK(q.t, json.Unmarshal([]byte(q.read(filepath.Join(out, clip, "report.json"))), &r))
	return &r
}

func (q inquest) read(name string) string {
	q.t.Helper()
	return fixture.Read(q.t, q.path(name))
}

func (q inquest) write(name, text string) string {
	q.t.Helper()
	fixture.OK(q.t, os.WriteFile(q.path(name), []byte(text), 0o644))
	return q.path(name)
}

// remembered counts the journal's entries of a kind, all if it is "".
func (q inquest) remembered(kind string) (n int) {
	q.t.Helper()
	v := q.command("journal", "export", "--work-dir", q.path("work")).must(q.t, exitDone)
	for line := range strings.Lines(v.out) {
		if kind == "" || strings.Contains(line, `"kind":"`+kind+`"`) {
			n++
		}
	}
	return n
}

// shortClip makes two seconds of a test picture and a tone.
func (q inquest) shortClip(name string) string {
	q.t.Helper()
	return q.toneClip(name, 440)
}

// toneClip is shortClip with a tone of another frequency.
func (q inquest) toneClip(name string, hertz int) string {
	q.t.Helper()
	clips.Make(q.t, q.path(name), clips.Fields(fmt.Sprintf("-f lavfi -i testsrc2=s=160x120:r=10:d=2 -f lavfi -i sine=frequency=%d:duration=2 -c:v mpeg4 -c:a aac -f mp4", hertz))...)
	return q.path(name)
}

// demoClip makes the clip of make demo; the head of its script says what is in
// it.
func (q inquest) demoClip() string {
	q.t.Helper()
	need.Programs(q.t, "bash", "ffmpeg", "ffprobe", "tesseract", "espeak-ng")
	out, err := exec.Command("bash", "../../scripts/demo-clip.sh", q.path("clip.mp4")).CombinedOutput()
	if err != nil {
		q.t.Fatalf("scripts/demo-clip.sh: %v: %s", err, out)
	}
	return q.path("clip.mp4")
}

// TestInvestigateDemoClip investigates a clip of which everything is known
// with the tools of this machine.
func TestInvestigateDemoClip(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.demoClip()
	v := q.run(clip).must(t, exitDone)
	r := q.report("clip")
	t.Run("caption", func(t *testing.T) { demoCaption(t, r) })
	t.Run("evidence", func(t *testing.T) {
		for _, s := range r.Caption.Sentences {
			if len(s.Evidence) == 0 || s.Unfounded {
				t.Errorf("nothing bears out %q", s.Text)
			}
			for _, id := range s.Evidence {
				if r.Ledger.Find(id) == nil {
					t.Errorf("%q rests on %s, which is not in the ledger", s.Text, id)
				}
			}
		}
	})
	t.Run("files", func(t *testing.T) {
		if got := q.read("out/clip/caption.txt"); got != r.Caption.Text+"\n" || !strings.Contains(v.out, r.Caption.Text) {
			t.Errorf("caption.txt has %q", got)
		}
		page := q.read("out/clip/index.html")
		has(t, page, `<video id="player" controls preload="metadata" src="../../clip.mp4">`, "<svg ", `<a href="#o1">o1</a>`, `<tr id="o1">`, "data-at=", "HARBOUR MORNING")
		q.trajectoryIs(r, clip)
	})
	t.Run("again", func(t *testing.T) {
		before, report, rows := q.remembered(""), q.read("out/clip/report.json"), q.read("out/captions.jsonl")
		q.run(clip).must(t, exitDone)
		if after := q.remembered(""); after != before || before != len(r.Turns) {
			t.Errorf("%d tools were asked at first, %d more the second time, in %d turns", before, after-before, len(r.Turns))
		}
		if q.read("out/clip/report.json") != report || q.read("out/captions.jsonl") != rows {
			t.Error("the second report or its trajectory differs from the first")
		}
	})
	t.Run("audit", func(t *testing.T) { q.auditTheDemoClip(clip) })
}

// demoCaption checks a caption against what is in the clip.
func demoCaption(t *testing.T, r *detective.Report) {
	t.Log(r.Caption.Text)
	for _, want := range []string{"“HARBOUR MORNING”", "“THREE RED BOATS”"} {
		if strings.Count(r.Caption.Text, want) != 1 {
			t.Errorf("the caption does not say %s once", want)
		}
	}
	var cuts []float64
	spoken, silent := false, false
	for i := range r.Ledger {
		switch e := &r.Ledger[i]; e.Kind {
		case perceive.Cut:
			cuts = append(cuts, e.StartS)
		case perceive.Speech:
			spoken = true
			// Speech is said from 4.0 to 7.9 s. Nothing else must be taken for it.
			if e.StartS < 3.5 || e.EndS > 9 || e.EndS == 0 {
				t.Errorf("%s hears speech %s", e.Tool, e.What)
			}
			if e.Quote != "" && strings.Contains(r.Tools[len(r.Tools)-1].Version, "pocketsphinx") {
				t.Errorf("pocketsphinx is quoted: %q", e.Quote)
			}
		case perceive.Silence:
			silent = silent || e.StartS < 13.1 && (e.EndS > 15.9 || e.EndS == 0) && strings.Contains(r.Caption.Text, "16.00 s there is silence")
		}
	}
	if !spoken || !silent {
		t.Errorf("speech heard: %t, silence from 13 s on told: %t", spoken, silent)
	}
	want := []float64{4, 9, 13}
	if len(cuts) != len(want) {
		t.Fatalf("cuts at %v, want %v", cuts, want)
	}
	for i := range want {
		if math.Abs(cuts[i]-want[i]) > 0.1 {
			t.Errorf("a cut at %v, want %v", cuts[i], want[i])
		}
	}
	if n := len(r.Caption.Sentences); n > 25 {
		t.Errorf("%d sentences are too many for 16 seconds", n)
	}
	if n := strings.Count(r.Caption.Text, "not intelligible"); n > 1 {
		t.Errorf("it says %d times that speech is not intelligible", n)
	}
}

// trajectoryIs checks the one row of captions.jsonl.
func (q inquest) trajectoryIs(r *detective.Report, path string) {
	q.t.Helper()
	rows, err := detective.ReadRows(strings.NewReader(q.read("out/captions.jsonl")), "captions.jsonl")
	if err != nil || len(rows) != 1 {
		q.t.Fatalf("%d rows, %v", len(rows), err)
	}
	read, err := captionrow.Read([]byte(q.read("out/captions.jsonl")))
	fixture.OK(q.t, err)
	if rows[0].ID != string(r.Clip.ID) || read.Path != path || read.Caption != r.Caption.Text || rows[0].Trajectory.Description() != r.Caption.Text {
		q.t.Errorf("the row is of %s at %s and ends in %q", rows[0].ID, read.Path, rows[0].Trajectory.Description())
	}
}

func (q inquest) auditTheDemoClip(clip string) {
	q.t.Helper()
	caption := q.write("caption.txt", `It cuts 3 times, at 4.0 s, 9.0 s and 13.0 s. A card reads "HARBOUR MORNING". A sign says "THREE BLUE BOATS". `+
		"There is a silence. Nobody speaks. A dog barks.")
	v := q.command("audit", caption, clip, "--work-dir", q.path("work"), "--out", q.path("audit")).must(q.t, exitDone)
	r, err := claims.ReadAudit(q.path("audit"))
	fixture.OK(q.t, err)
	want := map[string]detective.Support{
		"There is a cut at 4 s.": detective.Supported, "There is a cut at 9 s.": detective.Supported, "There is a cut at 13 s.": detective.Supported,
		"The number of cuts is 3.": detective.Supported, "The words “HARBOUR MORNING” can be read.": detective.Supported,
		"The words “THREE BLUE BOATS” can be read.": detective.Contradicted, "There is a silence.": detective.Supported,
		"Nobody speaks.": detective.Contradicted, "A dog barks.": detective.Unsupported,
	}
	got := make(map[string]detective.Support)
	for _, c := range r.Claims {
		got[c.Text] = c.Support
	}
	if diff := cmp.Diff(want, got); diff != "" {
		q.t.Error(diff)
	}
	has(q.t, v.out, "supported     6 of 9, 67 % [35, 88]", "contradicted  2 of 9", "1 of the unsupported could be taken up by no observer here")
}

// TestLongInvestigationInterrupted ends an investigation while a model that
// observes is asked, and runs the same command again.
func TestLongInvestigationInterrupted(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		code   int
		asked  int // requests in all
	}{{syscall.SIGKILL, -1, 3}, {syscall.SIGTERM, exitInterrupted, 2}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			clip := q.shortClip("clip.mp4")
			bell := make(chan struct{})
			server := serve(t, fake.Config{Latency: 300 * time.Millisecond, Reply: func(r *fake.Request) fake.Reply {
				if r.N == 1 {
					close(bell)
				}
				return fake.Reply{Content: "A test picture with a tone."}
			}})
			observed := []string{clip, "--tools", "scene,sound", "--observer", "openai/mock,base-url=" + server.URL(), "--observer", "openai/other,base-url=" + server.URL()}
			args := q.args(observed...)
			var errOut bytes.Buffer
			cmd := exec.Command("omniscope", args...)
			cmd.Stderr = &errOut
			fixture.OK(t, cmd.Start())
			<-bell
			fixture.OK(t, cmd.Process.Signal(c.signal))
			if code := exitCodeOf(cmd.Wait()); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, &errOut)
			}
			q.command(args...).must(t, exitDone)
			if n := server.Stats().Requests; n != c.asked {
				t.Errorf("the model was asked %d times in all, want %d", n, c.asked)
			}
			r := q.report("clip")
			undisturbed := inquest{t, t.TempDir()}
			undisturbed.run(observed...).must(t, exitDone)
			if diff := cmp.Diff(undisturbed.report("clip"), r); diff != "" {
				t.Errorf("the resumed report differs from one that was not interrupted:\n%s", diff)
			}
			if got, want := q.remembered("tool"), undisturbed.remembered("tool"); got != want {
				t.Errorf("%d answers of tools in the journal, want %d: some were asked twice", got, want)
			}
		})
	}
}

// TestSeveralClips investigates what can be, and tells of the rest.
func TestSeveralClips(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip, broken := q.shortClip("clip.mp4"), q.write("broken.mp4", "this is no film")
	fixture.OK(t, os.Mkdir(q.path("other"), 0o755))
	namesake := q.shortClip("other/clip.mp4")
	v := q.run(clip, broken, namesake, "--tools", "sound").ends(t, exitFailed).says(t, "1 of 3 clips failed:\n", "broken.mp4: not media")
	for _, name := range []string{"clip", "clip-2"} {
		if r := q.report(name); r.Caption.Text == "" || string(r.Clip.ID) != name {
			t.Errorf("%s is %+v", name, r.Clip)
		}
	}
	rows, err := detective.ReadRows(strings.NewReader(q.read("out/captions.jsonl")), "captions.jsonl")
	if err != nil || len(rows) != 2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	v = q.run(clip, "--tools", "sound", "--json")
	var r detective.Report
	if err := json.Unmarshal([]byte(v.out), &r); err != nil || r.Schema != detective.ReportSchema {
		t.Errorf("--json prints %v: %s", err, v.out)
	}
	// With --force another way to look at the same clip takes the place of the first.
	q.run(clip, "--tools", "scene").ends(t, exitUsage).says(t, "another investigation of this clip")
	q.run(clip, "--tools", "scene", "--force").must(t, exitDone)
	rows, err = detective.ReadRows(strings.NewReader(q.read("out/captions.jsonl")), "captions.jsonl")
	if err != nil || len(rows) != 2 || rows[0].Trajectory.Description()+rows[1].Trajectory.Description() == "" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if row.ID == "clip" && row.Trajectory.Description() != q.report("clip").Caption.Text {
			t.Errorf("the trajectory is still that of the first: %q", row.Trajectory.Description())
		}
	}
}

// With one sense the other is not told of.
func TestInvestigateWithOneSense(t *testing.T) {
	t.Parallel()
	for letter, sense := range map[string]omniscope.Modality{"a": omniscope.Audio, "v": omniscope.Visual} {
		q := newInquest(t)
		server := serve(t, fake.Config{})
		q.run(q.shortClip("clip.mp4"), "--modality", letter, "--observer", "openai/mock,base-url="+server.URL()).must(t, exitDone)
		r := q.report("clip")
		if len(r.Ledger) == 0 || server.Stats().Requests != 1 {
			t.Errorf("%s: %d observations, %d calls of the observer", sense, len(r.Ledger), server.Stats().Requests)
		}
		for i := range r.Ledger {
			if e := &r.Ledger[i]; e.Sense != sense {
				t.Errorf("%s: %s tells of %s", sense, e.Tool, e.What)
			}
		}
	}
}

func TestClipNames(t *testing.T) {
	got := caption.ClipNames([]string{"a/x.mp4", "b/x.mp4", "x-2.mp4", "x.webm", "-y.mp4", "...", ".mp4", "\xff \"z\".mp4"})
	want := []string{"x", "x-2", "x-2-2", "x-3", "_y-6287c641", "clip", "clip-2", "___z_-d1b96308"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
