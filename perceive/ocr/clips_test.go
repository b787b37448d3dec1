package ocr

import (
	"encoding/json"
	"os"
	"testing"

	"omniscope"
	"omniscope/internal/testing/golden"
	"omniscope/perceive"
)

// A known clip is what the list of clips says of one.
type knownClip struct {
	File    string  `json:"file"`
	Seconds float64 `json:"duration_s"`
	Content struct {
		Text []struct {
			Start float64 `json:"t0"`
			End   float64 `json:"t1"`
			Text  string  `json:"text"`
		} `json:"visible_text"`
	} `json:"content"`
	Streams []struct {
		Kind  string `json:"codec_type"`
		Cover int    `json:"attached_pic"`
	} `json:"streams"`
}

// knownClips are real clips with known content.
func knownClips(t *testing.T) []knownClip {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "media", "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Files []knownClip `json:"files"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list.Files
}

func (k *knownClip) picture() bool {
	for _, s := range k.Streams {
		if s.Kind == "video" && s.Cover == 0 {
			return true
		}
	}
	return false
}

func opened(t *testing.T, clip omniscope.Clip) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), clip)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, clip omniscope.Clip) *perceive.Answer {
	t.Helper()
	a, err := New(Options{}).Observe(t.Context(), opened(t, clip), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}
