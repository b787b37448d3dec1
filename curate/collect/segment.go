package collect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A segment is the stretch of a file that becomes a clip.
type segment struct {
	Start float64 `json:"start"` // seconds
	End   float64 `json:"end"`
	Why   string  `json:"why"`
}

// Seconds is its length.
func (s segment) Seconds() float64 { return math.Round((s.End-s.Start)*1000) / 1000 }

// near is how far a cut and a silence may be apart to count as one place, in seconds.
const near = 0.3

// A place is where a segment may begin or end. A place that is none of these is taken only for its
// distance from another.
type place struct {
	at                float64
	edge, cut, silent bool // the beginning or end of the file; a hard cut; in a silence
	speechEnds        bool
	inSpeech          bool
}

// worth is what speaks for a place: what is cut there loses nothing.
func (p *place) worth() (points float64) {
	for _, sign := range []bool{p.edge, p.cut, p.silent} {
		if sign {
			points++
		}
	}
	if p.speechEnds {
		points += 0.5
	}
	if p.inSpeech {
		points -= 2
	}
	return points
}

func (p *place) String() string {
	var signs []string
	for _, s := range []struct {
		is   bool
		says string
	}{{p.edge, "an end of the file"}, {p.cut, "a cut"}, {p.silent, "a silence"}, {p.speechEnds, "an end of speech"}, {p.inSpeech, "the middle of speech"}} {
		if s.is {
			signs = append(signs, s.says)
		}
	}
	if len(signs) == 0 {
		return "no cut or silence"
	}
	return strings.Join(signs, " and ")
}

// chooseSegment chooses one coherent stretch of a file, or says that there is none. A file that is no longer than a segment may
// be is taken whole. Of a longer one, all stretches between two places are compared:
// places at cuts, in silences and at ends of speech count for it, stretches that are still or silent and lengths far from
// the wanted one against it. Of equal ones the first is taken, then the shortest.
func chooseSegment(m *measures, r *ruleSet) (segment, bool) {
	s := r.Segment
	if m.Seconds >= s.MinSeconds && m.Seconds <= s.MaxSeconds && len(m.cutsIn(0, m.Seconds)) >= r.MinTransitions {
		return segment{0, m.Seconds, fmt.Sprintf("the whole file: it is no longer than %g s", s.MaxSeconds)}, true
	}
	places := m.places(s.WantedSeconds)
	best, found, chosen := math.Inf(-1), false, [2]*place{}
	for i := range places {
		for j := i + 1; j < len(places); j++ {
			from, to := &places[i], &places[j]
			length := to.at - from.at
			if length < s.MinSeconds || length > s.MaxSeconds || len(m.cutsIn(from.at, to.at)) < r.MinTransitions {
				continue
			}
			score := from.worth() + to.worth() - math.Abs(length-s.WantedSeconds)/s.WantedSeconds -
				4*(within(m.Quiet, from.at, to.at)+within(m.Still, from.at, to.at))/length
			if score > best+1e-9 {
				best, found, chosen = score, true, [2]*place{from, to}
			}
		}
	}
	if !found {
		return segment{}, false
	}
	from, to := chosen[0], chosen[1]
	return segment{from.at, to.at, fmt.Sprintf("from %v to %v, %.1f s, %d cuts inside", from, to, to.at-from.at, len(m.cutsIn(from.at, to.at)))}, true
}

// cutsIn are the cuts inside a stretch, not at its ends.
func (m *measures) cutsIn(from, to float64) []float64 {
	first, _ := slices.BinarySearch(m.Cuts, from+near)
	last, _ := slices.BinarySearch(m.Cuts, to-near)
	return m.Cuts[first:max(first, last)]
}

// places are all places of a file in order, and for each one the place in the wanted distance behind it.
func (m *measures) places(wanted float64) []place {
	times := append([]float64{0, m.Seconds}, m.Cuts...)
	for _, q := range m.Quiet {
		times = append(times, (q[0]+q[1])/2)
	}
	for _, s := range m.Speech {
		times = append(times, s[1])
	}
	for _, at := range slices.Clone(times) {
		times = append(times, at+wanted)
	}
	slices.SortFunc(times, cmp.Compare)
	var list []place
	for _, at := range times {
		at = math.Round(at*1000) / 1000
		if at > m.Seconds || len(list) > 0 && at == list[len(list)-1].at {
			continue
		}
		list = append(list, m.place(at))
	}
	return thinned(list)
}

func (m *measures) place(at float64) place {
	p := place{at: at, edge: at == 0 || at == m.Seconds}
	i, _ := slices.BinarySearch(m.Cuts, at)
	p.cut = i < len(m.Cuts) && m.Cuts[i] == at
	for _, q := range m.Quiet {
		p.silent = p.silent || at >= q[0]-near && at <= q[1]+near
	}
	for _, s := range m.Speech {
		p.speechEnds = p.speechEnds || math.Abs(at-s[1]) <= near
		p.inSpeech = p.inSpeech || at > s[0]+near && at < s[1]-near && !p.silent
	}
	return p
}

// mostPlaces bounds the work: a film has thousands of cuts.
const mostPlaces = 1500

// thinned leaves out the places of least worth, if there are too many.
func thinned(list []place) []place {
	if len(list) <= mostPlaces {
		return list
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(b.worth(), a.worth()) })
	list = list[:mostPlaces]
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	return list
}
