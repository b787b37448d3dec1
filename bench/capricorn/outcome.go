package capricorn

import (
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
)

// computeOutcome computes the video's outcome, the published scorer's error if
// it raises one, and the differences between the scorings.
func (u *unit) computeOutcome() {
	u.crash = u.crashReason()
	u.outcome = u.videoOutcome()
	if u.unasked == "" {
		u.explain()
	}
}

// videoOutcome returns OK unless at least half of the video's keypoints could
// not be judged, or none of its subjects' descriptions could be grouped.
func (u *unit) videoOutcome() omniscope.Outcome {
	if u.unasked != "" {
		return u.outcome
	}
	var failed []omniscope.Outcome
	all := 0
	for i := range u.judged {
		if u.firstEqual[i] != i || u.askedOnlyByOfficial(i) {
			continue
		}
		all++
		if j := u.judgementOfRun(i); j.verdict == omniscope.Unjudged {
			failed = append(failed, j.outcome)
		}
	}
	if slices.Contains(failed, omniscope.Pending) {
		return omniscope.Pending
	}
	if len(failed) > 0 && 2*len(failed) >= all {
		return mostFrequent(failed)
	}
	failed, all = nil, 0
	for _, g := range u.groupings() {
		all++
		if g.failed {
			failed = append(failed, g.outcome)
		}
	}
	if slices.Contains(failed, omniscope.Pending) {
		return omniscope.Pending
	}
	if len(failed) > 0 && len(failed) == all {
		return mostFrequent(failed)
	}
	return omniscope.OK
}

// judgementOfRun returns the judgement of an event that the run's scoring counts.
func (u *unit) judgementOfRun(i int) *judgement {
	if u.scoring == bench.Official {
		return u.judgementFor(i, published)
	}
	return u.judgementFor(i, mended)
}

// groupings returns, by subject, the groupings that the judge was asked for and
// that the run's scoring scores.
func (u *unit) groupings() map[string]*grouping {
	of := u.strict
	if u.scoring == bench.Official {
		of = u.official
	}
	out := make(map[string]*grouping)
	for name, g := range of {
		if g != nil && g.asked {
			out[name] = g
		}
	}
	return out
}

// mostFrequent returns the most frequent outcome, the lowest of equally
// frequent ones.
func mostFrequent(outcomes []omniscope.Outcome) omniscope.Outcome {
	n := make(map[omniscope.Outcome]int)
	for _, o := range outcomes {
		n[o]++
	}
	worst := omniscope.Failed
	for o := range n {
		if n[o] > n[worst] || n[o] == n[worst] && o < worst {
			worst = o
		}
	}
	return worst
}

// askedOnlyByOfficial reports whether only official scoring asks about an event
// in this form: as an event of subjects, although it names none. No valid reply
// to that question can say that the event is mentioned.
func (u *unit) askedOnlyByOfficial(i int) bool {
	return !u.offline && u.v.events[i].nameless() && u.v.events[i].ofSubjects()
}

// strictJudgement returns the judgement of an event in strict scoring. An event
// that only official asked about stays unjudged.
func (u *unit) strictJudgement(i int) *judgement {
	switch {
	case u.strictSkip != nil:
		j := skippedJudgement(u.strictSkip.outcome)
		return &j
	case u.askedOnlyByOfficial(i):
		return u.equalStrictJudgement(i)
	}
	return u.judged[i].inStrict()
}

// equalStrictJudgement returns the judgement of an event with the same text that
// was asked about in strict's form. It is unjudged if there is no such event.
func (u *unit) equalStrictJudgement(i int) *judgement {
	for k := range u.judged {
		if u.firstEqual[k] == u.firstEqual[i] && !u.askedOnlyByOfficial(k) {
			return u.judged[k].inStrict()
		}
	}
	return &judgement{outcome: u.judged[i].outcome, attempts: u.judged[i].attempts}
}

// crashReason returns why the published scorer raises an error on this video and
// leaves it out, "" if it raises none.
func (u *unit) crashReason() string {
	if len(u.v.lacking) > 0 {
		return "a list of events is missing"
	}
	if u.v.duration == nil {
		return "the duration is missing"
	}
	for i, ev := range u.v.events {
		if !classIsOfSubjects(ev) || u.judged[i].verdict != omniscope.NotGiven {
			continue
		}
		for _, s := range ev.subjects {
			if _, ok := u.judged[i].descriptions[s]; !ok {
				return "the judge left a subject out of an event that is not mentioned"
			}
		}
	}
	if u.repeatsOther() {
		return crashOfScores
	}
	return ""
}

// crashOfScores is the error that the published scorer raises after it has
// written its judgements, when it counts them.
const crashOfScores = "an event that is not of subjects repeats the text of an earlier one"

// hasRows reports whether the video has rows in the published files.
func (u *unit) hasRows() bool {
	return u.unasked == "" && u.outcome != omniscope.Pending && (u.crash == "" || u.crash == crashOfScores)
}

// repeatsOther reports whether an event that is not of subjects repeats an earlier
// one that the published scorer keeps, which is an assertion there.
func (u *unit) repeatsOther() bool {
	for i, ev := range u.v.events {
		if !classIsOfSubjects(ev) && u.firstPublished[i] != i {
			return true
		}
	}
	return false
}

func classIsOfSubjects(ev event) bool { return ev.class < subjectClasses }

// mends says which faults of the published scorer are mended: none in official,
// all in strict.
type mends struct {
	repeated   bool // equal events of a subject count once
	nameless   bool // events of subjects that name none count
	failed     bool // keypoints without a usable judgement are unjudged
	null       bool // mentions without a description stay out of the grouping
	surplus    bool // descriptions that a reply repeats count once
	unasked    bool // subjects with another list of descriptions in strict are unscored in a run of official
	strictSkip bool // strict skips videos that only official asks about
	crash      bool // videos on which the published scorer raises an error are scored
	clear      bool // judgements that contradict themselves do not count
}

var (
	published = mends{}
	mended    = mends{true, true, true, true, true, true, true, true, true}
)

// tallies returns the unit's counts in one scoring.
func (u *unit) tallies(p bench.Scoring) []bench.Tally {
	if p == bench.Official {
		counts, byClass := u.counts(published)
		return withSlices(counts, u.v.bucket(), byClass)
	}
	counts, byClass := u.counts(mended)
	return withSlices(counts, u.v.strictBucket(), byClass)
}

// counts returns the unit's counts with some faults mended, and its keypoints by
// class.
func (u *unit) counts(m mends) (metric.Counts, []metric.KeypointTally) {
	byClass := make([]metric.KeypointTally, len(classes))
	if m != mended && (u.unasked != "" || u.outcome == omniscope.Pending || u.crash != "" && !m.crash) {
		return newCounts(), byClass
	}
	var all metric.KeypointTally
	for i, ev := range u.v.events {
		first := u.firstPublished
		if m.nameless {
			first = u.firstEqual
		}
		if first[i] != i {
			continue // counted already, or dropped by the published scorer
		}
		v := u.verdictOf(i, m)
		add(&all, v)
		add(&byClass[ev.class], v)
	}
	c := all.Count()
	c.CountSubjects(scoresOf(u.subjectScores(m)))
	return c, byClass
}

func (u *unit) judgementFor(i int, m mends) *judgement {
	if m.clear {
		return u.judged[i].inStrict()
	}
	return &u.judged[i]
}

func (u *unit) verdictOf(i int, m mends) omniscope.Verdict {
	j := u.judgementFor(i, m)
	switch {
	case m.strictSkip && u.strictSkip != nil:
		return skippedJudgement(u.strictSkip.outcome).verdict
	case m.nameless && u.askedOnlyByOfficial(i):
		j = u.equalStrictJudgement(i)
	}
	if j.verdict == omniscope.Unjudged && !m.failed {
		return omniscope.NotGiven
	}
	return j.verdict
}

func add(t *metric.KeypointTally, v omniscope.Verdict) {
	switch v {
	case omniscope.Correct:
		t.Correct++
	case omniscope.Partial:
		t.Partial++
	case omniscope.NotGiven:
		t.NotMentioned++
	default:
		t.Unjudged++
	}
}

func withSlices(c metric.Counts, bucket string, byClass []metric.KeypointTally) []bench.Tally {
	tallies := []bench.Tally{{Dimension: "overall", Counts: c}}
	if bucket != "" {
		tallies = append(tallies, bench.Tally{Dimension: "duration", Group: bucket, Counts: c})
	}
	for i, t := range byClass {
		if t != (metric.KeypointTally{}) {
			tallies = append(tallies, bench.Tally{Dimension: "keypoints", Group: classes[i].title, Counts: t.Count()})
		}
	}
	return tallies
}

// A scoredSubject is a subject's consistency in one scoring.
type scoredSubject struct {
	name      string
	keypoints int
	metric.SubjectScore
}

func scoresOf(list []scoredSubject) []metric.SubjectScore {
	out := make([]metric.SubjectScore, len(list))
	for i, s := range list {
		out[i] = s.SubjectScore
	}
	return out
}

// subjectScores scores the subjects that two keypoints or more name.
func (u *unit) subjectScores(m mends) []scoredSubject {
	var out []scoredSubject
	for _, name := range u.subjects {
		s := scoredSubject{name: name}
		unjudged := 0
		for i, ev := range u.v.events {
			if !slices.Contains(ev.subjects, name) || m.repeated && u.firstEqual[i] != i {
				continue
			}
			s.keypoints++
			if u.verdictOf(i, m) == omniscope.Unjudged {
				unjudged++
			}
		}
		if s.keypoints < 2 {
			continue
		}
		s.SubjectScore = u.scoreOf(name, s.keypoints, unjudged, m)
		out = append(out, s)
	}
	return out
}

func (u *unit) scoreOf(name string, keypoints, unjudged int, m mends) metric.SubjectScore {
	left, outcome := u.unasked != "", u.outcome
	if m.strictSkip && u.strictSkip != nil {
		left, outcome = true, u.strictSkip.outcome
	}
	switch {
	case left && outcome == omniscope.Abstained:
		return metric.SubjectScore{Scored: true} // an empty caption scores 0
	case left:
		return metric.SubjectScore{High: 1}
	}
	g, _ := u.groupingFor(name, m)
	if g.failed {
		high, _ := metric.Consistency([]int{len(g.descriptions) + unjudged}, keypoints)
		return metric.SubjectScore{High: high}
	}
	sizes := g.sizes(m.surplus)
	low, _ := metric.Consistency(sizes, keypoints)
	ref, ok := metric.Consistency(sizes, keypoints-unjudged) // unjudged keypoints leave the denominator
	largest := 0
	if len(g.descriptions) > 0 {
		largest = 1 // a single mention has no group yet, but an unjudged one could join it
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		largest = sizes[len(sizes)-1]
		sizes = sizes[:len(sizes)-1]
	}
	high, _ := metric.Consistency(append(sizes, largest+unjudged), keypoints)
	return metric.SubjectScore{Ref: ref, Scored: ok, Low: low, High: high}
}
