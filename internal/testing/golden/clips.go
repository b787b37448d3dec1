package golden

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A Clip is a real recording and its content, as the list of recordings describes it.
type Clip struct {
	File    string
	Seconds float64 `json:"duration_s"`
	Content struct {
		Speech []Shown
		Text   []Shown   `json:"visible_text"`
		Cuts   []float64 `json:"hard_cuts_s"`
		// Gradual are changes of the picture that take time: dissolves and fades.
		Gradual []struct {
			Type  string
			Start float64 `json:"t0"`
			End   float64 `json:"t1"`
		}
	}
	Streams []Stream
	Audio   *struct {
		LUFS, LRA float64
		Peak      *float64 `json:"true_peak_dbtp"`
	} `json:"measured_audio"`
}

// A Shown text is said or seen in a recording from Start to End, in seconds.
type Shown struct {
	Start float64 `json:"t0"`
	End   float64 `json:"t1"`
	Text  string
}

// A Stream is a stream of a recording.
type Stream struct {
	Kind  string `json:"codec_type"`
	Cover int    `json:"attached_pic"` // 1 = it is a picture of the cover
}

// Clips returns the recordings in the folder media of the golden data.
func Clips(t testing.TB) []Clip {
	t.Helper()
	text, err := os.ReadFile(Path(t, "media", "MANIFEST.json"))
	fixture.OK(t, err)
	var list struct{ Files []Clip }
	fixture.OK(t, json.Unmarshal(text, &list))
	return list.Files
}

// HasPicture reports whether a recording has moving pictures. A cover is not one.
func (c *Clip) HasPicture() bool {
	return slices.ContainsFunc(c.Streams, func(s Stream) bool { return s.Kind == "video" && s.Cover == 0 })
}
