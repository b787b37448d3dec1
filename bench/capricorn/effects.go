package capricorn

import (
	"math"
	"slices"

	"omniscope"
	"omniscope/metric"
)

// effects sums the counts of all units as published, and as they would be with
// one fault mended.
type effects struct {
	units     []effect // summed in this order, because a sum of fractions depends on it
	published metric.Counts
	alone     []metric.Counts          // by index in singleMends
	whole     map[string]metric.Counts // change by mends that concern whole videos, by the difference's name
	gaps      scoringGaps
}

// An effect is what one unit adds to the sums.
type effect struct {
	published metric.Counts
	alone     []metric.Counts // NaN where it is unknown
	whole     string          // the difference that concerns the whole video; "" = none
	change    metric.Counts
	gaps      scoringGaps
}

func newCounts() metric.Counts { return make(metric.Counts, len(metric.Keypoints.Fields)) }

func (e *effects) add(seq int, u *unit) {
	one := &e.units[seq]
	*one = effect{gaps: u.scoringGaps()}
	one.published, _ = u.counts(published)
	for _, a := range singleMends {
		one.alone = append(one.alone, u.countsAlone(a.mends))
	}
	switch {
	case u.crash != "":
		one.whole = whatCrash + ": " + u.crash
		one.change, _ = u.counts(mends{crash: true})
	case u.strictSkip != nil:
		one.whole = u.strictSkip.what
		one.change, _ = u.counts(mends{strictSkip: true, failed: true})
		for i, v := range one.published {
			one.change[i] -= v
		}
	}
}

// countsAlone returns the unit's counts with one fault mended. A sum is NaN if
// the mend needs a question that this run did not ask.
func (u *unit) countsAlone(m mends) metric.Counts {
	c, _ := u.counts(m)
	if u.unasked != "" || u.crash != "" {
		return c
	}
	for i := range u.v.events {
		if m.nameless && u.firstEqual[i] == i && u.askedOnlyByOfficial(i) && u.equalStrictJudgement(i).verdict == omniscope.Unjudged {
			c[keyAccSum], c[keyCovSum] = math.NaN(), math.NaN()
		}
	}
	for _, s := range u.subjectScores(m) {
		if _, known := u.groupingFor(s.name, m); !known {
			c[keyRefSum] = math.NaN()
		}
	}
	return c
}

func (e *effects) sum() {
	e.published, e.alone, e.whole = newCounts(), nil, make(map[string]metric.Counts)
	e.gaps = scoringGaps{}
	for range singleMends {
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
		e.gaps.add(one.gaps)
		if one.whole == "" {
			continue
		}
		if e.whole[one.whole] == nil {
			e.whole[one.whole] = newCounts()
		}
		e.whole[one.whole].Add(one.change)
	}
}

// byDifference returns how much each mend alone changes each score. It leaves
// out the changes that need questions which this run did not ask.
func (e *effects) byDifference() map[string]map[string]float64 {
	out := make(map[string]map[string]float64)
	for i, a := range singleMends {
		out[a.what] = e.change(e.alone[i])
	}
	for _, what := range []string{whatUngrouped, whatNoBucket, whatNoCaption, whatNoEvents, whatTwice} { // they move bounds and slices only
		out[what] = e.change(e.published)
	}
	for what, gain := range e.whole {
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
		if ok && also && !math.IsNaN(after) {
			out[s.Name] = after - before
		}
	}
	return out
}
