package scene

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
	File    string `json:"file"`
	Content struct {
		Cuts    []float64 `json:"hard_cuts_s"`
		Gradual []struct {
			Type  string  `json:"type"`
			Start float64 `json:"t0"`
			End   float64 `json:"t1"`
		} `json:"gradual"`
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

func opened(t *testing.T, path string) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, path string) *perceive.Answer {
	t.Helper()
	a, err := New().Observe(t.Context(), opened(t, path), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}
