package collect

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestRulesHaveDefaults(t *testing.T) {
	got, err := ReadRules(t.Context(), fixture.File(t, "rules.yaml", "min_height: 480\nsegment:\n  max_seconds: 40\n"))
	fixture.OK(t, err)
	want := DefaultRules()
	want.MinHeight, want.Segment.MaxSeconds = 480, 40
	if got.MinHeight != 480 || got.Segment != want.Segment || got.MaxStillShare != want.MaxStillShare || !got.OnePerSource || len(got.DurationBins) != len(want.DurationBins) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestBadRules(t *testing.T) {
	for text, says := range map[string]string{
		"min_hight: 480":                           `there is no field "min_hight"; did you mean min_height?`,
		"max_still_share: 1.5":                     "max_still_share: 1.5 is not from 0 to 1",
		"max_still_share: .nan":                    "max_still_share: NaN",
		"min_seconds: 30\nmax_seconds: 20":         "max_seconds: 20 is less than min_seconds, 30",
		"duration_bins: [20, 10]":                  "duration_bins",
		"segment: {min_seconds: 70}":               "segment: 0 < min_seconds",
		"segment: {wanted_secnds: 20}":             "wanted_seconds",
		"min_transitions: -1":                      "min_transitions: -1",
		"segment: {min_seconds: 0}\nmin_height: 1": "segment:",
	} {
		_, err := ReadRules(t.Context(), fixture.File(t, "rules.yaml", text))
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "rules.yaml") {
			t.Errorf("%q: %v, want one that says %q", text, err, says)
		}
	}
}

func TestBins(t *testing.T) {
	r := DefaultRules()
	for seconds, want := range map[float64]string{5: "under 10 s", 10: "10-20 s", 29.9: "20-30 s", 60: "60 s and more"} {
		if got := r.Bin(seconds); got != want {
			t.Errorf("%g s: %q, want %q", seconds, got, want)
		}
	}
	if got := (&ruleSet{}).Bin(3); got != "any" {
		t.Errorf("without bins: %q", got)
	}
}

func TestRulesOfOneFile(t *testing.T) {
	fine := func() *measures {
		return &measures{Width: 1280, Height: 720, Seconds: 20, Cuts: []float64{5}, Sound: true, TextAreas: []float64{0, 0.02, 0, 0.004}}
	}
	r := DefaultRules()
	r.MaxSeconds = 600
	for _, c := range []struct {
		name, rule string
		measured   float64
		spoil      func(m *measures)
	}{
		{"as it should be", "", 0, func(*measures) {}},
		{"small", ruleHeight, 719, func(m *measures) { m.Height = 719 }},
		{"narrow", ruleHeight, 480, func(m *measures) { m.Width, m.Height = 480, 900 }},
		{"short", ruleMinSeconds, 9.9, func(m *measures) { m.Seconds = 9.9 }},
		{"long", ruleMaxSeconds, 601, func(m *measures) { m.Seconds = 601 }},
		{"one shot", ruleTransitions, 0, func(m *measures) { m.Cuts = nil }},
		{"no sound", ruleSilent, 1, func(m *measures) { m.Sound = false }},
		{"hardly any sound", ruleSilent, 0.95, func(m *measures) { m.Quiet = [][2]float64{{0, 10}, {11, 20}} }},
		{"still", ruleStill, 0.6, func(m *measures) { m.Still = [][2]float64{{4, 16}} }},
		{"subtitles", ruleSubtitles, 0.75, func(m *measures) { m.TextAreas = []float64{0.02, 0.01, 0.005, 0.001} }},
	} {
		m := fine()
		c.spoil(m)
		got := refused(append(r.checkHeader(m), r.checkContent(m)...))
		if c.rule == "" && got != nil || c.rule != "" && (got == nil || got.Rule != c.rule || got.Measured != c.measured) {
			t.Errorf("%s: refused by %+v, want %q at %g", c.name, got, c.rule, c.measured)
		}
	}
}
