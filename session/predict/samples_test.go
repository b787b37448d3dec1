package predict

import (
	"testing"

	"omniscope"
	"omniscope/bench/predict"
)

func TestOnlySense(t *testing.T) {
	all := &predict.Profile{Senses: []omniscope.Modality{omniscope.AudioVisual, omniscope.Visual, omniscope.Audio, predict.Text}}
	for name, test := range map[string]struct {
		spec   Spec
		others map[omniscope.Modality]int
		want   omniscope.Modality
	}{
		"sound alone":      {Spec{AnySense: true, Profile: all}, map[omniscope.Modality]int{omniscope.Audio: 2, predict.Text: 2}, omniscope.Audio},
		"a named modality": {Spec{Profile: all}, map[omniscope.Modality]int{omniscope.Audio: 2}, ""},
		"either":           {Spec{AnySense: true, Profile: all}, map[omniscope.Modality]int{omniscope.Audio: 2, omniscope.Visual: 2}, ""},
		"some":             {Spec{AnySense: true, Profile: all}, map[omniscope.Modality]int{omniscope.Audio: 1}, ""},
		"a deaf model":     {Spec{AnySense: true, Profile: &predict.Profile{Senses: all.Senses[1:2]}}, map[omniscope.Modality]int{omniscope.Audio: 2}, ""},
	} {
		if got := test.spec.onlySense(2, test.others); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
