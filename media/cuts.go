package media

import (
	"slices"
	"time"

	"omniscope"
	"omniscope/media/plane"
)

// CutRules is raised when other cuts would be found in the same film: results that are kept
// name it.
const CutRules = 2

// How cuts are distinguished from flashes and from motion. A change above cutScore is a
// cut if the picture does not come back; a weaker one, amid motion, if the new
// picture stays: its differences to the picture before the cut stay as they
// were at the cut. Chosen on clips with known cuts.
const (
	weakScore   = 0.12
	weakChange  = 30 // least mean difference of a weak cut, of 255
	steadyLow   = 0.9
	steadyHigh  = 1.15
	alike       = 0.25 // of the change: the picture came back
	flashLength = 250 * time.Millisecond
)

// A cutFinder finds sudden changes and waits to see whether each stays.
type cutFinder struct {
	found []*change
	open  []*change // younger than flashLength
	spare [][]byte  // pictures that are no longer needed
}

// A change is what may be a cut.
type change struct {
	Cut
	size   float64 // mean difference at the change
	before []byte  // the picture before it, while open

	frames    int           // seen after it
	low, high float64       // of their differences to before, in sizes
	back      time.Duration // when the picture was as before again; 0 = never
}

// see looks at the next picture.
func (f *cutFinder) see(m Moment, before, picture []byte) {
	open := f.open[:0]
	for _, c := range f.open {
		if m.Time-c.Time >= flashLength {
			f.spare = append(f.spare, c.before)
			c.before = nil
			continue
		}
		c.follow(m.Time, plane.Difference(c.before, picture)/c.size)
		open = append(open, c)
	}
	f.open = open
	if m.Score < weakScore {
		return
	}
	c := &change{Cut: Cut{Time: m.Time, Score: float64(m.Score)}, size: float64(m.Change), low: 1, high: 1}
	if n := len(f.spare); n > 0 {
		c.before, f.spare = f.spare[n-1], f.spare[:n-1]
	}
	c.before = append(c.before[:0], before...)
	f.found, f.open = append(f.found, c), append(f.open, c)
}

func (c *change) follow(at time.Duration, size float64) {
	c.frames++
	c.low, c.high = min(c.low, size), max(c.high, size)
	if size < alike && c.back == 0 {
		c.back = at
	}
}

// stays reports whether the change is a lasting one.
func (c *change) stays() bool {
	return c.Score >= cutScore || c.frames >= 2 && c.size >= weakChange && c.low >= steadyLow && c.high <= steadyHigh
}

// all returns the cuts, merged, and the flashes.
func (f *cutFinder) all() (cuts, flashes []Cut) {
	var back, first time.Duration
	for _, c := range f.found {
		switch {
		case c.back > 0 && c.Score >= cutScore && c.Time > back:
			flashes = append(flashes, c.Cut)
			back = c.back
		case c.Time <= back && back > 0: // the end of a flash
		case c.stays():
			if n := len(cuts); n > 0 && c.Time-first < cutMerge {
				if c.Score > cuts[n-1].Score {
					cuts[n-1] = c.Cut
				}
				continue
			}
			cuts, first = append(cuts, c.Cut), c.Time
		}
	}
	return cuts, flashes
}

// findCuts sets the cuts and flashes: sudden changes that are not amid others and not the
// last step of a fade to or from black, and hidden cuts away from those.
func (s *VideoSurvey) findCuts(sudden *cutFinder, hidden *hiddenFinder) {
	amid := func(c Cut) bool { return amidChanges(s.Moments, c.Time) }
	s.Cuts, s.Flashes = sudden.all()
	s.Flashes = slices.DeleteFunc(s.Flashes, amid)
	s.Cuts = slices.DeleteFunc(slices.Clone(s.Cuts), func(c Cut) bool {
		return amid(c) || slices.ContainsFunc(s.Black, func(b omniscope.Span) bool {
			if c.Time != b.Start && c.Time != b.End {
				return false
			}
			out, in := s.Fades(b)
			return c.Time == b.Start && out > 0 || c.Time == b.End && in > 0
		})
	})
	for _, c := range hidden.all(s.Moments) {
		if !s.near(c.Time) {
			s.Cuts = append(s.Cuts, c)
		}
	}
	slices.SortFunc(s.Cuts, func(a, b Cut) int { return int(a.Time - b.Time) })
}

// near reports whether a time is next to a cut, a flash or black.
func (s *VideoSurvey) near(at time.Duration) bool {
	same := func(c Cut) bool { return (c.Time - at).Abs() < cutMerge }
	i := momentAt(s.Moments, at)
	return slices.ContainsFunc(s.Cuts, same) || slices.ContainsFunc(s.Flashes, same) || slices.ContainsFunc(s.Black, func(b omniscope.Span) bool {
		return b.Start <= at && b.End >= s.Moments[max(i-1, 0)].Time
	})
}
