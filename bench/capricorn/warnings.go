package capricorn

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
)

// warnings describes what could not be judged or grouped in this video.
func (u *unit) warnings() []string {
	warn := func(format string, args ...any) string {
		return fmt.Sprintf("video %s: ", u.v.id) + fmt.Sprintf(format, args...)
	}
	if u.unasked != "" {
		if u.outcome == omniscope.Abstained {
			return nil // an empty caption is an answer
		}
		return []string{warn("%s, it is one of the %s", u.outcome, u.unasked)}
	}
	var out []string
	failed, all, why := 0, 0, ""
	for i := range u.judged {
		if u.firstEqual[i] != i || u.askedOnlyByOfficial(i) {
			continue
		}
		all++
		if j := u.judgementOfRun(i); j.verdict == omniscope.Unjudged && j.outcome != omniscope.Pending {
			failed++
			why = j.reason
		}
	}
	if failed > 0 {
		out = append(out, warn("%d of %d keypoints have no usable judgement%s", failed, all, lastReason(why)))
	}
	groupings := u.groupings()
	for _, name := range u.subjects {
		if g := groupings[name]; g != nil && g.failed && g.outcome != omniscope.Pending {
			out = append(out, warn("the descriptions of %s could not be grouped%s", name, lastReason(g.reason)))
		}
	}
	if u.crash != "" {
		out = append(out, warn("the published scorer raises an error: %s", u.crash))
	}
	return out
}

// lastReason returns the end of a warning: the reason of the last failure.
func lastReason(why string) string {
	if why == "" {
		return ""
	}
	return "; the last one: " + why
}

// scoringGaps counts the questions that only the other scoring would have asked,
// and the groupings of the run's own scoring.
type scoringGaps struct {
	repeats  int // events of subjects that official would have asked about again
	captions int // that official would have asked about
	nameless int // keypoints that only official asks about in this form
	lists    int // lists of descriptions that only strict asks about

	groupings, failed int // in the run's scoring
}

func (a *scoringGaps) add(b scoringGaps) {
	a.repeats, a.captions, a.nameless, a.lists = a.repeats+b.repeats, a.captions+b.captions, a.nameless+b.nameless, a.lists+b.lists
	a.groupings, a.failed = a.groupings+b.groupings, a.failed+b.failed
}

func (u *unit) scoringGaps() (a scoringGaps) {
	if u.offline {
		return a
	}
	if u.unasked != "" {
		if u.unasked != whatNoCaption {
			a.captions++
		}
		return a
	}
	if u.strictSkip == nil { // else strict would not have asked at all
		u.addSpared(&a)
	}
	for _, g := range u.groupings() {
		a.groupings++
		if g.failed {
			a.failed++
		}
	}
	return a
}

// addSpared counts what one scoring would have asked about and the other did not.
func (u *unit) addSpared(a *scoringGaps) {
	for i, ev := range u.v.events {
		switch {
		case u.scoring == bench.Strict && u.firstEqual[i] != i && len(ev.subjects) > 0:
			a.repeats++
		case u.askedOnlyByOfficial(i) && u.firstEqual[i] == i && u.equalStrictJudgement(i).verdict == omniscope.Unjudged:
			a.nameless++
		}
	}
	for _, g := range u.strict {
		if g != nil && g.unasked {
			a.lists++
		}
	}
}

// manyFailed is the share of failed groupings above which the run has a warning.
const manyFailed = 0.1

// runWarnings returns the warnings about the results as a whole.
func (e *evaluation) runWarnings() []string {
	var out []string
	a := e.effect.gaps
	if a.failed > 0 && float64(a.failed) >= manyFailed*float64(a.groupings) {
		out = append(out, fmt.Sprintf("the descriptions of %d of %s could not be grouped: Ref is that of the others", a.failed, quantity.Of(a.groupings, "subject", "subjects")))
	}
	if e.judge == nil {
		return out
	}
	if e.in.Scoring == bench.Official {
		if a.nameless > 0 || a.lists > 0 {
			out = append(out, fmt.Sprintf("what scoring strict has here lacks what it asks otherwise: %s and the descriptions of %s; run with --scoring strict", quantity.Of(a.nameless, "keypoint", "keypoints"), quantity.Of(a.lists, "subject", "subjects")))
		}
		return out
	}
	var lacking []string
	if e.b.Batched {
		lacking = append(lacking, "all keypoints of a video asked about in one call")
	}
	if a.repeats > 0 {
		lacking = append(lacking, quantity.Of(a.repeats, "repeated keypoint", "repeated keypoints")+" not asked about again")
	}
	if a.captions > 0 {
		lacking = append(lacking, quantity.Of(a.captions, "caption", "captions")+" not asked about")
	}
	if len(lacking) > 0 {
		out = append(out, fmt.Sprintf("what scoring official has here, and %s to %s, is the published scorer's only where that asks the same: %s; run with --scoring official",
			stage1File, refFile, strings.Join(lacking, ", ")))
	}
	return out
}
