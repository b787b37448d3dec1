package collect

import (
	"fmt"
	"strings"
)

// A check is a rule as it was applied to one file.
type check struct {
	Rule     string  `json:"rule"`
	Measured float64 `json:"measured"`
	Limit    float64 `json:"limit"`
	Refused  bool    `json:"refused,omitempty"`
}

// String says what was measured and what was wanted.
func (c check) String() string {
	bound := "most"
	if strings.HasPrefix(c.Rule, "min_") {
		bound = "least"
	}
	return fmt.Sprintf("it is %g, and at %s %g is wanted", c.Measured, bound, c.Limit)
}

// A ruleInfo describes a rule, for tables and pages.
type ruleInfo struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// RuleNames lists the reasons for leaving a file out, in the order in which they are looked for.
var RuleNames = []ruleInfo{
	{ruleReadable, "the file can be opened and decoded"},
	{ruleID, "no file before it in the list has its id"},
	{ruleHeight, "pixels of the picture's shorter side; 0 = no picture"},
	{ruleMinSeconds, "length of the file in seconds"},
	{ruleMaxSeconds, "length of the file in seconds"},
	{ruleTransitions, "hard cuts in the file"},
	{ruleSilent, "share of the file's length without sound"},
	{ruleStill, "share of the file's length in which the picture stands still"},
	{ruleSubtitles, "share of the frames that were read with text in the lower third"},
	{ruleSegment, "the file has a segment of the wanted length with the wanted cuts"},
	{ruleContaminated, "no file of the folders to keep away from is a copy of it"},
	{ruleDuplicate, "no accepted file is a copy of it"},
	{ruleSource, "no accepted file is of the same source"},
	{ruleCategory, "clips of its category that were accepted before it"},
	{ruleBin, "clips of its bin of lengths that were accepted before it"},
	{ruleClips, "clips that were accepted before it"},
}

// Names of rules; those with a limit are the names in the rules file.
const (
	ruleReadable     = "readable"
	ruleID           = "unique_id"
	ruleHeight       = "min_height"
	ruleMinSeconds   = "min_seconds"
	ruleMaxSeconds   = "max_seconds"
	ruleTransitions  = "min_transitions"
	ruleSilent       = "max_silent_share"
	ruleStill        = "max_still_share"
	ruleSubtitles    = "max_subtitle_share"
	ruleSegment      = "segment"
	ruleContaminated = "not_contaminated"
	ruleDuplicate    = "not_duplicate"
	ruleSource       = "one_per_source"
	ruleCategory     = "max_per_category"
	ruleBin          = "max_per_bin"
	ruleClips        = "max_clips"
)

// atLeast and atMost apply limits.
func atLeast(rule string, measured, limit float64) check {
	return check{rule, measured, limit, measured < limit}
}

func atMost(rule string, measured, limit float64) check {
	return check{rule, measured, limit, measured > limit}
}

// checkHeader applies the rules that need no decoding.
func (r *ruleSet) checkHeader(m *measures) []check {
	list := []check{atLeast(ruleHeight, float64(min(m.Width, m.Height)), float64(r.MinHeight)), atLeast(ruleMinSeconds, m.Seconds, r.MinSeconds)}
	if r.MaxSeconds > 0 {
		list = append(list, atMost(ruleMaxSeconds, m.Seconds, r.MaxSeconds))
	}
	return list
}

// checkContent applies the rules of what was decoded.
func (r *ruleSet) checkContent(m *measures) []check {
	list := []check{
		atLeast(ruleTransitions, float64(len(m.Cuts)), float64(r.MinTransitions)),
		atMost(ruleSilent, m.silentShare(), r.MaxSilentShare), atMost(ruleStill, m.stillShare(), r.MaxStillShare),
	}
	if r.MaxSubtitleShare < 1 && m.Height > 0 {
		list = append(list, atMost(ruleSubtitles, m.subtitleShare(r.SubtitleArea), r.MaxSubtitleShare))
	}
	return list
}

// refused is the first rule that refuses; nil = none does.
func refused(list []check) *check {
	for i := range list {
		if list[i].Refused {
			return &list[i]
		}
	}
	return nil
}
