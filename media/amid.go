package media

import (
	"slices"
	"time"
)

// A change amid others of its size, as in flicker, noise and patterns that move, is not a
// cut. Chosen on made clips with known cuts.
const (
	aroundCut   = 400 * time.Millisecond // on either side, and two frames at least
	moved       = 1.0                    // mean difference, of 255, that counts as a change
	changesMost = 0.5                    // of the change: those on one side, where those on
	changesSame = 0.85                   // the other are as large
	fewChanges  = 2                      // on a side, to judge by
)

// A side is the changes on one side of a moment, nearest first.
type side struct {
	frames  int
	changes []float64 // above moved
}

// byLuma and byColours are the changes of a moment that sides are about.
func byLuma(m *Moment) float64    { return float64(m.Change) }
func byColours(m *Moment) float64 { return float64(m.Colours) }

// around returns the changes before and after moment i. The first frame of a video
// has no change of its own.
func around(moments []Moment, i int, by func(*Moment) float64) (before, after side) {
	at := moments[i].Time
	for k := i - 1; k > 0 && (at-moments[k].Time <= aroundCut || before.frames < fewChanges); k-- {
		before.add(by(&moments[k]))
	}
	for k := i + 1; k < len(moments) && (moments[k].Time-at <= aroundCut || after.frames < fewChanges); k++ {
		after.add(by(&moments[k]))
	}
	return before, after
}

func (s *side) add(change float64) {
	s.frames++
	if change > moved {
		s.changes = append(s.changes, change)
	}
}

// usual is the median of the changes, 0 where hardly anything changes.
func (s *side) usual() float64 {
	if len(s.changes) < fewChanges {
		return 0
	}
	list := slices.Sorted(slices.Values(s.changes))
	return list[len(list)/2]
}

// highest is the largest change.
func (s *side) highest() float64 {
	if len(s.changes) == 0 {
		return 0
	}
	return slices.Max(s.changes)
}

// amidChanges reports whether the change of the picture at a time is one of many of its size.
func amidChanges(moments []Moment, at time.Duration) bool {
	i := momentAt(moments, at)
	if i < 0 {
		return false
	}
	size := float64(moments[i].Change)
	before, after := around(moments, i, byLuma)
	a, b := before.usual(), after.usual()
	switch {
	case before.frames < fewChanges:
		return b >= changesMost*size
	case after.frames < fewChanges:
		return a >= changesMost*size
	}
	return min(a, b) >= changesMost*size && max(a, b) >= changesSame*size
}

func momentAt(moments []Moment, at time.Duration) int {
	return slices.IndexFunc(moments, func(m Moment) bool { return m.Time == at })
}
