package cloze

import (
	"regexp"
	"slices"
	"strings"

	"omniscope/internal/sentences"
)

// Timestamps and exact durations. Ordinals ("first"), general words of time ("a few
// seconds", "moments later"), adjectives of things ("a three-minute egg") and what a
// clock or sign in the picture shows are none.
var (
	amount   = `(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)`
	clock    = regexp.MustCompile(`(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b`)
	duration = regexp.MustCompile(`(?i)\b(?:` +
		amount + `(?: and a half|[- ](?:to|or)[- ]` + amount + `)? (?:more |full |whole )?(?:milliseconds|seconds|secs?\b|minutes|mins?\b|hours)` +
		`|half an? (?:second|minute|hour)|(?:for|after|about|exactly) (?:one|1) (?:second|minute|hour)|(?:one|1) (?:second|minute|hour) (?:later|long|in)` +
		`|\d+(?:\.\d+)? ?(?:ms|sec)\b|(?:at|after|for|until|around) \d{1,3} ?s\b` +
		`|` + amount + `[- ](?:second|minute|hour)(?:[- ]long)? (?:clip|shot|pause|silence|segment|scene|interval|gap|stretch|mark|take|recording|delay|wait)` +
		`)`)
	shown  = regexp.MustCompile(`(?i)\b(?:clock|clocks|watch|timer|stopwatch|countdown|scoreboard|score|display|displays|sign|board|screen|label|poster|ticket|reads?|reading|shows?|showing|says|saying|labell?ed|printed|digits|overlay)\b`)
	quoted = regexp.MustCompile(`"[^"]*"|“[^”]*”`)
)

// checkTimes looks at the passage as it is with its answers, and at each distractor
// in the place of its blank.
func checkTimes(d *Draft, _ Rules) (out []Finding) {
	told := make(map[int]bool)
	for _, cut := range sentences.Cut(d.Passage) {
		sentence := cut.Text
		here := places(sentence)
		for _, text := range timesIn(marks.ReplaceAllString(sentence, "…")) {
			out = append(out, Finding{Text: text, Says: "the passage must not have timestamps or exact durations"})
		}
		for _, p := range here {
			b := d.find(p.number)
			if b == nil || told[p.number] {
				continue
			}
			for _, o := range b.options() {
				if text, ok := timeWith(sentence, p, o); ok {
					told[p.number] = true
					out = append(out, Finding{Blank: p.number, Text: o, Says: "an option must not be or complete a timestamp or an exact duration: " + text})
					break
				}
			}
		}
	}
	return out
}

// timeWith finds a time that an option is part of once it stands in its blank.
func timeWith(sentence string, p place, option string) (string, bool) {
	before, after := marks.ReplaceAllString(sentence[:p.start], "…"), marks.ReplaceAllString(sentence[p.end:], "…")
	without := timesIn(before + "…" + after)
	with := timesIn(before + option + after)
	if len(with) > len(without) {
		for _, text := range with {
			if !slices.Contains(without, text) {
				return text, true
			}
		}
	}
	return "", false
}

// timesIn are the times that a sentence tells by itself. What is quoted was said or
// is to be read in the clip, and is a detail like any other.
func timesIn(sentence string) (out []string) {
	if !mayTell(sentence) {
		return nil
	}
	plain := quoted.ReplaceAllStringFunc(sentence, func(q string) string { return strings.Repeat("\"", len(q)) })
	for _, m := range clock.FindAllStringIndex(plain, -1) {
		if !shown.MatchString(plain[:m[0]]) {
			out = append(out, plain[m[0]:m[1]])
		}
	}
	return append(out, duration.FindAllString(plain, -1)...)
}

// mayTell saves the search, which is slow, where there is neither a digit nor a unit.
func mayTell(text string) bool {
	if strings.ContainsAny(text, "0123456789") {
		return true
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "sec") || strings.Contains(lower, "min") || strings.Contains(lower, "hour")
}
