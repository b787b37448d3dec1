package scene

import (
	"math"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/media/plane"
	"omniscope/perceive"
)

// What makes a dissolve: a frame that is a mixture of the frames before and
// after it, which show different things.
const (
	dissolveGap  = 700 * time.Millisecond // most time between the frames
	dissolveSize = 14                     // least mean difference before to after, of 255
	dissolveRest = 0.3                    // most of it that no mixture explains
	dissolveLike = 0.85                   // most correlation of before and after
	mixLeast     = 0.12                   // of either picture in the mixture
)

// dissolves tells where one picture seems to melt into another. The frames
// are too far apart to tell it for certain.
func dissolves(s *media.VideoSurvey, pictures []*picture) (list []perceive.Observation) {
	end := time.Duration(-1)
	for i := 1; i+1 < len(pictures); i++ {
		a, m, b := pictures[i-1], pictures[i], pictures[i+1]
		if m.at-a.at > dissolveGap || b.at-m.at > dissolveGap || a.at < end || parted(s, a.at, b.at) || !mixture(&a.luma, &m.luma, &b.luma) {
			continue
		}
		_, first := between(a, m)
		if _, second := between(m, b); first || second {
			continue // motion alone explains it
		}
		end = b.at
		list = append(list, during(omniscope.Span{Start: a.at, End: b.at}, 0.6, nil, "one picture seems to dissolve into another."))
	}
	return list
}

// parted reports whether a cut, a flash or black lies between two times.
func parted(s *media.VideoSurvey, from, to time.Duration) bool {
	for _, list := range [][]media.Cut{s.Cuts, s.Flashes} {
		for _, c := range list {
			if c.Time > from && c.Time <= to {
				return true
			}
		}
	}
	for _, b := range s.Black {
		if b.Start <= to && b.End >= from {
			return true
		}
	}
	return false
}

// mixture reports whether m is about w·a + (1−w)·b, with w by least squares.
// Means are left out: where only the light changes, as by automatic exposure,
// nothing dissolves.
func mixture(a, m, b *plane.Plane) bool {
	meanA, meanM, meanB := a.Mean(), m.Mean(), b.Mean()
	var up, down, size float64
	for i := range a.Pix {
		d := float64(a.Pix[i]) - meanA - float64(b.Pix[i]) + meanB
		up += d * (float64(m.Pix[i]) - meanM - float64(b.Pix[i]) + meanB)
		down += d * d
		size += math.Abs(d)
	}
	n := float64(len(a.Pix))
	if size/n < dissolveSize {
		return false
	}
	w, rest := up/down, 0.
	for i := range a.Pix {
		rest += math.Abs(float64(m.Pix[i]) - meanM - w*(float64(a.Pix[i])-meanA) - (1-w)*(float64(b.Pix[i])-meanB))
	}
	return w >= mixLeast && w <= 1-mixLeast && rest <= dissolveRest*size && correlation(a, b) <= dissolveLike
}

func correlation(a, b *plane.Plane) float64 {
	meanA, meanB := a.Mean(), b.Mean()
	var aa, bb, ab float64
	for i := range a.Pix {
		x, y := float64(a.Pix[i])-meanA, float64(b.Pix[i])-meanB
		aa, bb, ab = aa+x*x, bb+y*y, ab+x*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}
