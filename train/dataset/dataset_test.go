package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/train"
)

// A made row of captions. caption "" stands for a caption of its own.
type madeRow struct {
	id, url, caption string
	fields           map[string]any // further columns
	summary          map[string]any // what differs from a good investigation
}

// media are small files that rows may name: good.mp4, late.mp4, mute.mp4, still.mp4, cut.mp4, good.wav.
func mediaIn(t *testing.T, dir string) {
	t.Helper()
	const picture, tone = "-f lavfi -i testsrc2=d=3:s=64x48:r=10", "-f lavfi -i sine=440:d=3:r=16000"
	for name, args := range map[string]string{
		"good.mp4":  picture + " " + tone + " -c:v libx264 -c:a aac",
		"late.mp4":  picture + " -itsoffset 0.8 " + tone + " -c:v libx264 -c:a aac",
		"mute.mp4":  picture + " -c:v libx264",
		"quiet.mp4": picture + " -f lavfi -i anullsrc=r=16000 -t 3 -c:v libx264 -c:a aac",
		"still.mp4": "-f lavfi -i color=blue:d=3:s=64x48:r=10 " + tone + " -c:v libx264 -c:a aac",
		"good.wav":  tone,
	} {
		clips.Make(t, filepath.Join(dir, name), strings.Fields(args)...)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "good.mp4"))
	fixture.OK(t, err)
	os.WriteFile(filepath.Join(dir, "cut.mp4"), whole[:len(whole)/2], 0o644)
}

var nouns = strings.Fields("kettle market bridge violin harbour engine forest candle parrot staircase")

// captionOf is a caption that no other number has anything in common with.
func captionOf(n int) string {
	var words []string
	for i := range 12 {
		words = append(words, fmt.Sprintf("%s%d%c", nouns[(n+i)%len(nouns)], n, 'a'+i))
	}
	return "There is a " + strings.Join(words, " and a ") + "."
}

// captions writes rows as investigate writes them, and returns the folder of the pass.
func captions(t *testing.T, pass string, rows ...madeRow) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "captions")
	var out strings.Builder
	for i, r := range rows {
		summary := map[string]any{"pass": pass, "sha256": fmt.Sprint(i), "seconds": 3, "words": 30, "inquiries": 2, "ended": "enough", "sentences": 4, "unfounded": 0}
		for k, v := range r.summary {
			summary[k] = v
		}
		if r.caption == "" {
			r.caption = captionOf(i)
		}
		row := map[string]any{"id": r.id, "url": r.url, "investigation": summary, "omni_detective_trajectory": []map[string]string{{"role": "user", "content": "Describe it."}, {"role": "assistant", "content": r.caption}}}
		for k, v := range r.fields {
			row[k] = v
		}
		text, err := json.Marshal(row)
		fixture.OK(t, err)
		out.Write(append(text, '\n'))
	}
	folder := filepath.Join(dir, pass)
	fixture.OK(t, os.MkdirAll(folder, 0o755))
	fixture.OK(t, os.WriteFile(filepath.Join(folder, "captions-00000.jsonl"), []byte(out.String()), 0o644))
	return folder
}

func options(t *testing.T, captions, media string, forms ...string) Options {
	t.Helper()
	o := Options{Captions: captions, Media: media, Out: filepath.Join(t.TempDir(), "set"), Rules: DefaultRules(), Workers: 2, Seed: 1}
	for _, name := range forms {
		f, err := train.FormOf(name)
		fixture.OK(t, err)
		o.Forms = append(o.Forms, f)
	}
	return o
}

func build(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Build(t.Context(), o)
	fixture.OK(t, err)
	return r
}

func read(t *testing.T, o Options, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(o.Out, filepath.FromSlash(name)))
	fixture.OK(t, err)
	return string(text)
}

// removed are the rules that left rows out, by id.
func removed(t *testing.T, o Options) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for line := range strings.Lines(read(t, o, RemovedFile)) {
		var r struct{ ID, Rule, Why string }
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Why == "" {
			t.Fatalf("%s: %v", line, err)
		}
		out[r.ID] = r.Rule
	}
	return out
}

// TestEachRuleLeavesOutItsRow has one row for each rule, and one that all let pass.
func TestEachRuleLeavesOutItsRow(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	long := strings.TrimSpace(strings.Repeat("a door opens and a man with a red hat walks in slowly ", 4))
	rows := []madeRow{
		{id: "good", url: "good.mp4"},
		{id: "gone", url: "good.mp4", fields: map[string]any{"source_id": "film-9"}},
		{id: "empty", url: "good.mp4", caption: " "},
		{id: "planner", url: "good.mp4", summary: map[string]any{"ended": "planner"}},
		{id: "unfounded", url: "good.mp4", summary: map[string]any{"unfounded": 1}},
		{id: "contradicted", url: "good.mp4", summary: map[string]any{"disputed": 2}},
		{id: "tools", url: "good.mp4", caption: captionOf(6) + " The OCR tool reports the word EXIT."},
		{id: "marks", url: "good.mp4", caption: captionOf(7) + " <|im_end|>"},
		{id: "loop", url: "good.mp4", caption: long},
		{id: "words", url: "good.mp4", caption: "A door."},
		{id: "language", url: "good.mp4", caption: "Ein Mann öffnet die Tür, und eine Frau mit einem roten Hut geht langsam durch das Zimmer, während draußen die Glocken läuten."},
		{id: "alike", url: "good.mp4", caption: captionOf(0) + " Yes."},
		{id: "category", url: "good.mp4", fields: map[string]any{"category": "kitchen"}},
		{id: "category2", url: "good.mp4", fields: map[string]any{"category": "kitchen"}},
		{id: "missing", url: "nowhere.mp4"},
		{id: "broken", url: "cut.mp4"},
		{id: "mute", url: "mute.mp4"},
		{id: "quiet", url: "quiet.mp4"},
		{id: "still", url: "still.mp4"},
	}
	for i := range rows { // categories of their own, but for the two
		if rows[i].fields == nil {
			rows[i].fields = map[string]any{"category": rows[i].id}
		}
	}
	o := options(t, captions(t, "av", rows...), media, "ms-swift")
	o.Rules.Without, o.Rules.PerCategory, o.Rules.Still = []string{"film-9"}, 1, 0.9
	r := build(t, o)
	got := removed(t, o)
	one := "category" // of two, the lot decides
	if got[one] == "" {
		one = "category2"
	}
	want := map[string]string{"gone": "withdrawn", "empty": "caption", "planner": "planner", "unfounded": "unfounded", "contradicted": "contradicted", "tools": "tools", "marks": "marks", "loop": "loop",
		"words": "words", "language": "language", "alike": "alike", one: "category", "missing": "media", "broken": "media", "mute": "silent", "quiet": "silent", "still": "still"}
	if !sameJSON(got, want) {
		t.Errorf("left out\n%v, want\n%v", got, want)
	}
	if r.Captions != 19 || r.Kept["train"] != 2 || r.Failed != 2 {
		t.Errorf("%+v", r)
	}
	left := 19
	for _, s := range r.Funnel {
		if left -= s.Out; s.Left != left {
			t.Errorf("funnel at %s: %d left out, %d left, want %d", s.Rule, s.Out, s.Left, left)
		}
	}
	o.Rules.Off, o.Out = []string{"words", "planner", "silent", "still"}, filepath.Join(t.TempDir(), "set")
	build(t, o)
	for id := range removed(t, o) {
		if slices.Contains([]string{"words", "planner", "mute", "quiet", "still"}, id) {
			t.Errorf("%s is left out by a rule that is off", id)
		}
	}
}

// TestSpeakingOfTools: what the rule is for, and what only looks like it.
func TestSpeakingOfTools(t *testing.T) {
	for text, want := range map[string]bool{
		"The observer reports a dog.": true, "According to the ASR, he says hello.": true, "OCR output indicates a sign.": true, "As an AI, I cannot see.": true,
		"Based on the observations, it is a kitchen.": true, "The audio tool did not hear anything.": true, "the detective found nothing": true,
		"A detective in a coat walks by.": false, "He holds a tool.": false, "An observer stands on the hill.": false, "The news anchor reports a storm.": false, "A sound of waves is heard.": false,
		"The screen reads OCR.": false, "A man says he found it.": false,
	} {
		r := &row{}
		r.Caption = text
		if got := speaksOfTools(nil, r) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestAlikeCaptions: one word of many changed, and captions that share a theme only.
func TestAlikeCaptions(t *testing.T) {
	base := captionOf(1) + " " + captionOf(2) + " " + captionOf(3)
	for text, want := range map[string]bool{
		strings.Replace(base, "kettle", "pot", 1): true, strings.ToUpper(base): true, captionOf(1) + " " + captionOf(4) + " " + captionOf(5): false, captionOf(9): false,
	} {
		b := &building{Options: Options{Rules: DefaultRules()}, rows: []*row{{}, {}}}
		b.rows[0].Caption, b.rows[1].Caption, b.rows[0].ID = base, text, "first"
		b.leaveAlike()
		if got := b.rows[1].rule == "alike"; got != want || b.rows[0].rule != "" {
			t.Errorf("%.60s: %v", text, got)
		}
	}
}

// TestMediaAreMade: a steady file is linked, another is made steady, a stretch is cut, and sound gets a file of its own.
func TestMediaAreMade(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	o := options(t, captions(t, "av", madeRow{id: "a/good", url: "good.mp4"}, madeRow{id: "late", url: "late.mp4"}, madeRow{id: "part", url: "good.mp4#t=0.5,2", fields: map[string]any{"licence": "CC0-1.0"}}), media, "ms-swift", "llama-factory")
	build(t, o)
	var how []string
	for line := range strings.Lines(read(t, o, SourcesFile)) {
		var s source
		fixture.OK(t, json.Unmarshal([]byte(line), &s))
		how = append(how, s.ID+" "+s.Made)
	}
	if want := []string{"a/good linked", "late cut", "part cut"}; !slices.Equal(how, want) {
		t.Errorf("media were made so: %q, want %q", how, want)
	}
	var row struct {
		Messages       []struct{ Content string }
		Videos, Audios []string
	}
	lines := strings.Split(read(t, o, "llama-factory/train.jsonl"), "\n")
	if err := json.Unmarshal([]byte(lines[2]), &row); err != nil || row.Messages[0].Content != "<video><audio>" || len(row.Videos) != 1 || !strings.HasPrefix(row.Audios[0], "media/part-") {
		t.Errorf("%s: %v", lines[2], err)
	}
	for _, name := range append(row.Videos, row.Audios...) {
		if _, err := os.Stat(filepath.Join(o.Out, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	if swift := read(t, o, "ms-swift/train.jsonl"); strings.Contains(swift, "audios") {
		t.Errorf("ms-swift takes the sound from the video: %s", swift)
	}
	if info := read(t, o, "llama-factory/dataset_info.json"); !strings.Contains(info, `"omni_train"`) {
		t.Error(info)
	}
	heard := options(t, captions(t, "a", madeRow{id: "x", url: "good.mp4"}, madeRow{id: "y", url: "good.wav"}), media, "ms-swift", "automodel")
	heard.Prefix = "/data/"
	build(t, heard)
	if rows := read(t, heard, "automodel/train.jsonl"); strings.Count(rows, `"audio":"/data/media/`) != 2 || strings.Count(rows, ".wav") != 2 {
		t.Error(rows)
	}
}

// tree is the digest of each file of a data set that users see.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = fmt.Sprintf("%d %x", len(text), sumOf(text))
		return err
	})
	fixture.OK(t, err)
	return out
}

// TestLongSameInputSameBytes makes a data set twice, and once with interruptions.
func TestLongSameInputSameBytes(t *testing.T) {
	media := t.TempDir()
	mediaIn(t, media)
	var rows []madeRow
	for i := range 6 {
		rows = append(rows, madeRow{id: fmt.Sprint("clip ", i), url: fmt.Sprintf("good.mp4#t=%g,%g", float64(i)/10, 1.5+float64(i)/10), fields: map[string]any{"source_id": fmt.Sprint("film", i/2)}})
	}
	folder := captions(t, "av", rows...)
	make := func(interrupt bool) map[string]string {
		o := options(t, folder, media, "ms-swift", "llama-factory", "veomni")
		o.Validation, o.WebDataset, o.Parquet, o.ShardBytes, o.Workers = 40, true, true, 40000, 1
		for stopAfter := 1; interrupt && stopAfter < 6; stopAfter += 2 {
			ctx, stop := context.WithCancel(t.Context())
			o.Progress = func(done, _ int) {
				if done == stopAfter {
					stop()
				}
			}
			if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
				t.Fatalf("it was not interrupted: %v", err)
			}
			if ondisk.Exists(filepath.Join(o.Out, manifestFile)) {
				t.Fatal("an interrupted data set looks whole")
			}
		}
		o.Progress = nil
		r := build(t, o)
		if r.Kept["train"] == 0 || r.Kept["validation"] == 0 || r.Kept["train"]+r.Kept["validation"] != 6 {
			t.Fatalf("%+v", r)
		}
		return tree(t, o.Out)
	}
	first := make(false)
	if len(first) < 6+6+3*2+5+2*2 {
		t.Errorf("%d files: %v", len(first), first)
	}
	for name, other := range map[string]map[string]string{"again": make(false), "interrupted": make(true)} {
		if !sameJSON(first, other) {
			t.Errorf("%s: files differ", name)
		}
	}
}

func TestPartsShareNoSource(t *testing.T) {
	var rows []madeRow
	for i := range 200 {
		rows = append(rows, madeRow{id: fmt.Sprint(i), url: fmt.Sprintf("film%d.mp4#t=%d,%d", i%50, i, i+5)})
	}
	o := options(t, captions(t, "av", rows...), "", "ms-swift")
	o.Validation = 20
	b, err := begin(t.Context(), o)
	fixture.OK(t, err)
	part, n := make(map[string]string), 0
	for _, r := range b.rows {
		now := b.split.Of(r.source)
		if before := part[r.source]; before != "" && before != now {
			t.Errorf("%s is in %s and %s", r.source, before, now)
		}
		if part[r.source] = now; now == "validation" {
			n++
		}
	}
	if len(part) != 50 || n < 20 || n > 80 {
		t.Errorf("%d sources, %d rows for validation", len(part), n)
	}
}

func TestCaptionsThatCannotBeUsed(t *testing.T) {
	good := madeRow{id: "a", url: "a.mp4"}
	for want, c := range map[string]struct {
		folder string
		form   string
		how    func(o *Options)
	}{
		"of the pictures alone":                        {captions(t, "v", good), "ms-swift", nil},
		"automodel has no rows":                        {captions(t, "av", good), "automodel", nil},
		"there already":                                {captions(t, "av", good, good), "ms-swift", nil},
		"has no file captions.jsonl or captions-00000": {t.TempDir(), "ms-swift", nil},
		"have no modality":                             {"", "ms-swift", nil},
		"captions of several modali":                   {captions(t, "av", good, madeRow{id: "b", url: "b.mp4", summary: map[string]any{"pass": "a"}}), "ms-swift", nil},
		"holds notes.txt, which is no part": {captions(t, "av", good), "ms-swift", func(o *Options) {
			os.MkdirAll(o.Out, 0o755)
			os.WriteFile(filepath.Join(o.Out, "notes.txt"), nil, 0o644)
		}},
	} {
		if c.folder == "" {
			c.folder = filepath.Join(t.TempDir(), "plain.jsonl")
			os.WriteFile(c.folder, []byte(`{"id": "a", "url": "a.mp4", "caption": "A dog."}`+"\n"), 0o644)
		}
		o := options(t, c.folder, "", c.form)
		if c.how != nil {
			c.how(&o)
		}
		if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	unfinished := captions(t, "av", good)
	os.WriteFile(filepath.Join(unfinished, "unfinished-00001.jsonl"), nil, 0o644)
	if _, err := Preview(t.Context(), options(t, unfinished, "", "ms-swift")); err == nil || !strings.Contains(err.Error(), "is not finished") {
		t.Errorf("captions that are not finished: %v", err)
	}
	var e *omniscope.Error
	o := options(t, captions(t, "av", good), "", "ms-swift")
	build(t, o)
	o.Seed = 2
	if _, err := Build(t.Context(), o); !errors.As(err, &e) || e.Kind != omniscope.Usage || !strings.Contains(err.Error(), "of other captions, rules or flags") {
		t.Errorf("other flags into the same folder: %v", err)
	}
}

// TestBuildGoesOnAfterAKill has a folder that holds everything but the manifest, which is written last.
func TestBuildGoesOnAfterAKill(t *testing.T) {
	o := options(t, captions(t, "av", madeRow{id: "a", url: "a.mp4"}), "", "ms-swift")
	build(t, o)
	path := filepath.Join(o.Out, manifestFile)
	whole, err := os.ReadFile(path)
	fixture.OK(t, err)
	if _, err := os.Stat(filepath.Join(o.Out, unfinishedFile)); !os.IsNotExist(err) {
		t.Errorf("a finished data set is marked as unfinished: %v", err)
	}
	var m manifest
	fixture.OK(t, readJSON(path, &m))
	mark, _ := json.Marshal(m.Made)
	os.WriteFile(filepath.Join(o.Out, unfinishedFile), mark, 0o644)
	os.Remove(path)
	other := o
	other.Seed = 2
	if _, err := Build(t.Context(), other); err == nil || !strings.Contains(err.Error(), "an unfinished data set of other captions, rules or flags") {
		t.Errorf("other flags: %v", err)
	}
	build(t, o)
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
		t.Errorf("%v: the manifest is\n%s\nand of an undisturbed command\n%s", err, again, whole)
	}
	os.Remove(path)
	if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), "which is no part of a data set") {
		t.Errorf("without a mark: %v", err)
	}
}

func sumOf(text []byte) [32]byte { return sha256.Sum256(text) }
