package scene

import (
	"fmt"
	"math"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// The words for motion of the entire picture.
const (
	motionGap  = 1200 * time.Millisecond // most time between two frames
	panLeast   = 0.015
	zoomLeast  = 0.03
	fixedMost  = 0.004
	fixedShare = 0.6
	motionLong = 900 * time.Millisecond
)

// A motion is the motion of the entire picture in a second: in widths and
// heights of the picture, to the right and down, and as the logarithm of its
// growth.
type motion struct{ right, down, growth float64 }

// between measures the motion from one picture to the next.
func between(a, b *picture) (m motion, ok bool) {
	each := (b.at - a.at).Seconds()
	found, ok := a.scaled.To(b.scaled)
	if !ok {
		return motion{}, false
	}
	return motion{
		right:  found.Right / float64(a.luma.Width) / each,
		down:   found.Down / float64(a.luma.Height) / each,
		growth: math.Log1p(found.Growth) / each,
	}, true
}

// The words for motion, as the camera would make it.
const (
	fixed   = "fixed"
	unclear = ""
)

// kind returns the kind of a motion.
func (m motion) kind() string {
	right, down, growth := math.Abs(m.right), math.Abs(m.down), math.Abs(m.growth)
	either := func(first bool, one, other string) string {
		if first {
			return one
		}
		return other
	}
	switch {
	case growth >= zoomLeast && growth/2 >= max(right, down):
		return either(m.growth > 0, "zooms in", "zooms out")
	case right >= panLeast && right >= down:
		return either(m.right < 0, "pans right", "pans left")
	case down >= panLeast:
		return either(m.down < 0, "tilts down", "tilts up")
	case max(right, down) <= fixedMost && growth <= zoomLeast/4:
		return fixed
	}
	return unclear
}

// A move is one kind of motion for a while.
type move struct {
	kind string
	span omniscope.Span
	sum  motion // of all steps, weighted with their seconds
}

// motions reports the motion of the entire picture, shot by shot. It leaves out
// spans in which motion could not be measured.
func motions(s *media.VideoSurvey, shots []omniscope.Span, pictures []*picture) (list []perceive.Observation) {
	for _, shot := range shots {
		var own []*picture
		for _, p := range pictures {
			if p.at >= shot.Start && p.at < shot.End {
				own = append(own, p)
			}
		}
		found := moving(s, own)
		if stays(found, shot) {
			found = []move{{kind: fixed, span: shot}}
		}
		for _, m := range found {
			if m.kind != unclear && (m.kind != fixed || m.span == shot) && m.span.End-m.span.Start >= motionLong {
				list = append(list, m.observation())
			}
		}
	}
	return list
}

// stays reports whether a shot is taken by a camera that does not move, as far
// as it could be measured.
func stays(moves []move, shot omniscope.Span) bool {
	var still time.Duration
	for _, m := range moves {
		long := m.span.End - m.span.Start
		switch {
		case m.kind == fixed:
			still += long
		case m.kind != unclear && long >= motionLong:
			return false
		}
	}
	return still >= motionLong && float64(still) >= fixedShare*float64(shot.End-shot.Start)
}

// moving joins steps of one kind.
func moving(s *media.VideoSurvey, pictures []*picture) (list []move) {
	for i := 1; i < len(pictures); i++ {
		a, b := pictures[i-1], pictures[i]
		kind, each := unclear, (b.at - a.at).Seconds()
		var m motion
		if b.at-a.at <= motionGap && !parted(s, a.at, b.at) {
			var ok bool
			if m, ok = between(a, b); ok {
				kind = m.kind()
			}
		}
		if n := len(list); n == 0 || list[n-1].kind != kind {
			list = append(list, move{kind: kind, span: omniscope.Span{Start: a.at}})
		}
		last := &list[len(list)-1]
		last.span.End = b.at
		last.sum.right, last.sum.down, last.sum.growth = last.sum.right+each*m.right, last.sum.down+each*m.down, last.sum.growth+each*m.growth
	}
	return list
}

// moves reports whether an observation is about motion of the entire picture.
func moves(o perceive.Observation) bool {
	_, ok := o.Values["zoom_per_s"]
	return ok
}

func (m *move) observation() perceive.Observation {
	length := (m.span.End - m.span.Start).Seconds()
	each := motion{m.sum.right / length, m.sum.down / length, m.sum.growth / length}
	values := map[string]float64{"right_widths_per_s": -each.right, "down_heights_per_s": -each.down, "zoom_per_s": math.Exp(each.growth)}
	if m.kind == fixed {
		return during(m.span, 0.65, values, "the picture as a whole does not move: the camera seems to be fixed.")
	}
	verb, direction, _ := strings.Cut(m.kind, "s ")
	change, share := "shifts by %.0f %% of its height", math.Abs(each.down)
	switch verb {
	case "zoom":
		change, share = "changes its size by %.0f %%", math.Abs(math.Expm1(each.growth))
	case "pan":
		change, share = "shifts by %.0f %% of its width", math.Abs(each.right)
	}
	return during(m.span, 0.65, values, "the camera seems to move or %s %s: the picture as a whole %s a second.", verb, direction, fmt.Sprintf(change, 100*share))
}
