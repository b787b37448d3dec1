package capricorn

import (
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
)

// settle finds out what the published scorer makes of the video, and how the
// unit ended.
func (u *unit) settle() {
	u.crash = u.crashes()
	u.outcome = u.howItEnded()
	if u.unasked == "" {
		u.explain()
	}
}

// howItEnded is the outcome of the video: OK unless at least half of its
// keypoints could not be judged, or none of its subjects' descriptions could be
// grouped.
func (u *unit) howItEnded() omniscope.Outcome {
	if u.unasked != "" {
		return u.outcome
	}
	var failed []omniscope.Outcome
	all := 0
	for i := range u.judged {
		if u.equal[i] != i || u.otherwise(i) {
			continue
		}
		all++
		if u.judged[i].verdict == omniscope.Unjudged {
			failed = append(failed, u.judged[i].outcome)
		}
	}
	if slices.Contains(failed, omniscope.Pending) {
		return omniscope.Pending
	}
	if len(failed) > 0 && 2*len(failed) >= all {
		return worstOf(failed)
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
		return worstOf(failed)
	}
	return omniscope.OK
}

// groupings are those that the judge was asked for and that the run's profile
// scores, by subject.
func (u *unit) groupings() map[string]*grouping {
	of := u.strict
	if u.profile == bench.Official {
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

// worstOf is the most frequent of some outcomes, and of equally frequent ones
// the first.
func worstOf(outcomes []omniscope.Outcome) omniscope.Outcome {
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

// otherwise reports whether the judge was asked about an event in a form that
// only profile official has: as one of subjects, though it names none. No reply
// to that can say that it is mentioned.
func (u *unit) otherwise(i int) bool {
	return !u.offline && u.v.events[i].nameless() && u.v.events[i].ofSubjects()
}

// strictly is the judgement of an event in profile strict. What only official
// asked about stays unjudged.
func (u *unit) strictly(i int) *judgement {
	switch {
	case u.aside != nil:
		j := leftJudgement(u.aside.outcome)
		return &j
	case u.otherwise(i):
		return u.inOtherForm(i)
	}
	return &u.judged[i]
}

// inOtherForm is the judgement of an event of the same text that was asked about
// as strict does, or none.
func (u *unit) inOtherForm(i int) *judgement {
	for k := range u.judged {
		if u.equal[k] == u.equal[i] && !u.otherwise(k) {
			return &u.judged[k]
		}
	}
	return &judgement{outcome: u.judged[i].outcome, attempts: u.judged[i].attempts}
}

// crashes says why the published scorer raises an error on this video and
// leaves it out; "" = it does not.
func (u *unit) crashes() string {
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

// crashOfScores is the error that the published scorer raises when it has
// written down its judgements and is about to count them.
const crashOfScores = "an event that is not of subjects repeats the text of an earlier one"

// hasRows reports whether the video has rows in the published files.
func (u *unit) hasRows() bool {
	return u.unasked == "" && u.outcome != omniscope.Pending && (u.crash == "" || u.crash == crashOfScores)
}

// repeatsOther reports whether an event that is not of subjects repeats an earlier
// one that the published scorer keeps, which is an assertion there.
func (u *unit) repeatsOther() bool {
	for i, ev := range u.v.events {
		if !classIsOfSubjects(ev) && u.kept[i] != i {
			return true
		}
	}
	return false
}

func classIsOfSubjects(ev event) bool { return ev.class < subjectClasses }

// mends are the faults of the published scorer that are mended, one by one:
// none in official, all in strict.
type mends struct {
	repeated bool // equal events of a subject count once
	nameless bool // events of subjects that name none count
	failed   bool // keypoints without a usable judgement are unjudged
	null     bool // mentions without a description stay out of the grouping
	surplus  bool // descriptions that a reply repeats count once
	unasked  bool // subjects about whose descriptions official asks otherwise are unscored in its run
	aside    bool // videos that official asks about and strict does not are left unasked
	crash    bool // videos on which the published scorer raises an error are scored
}

var (
	published = mends{}
	mended    = mends{true, true, true, true, true, true, true, true}
)

// tallies are the unit's counts in one profile.
func (u *unit) tallies(p bench.Profile) []bench.Tally {
	if p == bench.Official {
		counts, byClass := u.counts(published)
		return withSlices(counts, u.v.bucket(), byClass)
	}
	counts, byClass := u.counts(mended)
	return withSlices(counts, u.v.strictBucket(), byClass)
}

// counts are the unit's counts under some mends, and its keypoints by class.
func (u *unit) counts(m mends) (metric.Counts, []metric.KeypointTally) {
	byClass := make([]metric.KeypointTally, len(classes))
	if m != mended && (u.unasked != "" || u.outcome == omniscope.Pending || u.crash != "" && !m.crash) {
		return newCounts(), byClass
	}
	var all metric.KeypointTally
	for i, ev := range u.v.events {
		first := u.kept
		if m.nameless {
			first = u.equal
		}
		if first[i] != i {
			continue // counted already, or lost
		}
		v := u.verdictOf(i, m)
		add(&all, v)
		add(&byClass[ev.class], v)
	}
	c := all.Count()
	c.CountSubjects(scoresOf(u.subjectScores(m)))
	return c, byClass
}

func (u *unit) verdictOf(i int, m mends) omniscope.Verdict {
	j := &u.judged[i]
	switch {
	case m.aside && u.aside != nil:
		return leftJudgement(u.aside.outcome).verdict
	case m.nameless && u.otherwise(i):
		j = u.inOtherForm(i)
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

// A scoredSubject is a subject's consistency in one profile.
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
			if !slices.Contains(ev.subjects, name) || m.repeated && u.equal[i] != i {
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
	if m.aside && u.aside != nil {
		left, outcome = true, u.aside.outcome
	}
	switch {
	case left && outcome == omniscope.Abstained:
		return metric.SubjectScore{Scored: true} // nothing is said, so nothing is consistent
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
	ref, ok := metric.Consistency(sizes, keypoints-unjudged) // what is not judged counts neither way
	largest := 0
	if len(g.descriptions) > 0 {
		largest = 1 // one mention is in no group, but more could join it
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		largest = sizes[len(sizes)-1]
		sizes = sizes[:len(sizes)-1]
	}
	high, _ := metric.Consistency(append(sizes, largest+unjudged), keypoints)
	return metric.SubjectScore{Ref: ref, Scored: ok, Low: low, High: high}
}
