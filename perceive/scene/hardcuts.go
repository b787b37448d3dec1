package scene

import (
	"context"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// Cuts are first found by brightness (see media.Cut). Some of these changes are not cuts,
// and some cuts do not stand out. A change amid others of its size, as in
// flicker, noise and patterns that move, is not a cut. A cut may be hidden where only
// colours change, or where what moved wildly before does not move after.
const (
	aroundCut   = 400 * time.Millisecond // on either side
	moved       = 1.0                    // mean difference, of 255, that counts as a change
	changesMost = 0.5                    // of the change: those on one side, where those on
	changesSame = 0.85                   // the other are as large
	fewChanges  = 2                      // on a side, to judge by
	wildLeast   = 25                     // mean difference, of 255, of what moves wildly
	wildFrames  = 4                      // that it moves so for
	wildEven    = 0.6                    // of the usual change: the least of these frames
	wildEnd     = 0.35                   // of it: what is left after its end
)

// A side is the changes on one side of a moment, nearest first.
type side struct {
	frames  int
	changes []float64 // above moved
}

// around returns the changes before and after moment i. The first frame of a video
// has no change of its own.
func around(moments []media.Moment, i int) (before, after side) {
	at := moments[i].Time
	for k := i - 1; k > 0 && at-moments[k].Time <= aroundCut; k-- {
		before.add(moments[k])
	}
	for k := i + 1; k < len(moments) && moments[k].Time-at <= aroundCut; k++ {
		after.add(moments[k])
	}
	return before, after
}

func (s *side) add(m media.Moment) {
	s.frames++
	if m.Change > moved {
		s.changes = append(s.changes, float64(m.Change))
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

// amidChanges reports whether a change of the picture is one of many of its size.
func amidChanges(moments []media.Moment, at time.Duration) bool {
	i := slices.IndexFunc(moments, func(m media.Moment) bool { return m.Time == at })
	if i < 0 {
		return false
	}
	size := float64(moments[i].Change)
	before, after := around(moments, i)
	a, b := before.usual(), after.usual()
	switch {
	case before.frames < fewChanges:
		return b >= changesMost*size
	case after.frames < fewChanges:
		return a >= changesMost*size
	}
	return min(a, b) >= changesMost*size && max(a, b) >= changesSame*size
}

// withHardCuts leaves out changes amid others of their size, and cuts at the edges of
// black to which the picture fades there: the last step of a fade may be a large one.
func withHardCuts(s *media.VideoSurvey) *media.VideoSurvey {
	t := *s
	amid := func(c media.Cut) bool { return amidChanges(s.Moments, c.Time) }
	t.Flashes = slices.DeleteFunc(slices.Clone(s.Flashes), amid)
	t.Cuts = slices.DeleteFunc(slices.Clone(s.Cuts), func(c media.Cut) bool {
		return amid(c) || slices.ContainsFunc(s.Black, func(b omniscope.Span) bool {
			out, in := fades(s, b)
			return c.Time == b.Start && out > 0 || c.Time == b.End && in > 0
		})
	})
	return &t
}

// wildEnds finds where a picture that moved wildly gives way to a calm one that looks
// otherwise.
func wildEnds(s *media.VideoSurvey, pictures []*picture) (found []time.Duration) {
	for i := 1; i+1 < len(s.Moments); i++ {
		m, next := &s.Moments[i], &s.Moments[i+1]
		if m.Change < wildLeast || float64(next.Change) > wildEnd*float64(m.Change) {
			continue
		}
		before, after := around(s.Moments, i)
		wild := before.usual()
		if wild < wildLeast || len(before.changes) < wildFrames || slices.Min(before.changes) < wildEven*wild || float64(m.Change) < changesSame*wild || after.usual() > wildEnd*wild || after.frames < fewChanges {
			continue
		}
		a, b := neighbours(pictures, m.Time)
		if a != nil && b != nil && !parted(s, a.at, b.at) && a.unlike(b) >= otherPicture {
			found = append(found, m.Time)
		}
	}
	return found
}

// A cut between pictures of similar brightness stands out of the changes around it, and
// the pictures on both sides differ more than pictures of one shot.
const (
	softLeast   = 6.0 // mean difference, of 255
	softPeak    = 3.0 // times the usual change around it
	softHighest = 1.8 // times the highest change around it
	softUnlike  = 0.3 // of the pixels, see unlike
	softSame    = 0.5 // of that: the most between two pictures of one side
)

// softCuts finds cuts that change the brightness of the picture too little.
func softCuts(s *media.VideoSurvey, pictures []*picture) (found []time.Duration) {
	for i := 1; i < len(s.Moments); i++ {
		m := &s.Moments[i]
		size := float64(m.Change)
		if size < softLeast || m.Score == 0 {
			continue
		}
		before, after := around(s.Moments, i)
		if before.frames < fewChanges || after.frames < fewChanges || size < softPeak*max(before.usual(), after.usual(), moved) ||
			size < softHighest*max(before.highest(), after.highest()) {
			continue
		}
		a, b := neighbours(pictures, m.Time)
		if a == nil || b == nil || parted(s, a.at, b.at) {
			continue
		}
		unlike := a.unlike(b)
		if _, moves := between(a, b); moves || unlike < softUnlike {
			continue
		}
		earlier, _ := neighbours(pictures, a.at)
		_, later := neighbours(pictures, b.at+1)
		if earlier != nil && earlier.unlike(a) <= softSame*unlike && later != nil && later.unlike(b) <= softSame*unlike {
			found = append(found, m.Time)
		}
	}
	return found
}

// highest is the largest change.
func (s *side) highest() float64 {
	if len(s.changes) == 0 {
		return 0
	}
	return slices.Max(s.changes)
}

// neighbours are the last picture before a time and the first one from it on, where
// both are near.
func neighbours(pictures []*picture, at time.Duration) (before, after *picture) {
	for _, p := range pictures {
		switch {
		case p.at < at && at-p.at <= motionGap:
			before = p
		case p.at >= at && p.at-at <= motionGap && after == nil:
			after = p
		}
	}
	return before, after
}

// otherPicture is the least share of pixels without a counterpart of the same brightness
// or colour in a picture that shows something else.
const otherPicture = 0.35

// unlike is the share of pixels without a counterpart of the same brightness or the same
// colour in the other picture, wherever it is.
func (p *picture) unlike(o *picture) float64 {
	return max(p.luma.unlike(&o.luma), p.blue.unlike(&o.blue), p.red.unlike(&o.red))
}

// unlike compares how often values occur, in 16 steps and blurred by one, so that
// values at a limit do not jump.
func (p *plane) unlike(o *plane) float64 {
	a, b := p.histogram(), o.histogram()
	sum := 0.0
	for i := range a {
		sum += max(a[i]-b[i], 0)
	}
	return sum
}

func (p *plane) histogram() (h [16]float64) {
	each := 1 / float64(max(len(p.pix), 1))
	for _, v := range p.pix {
		at, part := int(v)/16, float64(int(v)%16)/16
		h[at] += each * (1 - part)
		h[min(at+1, 15)] += each * part
	}
	return h
}

// How cuts between colours are found.
const (
	mostLooked  = 8   // pairs of pictures between which all frames are looked at
	atOnce      = 0.7 // of the change of colours: the share that must come from one frame to the next
	coloursSize = 160 * 120
)

// colourCuts finds where the colours change from one frame to the next and brightness
// hardly does. Only where pictures that follow each other have other colours are the
// frames between them looked at; where that is often, colours change all the time.
func colourCuts(ctx context.Context, c *perceive.Clip, s *media.VideoSurvey, pictures []*picture) (found []time.Duration, err error) {
	var pairs [][2]*picture
	for i := 1; i < len(pictures); i++ {
		a, b := pictures[i-1], pictures[i]
		if a.recoloured(b) >= newColours && a.luma.apart(&b.luma) <= a.recoloured(b) && b.at-a.at <= motionGap && !parted(s, a.at, b.at) {
			pairs = append(pairs, [2]*picture{a, b})
		}
	}
	if len(pairs) > mostLooked {
		return nil, nil
	}
	for _, pair := range pairs {
		at, err := recolouring(ctx, c, s, pair[0], pair[1])
		if err != nil {
			return nil, err
		}
		if at > 0 {
			found = append(found, at)
		}
	}
	return found, nil
}

// recolouring is the time of the frame with which the colours change between two
// pictures, 0 if they change little by little.
func recolouring(ctx context.Context, c *perceive.Clip, s *media.VideoSurvey, from, to *picture) (time.Duration, error) {
	var times []time.Duration
	for _, m := range s.Moments {
		if m.Time >= from.at && m.Time <= to.at {
			times = append(times, m.Time)
		}
	}
	taken, err := media.FramesAt(ctx, c.File, media.Policy{MaxPixels: coloursSize}, times, "")
	if err != nil {
		return 0, err
	}
	frames, _, err := thumbnails(ctx, taken.Frames)
	if err != nil {
		return 0, err
	}
	return jump(frames), nil
}

// jump is the time of the picture that has all at once most of the new colours of the
// last one, 0 without such a picture.
func jump(frames []*picture) time.Duration {
	if len(frames) < 2 {
		return 0
	}
	most, second, at := 0.0, 0.0, time.Duration(0)
	for i := 1; i < len(frames); i++ {
		switch d := frames[i-1].recoloured(frames[i]); {
		case d > most:
			most, second, at = d, most, frames[i].at
		case d > second:
			second = d
		}
	}
	if most < newColours || most < atOnce*frames[0].recoloured(frames[len(frames)-1]) || second > most/3 {
		return 0
	}
	return at
}

// recoloured is the difference of the colours of two pictures, place by place.
func (p *picture) recoloured(o *picture) float64 {
	return p.blue.apart(&o.blue) + p.red.apart(&o.red)
}

// hiddenSure is how sure a cut is that does not stand out by brightness.
const hiddenSure = 0.85

// withHidden adds the cuts that do not stand out by brightness.
func withHidden(ctx context.Context, c *perceive.Clip, s *media.VideoSurvey, pictures []*picture) (*media.VideoSurvey, map[time.Duration]bool, error) {
	hidden := make(map[time.Duration]bool)
	colours, err := colourCuts(ctx, c, s, pictures)
	if err != nil {
		return nil, nil, err
	}
	t := *s
	t.Cuts = slices.Clone(s.Cuts)
	for _, at := range slices.Concat(softCuts(s, pictures), wildEnds(s, pictures), colours) {
		if hidden[at] {
			continue
		}
		hidden[at] = true
		t.Cuts = append(t.Cuts, media.Cut{Time: at})
	}
	slices.SortFunc(t.Cuts, func(a, b media.Cut) int { return int(a.Time - b.Time) })
	return &t, hidden, nil
}
