package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media"
	"omniscope/perceive/ocr"
)

// subtitles reads one large line at the bottom of each frame of pictures that are 128 pixels wide.
type subtitles struct{}

func (subtitles) Version() string { return "test" }

func (subtitles) Lines(_ context.Context, frames []media.Frame) ([][]ocr.Line, error) {
	lines := make([][]ocr.Line, len(frames))
	for i := range frames {
		text, err := frames[i].Bytes()
		if err != nil {
			return nil, err
		}
		if bytes.Contains(text, []byte{0xFF, 0xC0, 0, 17, 8, 0, 96, 0, 128}) { // the header of a JPEG: 96 rows, 128 columns
			lines[i] = []ocr.Line{{Text: "words", Region: media.Region{0.1, 0.85, 0.9, 0.95}}}
		}
	}
	return lines, nil
}

// blocks change each second, and so do those of another seed; hiss changes its colour all the time.
func blocks(seed int, size string) string {
	return fmt.Sprintf("-f lavfi -i life=s=20x15:rate=1:seed=%d,scale=%s:flags=neighbor,fps=5 ", seed, size)
}

func hiss(seed int) string {
	return fmt.Sprintf("-f lavfi -i anoisesrc=d=4:seed=%d:r=16000:a=0.5 -af tremolo=f=3:d=0.9,aphaser=speed=0.7:decay=0.6,lowpass=2500 ", seed)
}

const encoded = "-t 4 -c:v libx264 -preset ultrafast -crf 20 -c:a aac -b:a 96k"

func makeFile(t *testing.T, path, args string) {
	t.Helper()
	clips.Make(t, path, strings.Fields(args+" -threads 1")...)
}

// offeredFiles makes a folder with a list of files, each of which is named for the rule that refuses it.
func offeredFiles(t *testing.T) (dir, against string) {
	dir, against = t.TempDir(), t.TempDir()
	const size = "160:120"
	files := []struct{ name, args string }{
		{"good.mp4", blocks(71, size) + hiss(71) + encoded},
		{"channel-1.mp4", blocks(72, size) + hiss(72) + encoded},
		{"channel-2.mp4", blocks(73, size) + hiss(73) + encoded},
		{"known.mp4", blocks(74, size) + hiss(74) + encoded},
		{"small.mp4", blocks(75, "64:48") + hiss(75) + encoded},
		{"mute.mp4", blocks(76, size) + encoded},
		{"one-shot.mp4", "-f lavfi -i gradients=s=160x120:rate=5:speed=0.05:seed=3 " + hiss(77) + encoded},
		{"titled.mp4", blocks(78, "128:96") + hiss(78) + encoded},
		{"short.mp4", "-f lavfi -i testsrc=s=160x120:rate=5 -t 1 -c:v libx264 -preset ultrafast"},
	}
	rows := []string{`{"path": "broken.mp4"}`, `{"path": "gone.mp4"}`}
	for _, f := range files {
		makeFile(t, filepath.Join(dir, f.name), f.args)
		source := ""
		if strings.HasPrefix(f.name, "channel") {
			source = `, "source": "channel", "licence": "CC0-1.0", "mood": "calm"`
		}
		rows = append(rows, fmt.Sprintf(`{"path": %q%s}`, f.name, source))
	}
	makeFile(t, filepath.Join(dir, "copy.mp4"), "-i "+filepath.Join(dir, "good.mp4")+" -vf scale=140:104 -af volume=0.6 -c:v libx264 -crf 28 -preset ultrafast -c:a aac -b:a 48k")
	makeFile(t, filepath.Join(against, "test.mkv"), "-i "+filepath.Join(dir, "known.mp4")+" -t 3.5 -c:v libx264 -crf 30 -preset ultrafast -c:a libmp3lame -b:a 48k")
	rows = append(rows, `{"path": "copy.mp4"}`, `{"id": "good", "path": "copy.mp4"}`)
	for name, text := range map[string]string{"broken.mp4": "no media", "sources.jsonl": strings.Join(rows, "\n")} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir, against
}

// smallRules are rules for clips that are quick to make.
func smallRules() ruleSet {
	r := DefaultRules()
	r.MinHeight, r.MinSeconds = 80, 2
	r.Segment = segmentRules{MinSeconds: 1.5, MaxSeconds: 3, WantedSeconds: 2}
	return r
}

func options(t *testing.T, dir, against, out string) *Options {
	t.Helper()
	s, err := ReadSources(t.Context(), filepath.Join(dir, "sources.jsonl"), "")
	fixture.OK(t, err)
	return &Options{Sources: s, Rules: smallRules(), Against: []string{against}, Jobs: 2, Dir: out, Text: subtitles{},
		Progress: func(int) (func(int), func(string), func()) { return func(int) {}, func(string) {}, func() {} }}
}

func TestEachFileHasItsReason(t *testing.T) {
	dir, against := offeredFiles(t)
	out := filepath.Join(t.TempDir(), "out")
	stopRun(t, dir, against, out)
	r, err := Run(t.Context(), options(t, dir, against, out))
	fixture.OK(t, err)
	want := map[string]string{"broken": ruleReadable, "gone": ruleReadable, "small": ruleHeight, "mute": ruleSilent, "one-shot": ruleTransitions,
		"titled": ruleSubtitles, "short": ruleMinSeconds, "known": ruleContaminated, "copy": ruleDuplicate, "good": ruleID}
	for _, x := range r.Rejected {
		if strings.HasPrefix(x.ID, "channel") && x.Rule == ruleSource {
			continue
		}
		if want[x.ID] != x.Rule {
			t.Errorf("%s is left out by %s (%s), want %q", x.ID, x.Rule, x.Reason, want[x.ID])
		}
		delete(want, x.ID)
	}
	if len(want) > 0 || len(r.Rejected) != 11 || len(r.Collected) != 2 {
		t.Errorf("%d accepted, %d left out, and not %v", len(r.Collected), len(r.Rejected), want)
	}
	checkClips(t, out, r)
	t.Run("run again", func(t *testing.T) { testRunAgain(t, dir, against, out) })
	t.Run("other rules", func(t *testing.T) { testOtherRules(t, dir, against, out) })
}

// checkClips checks the clips that were cut.
func checkClips(t *testing.T, out string, r *Results) {
	t.Helper()
	for _, c := range r.Collected {
		f, err := media.Probe(t.Context(), filepath.Join(out, c.Path))
		fixture.OK(t, err)
		digest, err := f.Digest(t.Context())
		if err != nil || digest != c.Digest {
			t.Errorf("%s: digest %s, %v, want %s", c.ID, digest, err, c.Digest)
		}
		if got := f.End().Seconds(); f.Video.Height != 120 || got < c.Seconds-0.3 || got > c.Seconds+0.3 || c.Transitions < 1 {
			t.Errorf("%s: %d lines, %.2f s, want 120 and %.2f; %d cuts", c.ID, f.Video.Height, got, c.Seconds, c.Transitions)
		}
	}
}

// stopRun begins a run and stops it while it measures.
func stopRun(t *testing.T, dir, against, out string) {
	t.Helper()
	o := options(t, dir, against, out)
	ctx, cancel := context.WithCancel(t.Context())
	o.Jobs = 1
	o.Progress = func(int) (func(int), func(string), func()) {
		return func(n int) {
			if n == 5 {
				cancel()
			}
		}, func(string) {}, func() {}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "collected.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("results of a run that was stopped: %v", err)
	}
}

// testRunAgain removes results and a clip, and compares what a further run writes with what was there.
func testRunAgain(t *testing.T, dir, against, out string) {
	names := []string{"collected.jsonl", "rejected.jsonl", "funnel.md", "funnel.json", "collect.json", "clips/good.mp4"}
	before := make(map[string][]byte)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(out, name))
		fixture.OK(t, err)
		before[name] = text
	}
	for _, name := range []string{"collected.jsonl", "clips/good.mp4"} {
		fixture.OK(t, os.Remove(filepath.Join(out, name)))
	}
	if _, err := Run(t.Context(), options(t, dir, against, out)); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Equal(text, before[name]) {
			t.Errorf("%s differs from that of the run before: %v", name, err)
		}
	}
}

// testOtherRules changes a rule: the folder is not written over without force, and clips that are accepted no more go.
func testOtherRules(t *testing.T, dir, against, out string) {
	o := options(t, dir, against, out)
	o.Rules.MaxClips = 1
	_, err := Run(t.Context(), o)
	if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "--force") {
		t.Fatalf("other rules: %v, want an error that names --force", err)
	}
	o.Force = true
	r, err := Run(t.Context(), o)
	fixture.OK(t, err)
	clips, err := os.ReadDir(filepath.Join(out, "clips"))
	if err != nil || len(clips) != 1 || len(r.Collected) != 1 {
		t.Errorf("%d clips in the folder, %v, and %d accepted, want 1", len(clips), err, len(r.Collected))
	}
	var line struct {
		Rule            string
		Measured, Limit *float64
	}
	for _, x := range r.Rejected {
		if x.Rule != ruleClips {
			continue
		}
		text, err := json.Marshal(x)
		if err != nil || json.Unmarshal(text, &line) != nil || line.Measured == nil || *line.Measured != 1 || *line.Limit != 1 {
			t.Errorf("%s, %v: want measured 1 and limit 1", text, err)
		}
	}
	if line.Rule != ruleClips {
		t.Errorf("no clip was left out by %s", ruleClips)
	}
}

func TestFoldersOfOthersAreNotWrittenTo(t *testing.T) {
	need.FFmpeg(t)
	out := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(out, "thesis.txt"), []byte("years"), 0o644))
	o := &Options{Sources: &sources{List: []clipSource{{ID: "a", Path: "a.mp4"}}}, Dir: out, Rules: smallRules(), Text: subtitles{}}
	if _, err := Run(t.Context(), o); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("%v, want an error that names what is there", err)
	}
}
