package claims

import (
	"cmp"
	"fmt"

	"omniscope"
	"omniscope/perceive"
)

// Limits of the rules. They are chosen by hand on invented examples: low enough
// to list a misreading, high enough to leave different texts alone.
const (
	sameCutS    = 0.3  // cuts closer than this, in seconds, are the same cut
	bothLastS   = 0.2  // stretches overlap when they share this many seconds
	readAlike   = 0.55 // texts at least so alike are the same text,
	readTheSame = 0.98 // and read the same from here on
	heardAlike  = 0.35 // the same for speech, which engines hear with more differences
	heardSame   = 0.75
)

// A Contradiction is what cannot all be true.
type Contradiction struct {
	Evidence []string `json:"evidence"` // ids, two or more; of a confirmation the one that it contradicts
	What     string   `json:"what"`
	By       string   `json:"by"` // who noticed: rules, planner, confirmation
}

// Contradictions finds observations of different observers, of one asked
// twice, or short sounds in what the same one calls silence, that cannot all be
// true: cuts that one saw and another did not, words
// read or heard differently, sound in silence, and things that another says
// are not there. It goes by kinds, times and a few fixed phrases, so that it
// misses what only a reader would notice; what it lists deserves a look and is
// no proof. The result is in the order of the ledger.
func (l Ledger) Contradictions() []Contradiction {
	found := []Contradiction{}
	for i := range l {
		for j := i + 1; j < len(l); j++ {
			a, b := &l[i], &l[j]
			rule := conflict
			if !a.Closer.Whole() || !b.Closer.Whole() { // a part may differ from the whole
				rule = readingConflict
			} else if a.Tool == b.Tool && a.Turn == b.Turn {
				rule = eventConflict
			}
			if what := cmp.Or(rule(a, b), rule(b, a)); what != "" {
				found = append(found, Contradiction{Evidence: []string{a.ID, b.ID}, What: what})
			}
		}
	}
	found = append(found, cutConflicts(l)...)
	for i := range found {
		found[i].By = "rules"
	}
	return found
}

// conflict says why two observations cannot both be true, seen from the first;
// "" if they can.
func conflict(a, b *Evidence) string {
	for _, rule := range []func(a, b *Evidence) string{absenceConflict, denialConflict, silenceConflict, blackConflict, quoteConflict, countConflict} {
		if what := rule(a, b); what != "" {
			return what
		}
	}
	return ""
}

// absenceConflict: a says that the clip has no such track, b is of it.
func absenceConflict(a, b *Evidence) string {
	if a.Kind != perceive.Absence || b.Kind == perceive.Absence || b.denial() || a.Sense == "" || a.Sense == omniscope.AudioVisual {
		return ""
	}
	if senseOf(b) != a.Sense {
		return ""
	}
	if a.Sense == omniscope.Audio {
		return fmt.Sprintf("%s finds no sound in the clip, %s hears some", a.Tool, b.Tool)
	}
	return fmt.Sprintf("%s finds no picture in the clip, %s sees some", a.Tool, b.Tool)
}

// senseOf is the sense that an observation is surely of.
func senseOf(e *Evidence) omniscope.Modality {
	switch e.Kind {
	case perceive.Speech, perceive.Sound, perceive.Silence:
		return omniscope.Audio
	case perceive.Text, perceive.Scene, perceive.Cut:
		return omniscope.Visual
	}
	return ""
}

// Denies reports whether an observation is that something is not there, or no track is.
func (e *Evidence) Denies() bool { return e.Kind == perceive.Absence || e.denial() }

// denial reports whether an observation says in words that something is not there.
func (e *Evidence) denial() bool { return len(deniedBy(e.What)) > 0 }

// denialConflict: a says in words that there is nothing of a kind, b is of it.
func denialConflict(a, b *Evidence) string {
	meet := a.Whole() || a.overlap(b) > bothLastS || b.StartS == b.EndS && a.overlap(b) >= 0
	if !meet || b.Sure < perhaps || b.Kind == perceive.Text && b.Quote == "" {
		return ""
	}
	denied := denies(a.What, b.Kind) || b.Kind == perceive.Speech && denies(a.What, perceive.Sound)
	if !denied || b.denial() {
		return ""
	}
	there := "hears some"
	switch b.Kind {
	case perceive.Text:
		there = "reads “" + shortened(b.Quote) + "”"
	case perceive.Cut:
		there = "sees one at " + seconds(b.StartS)
	}
	return fmt.Sprintf("%s says there is no %s, %s %s", a.Tool, b.Kind, b.Tool, there)
}

// silenceConflict: a is silence, b speech or a sound of some duration in it. A
// sound of the whole clip is a measurement of it, which silence is part of.
func silenceConflict(a, b *Evidence) string {
	if a.Kind != perceive.Silence || b.Sure < perhaps || b.denial() {
		return ""
	}
	if b.Kind != perceive.Speech && b.Kind != perceive.Sound || b.Whole() && !a.Whole() {
		return ""
	}
	if b.Whole() && b.Kind == perceive.Sound {
		return ""
	}
	shared := a.overlap(b)
	if shared < bothLastS || !b.Whole() && b.EndS != 0 && shared < (b.EndS-b.StartS)/2 {
		return ""
	}
	return fmt.Sprintf("%s finds silence where %s hears %s", a.Tool, b.Tool, b.Kind)
}

// eventConflict: a is silence, b a sound that stands out within it. Other sounds
// that one tool measures of one stretch, such as its level, contradict nothing.
func eventConflict(a, b *Evidence) string {
	if _, ok := b.Values["above_db"]; !ok {
		return ""
	}
	return silenceConflict(a, b)
}

// blackConflict: a says that the picture is black, b reads words in it.
func blackConflict(a, b *Evidence) string {
	_, black := a.Values["black_s"]
	if !black || a.Kind != perceive.Scene || b.Kind != perceive.Text || b.Quote == "" || b.Sure < perhaps || a.overlap(b) < bothLastS {
		return ""
	}
	return fmt.Sprintf("%s finds the picture black where %s reads “%s”", a.Tool, b.Tool, shortened(b.Quote))
}

// quoteConflict: the same words, read or heard differently at one time. Words
// that are not alike may well be there side by side.
func quoteConflict(a, b *Evidence) string {
	if a.Kind != b.Kind || a.Quote == "" || b.Quote == "" || a.overlap(b) < bothLastS {
		return ""
	}
	likeness := alike(a.Quote, b.Quote)
	switch {
	case a.Kind == perceive.Text && likeness >= readAlike && likeness < readTheSame:
		return fmt.Sprintf("read as “%s” by %s and as “%s” by %s", shortened(a.Quote), a.Tool, shortened(b.Quote), b.Tool)
	case a.Kind == perceive.Speech && likeness >= heardAlike && likeness < heardSame:
		return fmt.Sprintf("heard as “%s” by %s and as “%s” by %s", shortened(a.Quote), a.Tool, shortened(b.Quote), b.Tool)
	}
	return ""
}

// readingConflict: words that one observer read or heard in a closer look, and another differently. What one observer
// reads differently when it looks closer is no conflict: it could not see it well before.
func readingConflict(a, b *Evidence) string {
	if a.Tool == b.Tool {
		return ""
	}
	return quoteConflict(a, b)
}

// countConflict: two observers count the cuts in words, differently.
func countConflict(a, b *Evidence) string {
	if a.Kind == perceive.Cut || b.Kind == perceive.Cut || !a.Whole() || !b.Whole() {
		return ""
	}
	if x, y := cutCount(a.What), cutCount(b.What); x >= 0 && y >= 0 && x != y {
		return fmt.Sprintf("%s counts %d cuts, %s %d", a.Tool, x, b.Tool, y)
	}
	return ""
}

// cutConflicts compares the cuts that tools saw with each other, and with
// those that another tool counts in words.
func cutConflicts(l Ledger) []Contradiction {
	var tools []string
	byTool := make(map[string][]*Evidence)
	for i := range l {
		if e := &l[i]; e.Closer.Whole() && e.Kind == perceive.Cut && e.Sure >= perhaps {
			if len(byTool[e.Tool]) == 0 {
				tools = append(tools, e.Tool)
			}
			byTool[e.Tool] = append(byTool[e.Tool], e)
		}
	}
	var found []Contradiction
	for _, tool := range tools {
		for _, other := range tools {
			if other != tool {
				found = append(found, missedCuts(byTool[tool], byTool[other])...)
			}
		}
		for i := range l {
			e := &l[i]
			if n := cutCount(e.What); n > 0 && e.Tool != tool && e.Kind != perceive.Cut && e.Whole() && n != len(byTool[tool]) {
				found = append(found, Contradiction{Evidence: append([]string{e.ID}, ids(byTool[tool])...),
					What: fmt.Sprintf("%s counts %d cuts, %s sees %d", e.Tool, n, tool, len(byTool[tool]))})
			}
		}
	}
	return found
}

// missedCuts lists the cuts that another tool, which does see cuts, has no cut
// near, each with the nearest it has.
func missedCuts(cuts, other []*Evidence) []Contradiction {
	var found []Contradiction
	for _, e := range cuts {
		nearest := other[0]
		for _, o := range other {
			if distance(e, o) < distance(e, nearest) {
				nearest = o
			}
		}
		if distance(e, nearest) > sameCutS {
			found = append(found, Contradiction{Evidence: []string{e.ID, nearest.ID},
				What: fmt.Sprintf("%s sees a cut at %s, the nearest that %s sees is at %s", e.Tool, seconds(e.StartS), nearest.Tool, seconds(nearest.StartS))})
		}
	}
	return found
}

func distance(a, b *Evidence) float64 { return max(a.StartS-b.StartS, b.StartS-a.StartS) }

func ids(list []*Evidence) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.ID
	}
	return all
}

// shortened is a quote as it fits a sentence.
func shortened(s string) string {
	const most = 60
	runes := []rune(oneLine(s))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
