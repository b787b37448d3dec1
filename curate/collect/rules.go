package collect

import (
	"context"
	"fmt"
	"math"
	"slices"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/yamlfile"
)

// ruleSet defines which files are accepted. Limits of 0 and shares of 1 refuse nothing.
type ruleSet struct {
	MinHeight      int     `yaml:"min_height" json:"min_height"`             // pixels of the shorter side
	MinSeconds     float64 `yaml:"min_seconds" json:"min_seconds"`           // of the file
	MaxSeconds     float64 `yaml:"max_seconds" json:"max_seconds"`           // of the file; 0 = any
	MinTransitions int     `yaml:"min_transitions" json:"min_transitions"`   // hard cuts inside what is chosen
	MaxSilentShare float64 `yaml:"max_silent_share" json:"max_silent_share"` // of the file's length; 1 = it need not have sound
	MaxStillShare  float64 `yaml:"max_still_share" json:"max_still_share"`   // of the file's length

	// A frame is subtitled if text in its lower third covers at least SubtitleArea of the picture.
	MaxSubtitleShare float64 `yaml:"max_subtitle_share" json:"max_subtitle_share"` // of the frames that are read; 1 = none is read
	SubtitleArea     float64 `yaml:"subtitle_area" json:"subtitle_area"`

	OnePerSource   bool      `yaml:"one_per_source" json:"one_per_source"`     // of those with one value in column source
	MaxPerCategory int       `yaml:"max_per_category" json:"max_per_category"` // 0 = any
	DurationBins   []float64 `yaml:"duration_bins" json:"duration_bins"`       // seconds at which bins of clip lengths begin and end
	MaxPerBin      int       `yaml:"max_per_bin" json:"max_per_bin"`           // clips of one bin; 0 = any
	MaxClips       int       `yaml:"max_clips" json:"max_clips"`               // 0 = any

	Segment segmentRules `yaml:"segment" json:"segment"`
}

// segmentRules say how long a segment is.
type segmentRules struct {
	MinSeconds    float64 `yaml:"min_seconds" json:"min_seconds"`
	MaxSeconds    float64 `yaml:"max_seconds" json:"max_seconds"`
	WantedSeconds float64 `yaml:"wanted_seconds" json:"wanted_seconds"`
}

// DefaultRules are those of CapRiCorn-1K for collecting (720p or better, a transition, one clip a
// source, no heavy subtitles) and the segment of 10 to 60 s of Omni-Cloze.
func DefaultRules() ruleSet {
	return ruleSet{
		MinHeight: 720, MinSeconds: 10, MinTransitions: 1, MaxSilentShare: 0.9, MaxStillShare: 0.5,
		MaxSubtitleShare: 0.5, SubtitleArea: 0.005, OnePerSource: true, DurationBins: []float64{10, 20, 30, 45, 60},
		Segment: segmentRules{MinSeconds: 10, MaxSeconds: 60, WantedSeconds: 30},
	}
}

// ReadRules reads a file of YAML in which each rule that is missing has its default.
func ReadRules(ctx context.Context, path string) (ruleSet, error) {
	r := DefaultRules()
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return r, err
	}
	if err = yamlfile.Decode(text, &r); err == nil {
		err = r.check()
	}
	if err != nil {
		return r, omniscope.Invalidf("%s: %w", path, err)
	}
	return r, nil
}

func (r *ruleSet) check() error {
	for _, n := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"min_height", float64(r.MinHeight), 1 << 16}, {"min_seconds", r.MinSeconds, 1e6}, {"max_seconds", r.MaxSeconds, 1e6},
		{"min_transitions", float64(r.MinTransitions), 1e6}, {"max_silent_share", r.MaxSilentShare, 1}, {"max_still_share", r.MaxStillShare, 1},
		{"max_subtitle_share", r.MaxSubtitleShare, 1}, {"subtitle_area", r.SubtitleArea, 1}, {"max_per_category", float64(r.MaxPerCategory), 1e9},
		{"max_per_bin", float64(r.MaxPerBin), 1e9}, {"max_clips", float64(r.MaxClips), 1e9},
		{"segment: min_seconds", r.Segment.MinSeconds, 1e6}, {"segment: max_seconds", r.Segment.MaxSeconds, 1e6}, {"segment: wanted_seconds", r.Segment.WantedSeconds, 1e6},
	} {
		if !(n.value >= 0 && n.value <= n.most) {
			return fmt.Errorf("%s: %g is not from 0 to %g", n.name, n.value, n.most)
		}
	}
	s := r.Segment
	switch {
	case r.MaxSeconds > 0 && r.MaxSeconds < r.MinSeconds:
		return fmt.Errorf("max_seconds: %g is less than min_seconds, %g", r.MaxSeconds, r.MinSeconds)
	case s.MinSeconds <= 0 || s.MaxSeconds < s.MinSeconds || s.WantedSeconds < s.MinSeconds || s.WantedSeconds > s.MaxSeconds:
		return fmt.Errorf("segment: 0 < min_seconds ≤ wanted_seconds ≤ max_seconds does not hold for %g, %g, %g", s.MinSeconds, s.WantedSeconds, s.MaxSeconds)
	case !slices.IsSortedFunc(r.DurationBins, func(a, b float64) int {
		if a < b {
			return -1
		}
		return 1
	}) || slices.ContainsFunc(r.DurationBins, func(s float64) bool { return !(s > 0) || math.IsInf(s, 0) }):
		return fmt.Errorf("duration_bins: %v are no growing lengths in seconds", r.DurationBins)
	}
	return nil
}

// Bin names the bin of clip lengths that a length belongs to.
func (r *ruleSet) Bin(seconds float64) string {
	for i, edge := range r.DurationBins {
		if seconds >= edge {
			continue
		}
		if i == 0 {
			return fmt.Sprintf("under %g s", edge)
		}
		return fmt.Sprintf("%g-%g s", r.DurationBins[i-1], edge)
	}
	if n := len(r.DurationBins); n > 0 {
		return fmt.Sprintf("%g s and more", r.DurationBins[n-1])
	}
	return "any"
}
