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

// howItEnded is the outcome of the video: OK unless at least half of its events
// could not be judged.
func (u *unit) howItEnded() omniscope.Outcome {
	if u.unasked != "" {
		return u.outcome
	}
	failed := make(map[omniscope.Outcome]int)
	bad, all := 0, 0
	for i := range u.judged {
		if u.equal[i] != i {
			continue
		}
		all++
		if u.judged[i].verdict == omniscope.Unjudged {
			bad++
			failed[u.judged[i].outcome]++
		}
	}
	if bad == 0 || 2*bad < all {
		return omniscope.OK
	}
	worst := omniscope.Failed
	for o, n := range failed {
		if n > failed[worst] || n == failed[worst] && o < worst {
			worst = o
		}
	}
	return worst
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
		if !classIsOfSubjects(ev) {
			if u.equal[i] != i {
				return "an event that is not of subjects repeats the text of an earlier one"
			}
			continue
		}
		if u.judged[i].verdict != omniscope.NotGiven {
			continue
		}
		for _, s := range ev.subjects {
			if _, ok := u.judged[i].descriptions[s]; !ok {
				return "the judge left a subject out of an event that is not mentioned"
			}
		}
	}
	return ""
}

func classIsOfSubjects(ev event) bool { return ev.class < subjectClasses }

// mends are the faults of the published scorer that are mended, one by one:
// none in official, all in strict.
type mends struct {
	repeated bool // equal events of a subject count once
	nameless bool // events of subjects that name none count
	failed   bool // keypoints without a usable judgement are unjudged
	null     bool // mentions without a description stay out of the grouping
	crash    bool // videos on which the published scorer raises an error are scored
}

var (
	published = mends{}
	mended    = mends{true, true, true, true, true}
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
	if m != mended && (u.unasked != "" || u.crash != "" && !m.crash) {
		return newCounts(), byClass
	}
	var all metric.KeypointTally
	for i, ev := range u.v.events {
		if u.equal[i] != i || !m.nameless && classIsOfSubjects(ev) && len(ev.subjects) == 0 {
			continue // counted already, or lost
		}
		v := u.judged[i].verdict
		if v == omniscope.Unjudged && !m.failed {
			v = omniscope.NotGiven
		}
		add(&all, v)
		add(&byClass[ev.class], v)
	}
	c := all.Count()
	c.CountSubjects(scoresOf(u.subjectScores(m)))
	return c, byClass
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

// effects sums the counts of all units as published, and as they would be with
// one fault mended.
type effects struct {
	units     []effect // summed in this order: a sum of fractions hangs on it
	published metric.Counts
	alone     []metric.Counts          // by place in alone
	crashes   map[string]metric.Counts // of the videos that crash, by the difference's name
}

// An effect is what one unit adds to the sums.
type effect struct {
	published metric.Counts
	alone     []metric.Counts
	crash     string // the difference's name; "" = it does not crash
	uncrashed metric.Counts
}

func newCounts() metric.Counts { return make(metric.Counts, len(metric.Keypoints.Fields)) }

func (e *effects) add(seq int, u *unit) {
	one := &e.units[seq]
	one.published, _ = u.counts(published)
	one.alone = nil
	for _, a := range alone {
		c, _ := u.counts(a.mends)
		one.alone = append(one.alone, c)
	}
	if u.crash != "" {
		one.crash = whatCrash + ": " + u.crash
		one.uncrashed, _ = u.counts(mends{crash: true})
	}
}

func (e *effects) sum() {
	e.published, e.alone, e.crashes = newCounts(), nil, make(map[string]metric.Counts)
	for range alone {
		e.alone = append(e.alone, newCounts())
	}
	for _, one := range e.units {
		if one.published == nil {
			continue // it was not evaluated
		}
		e.published.Add(one.published)
		for i, c := range one.alone {
			e.alone[i].Add(c)
		}
		if one.crash == "" {
			continue
		}
		if e.crashes[one.crash] == nil {
			e.crashes[one.crash] = newCounts()
		}
		e.crashes[one.crash].Add(one.uncrashed)
	}
}

// byDifference is how much each mend changes each score, by itself.
func (e *effects) byDifference() map[string]map[string]float64 {
	e.sum()
	out := make(map[string]map[string]float64)
	for i, a := range alone {
		out[a.what] = e.change(e.alone[i])
	}
	for _, what := range []string{whatUngrouped, whatNoBucket, whatNoCaption} { // they move bounds and slices only
		out[what] = e.change(e.published)
	}
	for what, gain := range e.crashes {
		with := slices.Clone(e.published)
		with.Add(gain)
		out[what] = e.change(with)
	}
	return out
}

func (e *effects) change(with metric.Counts) map[string]float64 {
	out := make(map[string]float64)
	for _, s := range metric.Keypoints.Scores {
		before, ok := s.Value(e.published)
		after, also := s.Value(with)
		if ok && also {
			out[s.Name] = after - before
		}
	}
	return out
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
			if u.judged[i].verdict == omniscope.Unjudged && m.failed {
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
	g := u.official[name]
	if m.null { // strict asks about other lists, those of repeated events among them
		g = u.strict[name]
	}
	switch {
	case u.unasked != "" && u.outcome == omniscope.Abstained:
		return metric.SubjectScore{Scored: true} // nothing is said, so nothing is consistent
	case u.unasked != "":
		return metric.SubjectScore{High: 1}
	case g.failed:
		high, _ := metric.Consistency([]int{len(g.descriptions) + unjudged}, keypoints)
		return metric.SubjectScore{High: high}
	}
	sizes := g.sizes()
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

// explain names where the profiles part, as design/capricorn.md lists it.
func (u *unit) explain() {
	counts := make(map[string]int)
	for i, ev := range u.v.events {
		switch {
		case u.equal[i] != i && len(ev.subjects) > 0:
			counts[whatRepeated]++
		case classIsOfSubjects(ev) && len(ev.subjects) == 0:
			counts[whatNameless]++
		}
		if u.equal[i] == i && u.judged[i].verdict == omniscope.Unjudged {
			counts[whatFailed]++
		}
		if u.judged[i].mentioned() {
			for _, s := range ev.subjects {
				if u.judged[i].descriptions[s] == nil {
					counts[whatNull]++
				}
			}
		}
	}
	for _, name := range u.subjects {
		if g := u.official[name]; g != nil && g.failed {
			counts[whatUngrouped]++
		}
		if g := u.strict[name]; g != nil && g.unasked {
			counts[whatUnasked]++
		}
	}
	if u.v.bucket() == "" {
		counts[whatNoBucket] = 1
	}
	if u.crash != "" {
		u.differ(whatCrash+": "+u.crash, len(u.v.events), "leaves the video out of its means", "scores what is there")
	}
	for _, d := range knownDifferences {
		if n := counts[d.what]; n > 0 {
			u.differ(d.what, n, d.official, d.strict)
		}
	}
}

// alone are the mends that can change a score, each by itself, by the name of
// the difference that they make.
var alone = []struct {
	what string
	mends
}{
	{whatRepeated, mends{repeated: true, null: true}},
	{whatNameless, mends{nameless: true}},
	{whatFailed, mends{failed: true}},
	{whatNull, mends{null: true}},
}

const (
	whatRepeated  = "subject events whose text is there already"
	whatNameless  = "subject events that name no subject"
	whatFailed    = "keypoints without a usable judgement"
	whatNull      = "mentions without a description"
	whatUngrouped = "subjects whose descriptions could not be grouped"
	whatUnasked   = "subjects about whose descriptions only strict asks so"
	whatNoBucket  = "videos outside the published durations"
	whatNoCaption = "videos without a caption"
	whatCrash     = "videos on which the published scorer raises an error"
)

var knownDifferences = []struct{ what, official, strict string }{
	{whatRepeated, "each adds to its subject's keypoints, and is asked about again", "count once"},
	{whatNameless, "judged and then lost", "count as keypoints without subjects"},
	{whatFailed, "count as not mentioned", "left unjudged, with bounds"},
	{whatNull, "go into the grouping as null", "left out of the grouping"},
	{whatUngrouped, "vanish from the mean", "left unscored, with bounds"},
	{whatUnasked, "asks about a list with nulls or repeats", "left unscored: run with --profile strict"},
	{whatNoBucket, "count in the whole, and in no range", "have a range of their own"},
}

func (u *unit) differ(what string, items int, official, strict string) {
	u.differences = append(u.differences, bench.UnitDifference{What: what, Items: items, Official: official, Strict: strict})
}

// leave settles a unit that nobody is asked about.
func (u *unit) leave(o omniscope.Outcome, what, official, strict string) {
	u.unasked, u.outcome = what, o
	u.differ(what, len(u.v.events), official, strict)
	if o == omniscope.Abstained {
		for i := range u.judged {
			u.judged[i] = judgement{outcome: o, verdict: omniscope.NotGiven, reason: "the caption is empty"}
		}
	}
}
