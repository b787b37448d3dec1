package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/train"
	"omniscope/train/clip"
	"omniscope/train/tokens"
)

const (
	picture = "-f lavfi -i testsrc2=d=3:s=64x48:r=10"
	tone    = "-f lavfi -i sine=440:d=3:r=16000"
	coded   = " -c:v libx264 -c:a aac"
)

// media are files with one fault each, and good ones.
var media = map[string]string{
	"good.mp4":    picture + " " + tone + coded,
	"mute.mp4":    picture + " -c:v libx264",
	"silent.mp4":  picture + " -f lavfi -i anullsrc=r=16000 -t 3" + coded,
	"drifts.mp4":  picture + " -f lavfi -i sine=440:d=2:r=16000" + coded,
	"late.mp4":    picture + " -itsoffset 0.8 " + tone + "" + coded,
	"varies.mkv":  picture + " " + tone + " -vf select='not(between(mod(n\\,10)\\,3\\,5))' -vsync vfr" + coded,
	"gap.mp4":     picture + " " + tone + " -af aselect='not(between(t\\,1\\,2))'" + coded,
	"tracks.mkv":  picture + " " + tone + " -f lavfi -i testsrc2=d=3:s=32x24:r=10 -map 0 -map 1 -map 2 -c:v libx264 -c:a aac",
	"short.mp4":   "-f lavfi -i testsrc2=d=0.6:s=64x48:r=10 -f lavfi -i sine=440:d=0.6:r=16000" + coded,
	"long.wav":    "-f lavfi -i sine=440:d=301:r=8000",
	"good.wav":    tone,
	"silent.wav":  "-f lavfi -i anullsrc=r=16000 -t 3",
	"other.wav":   "-f lavfi -i sine=880:d=3:r=16000",
	"shorter.wav": "-f lavfi -i sine=440:d=2:r=16000",
}

// bed is a folder with media and rows of one trainer.
type bed struct {
	dir string
	o   Options
}

func newBed(t *testing.T, form string) *bed {
	t.Helper()
	b := &bed{dir: t.TempDir()}
	f, err := train.FormOf(form)
	fixture.OK(t, err)
	b.o = Options{Form: f, Model: tokens.Models[0], Sampling: tokens.Ours, Tokens: 16384, Sound: true, Workers: 2, Memory: &clip.Memory{Dir: filepath.Join(t.TempDir(), "measured")}}
	return b
}

// make makes one of media in the bed.
func (b *bed) make(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join(b.dir, "media", name)
	if !ondisk.Exists(path) {
		clips.Make(t, path, strings.Fields(media[name])...)
	}
}

// write writes rows to a file of the bed, a line for each.
func (b *bed) write(t *testing.T, name string, rows ...any) string {
	t.Helper()
	path := filepath.Join(b.dir, b.o.Form.Name, name)
	os.MkdirAll(filepath.Dir(path), 0o755)
	var out strings.Builder
	for _, r := range rows {
		switch r := r.(type) {
		case string:
			out.WriteString(r + "\n")
		case *train.Example:
			line, err := b.o.Form.Write(r)
			fixture.OK(t, err)
			out.Write(line)
		}
	}
	fixture.OK(t, os.WriteFile(path, []byte(out.String()), 0o644))
	return path
}

func (b *bed) check(t *testing.T) *Result {
	t.Helper()
	r, err := Run(t.Context(), b.o)
	fixture.OK(t, err)
	return r
}

// found are the findings as LINE CHECK.
func found(r *Result) (list []string) {
	for _, f := range r.Findings {
		list = append(list, fmt.Sprint(f.Line, " ", f.Check))
	}
	return list
}

func seen(id string) *train.Example {
	return train.Caption(id, "A film of "+id+", with a tone.", []string{"media/good.mp4"}, nil)
}

func TestCleanRowsPass(t *testing.T) {
	b := newBed(t, "ms-swift")
	b.make(t, "good.mp4")
	var rows []any
	for i := range 8 {
		rows = append(rows, seen(fmt.Sprint("clip", i)))
	}
	b.o.Rows = b.write(t, "train.jsonl", rows...)
	r := b.check(t)
	if !r.Passed || len(r.Findings) > 0 || r.Count != 8 || r.Hours < 0.006 || r.Tokens == nil {
		t.Errorf("%+v", r)
	}
	again := b.check(t)
	if again.Digest != r.Digest || len(again.Digest) != 64 || again.Rows != r.Rows {
		t.Errorf("the same check has another digest: %s, %s", again.Digest, r.Digest)
	}
	b.o.Tokens = 100
	if less := b.check(t); less.Passed || less.Digest == r.Digest || less.Found["tokens"] != 8 {
		t.Errorf("with at most 100 tokens: %v", less.Found)
	}
	b.o.Tokens, b.o.Count = 16384, func(string) int { return 1000 }
	if more := b.check(t); more.Tokens.Least < r.Tokens.Least+900 {
		t.Errorf("texts of 1,000 tokens: %.0f for a row", more.Tokens.Least)
	}
	// By hand: 3 s of 64 x 48 are 6 frames, 3 pictures of 14 x 10 (scaled to at least 100,352 pixels) = 420; 3 s of sound = 75 to
	// 77 (AAC fills its last frame); 32 letters = 11; 40 around it.
	if got := r.Tokens.Least; got < 545 || got > 550 {
		t.Errorf("a row takes %.0f tokens", got)
	}
}

// TestEachFaultIsFound plants one fault in each row.
func TestEachFaultIsFound(t *testing.T) {
	b := newBed(t, "ms-swift")
	for name := range media {
		b.make(t, name)
	}
	whole, err := os.ReadFile(filepath.Join(b.dir, "media", "good.mp4"))
	fixture.OK(t, err)
	os.WriteFile(filepath.Join(b.dir, "media", "cut.mp4"), whole[:len(whole)/2], 0o644)
	os.WriteFile(filepath.Join(b.dir, "media", "text.mp4"), []byte("no film"), 0o644)
	video := func(name string) *train.Example {
		return train.Caption(name, "A film of "+name+".", []string{"media/" + name}, nil)
	}
	heard := func(name string) *train.Example {
		return train.Caption(name, "The sound of "+name+".", nil, []string{"media/" + name})
	}
	say := func(id, text string) *train.Example {
		return train.Caption(id, text, []string{"media/good.mp4"}, nil)
	}
	turns := seen("turns")
	turns.Messages = append(turns.Messages, train.Message{Role: train.User, Content: "What rings?"})
	swapped := seen("swapped")
	swapped.Messages[0], swapped.Messages[1] = swapped.Messages[1], swapped.Messages[0]
	more := seen("more")
	more.Messages[0].Content = "<video><audio>"
	rows := []any{
		seen("good"),
		`{"messages": "none"}`,
		turns,
		swapped,
		more,
		say("inside", "A film <video> with marks."),
		say("form", "A film.<|im_end|>"),
		say("empty", "  "),
		seen("good"),
		video("cut.mp4"),
		video("text.mp4"),
		video("nowhere.mp4"),
		video("good.wav"),
		video("mute.mp4"),
		video("silent.mp4"),
		video("drifts.mp4"),
		video("late.mp4"),
		video("varies.mkv"),
		video("short.mp4"),
		heard("long.wav"),
		heard("silent.wav"),
		say("tokens", strings.Repeat("very ", 10000)),
		say("benchmark-7", "A film that is in a benchmark."),
		"not json",
		video("gap.mp4"),
		video("tracks.mkv"),
	}
	b.o.Rows = b.write(t, "train.jsonl", rows...)
	b.o.Without = map[string]string{"benchmark-7": "a copy of a clip of Omni-Cloze"}
	b.o.Settings = func(longest float64) ([]string, error) {
		if longest < 301 || longest > 302 {
			t.Errorf("the longest clip has %g s", longest)
		}
		return []string{"USE_AUDIO_IN_VIDE: misspelt"}, nil
	}
	got := found(b.check(t))
	want := []string{"0 settings", "2 row", "3 roles", "4 roles", "5 marks", "6 marks", "7 text", "8 text", "9 twice", "9 twice", "10 file", "11 file", "12 file", "13 file", "14 sound", "15 sound", "16 drift",
		"17 start", "18 rate", "19 short", "20 long", "21 sound", "22 tokens", "23 test", "24 row", "25 gap", "26 tracks"}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%q, want\n%q", got, want)
	}
	checked := make(map[string]bool)
	for _, f := range append(want, "0 user", "0 parts", "0 counts", "0 reviewed") { // those have tests of their own
		_, name, _ := strings.Cut(f, " ")
		checked[name] = true
	}
	for _, c := range checks {
		if !checked[c.Name] {
			t.Errorf("no fault is planted for %s", c.Name)
		}
	}
}

// TestSoundOfVideosApart: LLaMA-Factory has the sound as a second file, which has to be as long as the picture.
func TestSoundOfVideosApart(t *testing.T) {
	b := newBed(t, "llama-factory")
	for _, name := range []string{"good.mp4", "good.wav", "shorter.wav", "mute.mp4"} {
		b.make(t, name)
	}
	row := func(id, video, sound string) *train.Example {
		return train.Caption(id, "A film of "+id+".", []string{"media/" + video}, []string{"media/" + sound})
	}
	b.o.Rows = b.write(t, "train.jsonl", row("a", "good.mp4", "good.wav"), row("b", "good.mp4", "shorter.wav"), row("c", "mute.mp4", "good.wav"))
	if got := found(b.check(t)); !slices.Equal(got, []string{"2 drift"}) {
		t.Errorf("found %q", got)
	}
}

func TestWordUserEndsLabelsOfVeOmni(t *testing.T) {
	b := newBed(t, "veomni")
	b.make(t, "good.mp4")
	row := func(text string) *train.Example { return train.Caption(text, text, []string{"media/good.mp4"}, nil) }
	b.o.Rows = b.write(t, "train.jsonl", row("A user types."), row("It shows (user names)."), row("user accounts are shown."), row("Two users meet."), row("A line.\nuser rights follow."))
	if got := found(b.check(t)); !slices.Equal(got, []string{"2 user", "3 user", "5 user"}) {
		t.Errorf("found %q", got)
	}
}

// TestPartsThatShareASource: the same file, the same bytes under another name, and another clip of the same source.
func TestPartsThatShareASource(t *testing.T) {
	b := newBed(t, "ms-swift")
	b.make(t, "good.wav")
	b.make(t, "other.wav")
	text, err := os.ReadFile(filepath.Join(b.dir, "media", "good.wav"))
	fixture.OK(t, err)
	os.WriteFile(filepath.Join(b.dir, "media", "copy.wav"), text, 0o644)
	os.WriteFile(filepath.Join(b.dir, "sources.jsonl"), []byte(`{"id": "a", "source_id": "film"}`+"\n"+`{"id": "c", "source_id": "film"}`+"\n"), 0o644)
	row := func(id, name string) *train.Example {
		return train.Caption(id, "The sound of "+id, nil, []string{"media/" + name})
	}
	b.o.Rows = b.write(t, "train.jsonl", row("a", "good.wav"))
	b.o.Validation = b.write(t, "validation.jsonl", row("b", "copy.wav"), row("c", "other.wav"), row("d", "good.wav"))
	if got := found(b.check(t)); !slices.Equal(got, []string{"1 parts", "2 parts", "3 parts"}) {
		t.Errorf("found %q", got)
	}
	b.o.Validation = b.write(t, "validation.jsonl", row("e", "other.wav"))
	if got := found(b.check(t)); len(got) > 0 {
		t.Errorf("found %q", got)
	}
}

// TestRowsOfADataSet: a row that was removed by hand is told.
func TestRowsOfADataSet(t *testing.T) {
	b := newBed(t, "ms-swift")
	b.make(t, "good.mp4")
	b.o.Rows = b.write(t, "train.jsonl", seen("a"), seen("b"))
	digest, err := sha256hex.File(b.o.Rows)
	fixture.OK(t, err)
	manifest, _ := json.Marshal(map[string]any{"rows": map[string]int{"train": 2}, "files": map[string]string{"ms-swift/train.jsonl": digest}})
	os.WriteFile(filepath.Join(b.dir, "dataset.json"), manifest, 0o644)
	if got := found(b.check(t)); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	b.write(t, "train.jsonl", seen("a"))
	if got := found(b.check(t)); !slices.Equal(got, []string{"0 counts", "0 counts"}) {
		t.Errorf("found %q", got)
	}
}

func TestFilesWithoutRows(t *testing.T) {
	b := newBed(t, "ms-swift")
	for want, path := range map[string]string{"has no rows": b.write(t, "empty.jsonl"), "no such file": filepath.Join(b.dir, "nowhere.jsonl")} {
		b.o.Rows = path
		if _, err := Run(t.Context(), b.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestCaptionsThatPeopleSentBack finds them by the row, by the data set's provenance, and by the project's export.
func TestCaptionsThatPeopleSentBack(t *testing.T) {
	b := newBed(t, "ms-swift")
	row := func(id, caption string) *train.Example {
		return train.Caption(id, caption, []string{"media/none.mp4"}, nil)
	}
	b.o.Rows = b.write(t, "train.jsonl", row("a", "A dog."), row("b", "A cat."), row("c", "A cow."), row("d", "A hen."),
		`{"id":"e","messages":[{"role":"user","content":"<video>"},{"role":"assistant","content":"A fox."}],"videos":["media/none.mp4"],"verdict":"send back"}`)
	if err := os.WriteFile(filepath.Join(b.dir, "provenance.jsonl"), []byte(`{"id":"a","review":"approved"}
{"id":"d","review":"not reviewed"}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	b.o.Reviews = map[string]train.Review{"A dog.": train.Approved, "A cat.": train.SentBack, "A cow.": train.NotReviewed}
	for unreviewed, want := range map[bool]string{false: "b c d e", true: "b e"} {
		b.o.Unreviewed = unreviewed
		r, err := Run(t.Context(), b.o)
		fixture.OK(t, err)
		var found []string
		for _, f := range r.Findings {
			if f.Check == "reviewed" {
				found = append(found, f.ID)
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("--unreviewed %v: %q, want %q", unreviewed, got, want)
		}
	}
}
