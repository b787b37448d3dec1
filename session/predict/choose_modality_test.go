package predict

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
)

// TestChooseModality: the modality follows the benchmark, and a wrong one names the right flag.
func TestChooseModality(t *testing.T) {
	all := []omniscope.Modality{omniscope.AudioVisual, omniscope.Visual, omniscope.Audio, predict.Text}
	seeing, hearing := []omniscope.Modality{omniscope.Visual, predict.Text}, []omniscope.Modality{omniscope.Audio}
	for _, c := range []struct {
		benchmark string
		senses    []omniscope.Modality // nil = the detective's
		named     omniscope.Modality
		want      omniscope.Modality
		says      string
	}{
		{"mmau", all, "", omniscope.Audio, ""},
		{"mmar", all, "", omniscope.Audio, ""},
		{"mmau", all, omniscope.Audio, omniscope.Audio, ""},
		{"mmau", hearing, "", omniscope.Audio, ""},
		{"mmau", nil, "", omniscope.Audio, ""},
		{"mmau", all, omniscope.AudioVisual, "", "write --modality audio"},
		{"mmar", all, omniscope.Visual, "", "write --modality audio"},
		{"mmar", nil, omniscope.Visual, "", "write --modality audio"},
		{"mmau", seeing, "", "", "name a profile that hears behind the model"},
		{"omni-cloze", all, "", omniscope.AudioVisual, ""},
		{"omni-cloze", seeing, "", omniscope.Visual, ""},
		{"omni-cloze", seeing, omniscope.Audio, "", "write --modality visual, or name another profile"},
		{"worldsense", all, omniscope.Audio, omniscope.Audio, ""},
		{"mcif", all, predict.Text, predict.Text, ""},
		{"", hearing, "", omniscope.Audio, ""},
		{"", nil, "", omniscope.AudioVisual, ""},
		{"omni-cloze", nil, omniscope.Audio, omniscope.Audio, ""},
	} {
		var p *predict.Profile
		if c.senses != nil {
			p = &predict.Profile{Name: "own", Senses: c.senses}
		}
		got, err := ChooseModality(c.benchmark, p, c.named)
		if got != c.want || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s, %v, %q: %q, %v; want %q, %q", c.benchmark, c.senses, c.named, got, err, c.want, c.says)
		}
	}
}
