package claims

import (
	"cmp"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/metric"
)

// countPlants counts each planted claim once: it is found where one of the claims that repeat it
// is contradicted. Where the audit failed nothing is known of any.
func (a *audited) countPlants(t tallies) {
	for i, p := range a.clip.planted {
		what := metric.PlantLost
		if len(a.claims) == 0 {
			what = metric.PlantUnjudged
		}
		for _, c := range a.claims {
			if c.planted == i {
				what = strongest(what, plantCount(&c))
			}
		}
		t.add("overall", "", what)
		t.add("kind", p.Kind, what)
	}
}

// plantCount is what a claim that repeats a planted one counts as.
func plantCount(c *claim) int {
	switch {
	case c.unjudged != omniscope.OK:
		return metric.PlantUnjudged
	case c.Support == detective.Contradicted:
		return metric.PlantContradicted
	case c.Support == detective.Supported:
		return metric.PlantSupported
	}
	return metric.PlantUnsupported
}

// strongest is the count that decides where several claims repeat one planted claim.
func strongest(a, b int) int {
	for _, what := range []int{metric.PlantContradicted, metric.PlantUnjudged, metric.PlantSupported, metric.PlantUnsupported} {
		if a == what || b == what {
			return what
		}
	}
	return b
}

// tallies are counts by dimension and group.
type tallies map[bench.Tag]metric.Counts

func (t tallies) add(dimension, group string, count int) {
	at := bench.Tag{Dimension: dimension, Group: group}
	if t[at] == nil {
		t[at] = make(metric.Counts, len(metric.Claims.Fields))
	}
	t[at][count]++
}

// supports are the counts of judged claims. Key true: the caption's checkers wrote it, and its claims count separately.
var supports = map[bool]map[detective.Support]int{
	false: {detective.Supported: metric.ClaimSupported, detective.Contradicted: metric.ClaimContradicted, detective.Unsupported: metric.ClaimUnsupported},
	true:  {detective.Supported: metric.OwnSupported, detective.Contradicted: metric.OwnContradicted, detective.Unsupported: metric.OwnUnsupported},
}

// own counts a claim that was not planted. plants: the caption also has planted claims, so that its own
// claims are assumed to be true. circular: the caption's checkers wrote it.
func (t tallies) own(c *claim, plants, circular bool) {
	counts := []int{metric.ClaimUnjudged}
	if circular {
		counts = []int{metric.OwnUnjudged}
	}
	if c.unjudged != omniscope.OK && plants {
		counts = append(counts, metric.AlarmUnjudged)
	}
	if c.unjudged == omniscope.OK {
		counts = []int{supports[circular][c.Support]}
		if c.Disputed && !circular {
			counts = append(counts, metric.ClaimDisputed)
		}
		if len(c.Says) == 0 && !circular {
			counts = append(counts, metric.ClaimUnchecked)
		}
		switch {
		case plants && c.Support == detective.Contradicted:
			counts = append(counts, metric.AlarmFalse)
		case plants:
			counts = append(counts, metric.AlarmNone)
		}
	}
	for _, count := range counts {
		t.add("overall", "", count)
		t.add("sense", senseName(c.Sense), count)
		for _, kind := range kindNames(c.kinds) {
			t.add("kind", kind, count)
		}
	}
}

func senseName(m omniscope.Modality) string {
	if m == "" {
		return "unknown"
	}
	return string(m)
}

func kindNames(kinds []string) []string {
	if len(kinds) == 0 {
		return []string{"other"}
	}
	return kinds
}

// cloze counts the blanks of the clip.
func (t tallies) cloze(c *cloze) {
	if c == nil {
		t.add("overall", "", metric.ClaimClozeNone)
		return
	}
	for count, n := range map[int]int{metric.ClaimClozeCorrect: c.correct, metric.ClaimClozeOther: c.other, metric.ClaimClozeUnjudged: c.unjudged} {
		for range n {
			t.add("overall", "", count)
		}
	}
}

func (t tallies) list() (out []bench.Tally) {
	if t[bench.Tag{Dimension: "overall"}] == nil {
		out = append(out, bench.Tally{Dimension: "overall", Counts: make(metric.Counts, len(metric.Claims.Fields))})
	}
	for tag, counts := range t {
		out = append(out, bench.Tally{Dimension: tag.Dimension, Group: tag.Group, Counts: counts})
	}
	slices.SortFunc(out, func(a, b bench.Tally) int {
		return cmp.Or(cmp.Compare(a.Dimension, b.Dimension), cmp.Compare(a.Group, b.Group))
	})
	return out
}
