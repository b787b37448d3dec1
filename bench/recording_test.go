package bench

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestRecordingsOfOneStem: captions of recordings with one name in several folders are distinguished or refused; no caption is read for two.
func TestRecordingsOfOneStem(t *testing.T) {
	for _, c := range []struct {
		name     string
		captions []string // names; the caption is the name
		asked    []string
		want     string // captions in the order of asked, - = no caption; or a part of the error
	}{
		{"one folder", []string{"clip.wav"}, []string{"./a/clip.wav"}, "clip.wav"},
		{"another folder", []string{"/mnt/media/clip.mp4"}, []string{"./a/clip.wav"}, "/mnt/media/clip.mp4"},
		{"two folders", []string{"x/clip.wav", "y/clip.wav"}, []string{"y/clip.wav", "x/clip.wav"}, "y/clip.wav x/clip.wav"},
		{"two folders, further down", []string{"x/clip", "y/clip"}, []string{"./data/x/clip.wav", "./data/y/clip.wav"}, "x/clip y/clip"},
		{"two folders, further up", []string{"/mnt/x/clip.wav", "/mnt/y/clip.wav"}, []string{"x/clip.wav", "y/clip.wav"}, "/mnt/x/clip.wav /mnt/y/clip.wav"},
		{"separators of Windows", []string{`x\clip.wav`, `y\clip.wav`}, []string{"x/clip.wav", "y/clip.wav"}, `x\clip.wav y\clip.wav`},
		{"one caption for two", []string{"clip"}, []string{"x/clip.wav", "y/clip.wav"}, ":1: clip may be x/clip or y/clip"},
		{"one caption of a third folder for two", []string{"z/clip"}, []string{"x/clip.wav", "y/clip.wav"}, "z/clip may be x/clip or y/clip"},
		{"one caption in a folder that both may be in", []string{"x/clip"}, []string{"a/x/clip.wav", "b/x/clip.wav"}, "x/clip may be a/x/clip or b/x/clip"},
		{"the caption of one", []string{"x/clip.wav"}, []string{"x/clip.wav", "y/clip.wav"}, "x/clip.wav -"},
		{"questions about one", []string{"clip"}, []string{"x/clip.wav", "x/clip.wav"}, "clip clip"},
		{"no folder and one", []string{"clip", "y/clip"}, []string{"clip.wav"}, `y/clip and clip, on line 1, are both called "clip"`},
		{"twice", []string{"x/clip.wav", "x/clip.mp4"}, []string{"x/clip.wav"}, `are both called "clip"`},
		{"folders that fit none", []string{"x/clip", "y/clip", "b"}, []string{"z/clip.wav", "b.wav"}, "- b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows []string
			for _, name := range c.captions {
				rows = append(rows, fmt.Sprintf(`{"clip": %q, "caption": %[1]q}`, name))
			}
			form := Captions("")
			form.Separate = true
			file, err := OpenTextFile(t.Context(), fixture.File(t, "captions.jsonl", strings.Join(rows, "\n")), form)
			var got []string
			if err == nil {
				defer file.Lines.Close()
				_, err = file.Match(Inputs{Data: "data.json"}, len(c.asked), func(i int) []string { return []string{c.asked[i]} }, "captions", "clip", "")
			}
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			for _, name := range c.asked {
				text, err := file.Get(name)
				fixture.OK(t, err)
				if text == nil {
					got = append(got, "-")
				} else {
					got = append(got, *text)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestClusters: recordings of one stem in several folders are several clusters.
func TestClusters(t *testing.T) {
	c := make(Clusters)
	for _, name := range []string{"x/clip.wav", "y/clip.wav", "x/other.wav", "./x/other.wav", "third"} {
		c.Add(name)
	}
	for name, want := range map[string]string{"x/clip.wav": "x/clip", "y/clip.wav": "y/clip", "./x/clip.wav": "x/clip", "x/other.wav": "other", "third": "third", "unknown.mp4": "unknown"} {
		if got := c.Of(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
