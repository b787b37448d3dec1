package claims

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
		beside := slices.ContainsFunc(s.soft, func(o *Evidence) bool { return o.StartS-sameCutS <= e.StartS && e.StartS <= o.End()+sameCutS })
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
	if e.Whole() || e.Sure < perhaps {
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
	low, high := len(s.certain), len(s.certain)+len(s.doubtful)
	support := f.decide(low, high, high+len(s.faint)+len(s.soft), low == high && len(s.soft) == 0)
	rests := slices.Concat(s.certain, s.doubtful)
	if support != Supported {
		rests = slices.Concat(rests, s.faint, s.soft)
	}
	return m.say(support, rests, "cuts seen: %s", s.counted())
}

// shots compares a number of shots. The true number is at least that of the certain
// shots, and at most that of all candidates.
func (m *measurement) shots(f *fact) (Say, bool) {
	i := slices.IndexFunc(m.kinds[perceive.Scene], countsShots)
	if i < 0 {
		return Say{}, false
	}
	e, s := m.kinds[perceive.Scene][i], m.cutSet()
	unsure, high := len(s.doubtful)+len(s.faint), int(e.Values["shots"])
	support := f.decide(max(1, high-unsure), high, high+len(s.soft), unsure == 0 && len(s.soft) == 0)
	return m.say(support, []*Evidence{e}, "shots measured: %d", high)
}

// decide compares a counted number with a true one that is surely between low and high, and at most most. settled: nothing
// is doubtful.
func (f *fact) decide(low, high, most int, settled bool) Support {
	yesFrom, yesTo, maybeFrom, maybeTo := f.counts()
	return supportIf(yesFrom <= low && high <= yesTo && (settled || f.Bound != "" && most <= yesTo), maybeTo < low || maybeFrom > most)
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
	near := func(e *Evidence) bool {
		return e.StartS-f.WithinS <= f.AtS && f.AtS <= max(e.StartS, min(e.End(), m.clip.StartS+m.clip.LengthS))+f.WithinS
	}
	start := func(e *Evidence) string { return "at " + seconds(e.StartS) }
	for _, c := range []struct {
		list    []*Evidence
		support Support
		what    string
		when    func(*Evidence) string
	}{
		{s.certain, Supported, "a cut", start}, {slices.Concat(s.doubtful, s.faint), Unsupported, "perhaps a cut", start},
		{s.soft, Unsupported, "a fade, dissolve or flash", (*Evidence).When},
	} {
		if i := slices.IndexFunc(c.list, near); i >= 0 {
			return m.say(c.support, c.list[i:i+1], "%s %s", c.what, c.when(c.list[i]))
		}
	}
	return m.say(Contradicted, slices.Concat(s.certain, s.doubtful), "no cut is nearer than %.1f s", f.WithinS)
}
