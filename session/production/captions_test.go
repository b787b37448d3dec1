package production

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/internal/testing/fixture"
)

// The list's own columns of our names are replaced, and the clip is found from the folder of the captions.
func TestCaptionsReadBack(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	fixture.FileIn(t, dir, "clips/a.wav", "sound")
	fixture.FileIn(t, dir, "clips/list.jsonl", `{"id": "a", "path": "a.wav#t=1,2", "caption": "of somebody else", "licence": "CC0"}`+"\n")
	l, err := ReadList(t.Context(), "clips/list.jsonl", "", "")
	fixture.OK(t, err)
	o := opened(t, "out", l)
	sentences := []captionrow.Sentence{{Text: "A dog.", Evidence: []string{"o1"}}}
	fixture.OK(t, o.Put(0, captionrow.Row{Caption: "A dog.", Modality: omniscope.Audio, System: captionrow.Offline, Sentences: sentences}, Summary{Pass: "av"}, said(1)))
	fixture.OK(t, o.Close())
	n := 0
	fixture.OK(t, ReadCaptions(t.Context(), "out/av", "", func(c *Captioned) error {
		n++
		want := omniscope.Span{Start: time.Second, End: 2 * time.Second}
		if c.ID != "a" || c.Caption != "A dog." || c.Modality != omniscope.Audio || c.System != "offline" || filepath.ToSlash(c.Path) != "clips/a.wav" && filepath.ToSlash(c.Path) != "out/av/../../clips/a.wav" || c.Span != want {
			t.Errorf("read %+v", c)
		}
		return nil
	}))
	if n != 1 {
		t.Errorf("%d rows were read", n)
	}
	want := `{"id": "a", "licence": "CC0", "path": "../../clips/a.wav#t=1,2", "caption": "A dog.", "modality": "audio", "system": "offline", "sentences": [{"text":"A dog.","evidence":["o1"]}]`
	if text := captions(t, "out"); !strings.Contains(text, want) {
		t.Errorf("the rows are\n%s\nwant %s", text, want)
	}
}

func TestListOfPaths(t *testing.T) {
	dir := t.TempDir()
	l, err := ReadList(t.Context(), fixture.FileIn(t, dir, "clips.txt", "a.wav\n\n  b/c.mp4#t=1,2\r\n"), "", "")
	fixture.OK(t, err)
	if len(l.Rows) != 2 || l.Rows[0].Path != filepath.Join(dir, "a.wav") || l.Rows[1].ID != "b/c#t=1,2" || l.Rows[1].Line != 3 {
		t.Errorf("read %+v", l.Rows)
	}
}
