package claims

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"omniscope/perceive"
)

// A shot is the picture between two edges: cuts, or black.
type shot struct {
	StartS, EndS float64     // in seconds; EndS is infinite where the shot goes to the end
	after        []*Evidence // the edge that it begins with; none for the first
	before       *Evidence   // the edge that it ends with; nil for the last
}

// sameTimeS is by how many seconds times may differ that are the same: some are
// read from sentences, to the hundredth.
const sameTimeS = 0.011

// Shots parts the picture at its cuts and black stretches; nil if nothing
// parts it.
func (l Ledger) Shots() []shot {
	var edges []*Evidence
	for i := range l {
		if e := &l[i]; e.Closer.Whole() && (e.Kind == perceive.Cut && e.Sure >= perhaps || isBlack(e)) {
			edges = append(edges, e)
		}
	}
	slices.SortStableFunc(edges, func(a, b *Evidence) int { return cmp.Compare(a.StartS, b.StartS) })
	start, end := pictureSpan(l, edges)
	shots := []shot{{StartS: start, EndS: end}}
	for _, e := range edges {
		last := &shots[len(shots)-1]
		if e.StartS-last.StartS > last.edgeWidth(e) {
			last.EndS, last.before = e.StartS, e
			shots = append(shots, shot{StartS: e.edgeEnd(), EndS: end, after: []*Evidence{e}})
			continue
		}
		last.startsWith(e, len(shots) == 1)
	}
	if last := &shots[len(shots)-1]; last.StartS > end-sameTimeS || math.IsInf(last.StartS, 1) {
		shots = shots[:len(shots)-1]
	}
	if len(shots) < 2 {
		return nil
	}
	return shots
}

// startsWith takes up a further edge at the start of a shot.
func (s *shot) startsWith(e *Evidence, first bool) {
	switch {
	case isBlack(e):
		s.StartS, s.after = max(s.StartS, e.edgeEnd()), []*Evidence{e}
	case e.StartS > s.StartS-sameTimeS: // else it is within the black before the shot
		s.after = append(s.after, e)
	}
	if first {
		s.after = nil
	}
}

// edgeWidth is from how many seconds after the shot's start on an edge ends it:
// two tools may see one cut at different times.
func (s *shot) edgeWidth(e *Evidence) float64 {
	if slices.ContainsFunc(s.after, func(o *Evidence) bool { return o.Tool != e.Tool }) {
		return sameCutS
	}
	return sameTimeS
}

// edgeEnd is where the shot after an edge begins.
func (e *Evidence) edgeEnd() float64 {
	if e.Kind == perceive.Cut {
		return e.StartS
	}
	return e.End()
}

// isBlack reports whether a tool measured a stretch in which the picture is black.
func isBlack(e *Evidence) bool {
	return e.Kind == perceive.Scene && e.Values["black_s"] > 0 && !e.Whole()
}

// listedShots are the shots that a tool lists behind their number.
var listedShots = regexp.MustCompile(`(?::|, at) (\d+\.\d\d)–\d+\.\d\d[^:]* s( and \d+ more)?\.?$`)

// pictureSpan is where the picture begins and ends, as far as a tool that counts
// shots says.
func pictureSpan(l Ledger, edges []*Evidence) (startS, endS float64) {
	endS = math.Inf(1)
	i := slices.IndexFunc(l, func(e Evidence) bool { return countsShots(&e) })
	if i < 0 {
		return 0, endS
	}
	if m := listedShots.FindStringSubmatch(l[i].What); m != nil {
		_, _ = fmt.Sscan(m[1], &startS) // listedShots matches digits only
	}
	if len(edges) > 0 {
		startS = min(startS, edges[0].StartS)
	}
	return startS, startS + l[i].Values["length_s"]
}

// countsShots reports whether a tool says how many shots there are, and how long
// the picture is.
func countsShots(e *Evidence) bool {
	_, counted := e.Values["shots"]
	return e.Whole() && e.Closer.Whole() && counted && e.Values["length_s"] > 0
}

// lasts reports whether evidence is of the whole shot.
func (s *shot) lasts(e *Evidence) bool {
	return !e.Whole() && math.Abs(e.StartS-s.StartS) < sameTimeS && (e.End() == s.EndS || math.Abs(e.End()-s.EndS) < sameTimeS)
}

// when says the stretch of time, and what is before it.
func (s *shot) when() string {
	text := "from "
	if s.afterCut() {
		text += "a cut at "
	}
	text += seconds(s.StartS) + " to "
	if math.IsInf(s.EndS, 1) {
		text += "the end"
	} else {
		text += seconds(s.EndS)
	}
	if len(s.after) > 0 && !s.afterCut() {
		text += ", after black"
	}
	return text
}

// afterCut reports whether the shot begins with a cut.
func (s *shot) afterCut() bool {
	return slices.ContainsFunc(s.after, func(e *Evidence) bool { return e.Kind == perceive.Cut })
}

// basis is the evidence that a shot is there.
func (s *shot) basis() []*Evidence {
	if len(s.after) == 0 && s.before != nil {
		return []*Evidence{s.before}
	}
	return s.after
}

// stateShot opens a shot: its number, its time, and what is seen all through it.
func stateShot(number int, s *shot, seen []*Evidence) statement {
	text := fmt.Sprintf("Shot %d lasts %s", number, s.when())
	if len(seen) > 0 {
		text = fmt.Sprintf("Shot %d, %s: %s", number, s.when(), clauses(seen))
	}
	return statement{Sentence: Sentence{Text: Full(text), Evidence: ids(slices.Concat(s.basis(), seen))}, startS: s.StartS, rank: rankShot, shot: s, bare: len(seen) == 0}
}

// stateShots makes one sentence for consecutive shots that begin with cuts and
// have no other observations.
func stateShots(from, to int, list []statement) statement {
	var starts []string
	var basis []*Evidence
	for i := range list {
		starts = append(starts, seconds(list[i].startS))
		basis = append(basis, list[i].shot.basis()...)
	}
	and := "to"
	if to == from+1 {
		and = "and"
	}
	span := shot{StartS: list[0].startS, EndS: list[len(list)-1].shot.EndS}
	first := list[0]
	first.Text = fmt.Sprintf("Shots %d %s %d, %s, begin with cuts at %s.", from, and, to, span.when(), enumerated(starts))
	first.Evidence = ids(basis)
	return first
}

// numbered numbers the shots of sorted statements and joins consecutive shots
// that have no observations.
func numbered(list []statement) (out []statement) {
	n := 0
	for i := 0; i < len(list); i++ {
		s := list[i]
		if s.rank == rankShot {
			n++
		}
		if s.Shot = max(n, 1); s.rank > rankEvent {
			s.Shot = 0
		}
		run := i
		for run < len(list) && list[run].rank == rankShot && list[run].bare && list[run].shot.afterCut() && (run+1 == len(list) || list[run+1].rank != rankEvent) {
			run++
		}
		if run > i+1 {
			joined := stateShots(n, n+run-i-1, list[i:run])
			joined.Shot = n
			out = append(out, joined)
			n, i = n+run-i-1, run-1
			continue
		}
		out = append(out, s)
	}
	return out
}

// wordedInShot is an observation of a shot as a part of the sentence that opens
// it; "" if it is none.
func wordedInShot(e *Evidence) string {
	what := strings.TrimRight(oneLine(e.What), ".")
	for _, extreme := range []string{"brightest", "darkest"} {
		if rest, ok := strings.CutPrefix(what, "The "+extreme+" shot is that "+e.When()+", which is "); ok {
			return "it is the " + extreme + " shot, " + rest
		}
	}
	return ""
}
