package media

import (
	"math"
	"slices"
	"time"

	"omniscope"
	"omniscope/media/plane"
)

// CutRules is raised when other cuts would be found in the same film: results that are kept
// name it.
const CutRules = 3

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
	lightShare  = 0.7 // of a change: what all becomes brighter or darker by where the light changes
	glareLength = 2 * time.Second
	glare       = 200 // of 255: a picture at least so bright may have lost its shapes
)

// A change of the light alone is not a cut: a lamp, lightning, a step of a camera's exposure.
// The picture becomes brighter or darker, and its shapes are the same. Where glare hides them, as in an
// explosion, the picture after the glare is compared.

// A cutFinder finds sudden changes and waits to see whether each stays.
type cutFinder struct {
	width, height int

	found []*change
	open  []*change // younger than flashLength, or in glare
	spare [][]byte  // pictures that are no longer needed
}

// A change is what may be a cut.
type change struct {
	Cut
	size   float64 // mean difference at the change
	before []byte  // the picture before it, while open
	light  bool    // it is one of the light alone
	glares bool    // what it leads to is too bright to have shapes

	frames    int           // seen after it
	low, high float64       // of their differences to before, in sizes
	back      time.Duration // when the picture was as before again; 0 = never
}

// see looks at the next picture.
func (f *cutFinder) see(m Moment, before, picture []byte) {
	var next *change
	if m.Score >= weakScore {
		next = &change{Cut: Cut{Time: m.Time, Score: float64(m.Score)}, size: float64(m.Change), low: 1, high: 1}
		same, known := f.shapes(before, picture)
		next.light = known && same && f.lights(before, picture) >= lightShare
		next.glares = !known && m.Luma >= glare
	}
	f.follow(m, picture, next)
	if next == nil {
		return
	}
	if n := len(f.spare); n > 0 {
		next.before, f.spare = f.spare[n-1], f.spare[:n-1]
	}
	next.before = append(next.before[:0], before...)
	f.found, f.open = append(f.found, next), append(f.open, next)
}

// follow compares the next picture with the changes before it. next is the picture's own
// change, or nil.
func (f *cutFinder) follow(m Moment, picture []byte, next *change) {
	open := f.open[:0]
	for _, c := range f.open {
		age := m.Time - c.Time
		if c.glares && age < glareLength && (m.Luma < glare || next != nil) && f.shown(c.before, picture) {
			c.glares, c.light = false, true
			if next != nil { // the glare ends at once
				next.light = true
			}
		}
		if age >= flashLength && !(c.glares && age < glareLength) {
			f.spare = append(f.spare, c.before)
			c.before = nil
			continue
		}
		if age < flashLength {
			c.follow(m.Time, plane.Difference(c.before, picture)/c.size)
		}
		open = append(open, c)
	}
	f.open = open
}

func (f *cutFinder) plane(pix []byte) *plane.Plane {
	return &plane.Plane{Width: f.width, Height: f.height, Pix: pix}
}

// shapes compares two pictures, however bright they are.
func (f *cutFinder) shapes(a, b []byte) (same, known bool) {
	return f.plane(a).SameShapes(f.plane(b))
}

// shown reports whether two pictures of one light show the same, perhaps moved.
func (f *cutFinder) shown(a, b []byte) bool {
	same, known := f.shapes(a, b)
	if same && known {
		return true
	}
	_, ok := scaled(f.plane(a)).To(scaled(f.plane(b)))
	return ok
}

// lights is the share of the difference of two pictures that is of one sign.
func (f *cutFinder) lights(a, b []byte) float64 {
	p, q := f.plane(a), f.plane(b)
	return math.Abs(p.Mean()-q.Mean()) / max(p.Difference(q), 1)
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
		case c.light:
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
