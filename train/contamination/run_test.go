package contamination

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A bed is a folder with a training set and a benchmark.
type bed struct {
	t   *testing.T
	dir string
	o   *Options
}

func newBed(t *testing.T) *bed {
	dir := t.TempDir()
	return &bed{t, dir, options(filepath.Join(dir, "list.jsonl"), filepath.Join(dir, "out"))}
}

// file writes a file of lines and returns its path.
func (b *bed) file(name string, lines ...string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bed) against(name, path string) {
	b.o.Against = append(b.o.Against, Against{Name: name, Path: path})
}

func (b *bed) run() *Results {
	b.t.Helper()
	r, err := Run(b.t.Context(), b.o)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bed) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.o.Dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// checksOf are the checks that found a clip.
func (x *Results) checksOf(clip string) (all []string) {
	for _, h := range x.Hits {
		if h.Clip == clip {
			all = append(all, string(h.Check))
		}
	}
	return all
}

func TestSourcesAndWholeVideos(t *testing.T) {
	b := newBed(t)
	b.file("list.jsonl",
		`{"id": "in", "url": "https://youtu.be/AAAAAAAAAAA#t=5,15"}`,
		`{"id": "elsewhere", "url": "https://youtu.be/AAAAAAAAAAA#t=50,60"}`,
		`{"id": "apart", "url": "https://youtu.be/BBBBBBBBBBB#t=50,60"}`,
		`{"id": "other", "url": "https://youtu.be/CCCCCCCCCCC"}`)
	b.against("vggsound", b.file("test.txt", "# the test split", "AAAAAAAAAAA,0,a label,test", "BBBBBBBBBBB_000040"))
	b.o.Benchmarks = []string{"vggsound", "omni-cloze"}
	r := b.run()
	if want := []string{"in", "elsewhere"}; !slices.Equal(r.Removals, want) || b.read(RemovalsFile) != "in\nelsewhere\n" {
		t.Errorf("left out %v, want %v: the hit and the clip of the same video, and not that of which another stretch is tested", r.Removals, want)
	}
	if len(r.Hits) != 1 || r.Hits[0].By != "youtube:AAAAAAAAAAA" || !slices.Equal(r.Hits[0].Drops, []string{"elsewhere"}) || r.Remote != 4 {
		t.Errorf("hits %+v", r.Hits)
	}
	report := b.read("report.md")
	for _, want := range []string{"| source | vggsound | 3 | 1 | 1 | 1 |", "| omni-cloze | its media were not given |", "| vggsound | only its sources were compared", "4 clips lie on the web"} {
		if !strings.Contains(report, want) {
			t.Errorf("report.md has no %q:\n%s", want, report)
		}
	}
}

func TestTextsAreHints(t *testing.T) {
	b := newBed(t)
	const said = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
	b.file("list.jsonl",
		fmt.Sprintf(`{"id": "captioned", "url": "https://a.example/1", "omni_detective_trajectory": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "Then: %s."}]}`, strings.ToUpper(said)),
		`{"id": "spoken", "url": "https://a.example/2"}`,
		`{"id": "short", "url": "https://a.example/3", "caption": "one two three four five six seven eight nine ten eleven twelve"}`)
	b.o.AgainstTexts = []string{"cloze=" + b.file("passages.jsonl", fmt.Sprintf(`{"id": 7, "text": "%s"}`, said))}
	b.o.Texts = []string{b.file("texts.jsonl", fmt.Sprintf(`{"id": "spoken", "text": "well, %s"}`, said), `{"id": "gone", "text": "x"}`)}
	r := b.run()
	if len(r.Removals) != 0 || r.Found != 0 || r.Hinted != 2 || len(r.Hits) != 2 {
		t.Fatalf("%d left out, %d hinted at, hits %+v: want none and 2", len(r.Removals), r.Hinted, r.Hits)
	}
	h := r.Hits[0]
	if h.Clip != "captioned" || h.Item != "7" || !h.Hint || h.Score != 1 || !strings.HasPrefix(h.By, "2 shared 13-grams, such as: one two") {
		t.Errorf("hint %+v", h)
	}
	if !strings.Contains(b.read("report.md"), "1 texts of --texts are of no clip") {
		t.Error("a text of no clip is not told of")
	}
	b.o.Without, b.o.Force = []string{"text"}, true
	if r := b.run(); len(r.Hits) != 0 {
		t.Errorf("without the check: %+v", r.Hits)
	}
}

// mediaBed has a benchmark of two clips and copies of the first, one for each check.
func mediaBed(t *testing.T) *bed {
	need.FFmpeg(t)
	b := newBed(t)
	original, other := filepath.Join(b.dir, "test", "a.mp4"), filepath.Join(b.dir, "test", "b.mp4")
	b.file("test/broken.mp4", "no media")
	b.file("train/broken.mp4", "no media")
	for seed, path := range map[int]string{8: original, 1: other, 7: filepath.Join(b.dir, "train", "clean.mp4")} {
		fixture.OK(t, makeClip(path, seed))
	}
	for name, args := range map[string]string{
		"same":     "-c copy",
		"remuxed":  "-c copy -f mov",
		"pictures": "-an -vf scale=144:108 -c:v libx264 -preset ultrafast -crf 28",
		"mirrored": "-an -vf hflip -c:v libx264 -preset ultrafast -crf 28",
		"cropped":  "-an -vf crop=iw*0.8:ih*0.8 -c:v libx264 -preset ultrafast -crf 28",
		"sound":    "-vn -c:a aac -b:a 48k",
	} {
		to := filepath.Join(b.dir, "train", name+".mp4")
		if name == "same" {
			text, err := os.ReadFile(original)
			if err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
			fixture.OK(t, err)
			continue
		}
		fixture.OK(t, makeFile(to, append([]string{"-i", original}, strings.Fields(args)...)...))
	}
	var rows []string
	for _, name := range []string{"same", "remuxed", "pictures", "mirrored", "cropped", "sound", "clean", "broken", "gone"} {
		source := ""
		if name == "clean" || name == "sound" {
			source = `, "source_id": "9"`
		}
		rows = append(rows, fmt.Sprintf(`{"id": %q, "url": "train/%[1]s.mp4"%s}`, name, source))
	}
	b.file("list.jsonl", rows...)
	b.against("made", filepath.Join(b.dir, "test"))
	return b
}

func TestLongEachCheckFindsItsCopy(t *testing.T) {
	b := mediaBed(t)
	r := b.run()
	for clip, check := range map[string]checkName{"same": file, "remuxed": samples, "pictures": pictures, "mirrored": mirrored, "cropped": cropped, "sound": sound} {
		if !slices.Contains(r.checksOf(clip), string(check)) {
			t.Errorf("%s is found by %v, want %s", clip, r.checksOf(clip), check)
		}
	}
	if len(r.checksOf("clean")) != 0 {
		t.Errorf("the clean clip is found by %v", r.checksOf("clean"))
	}
	if want := []string{"same", "remuxed", "pictures", "mirrored", "cropped", "sound", "clean"}; !slices.Equal(r.Removals, want) {
		t.Errorf("left out %v, want %v: clean is of the same source as sound", r.Removals, want)
	}
	var failed []string
	for _, f := range r.Failures {
		failed = append(failed, f.Benchmark+":"+f.ID)
	}
	if want := []string{"made:broken.mp4", ":broken", ":gone"}; !slices.Equal(failed, want) || !strings.Contains(b.read(FailuresFile), `"id":"gone"`) {
		t.Errorf("failures %v, want %v", failed, want)
	}
	b.testRunAgain()
	b.testWithout()
}

// testRunAgain runs the same command: it writes the same bytes.
func (b *bed) testRunAgain() {
	b.t.Helper()
	names := []string{RemovalsFile, HitsFile, FailuresFile, "report.md", "report.json", settingsFile}
	before := make(map[string]string)
	for _, name := range names {
		before[name] = b.read(name)
	}
	b.run()
	for _, name := range names {
		if b.read(name) != before[name] {
			b.t.Errorf("%s of the second run differs", name)
		}
	}
	var doc struct{ Tables []omniscope.Table }
	if err := json.Unmarshal([]byte(before["report.json"]), &doc); err != nil || len(doc.Tables) < 2 {
		b.t.Errorf("report.json: %v, %d tables", err, len(doc.Tables))
	}
}

// testWithout leaves checks out: other settings need --force, and a copy is found by the checks that are left.
func (b *bed) testWithout() {
	b.t.Helper()
	b.o.Without = []string{"file", "decoded-sound", "sound", "mirrored"}
	if _, err := Run(b.t.Context(), b.o); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "--force") {
		b.t.Fatalf("other settings: %v, want an error that names --force", err)
	}
	b.o.Force = true
	r := b.run()
	if got := r.checksOf("same"); !slices.Equal(got, []string{"pictures"}) {
		b.t.Errorf("the same file is found by %v, want pictures alone", got)
	}
	if got := append(r.checksOf("mirrored"), r.checksOf("sound")...); len(got) != 0 {
		b.t.Errorf("without their checks a mirrored picture and a sound are found by %v", got)
	}
	if !strings.Contains(b.read("report.md"), "| mirrored | made | not made |") {
		b.t.Error("report.md does not say which checks were not made")
	}
}

func TestStoppedRunGoesOn(t *testing.T) {
	need.FFmpeg(t)
	b := newBed(t)
	for seed := range 3 {
		fixture.OK(t, os.MkdirAll(filepath.Join(b.dir, "train"), 0o755))
		fixture.OK(t, makeClip(filepath.Join(b.dir, "train", fmt.Sprintf("%d.mp4", seed)), seed+7))
	}
	b.o.List, b.o.Jobs = filepath.Join(b.dir, "train"), 1
	b.against("made", b.o.List)
	ctx, cancel := context.WithCancel(t.Context())
	progress := b.o.Progress
	b.o.Progress = func(int) (func(int), func(string), func()) {
		return func(n int) {
			if n == 2 {
				cancel()
			}
		}, func(string) {}, func() {}
	}
	if _, err := Run(ctx, b.o); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	kept, err := filepath.Glob(filepath.Join(b.o.Memory, "*", "*.json"))
	if err != nil || len(kept) != 2 {
		t.Errorf("%d fingerprints are kept, want 2", len(kept))
	}
	b.o.Progress = progress
	if r := b.run(); len(r.Removals) != 3 {
		t.Errorf("left out %v, want all three", r.Removals)
	}
}

func TestCaptionsOfAFolder(t *testing.T) {
	b := newBed(t)
	b.file("media/AAAAAAAAAAA_000001.wav", "none")
	b.file("media/list.jsonl", "")
	b.file("captions/captions.json", fmt.Sprintf(`{"list": %q}`, filepath.Join(b.dir, "media", "list.jsonl")))
	b.file("captions/av/captions-00000.jsonl", `{"id": "a", "url": "AAAAAAAAAAA_000001.wav", "investigation": {"sha256": "ab"}, "omni_detective_trajectory": []}`)
	b.file("captions/av/captions-00001.jsonl", `{"id": "b", "url": "b.wav", "investigation": {"sha256": "ab"}, "omni_detective_trajectory": []}`)
	b.o.List, b.o.Without = filepath.Join(b.dir, "captions", "av"), []string{"file", "decoded-sound", "pictures", "mirrored", "cropped", "sound"}
	b.against("vggsound", b.file("test.txt", "AAAAAAAAAAA_000001"))
	if r := b.run(); !slices.Equal(r.Removals, []string{"a", "b"}) {
		t.Errorf("left out %v, want a and b, which have one digest", r.Removals)
	}
	b.file("captions/av/captions-00002.jsonl", `{"id": "a", "url": "c.wav"}`)
	if _, err := Run(t.Context(), b.o); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "the id a is there already") {
		t.Errorf("an id in two files: %v", err)
	}
}

func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *bed)
		kind   omniscope.Kind
		want   string
	}{
		"a line that names no source": {func(b *bed) { b.against("x", b.file("x.txt", "12")) }, omniscope.Invalid, "x.txt:1: this names no source"},
		"a folder without media":      {func(b *bed) { b.against("x", filepath.Dir(b.file("empty/readme", "x"))) }, omniscope.Invalid, "there is no media file in it"},
		"a text without an id":        {func(b *bed) { b.o.AgainstTexts = []string{b.file("t.jsonl", `{"text": "x"}`)} }, omniscope.Invalid, `t.jsonl:1: a row has the fields "id" and "text"`},
		"a folder of something else":  {func(b *bed) { b.file("out/thesis.txt", "years") }, omniscope.Usage, "out holds thesis.txt"},
	} {
		b := newBed(t)
		b.file("list.jsonl", `{"id": "a", "url": "https://a.example/1"}`)
		c.change(b)
		if _, err := Run(t.Context(), b.o); omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestShortExcerptsOfSound(t *testing.T) {
	need.FFmpeg(t)
	b := newBed(t)
	for _, dir := range []string{"bench", "train"} {
		fixture.OK(t, os.MkdirAll(filepath.Join(b.dir, dir), 0o755))
	}
	in := func(dir, name string) string { return filepath.Join(b.dir, dir, name) }
	for seed := range 3 {
		fixture.OK(t, makeFile(in("bench", fmt.Sprintf("test%d.m4a", seed)), "-f", "lavfi", "-i", soundOf(7*seed+7), "-c:a", "aac", "-b:a", "64k"))
	}
	for name, length := range map[string]string{"half": "0.5", "one": "1", "two": "2", "three": "3"} {
		fixture.OK(t, makeFile(in("train", name+".m4a"), "-i", in("bench", "test1.m4a"), "-ss", "1.37", "-t", length, "-c:a", "aac", "-b:a", "48k"))
	}
	b.o.List = filepath.Join(b.dir, "train")
	b.against("bench", filepath.Join(b.dir, "bench"))
	x := b.run()
	var found []string
	for _, h := range x.Hits {
		found = append(found, fmt.Sprintf("%s in %s by %s at %.1f", h.Clip, h.Item, h.By, -h.OffsetS))
	}
	want := []string{"one in test1.m4a by correlation at 1.4", "three in test1.m4a by correlation at 1.4", "two in test1.m4a by correlation at 1.4"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	if report := b.read("report.md"); !strings.Contains(report, "Too short to compare by sound") || !strings.Contains(report, "| training clips | half |") || !strings.Contains(report, "1 files have too little sound") {
		t.Errorf("the clip of half a second is not listed:\n%s", report)
	}
}
