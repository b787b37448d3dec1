package sound

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/golden"
	"omniscope/perceive"
)

// A known clip is what its manifest says of it.
type known struct {
	File    string `json:"file"`
	Content struct {
		Speech []any `json:"speech"`
	} `json:"content"`
	Audio *struct {
		LUFS float64  `json:"lufs"`
		LRA  float64  `json:"lra"`
		Peak *float64 `json:"true_peak_dbtp"`
	} `json:"measured_audio"`
}

// knownClips are real clips with known content.
func knownClips(t *testing.T) []known {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "media", "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Files []known }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Files
}

func TestLongKnownClips(t *testing.T) {
	for _, k := range knownClips(t) {
		t.Run(k.File, func(t *testing.T) {
			list := observed(t, clip(t, golden.Path(t, "media", k.File)))
			t.Log("\n" + answer(list).Text)
			kinds := make(map[perceive.Kind]int)
			for _, o := range list {
				kinds[o.Kind]++
			}
			switch {
			case k.Audio == nil:
				if kinds[perceive.Absence] != 1 || len(list) != 1 {
					t.Errorf("without a sound track: %+v", list)
				}
				return
			case k.Audio.Peak == nil:
				if kinds[perceive.Silence] != 1 || len(list) != 1 {
					t.Errorf("with a silent sound track: %+v", list)
				}
				return
			}
			if len(k.Content.Speech) == 0 && kinds[perceive.Speech] > 0 {
				t.Error("hears speech where there is none, or none that anybody understands")
			}
			// Isolated numbers with long gaps are not told from other calls.
			if len(k.Content.Speech) > 0 && kinds[perceive.Speech] == 0 && k.File != "countdown.mp3" {
				t.Error("hears no speech")
			}
			loudness := one(t, list, "LUFS").Values
			for name, want := range map[string]float64{"integrated_lufs": k.Audio.LUFS, "range_lu": k.Audio.LRA, "true_peak_dbtp": *k.Audio.Peak} {
				if got := loudness[name]; math.Abs(got-want) > 0.5 {
					t.Errorf("%s %.1f, want %.1f", name, got, want)
				}
			}
			for _, o := range list {
				if strings.Contains(o.What, "consistent with") && o.Sure > mostSure && !strings.Contains(o.What, "hum") && !strings.Contains(o.What, "compression") {
					t.Errorf("too sure of a source: %+v", o)
				}
			}
		})
	}
}
