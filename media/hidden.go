package media

import (
	"slices"
	"time"

	"omniscope/media/plane"
)

// A cut may be hidden from a search by sudden brightness: between pictures of similar
// brightness, between colours, and where what moved wildly before does not move after. The
// change of a hidden cut exceeds the changes around it, and the pictures on both sides
// differ more than the pictures of each side do. Chosen on made clips with known cuts.
const (
	softLeast   = 6.0  // mean difference of brightness, of 255,
	softColours = 12.0 // or the sum of the differences of both colour components
	softPeak    = 3.0  // times the usual change around it
	softHighest = 1.8  // times the highest change around it
	softUnlike  = 0.3  // of the pixels, see plane.Unlike
	softSame    = 0.5  // of that: the most between two pictures of one side

	wildLeast  = 25   // mean difference, of 255, of what moves wildly
	wildFrames = 4    // that it moves so for
	wildEven   = 0.6  // of the usual change: the least of these frames
	wildEnd    = 0.35 // of it: what is left after its end
	wildUnlike = 0.35 // of the pixels
)

// A smallPicture is a decoded frame made small.
type smallPicture struct {
	at              time.Duration
	buffer          []byte // of all components
	luma, blue, red plane.Plane
}

func newSmallPicture(width, height int) *smallPicture {
	// As format yuv410p has it.
	cw, ch := (width+3)/4, (height+3)/4
	p := &smallPicture{buffer: make([]byte, width*height+2*cw*ch)}
	p.luma = plane.Plane{Width: width, Height: height, Pix: p.buffer[:width*height]}
	p.blue = plane.Plane{Width: cw, Height: ch, Pix: p.buffer[width*height:][:cw*ch]}
	p.red = plane.Plane{Width: cw, Height: ch, Pix: p.buffer[width*height+cw*ch:]}
	return p
}

func (p *smallPicture) clone() *smallPicture {
	q := newSmallPicture(p.luma.Width, p.luma.Height)
	q.at = p.at
	copy(q.buffer, p.buffer)
	return q
}

// unlike is the share of pixels without a counterpart of the same brightness or the same
// colour in the other picture, wherever it is.
func (p *smallPicture) unlike(o *smallPicture) float64 {
	return max(p.luma.Unlike(&o.luma), p.blue.Unlike(&o.blue), p.red.Unlike(&o.red))
}

// recoloured is the difference of the colours of two pictures, place by place.
func (p *smallPicture) recoloured(o *smallPicture) float64 {
	return p.blue.Difference(&o.blue) + p.red.Difference(&o.red)
}

// moves reports whether a motion of the entire picture explains the difference of two
// pictures: an object that is added to a picture is not a cut.
func (p *smallPicture) moves(o *smallPicture) bool {
	_, ok := scaled(&p.luma).To(scaled(&o.luma))
	return ok
}

// relit reports whether only the light differs in two pictures.
func (p *smallPicture) relit(o *smallPicture) bool {
	same, known := p.luma.SameShapes(&o.luma)
	return same && known
}

// motionWidth is the width in pixels at which motion is looked for.
const motionWidth = 160

func scaled(l *plane.Plane) *plane.Scaled {
	width := min(motionWidth, l.Width)
	return plane.Scale(plane.Shrunk(l.Pix, l.Width, l.Width, l.Height, width, max(1, l.Height*width/l.Width)))
}

// A hiddenFinder looks for hidden cuts among the last pictures.
type hiddenFinder struct {
	recent []*smallPicture // the oldest first
	spare  *smallPicture
	open   []*hiddenCut // the pictures after them are not known yet
	found  []*hiddenCut
}

// recentMost is how many pictures are kept at most: of higher frame rates, fewer than
// aroundCut holds.
const recentMost = 32

// A hiddenCut is what may be a hidden cut.
type hiddenCut struct {
	moment int
	wild   bool
	unlike float64       // the pictures at both sides
	first  *smallPicture // of the new side, while open
	stays  bool          // the new side continues as it began
}

// next returns a picture to read into.
func (f *hiddenFinder) next(width, height int) *smallPicture {
	if p := f.spare; p != nil {
		f.spare = nil
		return p
	}
	return newSmallPicture(width, height)
}

// see looks at a picture and its moment, the last one.
func (f *hiddenFinder) see(moments []Moment, p *smallPicture) {
	f.recent = append(f.recent, p)
	// A picture before and one after a change have to be there at any rate.
	if n := len(f.recent); n > recentMost || n > 3 && p.at-f.recent[1].at > aroundCut {
		f.spare = f.recent[0]
		f.recent = slices.Delete(f.recent, 0, 1)
	}
	f.settle(func(c *hiddenCut) bool {
		return p.at-c.first.at >= aroundCut && len(moments)-1-c.moment >= fewChanges || len(moments)-1-c.moment >= recentMost
	})
	i := len(moments) - 1
	switch {
	case f.wildEnded(moments, i-1):
		a, b := f.recent[len(f.recent)-3], f.recent[len(f.recent)-2]
		if unlike := a.unlike(b); unlike >= wildUnlike {
			f.found = append(f.found, &hiddenCut{moment: i - 1, wild: true, unlike: unlike, stays: true})
		}
	case len(f.recent) > 2 && moments[i].Score < cutScore && (risen(moments, i, byLuma, softLeast) || risen(moments, i, byColours, softColours)):
		f.open = append(f.open, f.softCut(i)...)
	}
}

// risen reports whether a change exceeds the changes before it by far, at the last moment.
func risen(moments []Moment, i int, by func(*Moment) float64, least float64) bool {
	size := by(&moments[i])
	if size < least || i > 0 && size < softHighest*by(&moments[i-1]) {
		return false
	}
	before, _ := around(moments, i, by)
	return before.frames >= fewChanges && size >= softPeak*max(before.usual(), moved) && size >= softHighest*before.highest()
}

// peak is as risen, with the changes after it.
func peak(moments []Moment, i int, by func(*Moment) float64, least float64) bool {
	size := by(&moments[i])
	_, after := around(moments, i, by)
	return risen(moments, i, by, least) && after.frames >= fewChanges && size >= softPeak*after.usual() && size >= softHighest*after.highest()
}

// softCut compares the last picture with those before.
func (f *hiddenFinder) softCut(i int) []*hiddenCut {
	n := len(f.recent)
	earlier, a, b := f.recent[0], f.recent[n-2], f.recent[n-1]
	unlike := a.unlike(b)
	if unlike < softUnlike || earlier.unlike(a) > softSame*unlike || a.moves(b) || a.relit(b) {
		return nil
	}
	return []*hiddenCut{{moment: i, unlike: unlike, first: b.clone()}}
}

// settle compares the pictures of new sides with the last picture, for all that are due.
func (f *hiddenFinder) settle(due func(*hiddenCut) bool) {
	f.open = slices.DeleteFunc(f.open, func(c *hiddenCut) bool {
		if !due(c) {
			return false
		}
		c.stays = f.recent[len(f.recent)-1].unlike(c.first) <= softSame*c.unlike
		c.first = nil
		f.found = append(f.found, c)
		return true
	})
}

// wildEnded reports whether what moved wildly up to moment i does not move after it.
func (f *hiddenFinder) wildEnded(moments []Moment, i int) bool {
	if i < 1 || len(f.recent) < 3 {
		return false
	}
	m, next := &moments[i], &moments[i+1]
	if m.Change < wildLeast || float64(next.Change) > wildEnd*float64(m.Change) {
		return false
	}
	before, _ := around(moments, i, byLuma)
	wild := before.usual()
	return wild >= wildLeast && len(before.changes) >= wildFrames && slices.Min(before.changes) >= wildEven*wild && float64(m.Change) >= changesSame*wild
}

// all returns the hidden cuts, given all moments.
func (f *hiddenFinder) all(moments []Moment) (cuts []Cut) {
	f.settle(func(*hiddenCut) bool { return true })
	for _, c := range f.found {
		if c.holds(moments) {
			m := &moments[c.moment]
			cuts = append(cuts, Cut{Time: m.Time, Score: float64(m.Score), Hidden: true})
		}
	}
	return cuts
}

func (c *hiddenCut) holds(moments []Moment) bool {
	if !c.wild {
		return c.stays && (peak(moments, c.moment, byLuma, softLeast) || peak(moments, c.moment, byColours, softColours))
	}
	before, after := around(moments, c.moment, byLuma)
	return after.frames >= fewChanges && after.usual() <= wildEnd*before.usual()
}
