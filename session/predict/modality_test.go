package predict

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/testing/fixture"
	"omniscope/session/catalog"
)

// TestUnsentSenses: senses that a benchmark tests and the model is not sent are warned of.
func TestUnsentSenses(t *testing.T) {
	seeing := &predict.Profile{Name: "eye", Senses: []omniscope.Modality{omniscope.Visual}}
	for _, c := range []struct {
		benchmark, data string
		modality        omniscope.Modality
		profile         *predict.Profile
		want            []string // a part of each warning
	}{
		{"omni-cloze", "", omniscope.Visual, seeing, []string{"omni-cloze tests sound, and --modality visual sends the model no sound"}},
		{"omni-cloze", "", omniscope.Audio, nil, []string{"tests pictures", "--modality audio-visual sends both"}},
		{"omni-cloze", "", omniscope.AudioVisual, nil, nil},
		{"capricorn", "annotations.jsonl", omniscope.Visual, seeing, []string{"profile eye is for models that are asked by visual"}},
		{"capricorn", "x/annotations_vision_only.jsonl", omniscope.Visual, seeing, nil},
		{"capricorn", "annotations.jsonl", omniscope.Audio, nil, []string{"tests pictures"}},
		{"worldsense", "", omniscope.Visual, nil, []string{"tests sound"}},
		{"daily-omni", "", predict.Text, nil, []string{"tests sound", "tests pictures"}},
		{"video-mme", "", omniscope.Visual, nil, nil},
		{"video-mme", "", omniscope.Audio, nil, []string{"tests pictures"}},
		{"mmau", "", omniscope.Audio, nil, nil},
		{"vdc", "", omniscope.Visual, nil, nil},
		{"ugc-videocap", "", omniscope.Visual, nil, []string{"tests sound"}},
		{"mcif", "", predict.Text, nil, nil},
	} {
		b, err := catalog.Benchmark(c.benchmark)
		fixture.OK(t, err)
		info := b.Info()
		got := strings.Join((&Spec{Data: c.data, Modality: c.modality, Profile: c.profile}).unsent(&info), "\n")
		for _, part := range c.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s by %s: %q, want %q", c.benchmark, c.modality, got, part)
			}
		}
		if c.want == nil && got != "" {
			t.Errorf("%s by %s: %q", c.benchmark, c.modality, got)
		}
	}
}
