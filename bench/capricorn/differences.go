package capricorn

import (
	"omniscope"
	"omniscope/bench"
)

// explain lists the differences between the scorings on this video. All kinds
// are listed in design/capricorn.md.
func (u *unit) explain() {
	counts := make(map[string]int)
	for i := range u.v.events {
		u.explainEvent(i, counts)
	}
	for _, name := range u.subjects {
		u.explainSubject(name, counts)
	}
	u.explainVideo(counts)
	if u.crash != "" {
		u.differ(whatCrash+": "+u.crash, len(u.v.events), u.crashEffect(), "scores what is there")
	}
	for _, d := range knownDifferences {
		if n := counts[d.what]; n > 0 {
			official, strict := u.effects(d)
			u.differ(d.what, n, official, strict)
		}
	}
}

// explainEvent counts the differences about event i.
func (u *unit) explainEvent(i int, counts map[string]int) {
	ev, j, first := u.v.events[i], &u.judged[i], u.firstEqual[i] == i
	switch {
	case !first && len(ev.subjects) > 0:
		counts[whatRepeated]++
	case ev.nameless():
		counts[whatNameless]++
	}
	if first && !u.askedOnlyByOfficial(i) && j.verdict == omniscope.Unjudged && j.outcome != omniscope.Pending {
		counts[whatFailed]++
	}
	if first && j.clear != nil {
		counts[whatUnclear]++
	}
	if !j.mentioned() {
		return
	}
	for _, s := range ev.subjects {
		if j.descriptions[s] == nil {
			counts[whatNull]++
		}
	}
}

// explainSubject counts the differences about the descriptions of a subject.
func (u *unit) explainSubject(name string, counts map[string]int) {
	if g := u.official[name]; g != nil && g.failed && g.outcome != omniscope.Pending {
		counts[whatUngrouped]++
	} else if g != nil && !g.failed {
		counts[whatSurplus] += g.surplus()
	}
	if g := u.strict[name]; g != nil && g.unasked && u.strictSkip == nil {
		counts[whatUnasked]++
	}
}

// explainVideo counts the differences about the complete video.
func (u *unit) explainVideo(counts map[string]int) {
	pending := u.outcome == omniscope.Pending
	if keypoints, _ := u.counts(mends{crash: true}); keypoints[keyVideos] == 0 && !pending {
		counts[whatNoEvents] = 1
	}
	if u.v.bucket() == "" {
		counts[whatNoBucket] = 1
	}
	if pending {
		counts[whatPending] = 1
	}
}

// effects describes what each scoring does about a difference, and where this run did not ask what the other would have asked.
func (u *unit) effects(d knownDifference) (official, strict string) {
	official, strict = d.official, d.strict
	switch {
	case u.offline:
	case d.what == whatRepeated && u.scoring == bench.Strict:
		official += ", which this run did not: run with --scoring official"
	case d.what == whatNameless && u.scoring == bench.Official:
		strict = "left unjudged, with bounds: run with --scoring strict to ask about them so"
	}
	return official, strict
}

// crashEffect describes what the published scorer does after its error. If the
// error is in its last step, it computes no score for any video; here the other
// videos keep their scores.
func (u *unit) crashEffect() string {
	if u.crash == crashOfScores {
		return "the published script stops without a score; here the video is left out of the means"
	}
	return "leaves the video out of its means"
}

// singleMends are the mends that can change a score, one at a time, with the
// name of the difference.
var singleMends = []struct {
	what string
	mends
}{
	{whatRepeated, mends{repeated: true}},
	{whatNameless, mends{nameless: true}},
	{whatFailed, mends{failed: true}},
	{whatNull, mends{null: true}},
	{whatSurplus, mends{surplus: true}},
	{whatUnasked, mends{unasked: true}},
	{whatUnclear, mends{clear: true}},
}

const (
	whatRepeated  = "subject events whose text is there already"
	whatNameless  = "subject events that name no subject"
	whatFailed    = "keypoints without a usable judgement"
	whatNull      = "mentions without a description"
	whatUngrouped = "subjects whose descriptions could not be grouped"
	whatUnasked   = "subjects about whose descriptions only strict asks so"
	whatUnclear   = "judgements that contradict themselves"
	whatNoBucket  = "videos outside the published durations"
	whatSurplus   = "descriptions that replies put into groups more often than they stand there"
	whatNoEvents  = "videos without a keypoint that the published scorer keeps"
	whatNoCaption = "videos without a caption"
	whatPending   = "videos with answers that people still owe"
	whatCrash     = "videos on which the published scorer raises an error"

	whatNullCaption = "captions that are null"
	whatEmpty       = "empty captions"
	whatClash       = "videos with several captions that differ"
	whatTwice       = "videos with several equal captions"
)

// strictSkipText describes how strict counts a video that it does not ask about.
var strictSkipText = map[omniscope.Outcome]string{
	omniscope.Missing:   "left unjudged, with bounds",
	omniscope.Unparsed:  "left unjudged, with bounds",
	omniscope.Abstained: "mention nothing, without asking",
}

type knownDifference struct{ what, official, strict string }

var knownDifferences = []knownDifference{
	{whatRepeated, "each adds to its subject's keypoints, and is asked about again", "count once"},
	{whatNameless, "judged and then lost", "count as keypoints without subjects"},
	{whatFailed, "count as not mentioned", "left unjudged, with bounds"},
	{whatNull, "go into the grouping as null", "left out of the grouping"},
	{whatUngrouped, "vanish from the mean", "left unscored, with bounds"},
	{whatSurplus, "count as often as the reply has them", "count once"},
	{whatUnasked, "asks about a list with nulls or repeats", "left unscored: run with --scoring strict"},
	{whatUnclear, "count", "asked about again in a run of strict, else left unjudged"},
	{whatNoEvents, "the published script stops without a score; here they are in no mean", "score what there is"},
	{whatPending, "left out of the means", "what is not answered is left unjudged, with bounds"},
	{whatNoBucket, "count in the whole, and in no range", "have a range of their own"},
}

func (u *unit) differ(what string, items int, official, strict string) {
	u.differences = append(u.differences, bench.UnitDifference{What: what, Items: items, Official: official, Strict: strict})
}

// skip marks a unit that the judge is not asked about, and sets its outcome.
func (u *unit) skip(l skipReason, official string) {
	u.unasked, u.outcome = l.what, l.outcome
	u.differ(l.what, len(u.v.events), official, strictSkipText[l.outcome])
	if l.outcome == omniscope.Abstained {
		for i := range u.judged {
			u.judged[i] = skippedJudgement(l.outcome)
		}
	}
}

// skipInStrict is for videos that only official asks about. It skips the video
// in a run of strict, and only records the reason in a run of official.
func (u *unit) skipInStrict(l skipReason, official string) {
	if u.scoring == bench.Strict {
		u.skip(l, official+": run with --scoring official")
		return
	}
	u.strictSkip = &l
	u.differ(l.what, len(u.v.events), official, strictSkipText[l.outcome])
}

// skippedJudgement returns the judgement of a keypoint of a skipped video.
func skippedJudgement(o omniscope.Outcome) judgement {
	if o == omniscope.Abstained {
		return judgement{outcome: o, verdict: omniscope.NotGiven, reason: "the caption is empty"}
	}
	return judgement{outcome: o}
}
