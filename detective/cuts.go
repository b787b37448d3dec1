package detective

import (
	"fmt"
	"slices"
	"strings"

	"omniscope/perceive"
)

// surelyCut is the lowest score of a certain cut, of tools that give scores:
// flashes and quick fades score at most this.
const surelyCut = 0.4

// A cutSet is what a tool takes for cuts, sorted by how certain it is that they
// are hard ones.
type cutSet struct {
	certain  []*Evidence
	doubtful []*Evidence // weak ones, and those beside a fade or a flash
	faint    []*Evidence // the tool itself hardly believes in them
	soft     []*Evidence // other transitions, which a caption may count as cuts
}

func (m *measurement) cutSet() (s cutSet) {
	for _, e := range m.kinds[perceive.Scene] {
		if isTransition(e) {
			s.soft = append(s.soft, e)
		}
	}
	for _, e := range m.kinds[perceive.Cut] {
		score, scored := e.Values["score"]
		beside := slices.ContainsFunc(s.soft, func(o *Evidence) bool { return o.StartS-sameCutS <= e.StartS && e.StartS <= o.end()+sameCutS })
		switch {
		case e.Sure < perhaps:
			s.faint = append(s.faint, e)
		case e.Sure < plainly || scored && score < surelyCut || beside:
			s.doubtful = append(s.doubtful, e)
		default:
			s.certain = append(s.certain, e)
		}
	}
	return s
}

// isTransition reports whether a tool tells of a fade, a dissolve or a flash.
func isTransition(e *Evidence) bool {
	if e.whole() || e.Sure < perhaps {
		return false
	}
	what := strings.ToLower(e.What)
	return e.Values["fade_out_s"] > 0 || e.Values["fade_in_s"] > 0 ||
		slices.ContainsFunc([]string{"dissolve", "fade", "flash", "wipe"}, func(w string) bool { return strings.Contains(what, w) })
}

// measuresCuts reports whether the tool looks for cuts at all.
func (m *measurement) measuresCuts() bool {
	return len(m.kinds[perceive.Cut])+len(m.kinds[perceive.Scene])+len(m.denied[perceive.Cut]) > 0
}

// cuts compares a number of cuts. All that is certain is in the true number, and
// nothing beyond all candidates is: a number outside of that is refuted, and
// inside of it borne out only where nothing is doubtful.
func (m *measurement) cuts(f *fact) (Say, bool) {
	if !m.measuresCuts() {
		return Say{}, false
	}
	s := m.cutSet()
	low := len(s.certain)
	high := low + len(s.doubtful)
	most := high + len(s.faint) + len(s.soft)
	yesFrom, yesTo, maybeFrom, maybeTo := f.counts()
	all := slices.Concat(s.certain, s.doubtful, s.faint, s.soft)
	settled := low == high && len(s.soft) == 0
	switch {
	case maybeTo < low || maybeFrom > most:
		return m.say(Contradicted, all, "cuts seen: %s", s.counted())
	case yesFrom <= low && high <= yesTo && (settled || f.Bound != "" && most <= yesTo):
		return m.say(Supported, slices.Concat(s.certain, s.doubtful), "cuts seen: %s", s.counted())
	}
	return m.say(Unsupported, all, "cuts seen: %s", s.counted())
}

// counted says how many cuts there are, and how many more there may be.
func (s *cutSet) counted() string {
	text := fmt.Sprint(len(s.certain))
	if n := len(s.doubtful) + len(s.faint); n > 0 {
		text += fmt.Sprintf(", and perhaps %d more", n)
	}
	if n := len(s.soft); n > 0 {
		text += fmt.Sprintf("; fades, dissolves and flashes: %d", n)
	}
	return text
}

// cutAt compares the time of a cut.
func (m *measurement) cutAt(f *fact) (Say, bool) {
	if !m.measuresCuts() {
		return Say{}, false
	}
	s := m.cutSet()
	near := func(list []*Evidence) *Evidence {
		for _, e := range list {
			if e.StartS-f.WithinS <= f.AtS && f.AtS <= max(e.StartS, min(e.end(), m.clip.StartS+m.clip.LengthS))+f.WithinS {
				return e
			}
		}
		return nil
	}
	if e := near(s.certain); e != nil {
		return m.say(Supported, []*Evidence{e}, "a cut at %s", seconds(e.StartS))
	}
	if e := near(slices.Concat(s.doubtful, s.faint)); e != nil {
		return m.say(Unsupported, []*Evidence{e}, "perhaps a cut at %s", seconds(e.StartS))
	}
	if e := near(s.soft); e != nil {
		return m.say(Unsupported, []*Evidence{e}, "a fade, dissolve or flash %s", e.when())
	}
	return m.say(Contradicted, slices.Concat(s.certain, s.doubtful), "no cut is nearer than %.1f s", f.WithinS)
}
