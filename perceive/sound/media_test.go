package sound

import (
	"math"
	"strings"
	"testing"

	"omniscope/internal/testing/golden"
	"omniscope/perceive"
)

func TestLongKnownClips(t *testing.T) {
	for _, k := range golden.Clips(t) {
		t.Run(k.File, func(t *testing.T) {
			list := observed(t, clip(t, golden.Path(t, "media", k.File)))
			t.Log("\n" + perceive.NewAnswer(true, list...).Text)
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
